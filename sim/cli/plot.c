#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/paths.h"
#include "cli/show.h"
#include "cli/signals.h"
#include "cli/verbs.h"

enum {
    PATH_ROOM = PATH_MAX + 300, /* a folder and a file in it */
    TITLE_BYTES = 1000
};

/* What a picture says of itself. */
struct heading {
    char answer[TITLE_BYTES]; /* the title; the scripts break it into lines */
    char source[TITLE_BYTES]; /* the small line below it: scenario and version */
};

/* Runs gnuplot on one script. Says on stderr why not; gnuplot's own words go there too. */
static bool gnuplot(const char *script, const char *data, const char *picture,
                    const struct heading *heading)
{
    const char *argv[] = {"gnuplot",       "-c", script, data, picture, heading->answer,
                          heading->source, NULL};
    pid_t pid = 0;
    /* The scripts are UTF-8; in another locale gnuplot complains, though it draws the same. */
    if (setenv("LC_ALL", "C.UTF-8", 1) != 0)
        return false;
    int state = 0,
        failure = posix_spawnp(&pid, "gnuplot", NULL, NULL, (char *const *)argv, environ);
    if (failure == ENOENT) {
        fprintf(stderr, "vsgisim: gnuplot is not installed; on Debian: apt install gnuplot-nox\n");
        return false;
    }
    if (failure) {
        fprintf(stderr, "vsgisim: gnuplot: %s\n", strerror(failure));
        return false;
    }
    while (waitpid(pid, &state, 0) < 0) {
        if (errno != EINTR)
            return false;
        if (vsg_signal_came)
            kill(pid, SIGTERM);
    }
    if (vsg_signal_came)
        return false;
    if (WIFSIGNALED(state))
        fprintf(stderr, "vsgisim: gnuplot: ended by signal %d\n", WTERMSIG(state));
    else if (WEXITSTATUS(state) == 127)
        fprintf(stderr, "vsgisim: gnuplot is not installed; on Debian: apt install gnuplot-nox\n");
    else if (WEXITSTATUS(state) != 0)
        fprintf(stderr, "vsgisim: gnuplot -c %s %s: exit code %d\n", script, data,
                WEXITSTATUS(state));
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* Draws under a temporary name: a failed gnuplot leaves an empty file behind. */
static bool draw(const char *script, const char *folder, const char *stem, const char *ending,
                 const struct heading *heading)
{
    char data[PATH_ROOM], part[PATH_ROOM], whole[PATH_ROOM];
    struct stat st;
    snprintf(data, sizeof data, "%s/%s.tsv", folder, stem);
    snprintf(part, sizeof part, "%s/.part-%s.%s", folder, stem, ending);
    snprintf(whole, sizeof whole, "%s/%s.%s", folder, stem, ending);
    bool drawn = gnuplot(script, data, part, heading);
    if (drawn && (stat(part, &st) != 0 || st.st_size == 0)) {
        fprintf(stderr, "vsgisim: gnuplot left nothing in %s\n", part);
        drawn = false;
    }
    if (drawn && rename(part, whole) != 0) {
        fprintf(stderr, "vsgisim: %s: %s\n", whole, strerror(errno));
        drawn = false;
    }
    if (!drawn)
        unlink(part);
    else
        printf("%s\n", whole);
    return drawn;
}

static int is_script(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".gp") == 0;
}

/* Every script NAME.gp draws DIR/plots/NAME.tsv, where there is one. */
static int draw_all(const char *scripts, const char *folder, const struct heading *heading)
{
    struct dirent **entry = NULL;
    int count = scandir(scripts, &entry, is_script, alphasort), drawn = 0;
    bool well = true;
    for (int i = 0; i < count; i++) {
        char script[PATH_ROOM], data[PATH_ROOM];
        *strrchr(entry[i]->d_name, '.') = '\0';
        snprintf(script, sizeof script, "%s/%s.gp", scripts, entry[i]->d_name);
        snprintf(data, sizeof data, "%s/%s.tsv", folder, entry[i]->d_name);
        if (well && access(data, R_OK) == 0) {
            well = draw(script, folder, entry[i]->d_name, "svg", heading) &&
                   draw(script, folder, entry[i]->d_name, "png", heading);
            drawn++;
        }
        free(entry[i]);
    }
    free(entry);
    if (vsg_signal_came)
        return VSG_EXIT_SIGNAL + (int)vsg_signal_came;
    if (!well)
        return VSG_EXIT_FAILED;
    if (drawn > 0)
        return VSG_EXIT_OK;
    fprintf(stderr, "%s: error: no data to plot; make it with 'vsgisim run FILE --out DIR'\n",
            folder);
    return VSG_EXIT_SCENARIO;
}

/* From the manifest; empty where there is none. */
static void find_heading(const char *dir, struct heading *heading)
{
    char path[PATH_ROOM];
    const char *name = NULL, *version = NULL, *answer = NULL;
    snprintf(path, sizeof path, "%s/manifest.json", dir);
    json_t *manifest = json_load_file(path, 0, NULL);
    *heading = (struct heading){0};
    if (manifest && json_unpack(manifest, "{s:s, s:s, s?s}", "scenario", &name, "version", &version,
                                "answer", &answer) == 0) {
        snprintf(heading->answer, TITLE_BYTES, "%s", answer ? answer : "");
        snprintf(heading->source, TITLE_BYTES, "%s (vsgisim %s)", name, version);
    }
    json_decref(manifest);
}

int vsg_verb_plot(const struct vsg_command *c)
{
    char folder[PATH_MAX];
    struct stat st;
    const char *dir = c->operand[0];
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    if (length >= PATH_MAX - 300 ||
        snprintf(folder, sizeof folder, "%.*s/plots", (int)length, dir) < 0) {
        fprintf(stderr, "vsgisim: the name of the directory is too long\n");
        return VSG_EXIT_SCENARIO;
    }
    if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode)) {
        bool there = stat(dir, &st) == 0;
        vsg_show_safely(stderr, dir);
        fprintf(stderr, ": error: %s\n",
                there ? "not a results directory; make one with 'vsgisim run FILE --out DIR'"
                      : strerror(errno));
        return VSG_EXIT_SCENARIO;
    }
    char *scripts = vsg_share_dir("plots");
    if (!scripts) {
        fprintf(stderr, "vsgisim: the gnuplot scripts are not where vsgisim was installed "
                        "(share/vsgisim/plots)\n");
        return VSG_EXIT_FAILED;
    }
    struct heading heading;
    find_heading(dir, &heading);
    vsg_signals_catch();
    int rc = draw_all(scripts, folder, &heading);
    free(scripts);
    return rc;
}

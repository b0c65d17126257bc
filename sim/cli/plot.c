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
    return dot && strcmp(dot, ".gp") == 0 && strcmp(e->d_name, "common.gp") != 0;
}

/* What DIR/plots/index.tsv says of a plot: its title, or why it cannot be drawn. */
struct entry {
    char title[TITLE_BYTES], left_out[TITLE_BYTES];
};

/* The rest of the line up to `end`, which it steps over; too long a text is cut. */
static void take_cell(const char **line, char end, char *cell)
{
    size_t length = strcspn(*line, (char[]){end, '\n', '\0'}),
           kept = length < TITLE_BYTES ? length : TITLE_BYTES - 1;
    memcpy(cell, *line, kept);
    cell[kept] = '\0';
    *line += length + ((*line)[length] == end);
}

/* False: there is no such file, as of an older version, or the plot is not in it. */
static bool find_entry(const char *folder, const char *name, struct entry *out)
{
    char path[PATH_ROOM], line[3 * TITLE_BYTES];
    bool found = false;
    snprintf(path, sizeof path, "%s/index.tsv", folder);
    FILE *f = fopen(path, "r");
    while (f && !found && fgets(line, sizeof line, f)) {
        char of[TITLE_BYTES];
        const char *at = line;
        take_cell(&at, '\t', of);
        take_cell(&at, '\t', out->title);
        take_cell(&at, '\n', out->left_out);
        found = strcmp(of, name) == 0;
    }
    if (f)
        fclose(f);
    return found;
}

/* A request: which plots of which directory. */
struct request {
    const char *scripts, *folder;
    const struct heading *heading;
    const char *const *name; /* [names]; none: all */
    size_t names;
    bool quiet;
};

static bool is_wanted(const struct request *q, const char *name)
{
    for (size_t i = 0; i < q->names; i++)
        if (strcmp(q->name[i], name) == 0)
            return true;
    return q->names == 0;
}

/* One that was drawn from the data of an earlier run. */
static void remove_picture(const char *folder, const char *name, const char *ending)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    unlink(path);
}

enum drawing { DRAWN, LEFT_OUT, NO_DATA, DRAWING_FAILED };

/* NAME.gp draws DIR/plots/NAME.tsv, where there is one and it holds enough. */
static enum drawing draw_one(const struct request *q, const char *name)
{
    char script[PATH_ROOM], data[PATH_ROOM];
    struct heading heading = *q->heading;
    struct entry entry;
    snprintf(script, sizeof script, "%s/%s.gp", q->scripts, name);
    snprintf(data, sizeof data, "%s/%s.tsv", q->folder, name);
    if (access(data, R_OK) != 0)
        return NO_DATA;
    if (find_entry(q->folder, name, &entry)) {
        if (entry.left_out[0]) {
            if (!q->quiet || q->names > 0) {
                fprintf(stderr, "vsgisim: no plot '%s': ", name);
                vsg_show_safely(stderr, entry.left_out);
                fprintf(stderr, "\n");
            }
            remove_picture(q->folder, name, "svg");
            remove_picture(q->folder, name, "png");
            return LEFT_OUT;
        }
        memcpy(heading.answer, entry.title, TITLE_BYTES);
    }
    bool well = draw(script, q->folder, name, "svg", &heading) &&
                draw(script, q->folder, name, "png", &heading);
    return well ? DRAWN : DRAWING_FAILED;
}

static int draw_all(const struct request *q, struct dirent *const *entry, int count)
{
    unsigned found[DRAWING_FAILED + 1] = {0};
    for (int i = 0; i < count && !found[DRAWING_FAILED]; i++)
        if (is_wanted(q, entry[i]->d_name))
            found[draw_one(q, entry[i]->d_name)]++;
    if (vsg_signal_came)
        return VSG_EXIT_SIGNAL + (int)vsg_signal_came;
    if (found[DRAWING_FAILED])
        return VSG_EXIT_FAILED;
    if (q->names > 0 && found[LEFT_OUT])
        return VSG_EXIT_SCENARIO; /* it was asked for */
    if (found[DRAWN] + found[LEFT_OUT] > 0 && (q->names == 0 || !found[NO_DATA]))
        return VSG_EXIT_OK;
    fprintf(stderr, "%s: error: no data to plot; make it with 'vsgisim run FILE --out DIR'\n",
            q->folder);
    return VSG_EXIT_SCENARIO;
}

/* Every name must be that of a script. */
static int check_names(const struct request *q, struct dirent *const *entry, int count)
{
    for (size_t k = 0; k < q->names; k++) {
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || strcmp(entry[i]->d_name, q->name[k]) == 0;
        if (known)
            continue;
        fprintf(stderr, "vsgisim: no plot is named '");
        vsg_show_safely(stderr, q->name[k]);
        fprintf(stderr, "'; there are");
        for (int i = 0; i < count; i++)
            fprintf(stderr, "%s %s", i > 0 ? "," : "", entry[i]->d_name);
        fprintf(stderr, "\n");
        return VSG_EXIT_USAGE;
    }
    return VSG_EXIT_OK;
}

static int draw_request(const struct request *q)
{
    struct dirent **entry = NULL;
    int count = scandir(q->scripts, &entry, is_script, alphasort);
    for (int i = 0; i < count; i++)
        *strrchr(entry[i]->d_name, '.') = '\0';
    int rc = check_names(q, entry, count);
    if (rc == VSG_EXIT_OK)
        rc = draw_all(q, entry, count);
    for (int i = 0; i < count; i++)
        free(entry[i]);
    free(entry);
    return rc;
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
    struct request request = {.scripts = scripts,
                              .folder = folder,
                              .heading = &heading,
                              .name = c->operand + 1,
                              .names = c->operand_count - 1,
                              .quiet = c->value[VSG_OPT_QUIET] != NULL};
    int rc = draw_request(&request);
    free(scripts);
    return rc;
}

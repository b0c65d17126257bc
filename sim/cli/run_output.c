#include "cli/run_output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/outdir.h"
#include "study/report.h"

enum { PIPED_COLUMNS = 100 };

static unsigned columns(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col;
    return PIPED_COLUMNS;
}

static enum vsg_status append(char **text, size_t *size, const char *more, size_t more_size)
{
    char *grown = realloc(*text, *size + more_size + 1);
    if (!grown)
        return VSG_ENOMEM;
    memcpy(grown + *size, more, more_size);
    *text = grown;
    *size += more_size;
    grown[*size] = '\0';
    return VSG_OK;
}

static enum vsg_status add_json(const struct vsg_results *r, struct vsg_run_texts *t)
{
    char *text = NULL;
    enum vsg_status status = vsg_report_json(r, &text);
    if (status == VSG_OK && t->studies)
        status = append(&t->json, &t->json_size, ",\n", 2);
    if (status == VSG_OK) {
        size_t size = strlen(text);
        while (size && text[size - 1] == '\n')
            size--;
        status = append(&t->json, &t->json_size, text, size);
    }
    free(text);
    return status;
}

static enum vsg_status add_samples(const struct vsg_results *r, struct vsg_run_texts *t)
{
    char *text = NULL;
    enum vsg_status status = vsg_report_samples_csv(r, t->studies == 0, &text);
    if (status == VSG_OK)
        status = append(&t->samples, &t->samples_size, text, strlen(text));
    free(text);
    return status;
}

enum vsg_status vsg_run_output(const struct vsg_command *c, const struct vsg_results *r,
                               struct vsg_run_texts *t)
{
    char *text = NULL;
    enum vsg_status status = VSG_OK;
    if (c->value[VSG_OPT_SAMPLES])
        status = add_samples(r, t);
    if (status == VSG_OK && c->value[VSG_OPT_JSON]) {
        status = add_json(r, t);
    } else if (status == VSG_OK) {
        status = c->value[VSG_OPT_CSV] ? vsg_report_csv(r, &text)
                                       : vsg_report_table(r, columns(), UINT32_MAX, &text);
        if (status == VSG_OK && c->operand_count > 1)
            printf("%s== %s\n", t->studies ? "\n" : "", r->study->name);
        if (status == VSG_OK)
            fputs(text, stdout);
        free(text);
    }
    t->studies++;
    return status;
}

/* A device or pipe must be written to, not replaced. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static enum vsg_status write_special(const char *path, const char *text, size_t size,
                                     struct vsg_diag *diag)
{
    FILE *to = fopen(path, "we");
    bool written = to && fwrite(text, 1, size, to) == size;
    if (to && fclose(to) != 0)
        written = false;
    if (written)
        return VSG_OK;
    vsg_diag_error(diag, "%s: %s", path, strerror(errno));
    return VSG_EIO;
}

enum vsg_status vsg_run_output_finish(const struct vsg_command *c, struct vsg_run_texts *t,
                                      struct vsg_diag *diag)
{
    const char *path = c->value[VSG_OPT_SAMPLES];
    if (c->value[VSG_OPT_JSON] && t->json)
        printf(c->operand_count > 1 ? "[%s]\n" : "%s\n", t->json);
    if (!path || !t->samples)
        return VSG_OK;
    return is_special(path) ? write_special(path, t->samples, t->samples_size, diag)
                            : vsg_file_replace(path, t->samples, t->samples_size, diag);
}

void vsg_run_texts_free(struct vsg_run_texts *t)
{
    free(t->json);
    free(t->samples);
    *t = (struct vsg_run_texts){0};
}

enum vsg_status vsg_run_output_check(const struct vsg_command *c, struct vsg_diag *diag)
{
    const char *path = c->value[VSG_OPT_SAMPLES];
    struct stat st;
    if (!path)
        return VSG_OK;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        vsg_diag_error(diag, "--samples %s: is a directory; name a file", path);
        return VSG_EIO;
    }
    char *copy = strdup(path);
    if (!copy)
        return VSG_ENOMEM;
    bool writable = is_special(path) ? access(path, W_OK) == 0 : access(dirname(copy), W_OK) == 0;
    if (!writable)
        vsg_diag_error(diag, "--samples %s: %s", path, strerror(errno));
    free(copy);
    return writable ? VSG_OK : VSG_EIO;
}

void vsg_run_say_agreement(const struct vsg_results *r)
{
    const struct vsg_agreement *a = &r->outcome->agreement;
    if (!a->asked || (a->known && a->equal))
        return;
    fprintf(stderr, "vsgisim: %s: %s\n",
            a->known ? "the engines disagree" : "the engines could not be compared",
            a->reason ? a->reason : "no run was done by both");
    if (a->has_first)
        fprintf(stderr,
                "  first different IPI: run %u, sender %u, send %llu: %llu ps in parallel, %llu ps "
                "in simgrid\n",
                a->run, a->sender, (unsigned long long)a->n, (unsigned long long)a->latency_ps[0],
                (unsigned long long)a->latency_ps[1]);
}

/* The runs' own warnings; the study's were shown, with their lines, when it was loaded. */
static void say_warnings(const struct vsg_results *r)
{
    for (uint32_t i = 0; i < r->warning_count; i++) {
        bool shown = false;
        for (size_t k = 0; k < r->study->warnings.count; k++)
            shown |= strcmp(r->study->warnings.item[k].text, r->warning[i]) == 0;
        if (!shown) {
            fputs("warning: ", stderr);
            vsg_show_safely(stderr, r->warning[i]);
            fputc('\n', stderr);
        }
    }
}

/* A word as a shell takes it. */
static void say_quoted(const char *word)
{
    if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                          "-_=+./:,@%")] == '\0' &&
        *word) {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stderr);
    fputc('\'', stderr);
}

static void say_repeat(const struct vsg_command *c, const struct vsg_source *source,
                       const struct vsg_run *run)
{
    char path[4096];
    if (c->value[VSG_OPT_OUT])
        snprintf(path, sizeof path, "%s/runs/%04u/scenario.yaml", c->value[VSG_OPT_OUT],
                 run->index);
    (void)source;
    fputs("  to repeat it: vsgisim run", stderr);
    say_quoted(path);
    fprintf(stderr, " --engine %s\n", vsg_engine_name[run->engine]);
}

void vsg_run_say_failures(const struct vsg_command *c, const struct vsg_source *source,
                          const struct vsg_results *r)
{
    enum { SHOWN_MAX = 10 };
    unsigned shown = 0;
    if (!c->value[VSG_OPT_QUIET])
        say_warnings(r);
    for (uint32_t i = 0; i < r->outcome->run_count && shown < SHOWN_MAX; i++) {
        const struct vsg_run *run = &r->outcome->run[i];
        if (run->state != VSG_RUN_FAILED)
            continue;
        fputs("vsgisim: ", stderr);
        vsg_show_safely(stderr, run->error);
        fputc('\n', stderr);
        say_repeat(c, source, run);
        shown++;
    }
    if (r->outcome->failed)
        fprintf(stderr, "%u of %u runs failed.\n", r->outcome->failed, r->outcome->run_count);
}

#include "cli/run_output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run_repeat.h"
#include "study/outdir.h"
#include "study/params.h"
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

enum vsg_status vsg_run_texts_add_json(struct vsg_run_texts *t, const char *json)
{
    enum vsg_status status = VSG_OK;
    size_t size = strlen(json);
    while (size && json[size - 1] == '\n')
        size--;
    if (t->json)
        status = append(&t->json, &t->json_size, ",\n", 2);
    return status == VSG_OK ? append(&t->json, &t->json_size, json, size) : status;
}

static enum vsg_status add_json(const struct vsg_results *r, struct vsg_run_texts *t)
{
    char *text = NULL;
    enum vsg_status status = vsg_report_json(r, &text);
    if (status == VSG_OK)
        status = vsg_run_texts_add_json(t, text);
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

/* Costs that stand at a default which is assumed, not measured. */
static uint32_t assumed_costs(const struct vsg_config *config)
{
    uint32_t count = 0;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        if (p->base != VSG_IN_CONFIG || p->kind != VSG_DIST || p->basis != VSG_ASSUMED)
            continue;
        struct vsg_dist used;
        memcpy(&used, (const char *)config + p->offset, sizeof used);
        count += used.kind == VSG_DIST_CONSTANT && used.mean_ps == p->dflt;
    }
    return count;
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
        status =
            c->value[VSG_OPT_CSV]
                ? vsg_report_csv(r, &text)
                : vsg_report_table(r, columns(), assumed_costs(&r->study->point[0].config), &text);
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

/* What a run's error says behind the run's coordinates. */
static const char *cause(const struct vsg_run *run)
{
    const char *end = run->error ? strstr(run->error, "): ") : NULL;
    return end ? end + 3 : run->error ? run->error : "out of memory";
}

/* Runs that fail for one reason are said once, with the first of them. */
static void say_failed(const struct vsg_command *c, const struct vsg_source *source,
                       const struct vsg_results *r)
{
    enum { REASONS_MAX = 10 };
    const struct vsg_run *first[REASONS_MAX];
    unsigned count[REASONS_MAX] = {0}, reasons = 0;
    for (uint32_t i = 0; i < r->outcome->run_count; i++) {
        const struct vsg_run *run = &r->outcome->run[i];
        unsigned k = 0;
        if (run->state != VSG_RUN_FAILED)
            continue;
        while (k < reasons && strcmp(cause(first[k]), cause(run)) != 0)
            k++;
        if (k == reasons && reasons < REASONS_MAX)
            first[reasons++] = run;
        if (k < reasons)
            count[k]++;
    }
    for (unsigned k = 0; k < reasons; k++) {
        fputs("vsgisim: ", stderr);
        vsg_show_safely(stderr, first[k]->error ? first[k]->error : cause(first[k]));
        fputc('\n', stderr);
        if (count[k] > 1)
            fprintf(stderr, "  and %u more for the same reason\n", count[k] - 1);
        vsg_run_say_repeat(stderr, c, source->name, r, first[k]);
    }
}

void vsg_run_say_failures(const struct vsg_command *c, const struct vsg_source *source,
                          const struct vsg_results *r)
{
    if (!c->value[VSG_OPT_QUIET])
        say_warnings(r);
    say_failed(c, source, r);
    if (r->outcome->failed)
        fprintf(stderr, "%u of %u runs failed.\n", r->outcome->failed, r->outcome->run_count);
}

#include "study/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/params.h"

/* The resolved scenario: every value, defaults included, in the order of the table. */

struct writer {
    FILE *out;
    const void *base[VSG_PARAM_BASES];
};

static void write_count_list(FILE *out, const uint32_t *list, uint32_t count)
{
    fputc('[', out);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRIu32, i ? ", " : "", list[i]);
    fputc(']', out);
}

/* A text in double quotes. What libyaml does not take raw inside a file, or takes as a line
 * break, is escaped: C0 and C1 controls, DEL, U+2028, U+2029, U+FFFE, U+FFFF. */
static void write_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', out);
    while (*s) {
        if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\x%02x", *s);
        } else if (s[0] == 0xc2 && s[1] < 0xa0) {
            fprintf(out, "\\x%02x", s[1]);
            s++;
        } else if (s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9)) {
            fprintf(out, "\\u20%02x", s[2] - 0x80);
            s += 2;
        } else if (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe) {
            fprintf(out, "\\uff%02x", s[2] + 0x40);
            s += 2;
        } else {
            fputc(*s, out);
        }
        s++;
    }
    fputc('"', out);
}

static void write_text_list(FILE *out, char **list, uint32_t count)
{
    fputc('[', out);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        write_text(out, list[i]);
    }
    fputc(']', out);
}

/* False for a value that stands for "not given". */
static bool is_given(const struct vsg_param *p, const char *base)
{
    const void *field = base + p->offset;
    switch (p->kind) {
    case VSG_COUNT_LIST:
        return *(uint32_t *const *)field != NULL;
    case VSG_TEXT_LIST:
        return *(char **const *)field != NULL;
    case VSG_NAME:
    case VSG_TEXT:
        return *(char *const *)field != NULL;
    case VSG_TIME_MATRIX:
        return false;
    case VSG_TIME:
    case VSG_RATE:
    case VSG_SHARE:
    case VSG_COUNT: /* sends, rate, duration, maxcpus, precision: 0 is none */
        return p->has_default || p->min == 0 || vsg_param_load(p, field) != 0;
    default:
        return true;
    }
}

/* {empirical: {values: {20ns: 90}}}, {empirical: {quantiles: {0%: 10ns}}} */
static void write_measured(FILE *out, const struct vsg_dist *d)
{
    bool values = d->kind == VSG_DIST_VALUES;
    char at[VSG_QUANTITY_TEXT], value[VSG_QUANTITY_TEXT];
    fprintf(out, "{empirical: {%s: {", values ? "values" : "quantiles");
    for (uint32_t i = 0; i < d->point_count; i++) {
        vsg_quantity_format(values ? VSG_Q_COUNT : VSG_Q_SHARE, d->point[i].at, at, sizeof at);
        vsg_quantity_format(VSG_Q_TIME, d->point[i].value_ps, value, sizeof value);
        fprintf(out, "%s%s: %s", i ? ", " : "", values ? value : at, values ? at : value);
    }
    fputs("}}}", out);
}

static void write_value(FILE *out, const struct vsg_param *p, const char *base)
{
    const void *field = base + p->offset;
    char text[VSG_PARAM_TEXT];
    if (p->kind == VSG_COUNT_LIST) {
        uint32_t count;
        memcpy(&count, base + p->count_offset, sizeof count);
        write_count_list(out, *(uint32_t *const *)field, count);
    } else if (p->kind == VSG_TEXT_LIST) {
        uint32_t count;
        memcpy(&count, base + p->count_offset, sizeof count);
        write_text_list(out, *(char **const *)field, count);
    } else if (p->kind == VSG_DIST && ((const struct vsg_dist *)field)->point) {
        write_measured(out, field);
    } else if (p->kind == VSG_NAME || p->kind == VSG_TEXT) {
        write_text(out, *(char *const *)field);
    } else {
        fputs(vsg_param_value_text(p, field, text, sizeof text), out);
    }
}

/* Writes the values directly inside a section as "key: value", each behind `before` (the
 * first one behind `first`) and before `after`. */
static void write_section(const struct writer *w, const char *section, const char *first,
                          const char *before, const char *after)
{
    const struct vsg_param *kind = vsg_param_child(section, "kind");
    bool any = false;
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        const char *name, *base = w->base[p->base];
        if (!vsg_param_is_child(p, section, &name) || !base || !p->field)
            continue;
        if (kind && p->kinds &&
            !(p->kinds >> vsg_param_load(kind, (const char *)w->base[kind->base] + kind->offset) &
              1))
            continue;
        if (!is_given(p, base))
            continue;
        fprintf(w->out, "%s%s: ", any ? before : first, name);
        write_value(w->out, p, base);
        fputs(after, w->out);
        any = true;
    }
}

static void write_flow(const struct writer *w, const char *section)
{
    fputc('{', w->out);
    write_section(w, section, "", ", ", "");
    fputs("}\n", w->out);
}

static void write_items(struct writer *w, const char *name, const char *section,
                        enum vsg_param_base base, const void *items, size_t size, uint32_t count)
{
    fprintf(w->out, count ? "  %s:\n" : "  %s: []\n", name);
    for (uint32_t i = 0; i < count; i++) {
        w->base[base] = (const char *)items + i * size;
        fputs("    - ", w->out);
        write_flow(w, section);
    }
}

static void write_machine(struct writer *w, const struct vsg_scenario *s)
{
    const struct vsg_machine_config *m = &s->config.machine;
    fputs("machine:\n", w->out);
    if (s->machine_is_short) {
        w->base[VSG_IN_SHORT] = &s->machine_short;
        write_section(w, "machine", "  ", "  ", "\n");
        fputs("  gic: ", w->out);
        write_flow(w, "machine.gic");
        return;
    }
    fprintf(w->out, "  nodes: %" PRIu32 "\n", m->nodes);
    write_items(w, "its", "machine.its[]", VSG_IN_ITS, m->its, sizeof *m->its, m->its_count);
    write_items(w, "cpus", "machine.cpus[]", VSG_IN_CPU, m->cpu, sizeof *m->cpu, m->cpu_count);
    fputs("  boot_order: ", w->out);
    write_count_list(w->out, m->boot_order, m->boot_count);
    fputc('\n', w->out);
    write_items(w, "events", "machine.events[]", VSG_IN_EVENT, m->event, sizeof *m->event,
                m->event_count);
}

static void write_interconnect(struct writer *w, const struct vsg_scenario *s)
{
    const struct vsg_interconnect_config *c = &s->config.interconnect;
    char text[VSG_QUANTITY_TEXT];
    uint32_t nodes = s->config.machine.nodes;

    w->base[VSG_IN_INTERCONNECT] = c;
    fputs("interconnect:\n", w->out);
    write_section(w, "interconnect", "  ", "  ", "\n");
    fputs("  link: {", w->out);
    if (!c->matrix_latency_ps)
        fprintf(w->out, "latency: %s, ",
                vsg_quantity_format(VSG_Q_TIME, c->link_latency_ps, text, sizeof text));
    fprintf(w->out, "bandwidth: %s}\n",
            vsg_quantity_format(VSG_Q_BANDWIDTH, c->link_bytes_per_s, text, sizeof text));
    if (c->platform.xml) {
        fputs("  platform: ", w->out);
        write_flow(w, "interconnect.platform");
    }
    if (!c->matrix_latency_ps)
        return;
    fputs("  matrix:\n    latency:\n", w->out);
    for (uint32_t i = 0; i < nodes; i++) {
        fputs("      - [", w->out);
        for (uint32_t k = 0; k < nodes; k++)
            fprintf(w->out, "%s%s", k ? ", " : "",
                    vsg_quantity_format(VSG_Q_TIME, c->matrix_latency_ps[(size_t)i * nodes + k],
                                        text, sizeof text));
        fputs("]\n", w->out);
    }
}

static void write_rates(FILE *out, const struct vsg_workload_config *c, uint32_t n)
{
    char text[VSG_QUANTITY_TEXT];
    if (c->kind != VSG_WORKLOAD_MATRIX)
        return;
    fputs("      rates:\n", out);
    for (uint32_t i = 0; i < n; i++) {
        fputs("        - [", out);
        for (uint32_t k = 0; k < n; k++)
            fprintf(out, "%s%s", k ? ", " : "",
                    vsg_quantity_format(VSG_Q_RATE, c->pair_rate_per_s[(size_t)i * n + k], text,
                                        sizeof text));
        fputs("]\n", out);
    }
}

static void write_steps(struct writer *w, const struct vsg_workload_config *c)
{
    if (c->step_count == 0)
        return;
    fputs("      steps:\n", w->out);
    for (uint32_t i = 0; i < c->step_count; i++) {
        w->base[VSG_IN_STEP] = &c->step[i];
        fputs("        - ", w->out);
        write_flow(w, "workload.steps[]");
    }
}

static void write_vms(struct writer *w, const struct vsg_config *c)
{
    if (c->vm_count == 0)
        return;
    fputs("vms:\n", w->out);
    for (uint32_t i = 0; i < c->vm_count; i++) {
        w->base[VSG_IN_VM] = &c->vm[i];
        w->base[VSG_IN_WORKLOAD] = &c->vm[i].workload;
        write_section(w, "vms[]", "  - ", "    ", "\n");
        fputs("    placement: ", w->out);
        write_flow(w, "vms[].placement");
        fputs("    workload:\n", w->out);
        write_section(w, "workload", "      ", "      ", "\n");
        write_rates(w->out, &c->vm[i].workload, c->vm[i].vcpus);
        write_steps(w, &c->vm[i].workload);
    }
}

/* The parts of a scenario below its top. */
static void write_parts(struct writer *w, const struct vsg_scenario *s)
{
    write_machine(w, s);
    write_interconnect(w, s);
    fputs("costs:\n", w->out);
    write_section(w, "costs", "  ", "  ", "\n");
    write_vms(w, &s->config);
}

static void write_whole(struct writer *w, const struct vsg_scenario *s)
{
    w->base[VSG_IN_CONFIG] = &s->config;
    w->base[VSG_IN_STUDY] = &s->study;
    write_section(w, "", "", "", "\n");
    write_parts(w, s);
    fputs("policies: [", w->out);
    for (uint32_t i = 0; i < s->policy_count; i++)
        fprintf(w->out, "%s%s", i ? ", " : "", vsg_policy_name[s->policy[i]]);
    fputs("]\nrun:\n", w->out);
    write_section(w, "run", "  ", "  ", "\n");
}

static void write_what_matters(struct writer *w, const struct vsg_scenario *s)
{
    w->base[VSG_IN_CONFIG] = &s->config;
    write_parts(w, s);
    write_section(w, "run", "  ", "  ", "\n");
}

static char *write_to_memory(const struct vsg_scenario *s,
                             void (*write)(struct writer *, const struct vsg_scenario *))
{
    char *text = NULL;
    size_t size = 0;
    struct writer w = {.out = open_memstream(&text, &size)};

    if (!w.out)
        return NULL;
    write(&w, s);
    bool failed = ferror(w.out) != 0;
    if (fclose(w.out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

char *vsg_scenario_write(const struct vsg_scenario *s)
{
    return write_to_memory(s, write_whole);
}

char *vsg_scenario_write_what_matters(const struct vsg_scenario *s)
{
    return write_to_memory(s, write_what_matters);
}

#include "study/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* docs/scenario-reference.md: the grammar, then a table of keys for each section. */

static const char grammar[] =
    "# Scenario reference\n"
    "\n"
    "Generated from the parameter table (`sim/study/params*.c`); a test keeps it so.\n"
    "The same rows are behind `vsgisim explain KEY` and `vsgisim schema`.\n"
    "\n"
    "## Grammar\n"
    "\n"
    "A scenario is one YAML document: a map of keys, in UTF-8, at most 16 MiB, nested at most 64 "
    "deep.\n"
    "`format: 1` is required. Keys that are not in the tables below are errors.\n"
    "\n"
    "- **Not taken**, although YAML has it: a second document, duplicate keys, `<<` merges, tags, "
    "aliases\n"
    "  that stand inside their own anchor or add more than 100000 values, tabs as indentation, NUL "
    "and\n"
    "  control characters. Anchors and aliases are fine otherwise.\n"
    "- **Quantities** carry their unit, with nothing in between: `50ns`, `1.5us`, `1e3ns`, "
    "`64GB/s`, "
    "`2M/s`, `40%`.\n"
    "  The number has digits, perhaps a decimal point with digits on both sides, perhaps an "
    "exponent; "
    "no sign,\n"
    "  no leading zeros. A value is exact: what is finer than the smallest step is an error, not "
    "rounded.\n"
    "\n";

static const char after_units[] =
    "\n"
    "  k, M, G are powers of 1000, Ki, Mi, Gi powers of 1024. In keys whose name ends in `_bytes` "
    "the "
    "unit may be left out.\n"
    "- **Whole numbers** stand alone and without quotes: `65536`, or `1e6`.\n"
    "- **Distributions** stand where a time stands: `20ns`, `{constant: 20ns}`,\n"
    "  `{uniform: {low: 10ns, high: 30ns}}`, `{exponential: {mean: 20ns}}`,\n"
    "  `{lognormal: {mean: 20ns, cv: 0.3}}`, `{gamma: {mean: 20ns, cv: 0.3}}` (cv: standard "
    "deviation / "
    "mean, 0.000001 to 10).\n"
    "  Measured ones: `{empirical: {values: {20ns: 90, 500ns: 10}}}` (a value and its weight),\n"
    "  `{empirical: {quantiles: {0%: 10ns, 50%: 20ns, 100%: 90ns}}}` (straight lines between), "
    "`{empirical: {file: its.csv}}`:\n"
    "  a CSV file with the columns `value_ns`, or `value_ns,weight`, or `quantile,value_ns` (0 to "
    "1), "
    "found relative to the scenario.\n"
    "- **Booleans** are `true` and `false`; other words of YAML 1.1 for them (`yes`, `on`) are "
    "errors.\n"
    "- **Names** have 1 to 64 bytes: letters, digits, `-` and `_`. No dots: those separate keys.\n"
    "- **Keys from the command line**: `--set workload.rate=2M/s`. Entries of lists are named by "
    "index\n"
    "  (`vms[0].vcpus`), VMs also by name (`vms.guest.vcpus`), parts of a distribution by key\n"
    "  (`costs.its.lognormal.cv`), axes behind `sweep.` (`--set 'sweep.run.seed=[1, 2]'`). The "
    "value is "
    "YAML.\n"
    "- **Sweeps**: `sweep:` maps such keys to lists of values, or to a range of numbers. All "
    "combinations are\n"
    "  run (the first axis changes slowest), each under every policy and with every replication; "
    "at "
    "most 1000000\n"
    "  runs. Values of lists and of sections are swept as wholes: "
    "`vms.guest.placement: [{kind: node, node: 0}, {kind: spread}]`.\n"
    "  Names cannot be swept, and `policies` is the same here as at the top: every point is run "
    "under each.\n"
    "  A range `{from: 1ns, to: 1us, steps: 7, scale: log}` (scale: `linear`, the default, or "
    "`log`) has its ends\n"
    "  exactly; the values between are rounded to the nearest ps, byte, 1/s, 10^-6 of a share or "
    "whole number, halves\n"
    "  up. Keys below `zip` advance together, as many values each: `zip: {machine.nodes: [2, 4], "
    "workload.rate: [2M/s, 1M/s]}`;\n"
    "  several such groups are a list. In results an axis carries its unit at the end of its "
    "name:\n"
    "  `interconnect.link.latency_ns`.\n"
    "- **SLIT distances**: with `interconnect.matrix: {slit: [[10, 20], [20, 10]], scale: 5ns}` "
    "the "
    "one-way\n"
    "  latency from node i to node j is (distance i to j - distance i to i) x scale, here 50 ns.\n"
    "- **Machines** are short (`nodes`, `cpus_per_node`, `its_per_node`, `gic`, `probe_order`) or, "
    "as "
    "soon as\n"
    "  `its` or `cpus` are listed, explicit (`its`, `cpus`, `boot_order`, `events`). `nodes` and "
    "`maxcpus` go\n"
    "  with both.\n"
    "\n"
    "Basis of a default: *published* (a measured figure or a kernel's text), *architecture*, "
    "*assumed*, "
    "or *input*\n"
    "where the key describes your own question.\n";

/* A cell: '|' would end it. */
static void cell(FILE *out, const char *text)
{
    fputs(" ", out);
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputs(" |", out);
}

static void write_units(FILE *out)
{
    static const struct {
        enum vsg_quantity kind;
        const char *what, *step;
    } rows[] = {{VSG_Q_TIME, "time", "1 ps"},
                {VSG_Q_BYTES, "size", "1 byte"},
                {VSG_Q_BANDWIDTH, "bandwidth", "1 byte/s"},
                {VSG_Q_RATE, "rate", "1/s"},
                {VSG_Q_SHARE, "share", "0.0001 %"}};
    fputs("  | quantity | units | smallest step |\n  | --- | --- | --- |\n", out);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        fprintf(out, "  | %s | `%s` | %s |\n", rows[i].what, vsg_quantity_units(rows[i].kind),
                rows[i].step);
}

static void write_row(FILE *out, const struct vsg_param *p)
{
    char text[VSG_PARAM_TEXT], key[VSG_PARAM_TEXT];
    snprintf(key, sizeof key, "`%s`", p->key);
    fputs("|", out);
    cell(out, key);
    if (p->choice_count > 0) {
        char list[VSG_PARAM_TEXT + 16];
        vsg_param_choices_text(p, text, sizeof text);
        snprintf(list, sizeof list, p->kind == VSG_CHOICE_LIST ? "list of %s" : "%s", text);
        cell(out, list);
    } else {
        cell(out, vsg_param_kind_text(p));
    }
    cell(out, vsg_param_default_text(p, text, sizeof text));
    cell(out, vsg_param_range_text(p, text, sizeof text));
    cell(out, p->doc);
    const char *basis = vsg_basis_text(p->basis);
    if (p->basis == VSG_INPUT && strncmp(p->source, "the user's", 10) == 0) {
        cell(out, basis);
    } else if (strncmp(p->source, basis, strlen(basis)) == 0) {
        cell(out, p->source);
    } else {
        char source[400];
        snprintf(source, sizeof source, "%s: %s", basis, p->source);
        cell(out, source);
    }
    fputc('\n', out);
}

/* The key of the section that a row stands in: its first part. */
static size_t first_part(const char *key)
{
    return strcspn(key, ".[");
}

/* A key of the top with no others below it. */
static bool stands_alone(const struct vsg_param *p)
{
    return !strpbrk(p->key, ".[") && p->kind != VSG_SECTION && p->kind != VSG_SECTION_LIST;
}

static void write_heading(FILE *out, const char *name, size_t size)
{
    fprintf(out, "\n## %.*s\n\n| key | value | default | range | meaning | source |\n", (int)size,
            name);
    fputs("| --- | --- | --- | --- | --- | --- |\n", out);
}

char *vsg_reference_markdown(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *before = NULL;

    if (!out)
        return NULL;
    fputs(grammar, out);
    write_units(out);
    fputs(after_units, out);
    write_heading(out, "Top keys", 8);
    for (size_t i = 0; i < vsg_param_count(); i++)
        if (stands_alone(vsg_param_at(i)))
            write_row(out, vsg_param_at(i));
    for (size_t i = 0; i < vsg_param_count(); i++) {
        const struct vsg_param *p = vsg_param_at(i);
        size_t n = first_part(p->key);
        if (stands_alone(p))
            continue;
        if (!before || strncmp(before, p->key, n) != 0 || first_part(before) != n)
            write_heading(out, p->key, n);
        before = p->key;
        write_row(out, p);
    }
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

#include "cli/man.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/exits.h"
#include "cli/options.h"
#include "study/scdoc.h"
#include "version.h"

/* The parts of a verb's text: it is written for `vsgisim help VERB`, and a man page has a
 * section for each. */
enum part { PART_DESCRIPTION, PART_EXIT_STATUS, PART_EXAMPLES };

static const char exit_codes[] = "Exit codes: ";

static void say(FILE *out, const char *text)
{
    vsg_scdoc_text(out, text, strlen(text));
}

static void preamble(FILE *out, const char *name, int section)
{
    fprintf(out, "%s(%d) \"vsgisim %s\" \"vsgisim\"\n\n# NAME\n\n%s - ", name, section, VSG_VERSION,
            name);
}

static enum part part_of(const char *line)
{
    if (strncmp(line, "Example:\n", 9) == 0 || strncmp(line, "Examples:\n", 10) == 0)
        return PART_EXAMPLES;
    bool codes = strncmp(line, exit_codes, strlen(exit_codes)) == 0;
    return codes ? PART_EXIT_STATUS : PART_DESCRIPTION;
}

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + 1;
}

/* The end of the block that begins at text: a blank line, the start of another part, or '\0'. */
static const char *block_end(const char *text)
{
    const char *line = next_line(text);
    while (*line && *line != '\n' && part_of(line) == PART_DESCRIPTION)
        line = next_line(line);
    return line;
}

/* Writes a block: what is indented as it is, other lines joined into paragraphs. */
static void write_block(FILE *out, const char *line, const char *end)
{
    enum part part = part_of(line);
    if (part == PART_EXAMPLES)
        line = next_line(line);
    else if (part == PART_EXIT_STATUS)
        line += strlen(exit_codes);
    while (line < end) {
        const char *from = line;
        bool literal = *line == ' ';
        while (line < end && (*line == ' ') == literal)
            line = next_line(line);
        if (literal) {
            fputs("```\n", out);
            for (; from < line; from = next_line(from))
                fprintf(out, "\t%.*s\n", (int)strcspn(from + 2, "\n"), from + 2);
            fputs("```\n\n", out);
        } else {
            vsg_scdoc_text(out, from, (size_t)(line - 1 - from));
            fputs("\n\n", out);
        }
    }
}

/* Writes the blocks of one part of a verb's text; a heading above them, if there are any. */
static void write_part(FILE *out, const char *heading, const char *text, enum part wanted)
{
    bool first = true;
    for (const char *end; *text; text = *end ? end + (*end == '\n') : end) {
        end = block_end(text);
        if (part_of(text) != wanted)
            continue;
        if (first)
            fprintf(out, "# %s\n\n", heading);
        first = false;
        write_block(out, text, end);
    }
}

static void write_option(FILE *out, const struct vsg_option_row *o)
{
    if (o->letter)
        fprintf(out, "*-%c*, ", o->letter);
    fprintf(out, "*--%s*", o->name);
    if (o->argument) {
        fputc(' ', out);
        say(out, o->argument);
    }
    fputs("\n\t", out);
    say(out, o->help);
    if (o->dflt) {
        fputs(". Default: ", out);
        say(out, o->dflt);
    }
    fputs(".\n\n", out);
}

static void write_verb(FILE *out, enum vsg_verb verb)
{
    const struct vsg_verb_row *v = &vsg_verb_row[verb];
    char name[64];

    snprintf(name, sizeof name, "vsgisim-%s", v->name);
    preamble(out, name, 1);
    say(out, v->summary);
    fprintf(out, "\n\n# SYNOPSIS\n\n*vsgisim %s* [_OPTION_...] ", v->name);
    say(out, v->operands);
    fputs("\n\n", out);
    write_part(out, "DESCRIPTION", v->text, PART_DESCRIPTION);
    fputs("# OPTIONS\n\n", out);
    for (size_t i = 0; i < VSG_OPT_COUNT; i++)
        if (vsg_option_row[i].verbs & 1u << verb)
            write_option(out, &vsg_option_row[i]);
    write_part(out, "EXIT STATUS", v->text, PART_EXIT_STATUS);
    write_part(out, "EXAMPLES", v->text, PART_EXAMPLES);
    fputs("# SEE ALSO\n\n*vsgisim*(1), *vsgisim-scenario*(5)\n", out);
}

static void write_main(FILE *out, enum vsg_verb none)
{
    (void)none;
    preamble(out, "vsgisim", 1);
    fputs("simulate inter-processor interrupts of KVM guests through GICv4.1 ITSs\n"
          "\n# SYNOPSIS\n\n*vsgisim* _VERB_ [_OPTION_...] [_OPERAND_...]\n"
          "\n# DESCRIPTION\n\n"
          "Simulates how long an inter-processor interrupt between the vCPUs of a KVM guest takes "
          "on an arm64 machine with a GICv4.1, where the hypervisor sends it by a store to an "
          "Interrupt Translation Service (ITS), and what the choice of that ITS costs. A "
          "scenario (*vsgisim-scenario*(5)) describes machine, guests, load and policies.\n\n"
          "Results go to standard output, everything else to standard error.\n"
          "\n# VERBS\n\n",
          out);
    for (size_t i = 0; i < VSG_VERB_COUNT; i++) {
        const struct vsg_verb_row *v = &vsg_verb_row[i];
        fprintf(out, "*vsgisim-%s*(1)\n\t", v->name);
        say(out, v->summary);
        fputs("\n\n", out);
    }
    fputs("# EXIT STATUS\n\n"
          "0 all well; 2 the command line is wrong; 70 an invariant of the program broke; 128 + n "
          "ended by signal n. The pages of the verbs have the others.\n"
          "\n# ENVIRONMENT\n\n"
          "*NO\\_COLOR*\n\tIf set and not empty, no colours.\n\n"
          "*VSGISIM\\_MODULE\\_DIR*\n\tThe folder of vsgisim-simgrid.so, where that is not beside "
          "the program.\n"
          "\n# EXAMPLES\n\n"
          "```\n\tvsgisim list scenarios\n\tvsgisim run scenarios/seed-two-socket.yaml\n"
          "\tvsgisim explain interconnect.link.latency\n```\n"
          "\n# SEE ALSO\n\n",
          out);
    for (size_t i = 0; i < VSG_VERB_COUNT; i++)
        fprintf(out, "*vsgisim-%s*(1), ", vsg_verb_row[i].name);
    fputs("*vsgisim-scenario*(5)\n", out);
}

static void write_scenario(FILE *out, enum vsg_verb none)
{
    (void)none;
    char *reference = vsg_scdoc_reference();
    preamble(out, "vsgisim-scenario", 5);
    fputs("the format of vsgisim's scenario files\n"
          "\n# DESCRIPTION\n\n"
          "A scenario describes a machine, its guests, what they do, and the policies that are "
          "compared. This one is the experiment of Linux f1a3fac4095c:\n\n"
          "```\n"
          "\tformat: 1\n"
          "\tname: seed-two-socket\n"
          "\tmachine: {nodes: 2, cpus_per_node: 32, its_per_node: 1}\n"
          "\tinterconnect: {topology: full, link: {latency: 50ns}}\n"
          "\tvms:\n"
          "\t  - {name: guest, vcpus: 4, placement: {kind: node, node: 0}}\n"
          "\tworkload: {kind: ipi_hw, sends: 65536}\n"
          "\tpolicies: [global-first, local]\n"
          "\tsweep:\n"
          "\t  vms.guest.placement.node: [0, 1]\n"
          "```\n\n"
          "*vsgisim check* says what is wrong with one, *vsgisim explain* _KEY_ what a key means; "
          "both know what this page knows.\n\n",
          out);
    if (reference)
        fputs(reference, out);
    fputs("\n# SEE ALSO\n\n*vsgisim*(1), *vsgisim-check*(1), *vsgisim-explain*(1), "
          "*vsgisim-run*(1)\n",
          out);
    free(reference);
}

static int cannot(const char *path, int error)
{
    fprintf(stderr, "vsgisim: cannot write %s: %s\n", path, strerror(error));
    return VSG_EXIT_FAILED;
}

static int write_page(const char *directory, const char *name, void (*write)(FILE *, enum vsg_verb),
                      enum vsg_verb verb)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s/%s.scd", directory, name);
    if (size < 0 || (size_t)size >= sizeof path)
        return cannot(directory, ENAMETOOLONG);
    FILE *out = fopen(path, "w");
    if (!out)
        return cannot(path, errno);
    write(out, verb);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return cannot(path, errno);
    return VSG_EXIT_OK;
}

int vsg_man_write(const char *directory)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return cannot(directory, errno);
    int code = write_page(directory, "vsgisim.1", write_main, VSG_VERB_COUNT);
    if (code == VSG_EXIT_OK)
        code = write_page(directory, "vsgisim-scenario.5", write_scenario, VSG_VERB_COUNT);
    for (size_t i = 0; i < VSG_VERB_COUNT && code == VSG_EXIT_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "vsgisim-%s.1", vsg_verb_row[i].name);
        code = write_page(directory, name, write_verb, (enum vsg_verb)i);
    }
    return code;
}

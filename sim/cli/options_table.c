#include "cli/options.h"

#include "cli/verbs.h"
#include "study/execute.h"

#define RUN (1u << VSG_VERB_RUN)
#define CHECK (1u << VSG_VERB_CHECK)
#define TOPOLOGY (1u << VSG_VERB_TOPOLOGY)
#define PLOT (1u << VSG_VERB_PLOT)
#define COMPARE (1u << VSG_VERB_COMPARE)
#define EXPLAIN (1u << VSG_VERB_EXPLAIN)
#define LIST (1u << VSG_VERB_LIST)
#define SCHEMA (1u << VSG_VERB_SCHEMA)
#define HELP (1u << VSG_VERB_HELP)
#define ALL ((1u << VSG_VERB_COUNT) - 1)

const struct vsg_option_row vsg_option_row[VSG_OPT_COUNT] = {
    [VSG_OPT_OUT] = {.name = "out",
                     .letter = 'o',
                     .argument = "DIR",
                     .kind = VSG_ARG_PATH,
                     .verbs = RUN,
                     .help = "Write runs.csv, manifest.json, runs/ and plots/ into DIR",
                     .since = "0.1.0"},
    [VSG_OPT_FORCE] = {.name = "force",
                       .verbs = RUN,
                       .help = "Replace what an earlier run left in DIR",
                       .since = "0.1.0"},
    [VSG_OPT_RESUME] = {.name = "resume",
                        .verbs = RUN,
                        .help = "Keep the finished runs in DIR that are still wanted, do the rest",
                        .since = "0.1.0"},
    [VSG_OPT_ENGINE] = {.name = "engine",
                        .argument = "parallel|simgrid|both",
                        .kind = VSG_ARG_CHOICE,
                        .verbs = RUN,
                        .dflt = "parallel",
                        .help = "Which engine; both: run in both and compare every IPI",
                        .since = "0.1.0"},
    [VSG_OPT_THREADS] = {.name = "threads",
                         .argument = "N|auto",
                         .kind = VSG_ARG_COUNT,
                         .limit = VSG_THREADS_MAX,
                         .verbs = RUN | COMPARE,
                         .dflt = "auto",
                         .help = "Threads inside one run; never changes a result",
                         .since = "0.1.0"},
    [VSG_OPT_JOBS] = {.name = "jobs",
                      .letter = 'j',
                      .argument = "N|auto",
                      .kind = VSG_ARG_COUNT,
                      .limit = VSG_JOBS_MAX,
                      .verbs = RUN | COMPARE,
                      .dflt = "auto",
                      .help = "Runs at the same time; never changes a result",
                      .since = "0.1.0"},
    [VSG_OPT_LIMIT_TIME] = {.name = "limit-time",
                            .argument = "TIME",
                            .kind = VSG_ARG_TIME,
                            .verbs = RUN,
                            .dflt = "none",
                            .help = "End a run that takes longer, as in 60s; it has failed then",
                            .since = "0.1.0"},
    [VSG_OPT_LIMIT_MEMORY] = {.name = "limit-memory",
                              .argument = "SIZE",
                              .kind = VSG_ARG_SIZE,
                              .verbs = RUN,
                              .dflt = "none",
                              .help = "End a run whose process holds more, as in 2GiB",
                              .since = "0.1.0"},
    [VSG_OPT_FAIL_FAST] = {.name = "fail-fast",
                           .verbs = RUN,
                           .help = "Stop the study at the first run that fails",
                           .since = "0.1.0"},
    [VSG_OPT_KEEP_GOING] = {.name = "keep-going",
                            .verbs = RUN,
                            .help = "Go on when runs fail; this is the default",
                            .since = "0.1.0"},
    [VSG_OPT_ONLY] = {.name = "only",
                      .argument = "LIST",
                      .kind = VSG_ARG_LIST,
                      .verbs = RUN,
                      .dflt = "all",
                      .help = "Only the runs of these indices, as in 3,8,10-12",
                      .since = "0.1.0"},
    [VSG_OPT_DRY_RUN] = {.name = "dry-run",
                         .verbs = RUN,
                         .help = "Print the number of runs and an estimate of time and memory",
                         .since = "0.1.0"},
    [VSG_OPT_SET] = {.name = "set",
                     .argument = "KEY=VALUE",
                     .kind = VSG_ARG_SETTING,
                     .verbs = RUN | CHECK | TOPOLOGY | COMPARE,
                     .help = "Set a key of the scenario, as in workload.rate=2M/s; repeatable",
                     .since = "0.1.0"},
    [VSG_OPT_SEED] = {.name = "seed",
                      .argument = "S",
                      .kind = VSG_ARG_NUMBER,
                      .verbs = RUN | COMPARE,
                      .dflt = "run.seed of the scenario",
                      .help = "Seed of the random streams; short for --set run.seed=S",
                      .since = "0.1.0"},
    [VSG_OPT_JSON] = {.name = "json",
                      .verbs = RUN | TOPOLOGY | EXPLAIN | LIST | COMPARE,
                      .help = "Results as JSON on stdout",
                      .since = "0.1.0"},
    [VSG_OPT_CSV] = {.name = "csv",
                     .verbs = RUN,
                     .help = "Results as CSV on stdout: a row per run, a column per axis",
                     .since = "0.1.0"},
    [VSG_OPT_SAMPLES] = {.name = "samples",
                         .argument = "FILE",
                         .kind = VSG_ARG_PATH,
                         .verbs = RUN,
                         .help = "Write the first IPIs of every sender one by one, as CSV",
                         .since = "0.1.0"},
    [VSG_OPT_PROGRESS] = {.name = "progress",
                          .argument = "auto|always|never",
                          .kind = VSG_ARG_CHOICE,
                          .verbs = RUN | COMPARE,
                          .dflt = "auto",
                          .help = "Progress on stderr; auto: when that is a terminal",
                          .since = "0.1.0"},
    [VSG_OPT_QUIET] = {.name = "quiet",
                       .letter = 'q',
                       .verbs = RUN | CHECK | PLOT | COMPARE,
                       .help = "Errors only: no warnings, no notes, no progress",
                       .since = "0.1.0"},
    [VSG_OPT_VERBOSE] = {.name = "verbose",
                         .letter = 'v',
                         .verbs = RUN | CHECK | PLOT | COMPARE,
                         .help = "Also say what was decided automatically, and why",
                         .since = "0.1.0"},
    [VSG_OPT_CPUS] = {.name = "cpus",
                      .verbs = TOPOLOGY,
                      .help = "A line for every CPU instead of ranges of CPUs",
                      .since = "0.1.0"},
    [VSG_OPT_SVG] = {.name = "svg",
                     .argument = "FILE",
                     .kind = VSG_ARG_PATH,
                     .verbs = TOPOLOGY,
                     .help = "Also draw the machine into FILE, an SVG picture",
                     .since = "0.1.0"},
    [VSG_OPT_ASSUMED] = {.name = "assumed",
                         .verbs = EXPLAIN,
                         .help = "Only the parameters whose value is assumed",
                         .since = "0.1.0"},
    [VSG_OPT_RESULTS] = {.name = "results",
                         .verbs = SCHEMA,
                         .help = "The schema of `run --json` instead of that of scenarios",
                         .since = "0.1.0"},
    [VSG_OPT_MAN] = {.name = "man",
                     .argument = "DIR",
                     .kind = VSG_ARG_PATH,
                     .verbs = HELP,
                     .help = "Write the man pages into DIR, as source for scdoc(1)",
                     .since = "0.1.0"},
    [VSG_OPT_POLICY] = {.name = "policy",
                        .argument = "POLICY",
                        .kind = VSG_ARG_EACH,
                        .verbs = COMPARE,
                        .dflt = "each that both have",
                        .help = "Once: of both. Twice: of the first and of the second",
                        .since = "0.1.0"},
    [VSG_OPT_FAIL_IF] = {.name = "fail-if",
                         .argument = "CHANGE",
                         .kind = VSG_ARG_EACH,
                         .verbs = COMPARE,
                         .dflt = "none",
                         .help = "Exit with 5 if it holds, as in 'p99 > +5%'; repeatable",
                         .since = "0.1.0"},
    [VSG_OPT_HELP] =
        {.name = "help", .letter = 'h', .verbs = ALL, .help = "Show this", .since = "0.1.0"},
};

static const char run_text[] =
    "FILE is a scenario; - reads one from standard input. Every point of its sweep, every\n"
    "policy and every replication is a run. With several FILEs, --json prints a list.\n"
    "\n"
    "Examples:\n"
    "  vsgisim run scenarios/seed-two-socket.yaml\n"
    "  vsgisim run big.yaml --out results --jobs 8 --set run.replications=20\n"
    "  vsgisim run big.yaml --out results --resume        go on where it was stopped\n"
    "  vsgisim run big.yaml --dry-run --jobs auto\n"
    "  vsgisim run big.yaml --engine both --json | jq '.agreement'\n"
    "\n"
    "Exit codes: 0 all well; 1 all runs failed, or output could not be written; 2 usage;\n"
    "3 scenario invalid; 4 some runs failed; 5 the engines disagree; 6 DIR is in the way;\n"
    "70 internal error; 130, 143 ended by a signal: --resume goes on with what is in DIR.\n"
    "\n"
    "SIGUSR1 prints the progress once. VSGISIM_MODULE_DIR names the folder of\n"
    "vsgisim-simgrid.so where that is not beside the program; NO_COLOR turns colours off.\n";

static const char topology_text[] =
    "Shows nodes, CPUs and ITSs in list order (last probed first), the latencies from node to\n"
    "node, and for each policy which ITS each CPU sends through and how it came by it. A file\n"
    "with a machine and policies is enough. Of a sweep it shows the first point.\n"
    "\n"
    "Examples:\n"
    "  vsgisim topology scenarios/seed-two-socket.yaml\n"
    "  vsgisim topology m.yaml --set machine.gic.svpet=0\n"
    "  vsgisim topology m.yaml --svg machine.svg\n"
    "  vsgisim topology m.yaml --json | jq '.selection.local'\n";

static const char plot_text[] =
    "DIR is what `run --out DIR` wrote. Draws the plots as SVG and PNG into DIR/plots with\n"
    "gnuplot, all that the data allows or those NAMEd, and says which it left out and why:\n"
    "percentiles, ccdf, latency (along the sweep's numeric axis of most values), gain, stages,\n"
    "heatmap, utilisation. The scripts in plots/ can also be used by hand.\n"
    "\n"
    "Examples:\n"
    "  vsgisim run sweep.yaml --out results && vsgisim plot results\n"
    "  vsgisim plot results latency gain\n";

static const char compare_text[] =
    "A and B are scenarios, which are run, or directories that `run --out` wrote; with one of\n"
    "them, two of its policies are compared. Points are matched by their axes, replications\n"
    "paired by their numbers. The directories have to be of one version and have the same axes.\n"
    "\n"
    "CHANGE is a figure (mean, p50, p90, p99, p99.9, max), > or <, and a change of B against A in\n"
    "% or as a time. A change that may be chance, with an interval around 0, does not count; a\n"
    "figure that is missing does.\n"
    "\n"
    "Examples:\n"
    "  vsgisim compare scenarios/poisson-4x16-star.yaml --policy global-first --policy local\n"
    "  vsgisim compare before.yaml after.yaml --set run.precision=1%\n"
    "  vsgisim compare baseline/ today.yaml --fail-if 'p99 > +5%' --fail-if 'mean > 20ns'\n"
    "\n"
    "Exit codes: 0 all well; 1 runs failed; 2 usage, or the two do not fit; 3 a scenario or a\n"
    "directory cannot be used; 5 a CHANGE holds; 128 + n ended by signal n.\n";

const struct vsg_verb_row vsg_verb_row[VSG_VERB_COUNT] = {
    [VSG_VERB_RUN] = {"run", "FILE...|-", 1, ~0u, "simulate scenarios and print what they show",
                      run_text, vsg_verb_run},
    [VSG_VERB_CHECK] = {"check", "FILE...|-", 1, ~0u, "check scenarios without running anything",
                        "Reports everything that is wrong at once, with line and column.\n"
                        "Exit codes: 0 all valid; 3 at least one is not.\n",
                        vsg_verb_check},
    [VSG_VERB_TOPOLOGY] = {"topology", "FILE|-", 1, 1,
                           "show the machine, and which ITS each CPU uses and why", topology_text,
                           vsg_verb_topology},
    [VSG_VERB_PLOT] = {"plot", "DIR [NAME...]", 1, ~0u, "draw the plots of a results directory",
                       plot_text, vsg_verb_plot},
    [VSG_VERB_COMPARE] = {"compare", "A [B]", 1, 2,
                          "say what differs between two scenarios, directories or policies",
                          compare_text, vsg_verb_compare},
    [VSG_VERB_EXPLAIN] =
        {"explain", "[KEY]", 0, 1, "say what a key means: unit, range, default, source",
         "Without KEY all parameters are listed; KEY may be the beginning of one,\n"
         "as in `vsgisim explain costs`.\n",
         vsg_verb_explain},
    [VSG_VERB_LIST] = {"list", "policies|workloads|topologies|scenarios", 1, 1,
                       "list what can be simulated, and example scenarios", "", vsg_verb_list},
    [VSG_VERB_SCHEMA] = {"schema", "", 0, 0, "print the JSON Schema of scenarios or results",
                         "For editors:  vsgisim schema > scenario.schema.json\n", vsg_verb_schema},
    [VSG_VERB_VERSION] = {"version", "", 0, 0, "print the version", "", vsg_verb_version},
    [VSG_VERB_HELP] = {"help", "[VERB]", 0, 1, "explain a verb and its options", "", vsg_verb_help},
};

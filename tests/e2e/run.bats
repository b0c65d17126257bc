#!/usr/bin/env bats
# `run`: results on stdout, in files, and as exit codes.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "the answer comes first, the table after it" {
    expect 0 run small.yaml
    has "${lines[0]}" "local is faster than global-first by 100.0 ns"
    has "$output" "850.0 ns"
    has "$output" "750.0 ns"
}

@test "nothing but results on stdout, nothing at all on stderr" {
    expect 0 run --quiet small.yaml --json
    empty "$stderr"
    jq -e . <<<"$output"
    expect 0 run --verbose --progress=always small.yaml --json
    jq -e . <<<"$output"
    has "$stderr" "[2/2]"
}

@test "JSON has the contract's fields" {
    expect 0 run --json small.yaml
    jq -e '.scenario == "small" and (.version | type) == "string" and (.warnings | type) == "array"' \
        <<<"$output"
    jq -e '.runs | length == 2' <<<"$output"
    jq -e '.runs[0] | [has("index", "point", "policy", "engine", "seed", "replication", "status",
        "unstable", "bottleneck", "sim_time_ns", "ipis", "events", "fingerprint", "ties",
        "throughput_per_s", "latency_ns", "stages_ns", "pairs", "vms", "its", "links", "sender",
        "analytic")] | all' <<<"$output"
    jq -e '.runs[0].latency_ns | [has("count", "mean", "ci95", "stddev", "min", "p50", "p90", "p99",
        "p99_9", "p99_99", "max")] | all' <<<"$output"
    jq -e '.runs[0].latency_ns.mean == 850 and .runs[1].latency_ns.mean == 750' <<<"$output"
    # The stages add up to the latency.
    jq -e '.runs[] | [.stages_ns[]] | add | . == 850 or . == 750' <<<"$output"
    jq -e '.comparisons[0] | .a == "global-first" and .b == "local" and .diff_ns == -100 and
        .verdict == "faster"' <<<"$output"
}

@test "several FILEs: a list in their order" {
    expect 0 run --json small.yaml sweep.yaml
    jq -e '[.[].scenario] == ["small", "sweep"]' <<<"$output"
    expect 0 run small.yaml sweep.yaml
    has "$output" "== small"
    has "$output" "== sweep"
    expect 0 run --json - <small.yaml
    jq -e '.scenario == "small"' <<<"$output"
}

@test "a sweep's axis is in every run, with its unit in the name" {
    expect 0 run --json sweep.yaml
    jq -e '.runs | length == 20' <<<"$output"
    jq -e '[.runs[].point["interconnect.link.latency_ns"]] | unique == [50, 100]' <<<"$output"
    jq -e '[.points[].n] == [5, 5, 5, 5]' <<<"$output"
}

@test "CSV: a header, a row per run, as many cells in each" {
    expect 0 run --csv sweep.yaml
    [ "${#lines[@]}" -eq 21 ]
    has "${lines[0]}" "interconnect.link.latency_ns"
    [ "$(printf '%s\n' "$output" | awk -F, '{print NF}' | sort -u | wc -l)" -eq 1 ]
}

@test "same bytes at any --jobs and --threads, and from run to run" {
    "$VSGISIM" run --json sweep.yaml >first.json 2>first.txt
    for option in --jobs=1 --jobs=2 --jobs=4 --threads=2 --jobs=auto; do
        "$VSGISIM" run --json sweep.yaml "$option" >again.json 2>again.txt
        cmp first.json again.json
        cmp first.txt again.txt
    done
}

@test "--seed is --set run.seed; another seed gives other figures" {
    "$VSGISIM" run -q --json sweep.yaml --seed 7 >seven.json
    "$VSGISIM" run -q --json sweep.yaml >file.json
    "$VSGISIM" run -q --json sweep.yaml --seed 8 >eight.json
    "$VSGISIM" run -q --json sweep.yaml --set run.seed=8 >set.json
    cmp seven.json file.json
    cmp eight.json set.json
    [ "$(jq '.runs[0].fingerprint' seven.json)" != "$(jq '.runs[0].fingerprint' eight.json)" ]
}

@test "both engines agree on every IPI" {
    expect 0 run --json --engine both sweep.yaml
    jq -e '.agreement.equal == true and .agreement.compared > 0' <<<"$output"
    jq -e '[.runs[].engine] | unique == ["parallel", "simgrid"]' <<<"$output"
    "$VSGISIM" run -q --json --engine simgrid sweep.yaml | sed 's/"simgrid"/"parallel"/' >simgrid.json
    "$VSGISIM" run -q --json --engine parallel sweep.yaml >parallel.json
    cmp parallel.json simgrid.json
}

@test "--samples: single IPIs whose stages add up" {
    expect 0 run --samples ipis.csv small.yaml
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "latency_ps") l = i; next }
             { sum = 0; for (i = l + 1; i <= NF; i++) sum += $i; if (sum != $l) exit 1; n++ }
             END { exit n != 200 }' ipis.csv
    expect 0 run --samples /dev/null small.yaml
    [ -c /dev/null ]
    expect 1 run --samples nowhere/ipis.csv small.yaml
    has "$stderr" "nowhere/ipis.csv: No such file or directory"
    empty "$output"
    expect 2 run --samples - small.yaml
}

@test "--out: every file of the contract, whole" {
    expect 0 run --out results sweep.yaml
    for file in manifest.json runs.csv runs/0000/scenario.yaml runs/0000/result.json \
        runs/0000/latency.hgrm runs/0000/pairs.tsv runs/0000/status runs/0019/status; do
        [ -s "results/$file" ]
    done
    jq -e . results/manifest.json results/runs/*/result.json >/dev/null
    [ "$(wc -l <results/runs.csv)" -eq 21 ]
    [ "$("$VSGISIM" run --csv sweep.yaml 2>/dev/null)" = "$(cat results/runs.csv)" ]
    # A resolved scenario runs again, to the same result.
    "$VSGISIM" run --json results/runs/0000/scenario.yaml 2>/dev/null |
        jq -e --slurpfile before results/runs/0000/result.json \
            '.runs[0].fingerprint == $before[0].fingerprint' >/dev/null
}

@test "exit 6: the output directory is in the way; --force replaces what was ours" {
    mkdir results
    expect 0 run --out results small.yaml # an empty one is not in the way
    expect 6 run --out results small.yaml
    empty "$output"
    has "$stderr" "results"
    has "$stderr" "--force"
    echo mine >results/notes.txt
    expect 0 run --out results --force small.yaml
    [ "$(cat results/notes.txt)" = mine ]
    echo file >taken
    expect 6 run --out taken small.yaml
    [ "$(cat taken)" = file ]
}

@test "exit 1: all runs failed; exit 4: some" {
    expect 4 run half.yaml --json
    jq -e '[.runs[].status] | sort == ["done", "failed"]' <<<"$output"
    has "$stderr" "1 of 2 runs failed."
    has "$stderr" "direct vSGI"
    expect 1 run small.yaml --set machine.gic.v41=false
    has "$stderr" "2 of 2 runs failed."
}

@test "a failed run is named with the command that repeats it" {
    expect 4 run half.yaml --out results
    command=$(sed -n 's/^  to repeat it: vsgisim //p' <<<"$stderr")
    [ -n "$command" ]
    eval "expect 1 $command"
    has "$stderr" "1 of 1 runs failed."
    expect 4 run half.yaml
    command=$(sed -n 's/^  to repeat it: vsgisim //p' <<<"$stderr")
    [ -n "$command" ]
    eval "expect 1 $command"
    has "$stderr" "1 of 1 runs failed."
}

# A module in front of the true one, which lies in the way told: $1 is C code with `report`.
lying_module() {
    mkdir -p liar
    cat >liar.c <<END
#include <dlfcn.h>
#include "engine/simgrid/module.h"
static const struct vsg_simgrid_module *truth(void)
{
    void *handle = dlopen("$VSG_BUILD_DIR/lib/vsgisim/vsgisim-simgrid.so", RTLD_NOW);
    vsg_simgrid_entry_fn entry;
    *(void **)&entry = dlsym(handle, VSG_SIMGRID_ENTRY);
    return entry();
}
static enum vsg_status run(const struct vsg_world *w, const struct vsg_simgrid_calls *calls,
                           struct vsg_report *report, struct vsg_simgrid_error *error)
{
    enum vsg_status status = truth()->run(w, calls, report, error);
    $1
    return status;
}
static struct vsg_simgrid_module module;
const struct vsg_simgrid_module *vsg_simgrid_module(void)
{
    module = *truth();
    module.run = run;
    return &module;
}
END
    # shellcheck disable=SC2086 # CFLAGS are words
    cc -shared -fPIC -I"$VSG_SOURCE_DIR" -I"$VSG_SOURCE_DIR/sim" -o liar/vsgisim-simgrid.so liar.c
}

@test "exit 5: the engines disagree" {
    lying_module 'report->server[0].wait_max_ps++;'
    export VSGISIM_MODULE_DIR=$PWD/liar
    expect 5 run --engine both --json small.yaml
    jq -e '.agreement.equal == false' <<<"$output"
    has "$stderr" "the engines disagree"
}

@test "exit 70: an invariant broke" {
    lying_module 'status = VSG_EMODEL;'
    export VSGISIM_MODULE_DIR=$PWD/liar
    expect 70 run --engine simgrid small.yaml
}

@test "a worker that dies is a clear error, and other runs go on" {
    lying_module 'if (report->events % 2 == 0 || 1) __builtin_trap();'
    export VSGISIM_MODULE_DIR=$PWD/liar
    expect 4 run --engine both small.yaml
    has "$stderr" "small, run 0"
    has "$stderr" "signal"
    has "$stderr" "2 of 4 runs failed."
}

@test "a closed loop that takes no time is a failed run, not a broken program" {
    cat >timeless.yaml <<'YAML'
format: 1
name: timeless
machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}
interconnect: {topology: full, link: {latency: 0ns}, contention: none}
costs: {trap: 0ns, dispatch: 0ns, store: 0ns, mmio: 0ns, its: 0ns, message: 0ns, deliver: 0ns,
  handle: 0ns, observe: 0ns, return: 0ns}
vms:
  - {name: guest, vcpus: 8, placement: {kind: spread}}
workload: {kind: closed, sends: 100}
policies: [local]
YAML
    for engine in parallel simgrid; do
        expect 1 run -q --engine "$engine" timeless.yaml
        has "$stderr" "something goes round and takes no time"
    done
}

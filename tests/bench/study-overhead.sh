#!/usr/bin/env bash
# What a study costs beside its runs: 2,000 short runs on a machine of 8 x 128 CPUs.
#   tests/bench/study-overhead.sh PROGRAM [REPETITIONS]
# Prints the wall and the CPU time with --jobs 1 and --jobs 2, with and without --out, and
#   ratio     wall with --jobs 2 / wall with --jobs 1, both into --out; at most 0.55 is the aim
#   overhead  CPU time a run beside the run itself: all of it with --out --jobs 1, less what 2,000
#             such simulations take inside one process; at most 3 ms is the aim
# Directories are removed at the end only: file systems make files slowly where many were just removed.
# Medians of the repetitions (5), which alternate, so that other load hits all alike. CPU times hardly
# depend on other load, walls do: on a busy machine only the former mean something.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 repetitions=${2:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

head() {
    cat <<'YAML'
format: 1
name: short-runs
machine: {nodes: 8, cpus_per_node: 128, its_per_node: 1}
vms:
  - {name: guest, vcpus: 4, placement: {kind: spread}}
policies: [global-first, local]
YAML
}
# 1,000 points and 2 policies. One run of the second file has the IPIs of all runs of the first: sends
# 10 to 1,009 make 1,019,000 for the two policies together, so 509,500 in each.
{
    head
    echo 'workload: {kind: ipi_hw}'
    echo 'sweep: {workload.sends: {from: 10, to: 1009, steps: 1000}}'
} >"$folder/many.yaml"
{
    head
    echo 'workload: {kind: ipi_hw, sends: 509500}'
} >"$folder/one.yaml"

# measure NAME ARGUMENT...: a line "wall cpu" in seconds into NAME.
measure() {
    local name=$1 TIMEFORMAT='%R %U %S'
    shift
    { time "$program" run -q "$@" >/dev/null; } 2>&1 | awk '{ print $1, $2 + $3 }' >>"$folder/$name"
}
median() { awk -v c="$2" '{ print $c }' "$folder/$1" | sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

for ((i = 0; i < repetitions; i++)); do
    measure out1 "$folder/many.yaml" --jobs 1 --out "$folder/out-$i-1"
    measure out2 "$folder/many.yaml" --jobs 2 --out "$folder/out-$i-2"
    measure bare1 "$folder/many.yaml" --jobs 1
    measure bare2 "$folder/many.yaml" --jobs 2
    measure one "$folder/one.yaml" --jobs 1
done
echo "2,000 runs of 10 to 1,009 IPIs, $repetitions repetitions, medians; $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg)"
for row in "out1 --out --jobs 1" "out2 --out --jobs 2" "bare1 --jobs 1" "bare2 --jobs 2" "one the same IPIs in 2 runs"; do
    printf '%-28s wall %7.3f s   CPU %7.3f s\n' "${row#* }" "$(median "${row%% *}" 1)" "$(median "${row%% *}" 2)"
done
awk -v a="$(median out2 1)" -v b="$(median out1 1)" -v c="$(median out1 2)" -v d="$(median one 2)" \
    'BEGIN { printf "ratio %.3f, overhead %.2f ms a run\n", a / b, (c - d) / 2 }'

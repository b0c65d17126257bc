#!/usr/bin/env bash
# The same results, to the byte, from every build, any --jobs, and run to run.
#   tests/same-bytes.sh PROGRAM [PROGRAM...] [-- SCENARIO...]
# Without scenarios: those of scenarios/, each shortened to 500 sends per vCPU.
# The first program's results with --jobs 1 are what all others are compared with.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    programs+=("$1")
    shift
done
[ ${#programs[@]} -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
short=()
if [ $# -gt 1 ]; then
    shift
    scenarios=("$@")
else
    scenarios=(scenarios/*.yaml)
    short=(--set workload.sends=500)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0
for scenario in "${scenarios[@]}"; do
    rm -f "$work/first"
    for program in "${programs[@]}"; do
        for how in "--jobs 1" "--jobs 3" "--jobs 1"; do
            # shellcheck disable=SC2086 # $how is two words
            "$program" run "$scenario" --json $how --progress never "${short[@]}" >"$work/this"
            if [ ! -e "$work/first" ]; then
                mv "$work/this" "$work/first"
            elif cmp "$work/first" "$work/this"; then
                compared=$((compared + 1))
            else
                diff "$work/first" "$work/this" | head -n 20
                echo "$scenario: $program $how differs from ${programs[0]} --jobs 1" >&2
                exit 1
            fi
        done
    done
done
echo "${#scenarios[@]} scenarios, ${#programs[@]} programs: $compared outputs equal to the byte"
[ "$compared" -gt 0 ]

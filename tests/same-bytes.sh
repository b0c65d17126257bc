#!/usr/bin/env bash
# The same results, to the byte, from every build, any --jobs, run to run, and from both engines
# (apart from the field `engine`).
#   tests/same-bytes.sh PROGRAM [PROGRAM...] [-- SCENARIO...]
# Without scenarios: those of scenarios/, with one replication, and 200 sends per vCPU where the workload
# stands at the top.
# The first program's results with --jobs 1 are what all others are compared with.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    programs+=("$1")
    shift
done
[ ${#programs[@]} -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
shorten=()
if [ $# -gt 1 ]; then
    shift
    scenarios=("$@")
else
    scenarios=(scenarios/*.yaml)
    shorten=(run.replications=1 workload.sends=200)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0
for scenario in "${scenarios[@]}"; do
    rm -f "$work/first"
    short=()
    for setting in "${shorten[@]}"; do
        "${programs[0]}" check -q "$scenario" "${short[@]}" --set "$setting" 2>/dev/null &&
            short+=(--set "$setting")
    done
    for program in "${programs[@]}"; do
        # SimGrid is minutes under a sanitizer: the other programs show it on two scenarios.
        case $program,$scenario in
        "${programs[0]},"*) ways=("--jobs 1" "--jobs 1" "--jobs 3" "--engine simgrid") ;;
        *,*/seed-two-socket.yaml | *,*/poisson-4x16-star.yaml) ways=("--jobs 3" "--engine simgrid") ;;
        *) ways=("--jobs 3") ;;
        esac
        for how in "${ways[@]}"; do
            # shellcheck disable=SC2086 # $how is two words
            "$program" run -q "$scenario" --json $how --progress never "${short[@]}" |
                sed 's/"engine": "simgrid"/"engine": "parallel"/' >"$work/this"
            if [ ! -e "$work/first" ]; then
                mv "$work/this" "$work/first"
            elif cmp "$work/first" "$work/this"; then
                compared=$((compared + 1))
            else
                diff "$work/first" "$work/this" | head -n 20 || true
                echo "$scenario: $program $how differs from ${programs[0]} --jobs 1" >&2
                exit 1
            fi
        done
    done
done
echo "${#scenarios[@]} scenarios, ${#programs[@]} programs: $compared outputs equal to the byte"
[ "$compared" -gt 0 ]

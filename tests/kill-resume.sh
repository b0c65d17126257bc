#!/usr/bin/env bash
# kill -9 at random moments, then --resume: the same bytes as undisturbed, no finished run twice.
#   tests/kill-resume.sh PROGRAM SCENARIO KILLS
# Every other kill hits a worker, the rest the parent. Needs the folder to be empty that it
# starts in. Prints a line per kill, and fails at the first difference. manifest.json is not
# compared: it has the clock.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scenario=$2 kills=$3

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# Name and inode of every run whose status says done: another inode is another write.
finished() {
    find killed/runs -mindepth 2 -maxdepth 2 -name status ! -path '*.tmp/*' \
        -exec grep -lx "done" {} + 2>/dev/null | sort |
        while read -r file; do stat -c '%n %i' "${file%status}result.bin"; done
}

start=$(now_ms)
"$program" run "$scenario" --jobs 2 --out whole >/dev/null
length=$(($(now_ms) - start))

for ((i = 0; i < kills; i++)); do
    rm -rf killed
    "$program" run "$scenario" --jobs 2 --out killed >/dev/null 2>words &
    parent=$!
    moment=$(((RANDOM * 32768 + RANDOM) % (length + length / 4)))
    sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    victim=$parent
    if ((i % 2)); then victim=$(pgrep -P "$parent" | head -n 1 || true); fi
    kill -9 "${victim:-$parent}" 2>/dev/null || true
    wait "$parent" 2>/dev/null || true
    finished >before
    "$program" run "$scenario" --jobs 2 --out killed --resume >/dev/null 2>words
    finished >after
    if [ -n "$(comm -23 before after)" ]; then
        echo "after $moment ms: finished runs were done again" >&2
        exit 1
    fi
    diff -r --exclude manifest.json whole killed
    kept=$(sed -n 's/^note: \([0-9]*\) of .*kept.*/\1/p' words)
    echo "killed $([ "$victim" = "$parent" ] && echo parent || echo worker) after $moment ms: $kept kept, same bytes"
done

#!/usr/bin/env bats
# How the program ends when its surroundings do: full disks, closed pipes, signals.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "a full disk under stdout is exit 1 with the reason" {
    for verb in "run small.yaml" "run --json small.yaml" "run --csv small.yaml" \
        "topology small.yaml" "topology --json small.yaml" "check small.yaml" explain \
        "explain --json" "list policies" "list policies --json" schema "schema --results" version \
        "help run" help; do
        code=0
        # shellcheck disable=SC2086 # words on purpose
        "$VSGISIM" $verb >/dev/full 2>words || code=$?
        [ "$code" -eq 1 ]
        grep -q 'standard output: No space left on device' words
    done
}

@test "a closed stdout is exit 1, and no file is written in its place" {
    code=0
    "$VSGISIM" run --out results small.yaml >&- 2>words || code=$?
    [ "$code" -eq 1 ]
    grep -q 'standard output: Bad file descriptor' words
    jq -e . results/manifest.json
    code=0
    "$VSGISIM" check - <&- 2>words || code=$?
    [ "$code" -eq 3 ]
}

# A reader that goes before anything is written.
closed_pipe() {
    { sleep 0.3; code=0; "$@" 2>words || code=$?; echo "$code" >code; } | true
    while [ ! -s code ]; do sleep 0.05; done
}

@test "a closed pipe ends quietly" {
    closed_pipe "$VSGISIM" explain
    [ "$(cat code)" -eq 141 ]
    [ ! -s words ]
    rm code
    # Python and others start programs with SIGPIPE ignored.
    closed_pipe env --ignore-signal=PIPE "$VSGISIM" explain
    [ "$(cat code)" -eq 141 ]
    [ ! -s words ]
}

@test "a full disk under --out and --samples" {
    [ -w /dev/full ]
    expect 1 run --samples /dev/full small.yaml
    has "$stderr" "/dev/full: No space left on device"
    if [ "$(id -u)" -ne 0 ]; then
        mkdir locked
        chmod 555 locked
        expect 1 run --out locked/results small.yaml
        has "$stderr" "locked/results"
    fi
    expect 1 run --out /proc/results small.yaml
    has "$stderr" "/proc/results"
    empty "$output"
}

# The processes that work in this test's folder and are vsgisim's.
programs_here() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/cwd")" = "$PWD" ] &&
            [[ $(readlink "$process/exe") == */vsgisim ]]; then
            echo "$process"
        fi
    done
}

# stop SIGNAL: starts a run of minutes, sends the signal once its first run is done.
stop() {
    "$VSGISIM" run --jobs 2 --out results long.yaml >stdout 2>stderr &
    local pid=$!
    for _ in $(seq 200); do
        [ -e results/runs/0000/status ] && break
        sleep 0.05
    done
    kill -"$1" "$pid"
    code=0
    wait "$pid" || code=$?
}

@test "SIGTERM and SIGINT: workers end, finished runs stay valid" {
    set -m # else a background job ignores SIGINT
    for signal in TERM INT; do
        rm -rf results
        stop "$signal"
        if [ "$signal" = TERM ]; then [ "$code" -eq 143 ]; else [ "$code" -eq 130 ]; fi
        [ ! -s stdout ]
        grep -q '1 of 2 runs were done' stderr
        grep -q 'done' results/runs/0000/status
        [ ! -e results/runs/0001/status ]
        jq -e '.status == "done"' results/runs/0000/result.json
        [ -z "$(programs_here)" ]
        [ -z "$(find results -name '.*' -type f)" ]
    done
}

@test "SIGTERM while SimGrid is asked for the routes of a large machine" {
    sed -e 's/nodes: 2/nodes: 4096/; s/topology: full/topology: star/' small.yaml >large.yaml
    "$VSGISIM" run --out results large.yaml >stdout 2>stderr &
    local pid=$!
    for _ in $(seq 200); do # until there is the process that asks
        [ "$(programs_here | wc -l)" -ge 2 ] && break
        sleep 0.05
    done
    [ "$(programs_here | wc -l)" -ge 2 ]
    kill -TERM "$pid"
    SECONDS=0
    code=0
    wait "$pid" || code=$?
    [ "$code" -eq 143 ]
    [ "$SECONDS" -le 5 ] # the asking itself takes longer
    [ ! -s stdout ]
    grep -q '0 of 2 runs were done' stderr
    [ -z "$(programs_here)" ]
    [ -z "$(ls results/runs)" ]
}

@test "too little memory for SimGrid is said as that" {
    # SimGrid's stack areas need more address space than this; a sanitizer needs more for itself.
    limit=300000
    (ulimit -v $limit && "$VSGISIM" version) >/dev/null 2>&1 || skip "this build needs more memory"
    code=0
    (ulimit -v $limit && "$VSGISIM" run small.yaml >stdout 2>stderr) || code=$?
    [ "$code" -eq 1 ]
    grep -q "memory ran out in SimGrid's process" stderr
}

#!/usr/bin/env bats
# Studies that are stopped, killed, limited or narrowed, and what --resume makes of them.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

# same DIRECTORY DIRECTORY: all files but the manifest are equal to the byte.
same() {
    diff -r --exclude manifest.json "$1" "$2"
}

@test "kill -9 of parent and workers at random moments, then --resume: the same bytes" {
    "$VSG_SOURCE_DIR/tests/kill-resume.sh" "$VSGISIM" sweep.yaml 4
}

@test "--resume of nothing is a first run, of a whole study none" {
    expect 0 run sweep.yaml --out results --resume --csv
    has "$stderr" "note: 0 of 20 runs are done and kept, 20 to do"
    first=$output
    cp -r results before
    expect 0 run sweep.yaml --out results --resume --csv
    has "$stderr" "note: 20 of 20 runs are done and kept, 0 to do"
    [ "$output" = "$first" ]
    same before results
    jq -e '.recalled == 20 and .done == 20 and (.executed_runs[0].wall_s == null)' \
        results/manifest.json
    expect 0 run sweep.yaml --out results --resume -q
    empty "$stderr"
}

@test "--resume runs only what has changed, and says so" {
    expect 0 run sweep.yaml --out results
    cp -r results/runs before
    # A new first point: the ten runs of each old one move up.
    expect 0 run sweep.yaml --out results --resume \
        --set 'sweep={interconnect.link.latency: [20ns, 100ns, 50ns]}'
    has "$stderr" "note: 20 of 30 runs are done and kept, 10 to do"
    cmp before/0000/result.bin results/runs/0020/result.bin
    cmp before/0019/result.bin results/runs/0019/result.bin
    expect 0 run sweep.yaml --out afresh \
        --set 'sweep={interconnect.link.latency: [20ns, 100ns, 50ns]}'
    same afresh results
    # More replications: every policy's first five are kept.
    expect 0 run sweep.yaml --out results --resume --set run.replications=6
    has "$stderr" "note: 20 of 24 runs are done and kept, 4 to do"
    has "$stderr" "note: 10 other finished runs in results: not of this scenario"
    rm -r afresh
    expect 0 run sweep.yaml --out afresh --set run.replications=6
    same afresh results
    # Another seed, another engine: nothing is left of it.
    expect 0 run sweep.yaml --out results --resume --seed 8
    has "$stderr" "note: 0 of 20 runs are done and kept"
    has "$stderr" "note: 24 other finished runs"
    expect 0 run sweep.yaml --out results --resume --seed 8 --engine simgrid
    has "$stderr" "note: 0 of 20 runs are done and kept"
    # A name is no change of what is simulated; the files have the new one.
    expect 0 run sweep.yaml --out results --resume --seed 8 --engine simgrid --set name=renamed
    has "$stderr" "note: 20 of 20 runs"
    grep -q '^name: "renamed"' results/runs/0003/scenario.yaml
}

@test "--resume trusts no run that is not whole" {
    expect 0 run sweep.yaml --out whole
    cp -r whole results
    echo failed >results/runs/0000/status
    rm results/runs/0001/status
    rm results/runs/0002/result.bin
    truncate -s -1 results/runs/0003/result.bin
    printf X | dd of=results/runs/0004/result.bin bs=1 seek=200 conv=notrunc status=none
    rm results/runs/0005/result.json     # the figures are made anew from what is whole
    echo >>results/runs/0006/scenario.yaml
    mv results/runs/0007 results/runs/0007.tmp
    mkdir results/runs/0008.tmp
    echo "done" >results/runs/0008.tmp/status
    expect 0 run sweep.yaml --out results --resume
    has "$stderr" "note: 15 of 20 runs are done and kept, 5 to do"
    same whole results
}

@test "both engines are resumed" {
    expect 0 run sweep.yaml --out whole --engine both --json
    first=$output
    cp -r whole results
    rm -r results/runs/0003-simgrid results/runs/0009
    expect 0 run sweep.yaml --out results --engine both --resume --json
    has "$stderr" "note: 38 of 40 runs"
    [ "$output" = "$first" ]
    same whole results
}

@test "--resume and what is in the way" {
    mkdir mine
    echo mine >mine/notes
    expect 6 run small.yaml --out mine --resume
    has "$stderr" "mine: is not empty and has no runs of vsgisim to resume"
    expect 6 run small.yaml --out mine
    has "$stderr" "--resume to go on with the study in it"
    expect 2 run small.yaml --out mine --resume --force
    has "$stderr" "--force and --resume exclude each other"
    expect 2 run small.yaml --resume
    has "$stderr" "--resume needs --out DIR"
    [ "$(cat mine/notes)" = mine ]
    # Two programs in one directory.
    "$VSGISIM" run long.yaml --out results >/dev/null 2>&1 &
    for _ in $(seq 200); do
        [ -e results/runs/0000/status ] && break
        sleep 0.05
    done
    expect 6 run long.yaml --out results --resume
    has "$stderr" "another vsgisim is writing there"
    kill %1
    wait || true
}

@test "--limit-time and --limit-memory end only their run, and its status says so" {
    expect 4 run long.yaml --out results --limit-time 300ms
    has "$stderr" "ended by --limit-time 300ms"
    has "$stderr" "1 of 2 runs failed."
    grep -q '^failed: .*: ended by --limit-time 300ms$' results/runs/0001/status
    [ "$(cat results/runs/0000/status)" = "done" ]
    expect 1 run small.yaml --limit-memory 1MB
    has "$stderr" "ended by --limit-memory 1MB"
    expect 0 run small.yaml --limit-memory 100GB --limit-time 1000s
    # What failed is run again.
    expect 4 run long.yaml --out results --limit-time 200ms --resume
    has "$stderr" "note: 1 of 2 runs are done and kept, 1 to do"
}

@test "--fail-fast stops at the first failure, --keep-going does not" {
    cat >>half.yaml <<'YAML'
run: {replications: 3}
YAML
    expect 4 run half.yaml --set 'sweep={machine.gic.v41: [true, false]}' --jobs 1 --fail-fast \
        --out results
    empty "$output"
    has "$stderr" "stopped at the first failure (--fail-fast); 3 of 6 runs were done and are in results"
    has "$stderr" "to repeat it: vsgisim run results/runs/0003/scenario.yaml --only 0"
    [ ! -e results/runs/0004 ]
    expect 4 run half.yaml --keep-going
    has "$stderr" "3 of 6 runs failed."
    expect 2 run half.yaml --keep-going --fail-fast
}

@test "--only runs what it names" {
    expect 0 run sweep.yaml --csv
    whole=$output
    expect 0 run sweep.yaml --csv --only 3,17-18
    [ "$output" = "$(sed -n '1p;5p;19p;20p' <<<"$whole")" ]
    expect 0 run sweep.yaml --json --only 3
    jq -e '(.runs | length) == 1 and .runs[0].index == 3 and (.points | length) == 1 and
           .comparisons == []' <<<"$output"
    expect 0 run sweep.yaml --only 17
    has "$output" "1 of the study's runs, as in the whole study"
    expect 2 run small.yaml sweep.yaml --only 1
    has "$stderr" "--only takes one FILE"
}

@test "--dry-run counts, estimates and touches nothing" {
    expect 0 run sweep.yaml --dry-run --jobs 3 --out results
    has "$output" "sweep: 20 runs (2 points x 2 policies x 5 replications), 3 at a time, 1 thread each"
    has "$output" "time     about "
    has "$output" "memory   about "
    has "$output" "No promise"
    [ ! -e results ]
    expect 0 run sweep.yaml --dry-run --json
    jq -e '.runs == 20 and .points == 2 and .policies == 2 and .replications == 5 and .done == 0 and
           .estimate.wall_s > 0 and .estimate.run_memory_bytes > 1000000' <<<"$output"
    expect 0 run small.yaml sweep.yaml --dry-run --json
    jq -e '[.[].runs] == [2, 20]' <<<"$output"
    expect 0 run small.yaml --dry-run --set machine.gic.v41=false
    has "$output" "no estimate: "
    has "$output" "direct vSGI"
    expect 0 run sweep.yaml --out results
    expect 0 run sweep.yaml --out results --resume --dry-run --set run.replications=7
    has "$output" "of which 20 are done in results"
    [ -e results/manifest.json ]
    # Minutes of work are told in less than a second.
    expect 0 run long.yaml --dry-run
    has "$output" " min"
}

@test "progress: plain lines with always, once on SIGUSR1 even when quiet" {
    "$VSGISIM" run long.yaml --quiet --out results >/dev/null 2>words &
    for _ in $(seq 200); do
        [ -e results/runs/0000/status ] && break
        sleep 0.05
    done
    [ ! -s words ]
    kill -USR1 %1
    for _ in $(seq 200); do
        [ -s words ] && break
        sleep 0.05
    done
    kill %1
    wait || true
    [ "$(grep -c '^\[1/2\].* left$' words)" -eq 1 ]
    expect 0 run sweep.yaml --progress=always
    has "$stderr" "[20/20]"
    expect 0 run sweep.yaml
    empty "$stderr"
}

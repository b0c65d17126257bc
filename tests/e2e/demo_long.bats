#!/usr/bin/env bats
# demo.sh in a copy of the tree: it builds, runs, plots; a second start builds nothing and draws the same.

@test "demo.sh twice" {
    mkdir "$BATS_TEST_TMPDIR/tree"
    tar -C "$VSG_SOURCE_DIR" --exclude=./build --exclude=./.git --exclude=./demo-out -cf - . |
        tar -C "$BATS_TEST_TMPDIR/tree" -xf -
    cd "$BATS_TEST_TMPDIR/tree"

    run ./demo.sh </dev/null
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"local is faster than global-first"* ]]
    [[ $output == *"850"*"750"* ]]
    for file in demo-out/plots/{percentiles,stages}.{svg,png}; do
        [ -s "$file" ]
    done
    cp -r demo-out first

    run ./demo.sh </dev/null
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"no work to do"* ]]
    [[ $output != *"installing"* ]]
    # The same results; only the manifest tells when and how fast.
    run diff -rq first demo-out --exclude=manifest.json
    [ -z "$output" ]
}

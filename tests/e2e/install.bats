#!/usr/bin/env bats
# cmake --install: what lands where, and the installed program finds its parts from where it lies.

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    cmake --install "$VSG_BUILD_DIR" --prefix "$PWD/there" >/dev/null
    installed=there/bin/vsgisim
    seed=there/share/vsgisim/scenarios/seed-two-socket.yaml
}

@test "program, module, plots, scenarios and docs are installed, and no file of the tests" {
    [ -x "$installed" ]
    [ -f there/lib/vsgisim/vsgisim-simgrid.so ]
    [ -f there/share/vsgisim/plots/percentiles.gp ]
    [ -f there/share/vsgisim/plots/common.gp ]
    [ -f "$seed" ]
    [ -f there/share/vsgisim/LICENSE ]
    run find there -name '*test*' -o -name '*.a' -o -name '*.h'
    [ -z "$output" ]
}

@test "man pages are installed where scdoc was there to make them" {
    [ -d "$VSG_BUILD_DIR/share/man" ] || skip "scdoc was not installed when this was built"
    for page in man1/vsgisim.1 man1/vsgisim-run.1 man5/vsgisim-scenario.5; do
        [ -s "there/share/man/$page" ]
    done
}

@test "the version is CMakeLists.txt's" {
    version=$(sed -n 's/^project(vsgisim VERSION \([0-9.]*\) .*/\1/p' "$VSG_SOURCE_DIR/CMakeLists.txt")
    [ -n "$version" ]
    run "$installed" version
    [ "$status" -eq 0 ]
    [[ $output == *"$version"* ]]
}

@test "run, with both engines, finds the module; without it the error names what is missing" {
    "$installed" run "$seed" --engine both --set workload.sends=20 --out results >/dev/null
    rm there/lib/vsgisim/vsgisim-simgrid.so
    run "$installed" run "$seed" --engine simgrid --set workload.sends=20
    [ "$status" -ne 0 ]
    [[ $output == *vsgisim-simgrid.so* ]]
}

@test "plot finds the scripts and draws with them" {
    "$installed" run "$seed" --set workload.sends=20 --out results >/dev/null
    "$installed" plot results
    for file in results/plots/{latency,stages}.{svg,png}; do
        [ -s "$file" ]
    done
    rm -r there/share/vsgisim/plots
    run "$installed" plot results
    [ "$status" -ne 0 ]
}

@test "list scenarios shows the installed ones" {
    run "$installed" list scenarios
    [ "$status" -eq 0 ]
    [[ $output == *seed-two-socket* ]]
}

#!/usr/bin/env bats
# `plot`: pictures of a results directory.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "SVG and PNG of every data file, and where they are" {
    "$VSGISIM" run -q --out results sweep.yaml >/dev/null
    expect 0 plot results/
    for picture in percentiles.svg percentiles.png stages.svg stages.png; do
        has "$output" "results/plots/$picture"
        [ -s "results/plots/$picture" ]
    done
    grep -q '<svg' results/plots/stages.svg
    grep -q "sweep (vsgisim $(jq -r .version results/manifest.json))" results/plots/stages.svg
    [ "$(head -c 4 results/plots/stages.png | tail -c 3)" = PNG ]
    [ -z "$(find results/plots -name '.part*')" ]
}

@test "the same data gives the same SVG" {
    "$VSGISIM" run -q --out results sweep.yaml >/dev/null
    "$VSGISIM" plot results
    cp -r results/plots before
    LC_ALL=C expect 0 plot results # whatever the locale, and without complaints
    [ -z "$stderr" ]
    cmp before/percentiles.svg results/plots/percentiles.svg
    cmp before/stages.svg results/plots/stages.svg
}

@test "every plot that the data allows, the same SVG twice, each with its own title" {
    "$VSGISIM" run -q --out results sweep.yaml >/dev/null
    expect 0 plot results
    empty "$stderr"
    cp -r results/plots before
    expect 0 plot results
    for name in ccdf gain heatmap latency percentiles stages utilisation; do
        [ -s "results/plots/$name.svg" ]
        [ -s "results/plots/$name.png" ]
        cmp "before/$name.svg" "results/plots/$name.svg"
    done
    grep -q "over global-first; a difference is shown" results/plots/gain.svg
    grep -q "interconnect.link.latency, ns" results/plots/latency.svg
    gnuplot -c "$VSG_SOURCE_DIR/plots/heatmap.gp" results/plots/heatmap.tsv by-hand.svg "by hand"
    grep -q "by hand" by-hand.svg
}

@test "what is left out, and why; what is asked for by name" {
    "$VSGISIM" run -q --out results small.yaml >/dev/null
    : >results/plots/gain.svg # of an earlier run
    expect 0 plot results
    has "$stderr" "vsgisim: no plot 'gain': the sweep has no numeric axis with two values"
    has "$stderr" "vsgisim: no plot 'latency': the sweep has no numeric axis with two values"
    [ ! -e results/plots/gain.svg ]
    expect 0 plot -q results
    empty "$stderr"
    rm results/plots/*.svg
    expect 0 plot results stages ccdf
    [ "$(find results/plots -name '*.svg' | wc -l)" -eq 2 ]
    expect 3 plot results gain
    expect 2 plot results gian
    has "$stderr" "no plot is named 'gian'; there are ccdf, gain, heatmap"
}

@test "what is not a results directory" {
    expect 3 plot nowhere
    has "$stderr" "nowhere: error: No such file or directory"
    mkdir folder
    expect 3 plot folder
    has "$stderr" "folder: error: not a results directory"
    mkdir folder/plots
    expect 3 plot folder
    has "$stderr" "no data to plot"
}

# with_gnuplot LINE: a gnuplot of this one line of shell.
with_gnuplot() {
    mkdir -p results/plots tools
    printf 'x\n' >results/plots/stages.tsv
    printf '#!/bin/sh\n%s\n' "$1" >tools/gnuplot
    chmod +x tools/gnuplot
    PATH=$PWD/tools:$PATH expect 1 plot results
    empty "$output"
    [ ! -e results/plots/stages.svg ]
}

@test "a gnuplot that fails or leaves nothing" {
    with_gnuplot 'exit 3'
    has "$stderr" "exit code 3"
    # shellcheck disable=SC2016 # for the shell of that gnuplot
    with_gnuplot ': >"$4"'
    has "$stderr" "left nothing"
}

@test "no gnuplot at all" {
    mkdir -p results/plots nothing
    printf 'x\n' >results/plots/stages.tsv
    env PATH="$PWD/nothing" "$VSGISIM" version || skip "the program is wrapped in one of PATH"
    run --separate-stderr env PATH="$PWD/nothing" "$VSGISIM" plot results
    [ "$status" -eq 1 ]
    has "$stderr" "gnuplot is not installed; on Debian: apt install gnuplot-nox"
}

@test "SIGTERM and SIGINT: gnuplot ends, and no part of a picture stays" {
    set -m # else a background job ignores SIGINT
    mkdir -p results/plots tools
    printf 'x\n' >results/plots/stages.tsv
    # shellcheck disable=SC2016 # for the shell of that gnuplot
    printf '#!/bin/sh\n: >"$4"\necho $$ >pid\nexec sleep 60\n' >tools/gnuplot
    chmod +x tools/gnuplot
    for signal in TERM INT; do
        rm -f pid
        PATH=$PWD/tools:$PATH "$VSGISIM" plot results >stdout 2>stderr &
        local pid=$! code=0
        for _ in $(seq 200); do
            [ -s pid ] && break
            sleep 0.05
        done
        kill -"$signal" "$pid"
        wait "$pid" || code=$?
        if [ "$signal" = TERM ]; then [ "$code" -eq 143 ]; else [ "$code" -eq 130 ]; fi
        [ ! -s stdout ]
        [ ! -s stderr ]
        [ "$(ls -A results/plots)" = stages.tsv ]
        run kill -0 "$(cat pid)"
        [ "$status" -ne 0 ]
    done
}

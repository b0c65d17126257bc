#!/usr/bin/env bats
# The gnuplot scripts by hand: they draw what they are given, the same bytes each time, and say when they cannot.

setup() {
    plots=$VSG_SOURCE_DIR/plots
    export LC_ALL=C.UTF-8 # in the C locale gnuplot complains of a degree sign, and draws the same
    cd "$BATS_TEST_TMPDIR" || return 1
}

# percentiles COUNT: that many series, flat at 850 and 750 ns in turn, as a run without jitter has them
percentiles() {
    awk -v n="$1" 'BEGIN {
        OFS = "\t"; print "series", "percentile", "inverse", "latency_ns"
        for (s = 1; s <= n; s++) {
            if (s > 1) print "\n"
            for (x = 1; x < 3000; x *= 2)
                print "\"node " s ", local_policy\"", 1 - 1 / x, x, s % 2 ? 850 : 750
        }
    }'
}

stages() {
    awk -v n="$1" 'BEGIN {
        OFS = "\t"; print "series", "prepare", "trap", "lock_wait", "mmio"
        for (s = 1; s <= n; s++) print "\"node " s ", local\"", 35, 204, 0, 15 * s
    }'
}

shows() { grep -qF -- "$1" "$2" || { echo "'$1' is not in $2"; return 1; }; }

@test "percentiles: 1, 2, 4 and 20 series, each named once, as SVG and PNG" {
    for n in 1 2 4 20; do
        percentiles $n >data.tsv
        for end in svg png; do
            run gnuplot -c "$plots/percentiles.gp" data.tsv out.$end "local is 100 ns faster"
            [ "$status" -eq 0 ]
            [ -z "$output" ]
            [ -s out.$end ]
        done
        for s in $(seq $n); do
            [ "$(grep -cF "node $s, local_policy<" out.svg)" -eq 1 ]
        done
        shows "local is 100 ns faster" out.svg
        shows "latency, ns" out.svg
        shows "99.9 %" out.svg
    done
}

@test "percentiles: an axis from 0 for flat data, a logarithmic one for a factor of 20" {
    percentiles 2 >data.tsv
    gnuplot -c "$plots/percentiles.gp" data.tsv out.svg
    shows '<text>0</text>' out.svg
    printf 's\tp\tx\tns\na\t0\t1\t1000\na\t0.9\t10\t20000\n' >data.tsv
    gnuplot -c "$plots/percentiles.gp" data.tsv out.svg
    shows "latency, µs, logarithmic" out.svg
}

@test "percentiles: cells without a number are left out" {
    printf 's\tp\tx\tns\na\t0\t1\t800\na\t0.9\t10\t\na\t0.99\t100\tnull\na\t1\tinf\t900\n' >data.tsv
    run gnuplot -c "$plots/percentiles.gp" data.tsv out.svg
    [ "$status" -eq 0 ]
    [ -s out.svg ]
}

@test "percentiles: the first 24 of more series, and it says so" {
    percentiles 30 >data.tsv
    gnuplot -c "$plots/percentiles.gp" data.tsv out.svg
    shows "24 of 30 series" out.svg
    run grep -F "node 25, local_policy" out.svg
    [ "$status" -eq 1 ]
}

@test "stages: totals are the sums, stages that are 0 everywhere are left out" {
    for n in 1 2 20; do
        stages $n >data.tsv
        for end in svg png; do
            run gnuplot -c "$plots/stages.gp" data.tsv out.$end "two crossings less"
            [ "$status" -eq 0 ]
            [ -z "$output" ]
            [ -s out.$end ]
        done
        for s in $(seq $n); do
            shows ">$((35 + 204 + 15 * s)).0 ns<" out.svg
            shows "node $s, local<" out.svg
        done
        shows "mmio" out.svg
        run grep -F "lock_wait" out.svg
        [ "$status" -eq 1 ]
    done
}

@test "a header without rows: a sheet that says why there is nothing to see" {
    printf 'series\tpercentile\tinverse\tlatency_ns\n' >header.tsv
    for kind in percentiles stages; do
        for end in svg png; do
            run gnuplot -c "$plots/$kind.gp" header.tsv out.$end "a title"
            [ "$status" -eq 0 ]
            [ -z "$output" ]
            [ -s out.$end ]
        done
        shows "a title" out.svg
        run grep -c -e "Too few IPIs" -e "No run has figures" out.svg
        [ "$output" -eq 1 ]
    done
}

@test "the same data gives the same bytes, without a date" {
    percentiles 4 >p.tsv
    stages 4 >s.tsv
    for kind in percentiles stages; do
        for end in svg png; do
            gnuplot -c "$plots/$kind.gp" "${kind:0:1}.tsv" one.$end title
            TZ=Asia/Tokyo gnuplot -c "$plots/$kind.gp" "${kind:0:1}.tsv" two.$end title
            cmp one.$end two.$end
        done
    done
}

@test "what cannot be drawn ends with a status, or leaves an empty file" {
    : >empty.tsv
    percentiles 1 >header.tsv
    for kind in percentiles stages; do
        for data in empty.tsv missing.tsv; do
            rm -f out.svg
            run gnuplot -c "$plots/$kind.gp" $data out.svg
            [ "$status" -ne 0 ] || [ ! -s out.svg ]
        done
        run gnuplot -c "$plots/$kind.gp" header.tsv out.pdf
        [ "$status" -ne 0 ]
        run gnuplot -c "$plots/$kind.gp"
        [ "$status" -eq 2 ]
        [[ $output == usage:* ]]
    done
}

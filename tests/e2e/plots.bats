#!/usr/bin/env bats
# The gnuplot scripts by hand: they draw what they are given, the same bytes each time, and say when they cannot.
# shellcheck disable=SC2030,SC2031 # each test is a subshell of its own, and meant to be

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

# latency COUNT: that many series of 6 points, with intervals; every third has no steady state at the end
latency() {
    awk -v n="$1" 'BEGIN {
        OFS = "\t"; print "axis", "series", "x", "mean_ns", "low_ns", "high_ns", "p99_ns", "steady"
        for (x = 1; x <= 6; x++)
            for (s = 1; s <= n; s++)
                if (x == 6 && s % 3 == 1) print "workload.rate_per_s", "policy " s, x * 1e5, "", "", "", "", 0
                else print "workload.rate_per_s", "policy " s, x * 1e5, 700 + 9 * s + x, 690 + 9 * s, 720 + 9 * s, 900, 1
    }'
}

gain() {
    awk -v n="$1" 'BEGIN {
        OFS = "\t"; print "axis", "series", "x", "gain", "low", "high", "gain_ns", "verdict"
        for (s = 1; s <= n; s++)
            for (x = 1; x <= 6; x++)
                if (x == 6) print "workload.think_ns", s " over 0", x, "", "", "", "", ""
                else print "workload.think_ns", s " over 0", x, s / 100 - 0.05, s / 100 - 0.06, s / 100 - 0.04, 7, "faster"
    }'
}

ccdf() {
    awk -v n="$1" 'BEGIN {
        OFS = "\t"; print "series", "latency_ns", "share_above"
        for (s = 1; s <= n; s++)
            for (k = 0; k < 60; k++)
                print "policy " s, 700 + (20 + s) * k, exp(-k / 8)
    }'
}

heatmap() {
    awk -v n="$1" -v nodes="${2:-4}" 'BEGIN {
        OFS = "\t"; print "series", "from_node", "to_node", "count", "mean_ns"
        for (s = 1; s <= n; s++)
            for (i = 0; i < nodes; i++)
                for (j = 0; j < nodes; j++)
                    if (i == 1 && j == 0) print "policy " s, i, j, 0, ""
                    else print "policy " s, i, j, 10, 700 + 50 * (i != j) + s
    }'
}

utilisation() {
    awk -v n="$1" 'BEGIN {
        OFS = "\t"; print "series", "kind", "server", "utilisation", "wait_ns", "steady"
        for (k = 0; k < 30; k++)
            for (s = 1; s <= n; s++)
                print "policy " s, k < 10 ? "its" : "link", k < 10 ? k : "n" k "-0", (s + 30 - k) / 60, 5, s != 2
    }'
}

# draws KIND DATA: as SVG and PNG, without a word, with the title on it
draws() {
    for end in svg png; do
        rm -f out.$end
        run gnuplot -c "$plots/$1.gp" "$2" out.$end "the answer"
        [ "$status" -eq 0 ] || { echo "$output"; return 1; }
        [ -z "$output" ] || { echo "$output"; return 1; }
        [ -s out.$end ]
    done
    shows "the answer" out.svg
}

@test "ccdf, latency, gain, utilisation: 1, 2 and 20 series, each named once" {
    for kind in ccdf latency gain utilisation; do
        for n in 1 2 20; do
            $kind $n >data.tsv
            draws $kind data.tsv
            [ $kind = gain ] && what="1 over 0" || what="policy 1"
            [ "$(grep -cF ">$what<" out.svg)" -eq 1 ]
            [ $kind = gain ] && what="$n over 0" || what="policy $n"
            [ "$(grep -cF ">$what<" out.svg)" -eq 1 ]
        done
    done
}

@test "latency: units on both axes, and a strip for what has no steady state" {
    latency 4 >data.tsv
    draws latency data.tsv
    shows "workload.rate, k/s" out.svg
    shows "mean latency, ns" out.svg
    shows "no steady state" out.svg
    grep -v '	0$' data.tsv >steady.tsv
    draws latency steady.tsv
    run grep -F "no steady state" out.svg
    [ "$status" -eq 1 ]
    grep -e axis -e '	0$' data.tsv >unsteady.tsv # nothing else
    draws latency unsteady.tsv
}

@test "latency, gain: without intervals, as where nothing is random" {
    latency 2 | awk -F '\t' -v OFS='\t' 'NR > 1 { $5 = $6 = "" } { print }' >data.tsv
    draws latency data.tsv
    gain 2 | awk -F '\t' -v OFS='\t' 'NR > 1 { $5 = $6 = "" } { print }' >data.tsv
    draws gain data.tsv
    shows "0 %" out.svg
    shows "-2 %" out.svg
    shows "workload.think, ns" out.svg
}

@test "ccdf: one value only, and a share of 0" {
    printf 's\tns\tshare\na\t850\t1\na\t850\t0\n' >data.tsv
    draws ccdf data.tsv
    shows "share of IPIs that take longer, logarithmic" out.svg
}

@test "heatmap: 1, 2 and 20 series of 4 nodes, numbers in the cells; 64 nodes without" {
    for n in 1 2 20; do
        heatmap $n >data.tsv
        draws heatmap data.tsv
    done
    shows "12 of 20 series" out.svg
    heatmap 1 >data.tsv
    draws heatmap data.tsv
    [ "$(grep -cF '>751<' out.svg)" -eq 11 ] # 12 pairs of two nodes, of which one sent nothing
    [ "$(grep -cF '>701<' out.svg)" -eq 4 ]
    heatmap 2 64 >data.tsv
    draws heatmap data.tsv
    run grep -cF '>751<' out.svg
    [ "$output" -eq 0 ]
}

@test "utilisation: the busiest servers, and whose bars are hollow" {
    utilisation 2 >data.tsv
    draws utilisation data.tsv
    shows "the busiest 10 ITSs and 10 links" out.svg
    shows "hollow: no steady state" out.svg
    shows ">ITS 0<" out.svg
    shows ">link n10-0<" out.svg
    run grep -F ">link n20-0<" out.svg
    [ "$status" -eq 1 ]
}

@test "a header without rows: a sheet that says why there is nothing to see" {
    printf 'series\tpercentile\tinverse\tlatency_ns\n' >header.tsv
    for kind in percentiles stages ccdf latency gain heatmap utilisation; do
        for end in svg png; do
            run gnuplot -c "$plots/$kind.gp" header.tsv out.$end "a title"
            [ "$status" -eq 0 ]
            [ -z "$output" ]
            [ -s out.$end ]
        done
        shows "a title" out.svg
        run grep -c -e "Too few IPIs" -e "o run has figures" -e "One policy only" -e "One node only" -e "ever busy" out.svg
        [ "$output" -eq 1 ]
    done
}

@test "the same data gives the same bytes, without a date" {
    for kind in percentiles stages ccdf latency gain heatmap utilisation; do
        $kind 4 >data.tsv
        for end in svg png; do
            gnuplot -c "$plots/$kind.gp" data.tsv one.$end title
            TZ=Asia/Tokyo gnuplot -c "$plots/$kind.gp" data.tsv two.$end title
            cmp one.$end two.$end
        done
    done
}

@test "what cannot be drawn ends with a status, or leaves an empty file" {
    : >empty.tsv
    percentiles 1 >header.tsv
    for kind in percentiles stages ccdf latency gain heatmap utilisation; do
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

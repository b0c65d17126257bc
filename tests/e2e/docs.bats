#!/usr/bin/env bats
# What the documents show: commands run and print it, links lead somewhere, figures follow from their formulas.
# shellcheck disable=SC2154 # bats sets status and output
bats_require_minimum_version 1.5.0
: "${VSGISIM:?the program to test}" "${VSG_SOURCE_DIR:?}"

docs() { "$VSG_SOURCE_DIR/tests/docs.py" "$@"; }

# Documents run whole experiments; other tests show valgrind the same code on short ones.
not_under_valgrind() { [[ $VSGISIM != *-wrapped ]] || skip "too long under valgrind"; }

@test "the checks of documents can fail" {
    docs --self-test
}

@test "README.md shows what the program prints" {
    not_under_valgrind
    docs "$VSG_SOURCE_DIR/README.md"
}

@test "docs/: every command runs" {
    not_under_valgrind
    docs "$VSG_SOURCE_DIR"/docs/*.md "$VSG_SOURCE_DIR"/docs/howto/*.md
}

# To draw it anew: the three commands below, with docs/img/stages.svg in the place of new.svg.
@test "docs/img/stages.svg is what the seed scenario's results look like" {
    not_under_valgrind
    cd "$BATS_TEST_TMPDIR"
    "$VSGISIM" run "$VSG_SOURCE_DIR/scenarios/seed-two-socket.yaml" --out out >/dev/null
    gnuplot -c "$VSG_SOURCE_DIR/plots/stages.gp" out/plots/stages.tsv new.svg \
        "local is 100 ns faster with the guest on node 0: two crossings less"
    gnuplot --version | grep -q '^gnuplot 5.4 ' || skip "drawn with gnuplot 5.4, the one of Debian 12"
    cmp new.svg "$VSG_SOURCE_DIR/docs/img/stages.svg"
}

# To draw them anew: these commands, then a copy into docs/img.
@test "docs/img: the other plots are what the results of their scenarios look like" {
    not_under_valgrind
    cd "$BATS_TEST_TMPDIR"
    "$VSGISIM" run -q "$VSG_SOURCE_DIR/scenarios/its-saturation.yaml" --out sat >/dev/null
    "$VSGISIM" run -q "$VSG_SOURCE_DIR/scenarios/poisson-4x16-star.yaml" --out star >/dev/null
    gnuplot --version | grep -q '^gnuplot 5.4 ' || skip "drawn with gnuplot 5.4, the one of Debian 12"
    for name in latency gain ccdf percentiles utilisation heatmap; do
        from=sat
        [ $name = heatmap ] && from=star
        title=$(awk -F '\t' -v name=$name '$1 == name { print $2 }' $from/plots/index.tsv)
        gnuplot -c "$VSG_SOURCE_DIR/plots/$name.gp" $from/plots/$name.tsv $name.svg "$title"
        cmp $name.svg "$VSG_SOURCE_DIR/docs/img/$name.svg"
        [ "$(wc -c <$name.svg)" -lt 61440 ]
    done
}

@test "the other documents: every command runs, or says that it is not run" {
    not_under_valgrind
    docs "$VSG_SOURCE_DIR"/{CONTRIBUTING,CHANGELOG}.md "$VSG_SOURCE_DIR"/{scenarios,plots,models,tests}/README.md \
        "$VSG_SOURCE_DIR"/tests/bench/README.md "$VSG_SOURCE_DIR"/{sim,models}/*/README.md
}

@test "docs/validation.md: its formula gives every row of idle-latencies.tsv" {
    run awk -F '\t' '
        function l(a, b) { return a == b ? 0 : link }
        /^#/ { next }
        {
            link = $2 == "star" ? 100 : 50 # ns, one way
            s = $3; t = $4; h = $5
            i = $6 == "global-first" ? $1 - 1 : s
            ns = 750 + l(s, i) + l(i, t) + 2 * (l(s, h) + l(h, t) + l(t, s)) + l(t, h) + l(h, s) + l(s, t)
            if (ns != $8) print $0, "should be", ns
            rows++
        }
        END { print rows, "rows" }' "$VSG_SOURCE_DIR/tests/data/idle-latencies.tsv"
    [ "$output" = "318 rows" ]
}

@test "docs/model.md: defaults in its tables are those of the program" {
    run -0 bash -c "sed -n 's/^| \`\([a-z_.]*\)\` | \([^|]*[^| ]\) | .*/\1\t\2/p' '$VSG_SOURCE_DIR/docs/model.md' |
        grep -E '^(costs|interconnect|run)\.'"
    rows=$output
    [ "$(wc -l <<<"$rows")" -eq 21 ]
    while IFS=$'\t' read -r key default; do
        shown=$("$VSGISIM" explain "$key" --json | jq -r '.[0].default')
        [ "${shown// /}" = "${default// /}" ] || { echo "$key: the document says $default, the program $shown"; return 1; }
    done <<<"$rows"
}

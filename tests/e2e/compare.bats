#!/usr/bin/env bats
# compare: policies, scenarios, directories; limits for CI and their exit codes.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "two policies of one scenario" {
    expect 0 compare small.yaml
    has "$output" "local is faster than global-first by 100.0 ns (-11.8 %)."
    has "$output" "mean"
    empty "$stderr"
    # The other way round, and policies that the file does not list.
    expect 0 compare small.yaml --policy local --policy global-first
    has "$output" "global-first is slower than local by 100.0 ns (+13.3 %)."
    expect 0 compare small.yaml --policy local --policy nearest
    has "$output" "nearest against local: no difference."
}

@test "replications are paired, points matched, and JSON says it all" {
    expect 0 compare sweep.yaml --json
    jq -e '.failed == false and (.limits | length) == 0 and (.pairs | length) == 1' <<<"$output"
    jq -e '.pairs[0] | .a.policy == "global-first" and .b.policy == "local"' <<<"$output"
    jq -e '[.pairs[0].points[] | .point["interconnect.link.latency_ns"]] == [50, 100]' <<<"$output"
    jq -e 'all(.pairs[0].points[]; .n == 5 and .mean.method == "paired-t" and
           (.mean.ci95 | length) == 2 and .mean.ci95[0] <= .mean.diff_ns)' <<<"$output"
    # The difference is that of the study's own comparison, but for the rounding of its means.
    own=$(jq -c '[.pairs[0].points[].mean | .diff_ns, .ci95[]]' <<<"$output")
    expect 0 run sweep.yaml --json
    jq -e --argjson own "$own" '[.comparisons[] | .diff_ns, .ci95[]] as $study |
        ($study | length) == 6 and
        all(range(6); ($study[.] - $own[.]) | . < 0.003 and . > -0.003)' <<<"$output"
}

@test "a limit that is broken is exit 5, one that holds 0" {
    expect 5 compare small.yaml --fail-if 'mean < -10%'
    has "$output" "mean < -10%: FAILED, -11.8 %"
    expect 0 compare small.yaml --fail-if 'mean < -12%' --fail-if 'max>1us'
    has "$output" "mean < -12%: held"
    # A gate does not open because what it watches is gone.
    expect 5 compare small.yaml --fail-if 'p99 > 1us'
    has "$output" "p99 > 1us: FAILED, global-first has no p99 here (too few IPIs)"
}

@test "directories: the same study, a changed one, another version, other axes, no results" {
    expect 0 run sweep.yaml --out before
    expect 0 run sweep.yaml --out after --set costs.its=40ns
    expect 0 run small.yaml --out small
    expect 0 compare before before
    has "$output" "no difference in any replication"
    expect 5 compare before after --policy local --fail-if 'mean > 15ns'
    has "$output" "after is slower than before by"
    has "$output" "mean > 15ns: FAILED, +2"
    # A stored result against a scenario that is run now.
    expect 0 compare before sweep.yaml --policy local --fail-if 'mean > 0ns'
    expect 2 compare before small
    has "$stderr" "has interconnect.link.latency_ns"
    has "$stderr" "their points cannot be matched"
    sed -i 's/"version": "[^"]*"/"version": "0.0.1"/' after/results.json
    expect 2 compare before after
    has "$stderr" "of version"
    expect 2 compare before --policy local --policy nearest
    has "$stderr" "has no policy nearest; it has global-first, local"
    mkdir empty
    expect 3 compare before empty
    has "$stderr" "has no results.json"
    echo '{"version": ' >after/results.json
    expect 3 compare before after
    has "$stderr" "after/results.json: error:"
}

@test "wrong use" {
    expect 2 compare
    has "$stderr" "A [B] is missing"
    expect 2 compare small.yaml --policy local
    has "$stderr" "--policy is given twice or not"
    expect 2 compare small.yaml --policy local --policy local
    has "$stderr" "compared with itself"
    expect 2 compare small.yaml small.yaml --policy a --policy b --policy c
    has "$stderr" "more than twice"
    expect 2 compare small.yaml --fail-if 'p98 > 5%'
    has "$stderr" "write mean, p50, p90, p99, p99.9 or max"
    expect 2 compare half.yaml
    has "$stderr" "has not two policies"
    expect 3 compare small.yaml --policy local --policy nowhere
    has "$stderr" "unknown 'nowhere'"
    expect 3 compare nothing.yaml
}

#!/usr/bin/env bats
# The verbs that tell about vsgisim itself.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "version" {
    expect 0 version
    [[ $output =~ ^vsgisim\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    version=$output
    expect 0 --version
    [ "$output" = "$version" ]
    has "$version" "$("$VSGISIM" run -q --json small.yaml | jq -r .version)"
}

@test "explain: all keys, a section, one key" {
    expect 0 explain
    has "$output" "machine.nodes"
    has "$output" "costs.trap"
    expect 0 explain costs
    has "$output" "costs.its"
    [[ $output != *machine.nodes* ]]
    expect 0 explain interconnect.link.latency
    has "$output" "interconnect.link.latency: "
    has "$output" "default  50ns"
    has "$output" "units    ps ns us ms s"
    expect 0 explain workload.kind
    has "$output" "ipi_hw"
    expect 2 explain interconect.link.latency
    has "$stderr" "did you mean 'interconnect.link.latency'?"
}

@test "explain --assumed and --json" {
    expect 0 explain --assumed
    [ "$(grep -vc -e ' assumed ' -e '^key ' <<<"$output")" -eq 0 ]
    expect 0 explain --assumed --json
    jq -e 'length > 0 and all(.[]; .basis == "assumed" and (.doc | length) > 0)' <<<"$output"
    expect 0 explain --json costs.trap
    jq -e 'length == 1 and .[0].key == "costs.trap" and .[0].source != null' <<<"$output"
}

@test "list" {
    expect 0 list policies
    [ "$(cut -d' ' -f1 <<<"$output" | paste -sd' ')" = "global-first local numa-v1 nearest target-node min-path round-robin hash least-outstanding" ]
    expect 0 list workloads --json
    jq -e '[.[].name] == ["ipi_hw", "pairs", "poisson", "closed", "bursty", "matrix"]' <<<"$output"
    expect 0 list topologies
    has "$output" "star"
    expect 0 list scenarios --json
    jq -e 'any(.[].name; endswith("/seed-two-socket.yaml")) and all(.[]; (.text | length) > 0)' \
        <<<"$output"
    expect 2 list
}

@test "every listed scenario is valid" {
    "$VSGISIM" list scenarios --json | jq -r '.[].name' >files
    [ -s files ]
    while IFS= read -r file; do
        expect 0 check "$file"
    done <files
}

@test "schemas are JSON Schema" {
    expect 0 schema
    jq -e '."$schema" and .properties.machine and .properties.vms' <<<"$output"
    expect 0 schema --results
    jq -e '."$schema"' <<<"$output"
}

#!/usr/bin/env bats
# What `topology` shows of a machine.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "nodes, latencies, and each policy's ITS and why" {
    expect 0 topology small.yaml
    empty "$stderr"
    diff - <(printf '%s\n' "$output") <<'END'
2 nodes, 8 CPUs (8 online), 2 ITSs v4.1; list order (last probed first): its1, its0
node  CPUs  ITSs  to node 0  to node 1
0     0-3   its0       0 ns      50 ns
1     4-7   its1      50 ns       0 ns

policy        CPUs  ITS   how
global-first  0-7   its1  head of the list
local         0-3   its0  remembered: CPU 0 has the affinity of its0
local         4-7   its1  remembered: CPU 4 has the affinity of its1
END
}

@test "--cpus lists each CPU with the words of the selection data" {
    expect 0 topology --cpus small.yaml
    has "$output" "local         0    its0  from-its 0"
    has "$output" "local         5    its1  inherited-from-cpu 4"
    [ "$(grep -c '^local ' <<<"$output")" -eq 8 ]
}

@test "it says when the kernel change has no effect, and why" {
    same="warning: local and global-first are the same on this machine"
    expect 0 topology small.yaml --set machine.gic.svpet=0
    has "$stderr" "$same (SVPET is 0 on every ITS): the kernel change has no effect here."
    has "$output" "fallback: no ITS remembered (SVPET is 0 on every ITS)"
    expect 0 topology small.yaml --set machine.gic.v41=false
    has "$stderr" "$same (no direct vSGI: no ITS is v4.1)"
    expect 0 topology small.yaml --set machine.gic.vpe_table=false
    has "$stderr" "$same (no ITS has a valid vPE table)"
    expect 0 topology small.yaml --set machine.nodes=1
    has "$stderr" "$same (only one ITS is v4.1)"
    expect 0 topology small.yaml --set 'policies=[local]' --set machine.gic.svpet=0
    [[ $stderr != *"$same"* ]]
}

@test "JSON has the contract's fields" {
    expect 0 topology --json small.yaml
    jq -e '.direct_vsgi == true and .online == [range(8)]' <<<"$output"
    jq -e '[.its[].id] == [1, 0] and [.nodes[].id] == [0, 1]' <<<"$output"
    jq -e '.latency_ns == [[0, 50], [50, 0]]' <<<"$output"
    jq -e '.cpus[5] == {id: 5, node: 1, mpidr: "1.0.0.1", started: true}' <<<"$output"
    jq -e '.selection["global-first"][0] == {cpu: 0, its: 1, how: null, remembered: null}' \
        <<<"$output"
    jq -e '.selection.local[5] == {cpu: 5, its: 1, how: "inherited-from-cpu 4", remembered: 1}' \
        <<<"$output"
}

@test "a machine and policies are enough" {
    grep -v -e '^vms' -e '^  -' -e '^workload' small.yaml >machine.yaml
    expect 0 topology machine.yaml
    has "$output" "head of the list"
    expect 0 check machine.yaml
    expect 3 run machine.yaml
    has "$stderr" "has no vms"
}

@test "one node needs no interconnect, and so no SimGrid" {
    VSGISIM_MODULE_DIR=$PWD expect 0 topology small.yaml --set machine.nodes=1
    VSGISIM_MODULE_DIR=$PWD expect 1 topology small.yaml
    has "$stderr" "vsgisim-simgrid.so"
    empty "$output"
}

@test "a machine of standard input, and a wrong one" {
    expect 0 topology - <small.yaml
    expect 3 topology small.yaml --set machine.nodes=0
    empty "$output"
}

@test "the selection data's machines give the right answers through the program" {
    jq -c '.[]' "$VSG_SOURCE_DIR/tests/data/selection/vectors.json" >machines
    count=0
    while IFS= read -r machine; do
        jq '{format: 1, name: "vector", policies: ["global-first", "local", "numa-v1"],
             machine: {nodes: ([.its[].numa_node, .cpus[].numa_node, 0] | max + 1), its: (.its |
               map(if .numa_node == -1 then . + {at: 0} else . end)), cpus, boot_order, events}}' \
            <<<"$machine" >vector.yaml
        expect 0 topology --json vector.yaml
        jq -e --argjson machine "$machine" '
            . as $got | $machine.expect as $want
            | .direct_vsgi == $want.direct_vsgi
            and .online == $want.online
            and all(.selection["global-first"][]; .its == $want["global-first"]["\(.cpu)"])
            and all(.selection.local[]; {its, remembered, how} == $want.local["\(.cpu)"])
            and all(.selection["numa-v1"][]; {its, how} == $want["numa-v1"]["\(.cpu)"])' \
            <<<"$output" >/dev/null || {
            printf 'wrong answer for %s\n' "$(jq -r .name <<<"$machine")"
            return 1
        }
        count=$((count + 1))
    done <machines
    [ "$count" -eq 40 ]
}

@test "what-if policies say what they choose by" {
    cat >what-if.yaml <<'END'
format: 1
machine: {nodes: 2, cpus_per_node: 2, its_per_node: 1}
policies: [nearest, target-node, min-path, hash, round-robin, least-outstanding]
END
    run -0 "$VSGISIM" topology what-if.yaml --json
    jq -e '.per_target["target-node"] == [[0, 1], [0, 1]]' <<<"$output"
    jq -e '.per_target["min-path"] == [[0, 0], [1, 1]]' <<<"$output" # equal ways: the nearest
    jq -e '.per_target.hash == [[null, null], [null, null]]' <<<"$output"
    jq -e '[.selection.nearest[] | [.its, .how]] == [[0, "nearest"], [0, "nearest"], [1, "nearest"], [1, "nearest"]]' <<<"$output"
    jq -e '[.selection["round-robin"][], .selection["least-outstanding"][] | .how] | unique == ["dynamic"]' <<<"$output"
    run -0 "$VSGISIM" topology what-if.yaml
    [[ $output == *"target-node        0-1   -     to node 0: its0, 1: its1"* ]]
}

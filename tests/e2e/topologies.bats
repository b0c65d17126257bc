#!/usr/bin/env bats
# Shapes of the interconnect through the program: latencies by hand, pictures, a user's platform.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

# shape NODES INTERCONNECT TARGET: an idle machine; vCPU 0 on node 0 sends to vCPU 1 on node TARGET.
shape() {
    cat >shape.yaml <<END
format: 1
name: shape
machine: {nodes: $1, cpus_per_node: 2, its_per_node: 1}
interconnect: {$2}
vms: [{name: guest, vcpus: 2, placement: {kind: pinned, cpus: [0, $((2 * $3))]}}]
workload: {kind: ipi_hw, sends: 20}
policies: [local]
END
}

# way NODES INTERCONNECT TARGET NS: the way from node 0 takes NS, as topology prints it. An idle
# IPI under local crosses seven times (docs/validation.md): the flag there and back when it is
# cleared, the message, the flag when it is set and when it is seen; 750 ns are in the nodes.
way() {
    shape "$1" "$2" "$3"
    expect 0 topology --json shape.yaml
    jq -e --argjson b "$3" --argjson ns "$4" \
        '.latency_ns[0][$b] == $ns and .latency_ns[$b][0] == $ns' <<<"$output"
    expect 0 run --engine both --json shape.yaml
    jq -e --argjson ns "$4" 'all(.runs[]; .latency_ns.mean == 750 + 7 * $ns)
        and .agreement.equal' <<<"$output"
}

@test "idle latencies of one pair, by hand: links of 50 ns" {
    way 4 'topology: full' 3 50
    way 4 'topology: star' 3 100           # up, down
    way 8 'topology: ring' 3 150           # 0-1-2-3
    way 8 'topology: ring' 6 100           # 0-7-6
    way 16 'topology: torus' 10 200        # (2,2) from (0,0)
    way 16 'topology: torus, dims: [4, 2, 2]' 15 150 # (3,1,1): one step along each
    way 16 'topology: fat-tree' 1 100      # under one leaf switch
    way 16 'topology: fat-tree' 5 200      # leaf, spine, leaf
    way 8 'topology: fat-tree, levels: 3' 7 300
    way 16 'topology: dragonfly' 15 250    # router 0, router 1, group 1's router 0, router 3
    way 16 'topology: dragonfly' 8 200     # group 1's router 0 has the link
    # 2 x 2 x 2 x 2: router 1, over, the group's router 0, router 1, across to the second chassis
    way 16 'topology: dragonfly, chassis: 2' 15 300
}

@test "idle latency on a user's platform, by hand" {
    cp "$VSG_SOURCE_DIR"/tests/data/platforms/*.xml .
    hosts='nodes: [socket-a, socket-b, socket-c, socket-d]'
    way 4 "platform: {file: floyd-ring.xml, $hosts}" 2 40   # 5 + 10 + 20 + 5
    way 4 "platform: {file: dijkstra-bus.xml, $hosts}" 3 50 # 5 + 40 + 5
    # So slow that one IPI's messages and lines meet, were it not for `none`.
    way 4 "contention: none, platform: {file: dijkstra-slow.xml, scale: 1ns, $hosts}" 3 50
    way 4 "platform: {file: floyd-ring.xml, nodes: [socket-c, socket-a, socket-d, socket-b]}" 1 40
}

@test "a platform's path is relative to the scenario; from --set to the current directory" {
    mkdir -p there/xml
    cp "$VSG_SOURCE_DIR/tests/data/platforms/floyd-ring.xml" there/xml/board.xml
    shape 4 "platform: {file: xml/board.xml, nodes: [socket-a, socket-b, socket-c, socket-d]}" 2
    mv shape.yaml there
    expect 0 topology there/shape.yaml
    expect 0 topology there/shape.yaml --set interconnect.platform.file=there/xml/board.xml
    expect 3 topology there/shape.yaml --set interconnect.platform.file=xml/board.xml
    has "$stderr" "'xml/board.xml' cannot be used: No such file or directory"
    expect 3 topology - <there/shape.yaml
    # What --out writes stands alone: it holds the platform.
    expect 0 run there/shape.yaml --out results --json
    first=$(jq -S '.runs[0]' <<<"$output")
    expect 0 run results/runs/0000/scenario.yaml --json
    [ "$first" = "$(jq -S '.runs[0]' <<<"$output")" ]
}

@test "what SimGrid does not accept ends with its words, not with the program" {
    good='nodes: [socket-a, socket-b, socket-c, socket-d]'
    floyd=$VSG_SOURCE_DIR/tests/data/platforms/floyd-ring.xml
    echo 'no platform' >bad.xml
    shape 4 "platform: {file: bad.xml, $good}" 2
    expect 0 check shape.yaml
    expect 1 topology shape.yaml
    has "$stderr" "SimGrid does not accept the platform"
    expect 1 run shape.yaml
    has "$stderr" "SimGrid does not accept the platform"
    shape 4 "platform: {file: $floyd, nodes: [socket-a, socket-b, socket-c, x]}" 2
    expect 1 topology shape.yaml
    has "$stderr" "the platform has no host 'x', which is to be node 3"
    sed '/<route src="rb" dst="rc"/d; /<route src="rc" dst="rd"/d' "$floyd" >apart.xml
    shape 4 "platform: {file: apart.xml, $good}" 2
    expect 1 topology shape.yaml
    has "$stderr" "interconnect: "
}

@test "keys of another topology are warned of, so that the topology can be swept" {
    shape 16 'topology: torus, dims: [8, 2], groups: 2' 3
    expect 0 check shape.yaml
    has "$stderr" "interconnect.groups has no influence: it belongs to topology dragonfly; topology is torus"
    printf 'sweep: {interconnect.topology: [torus, dragonfly, ring, fat-tree]}\n' >>shape.yaml
    expect 0 run shape.yaml --json
    empty "$stderr"
    jq -e '[.runs[].latency_ns.mean] == [1800, 1800, 1800, 1450]' <<<"$output"
}

@test "many nodes are summarised" {
    shape 64 'topology: torus' 1
    expect 0 topology shape.yaml
    has "$output" "list order (last probed first): its63 down to its0"
    has "$output" "topology torus (dims: [8, 8]): 256 links"
    # From a node of 8 x 8: 16 steps along each dimension over 64 places, so 8 x 32 / 63 links.
    has "$output" "0-63  0-127  its0-its63       50 ns  203.175 ns       400 ns"
}

@test "--svg draws the machine, the same bytes each time" {
    for topology in full star ring torus fat-tree dragonfly; do
        shape 16 "topology: $topology" 1
        expect 0 topology shape.yaml --svg one.svg
        expect 0 topology shape.yaml --svg two.svg
        cmp one.svg two.svg
        python3 - one.svg <<'END'
import sys
import xml.etree.ElementTree as tree
texts = [t.text for t in tree.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}text')]
for node in range(16):
    assert f'node {node}' in texts and f'its{node}' in texts and f'local: its{node}' in texts, node
END
    done
    expect 1 topology shape.yaml --svg nowhere/one.svg
    has "$stderr" "nowhere/one.svg"
    expect 0 topology small.yaml --svg one.svg --set 'policies=[global-first, nearest]'
    grep -q 'global-first: its1' one.svg
    grep -q 'nearest: per send' one.svg
}

@test "the picture in the documents is today's" {
    expect 0 topology "$VSG_SOURCE_DIR/scenarios/sockets-8.yaml" \
        --set 'sweep.interconnect.topology=[torus]' --svg torus-8.svg
    cmp torus-8.svg "$VSG_SOURCE_DIR/docs/img/torus-8.svg"
}

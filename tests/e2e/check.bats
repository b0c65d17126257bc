#!/usr/bin/env bats
# Bad input: exit 3, all errors with their places, nothing run and nothing written.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

# bad FILE PART...: check and run refuse the file, with every part on stderr.
bad() {
    local file=$1 part
    shift
    expect 3 check "$file"
    empty "$output"
    for part in "$@"; do has "$stderr" "$part"; done
    has "$stderr" "nothing was run."
    expect 3 run "$file" --out out-dir --json
    empty "$output"
    [ ! -e out-dir ]
}

# but KEY=TEXT...: small.yaml with lines replaced, as bad.yaml.
but() {
    cp small.yaml bad.yaml
    local change
    for change in "$@"; do sed -i "$change" bad.yaml; done
}

@test "valid files" {
    expect 0 check small.yaml sweep.yaml half.yaml long.yaml
    [ "${#lines[@]}" -eq 4 ]
    has "$output" "small.yaml: valid; 2 runs: 1 point, 2 policies, 1 replication"
    has "$output" "sweep.yaml: valid; 20 runs"
    empty "$stderr"
    expect 0 check -q small.yaml
    empty "$output"
    printf '%s' "$(cat small.yaml)" >no-newline.yaml
    expect 0 check no-newline.yaml
    sed 's/$/\r/' small.yaml >crlf.yaml
    expect 0 check crlf.yaml
    expect 0 check - <small.yaml
    has "$output" "<stdin>: valid"
}

@test "a wrong file does not hide the others" {
    but 's/nodes: 2/nodes: 0/'
    expect 3 check small.yaml bad.yaml missing.yaml sweep.yaml
    has "$output" "small.yaml: valid"
    has "$output" "sweep.yaml: valid"
    has "$stderr" "bad.yaml:3:"
    has "$stderr" "missing.yaml: error: No such file or directory"
    has "$stderr" "2 errors; nothing was run."
}

@test "files that cannot be read" {
    bad nowhere.yaml "nowhere.yaml: error: No such file or directory"
    mkdir folder
    bad folder "folder: error: is a directory"
    bad /dev/zero "larger than 16 MiB"
    if [ "$(id -u)" -ne 0 ]; then
        cp small.yaml secret.yaml
        chmod 000 secret.yaml
        bad secret.yaml "secret.yaml: error: Permission denied"
    fi
}

@test "files that are no scenarios" {
    : >empty.yaml
    bad empty.yaml "empty.yaml" "error:"
    echo '# nothing but a comment' >comment.yaml
    bad comment.yaml "comment.yaml" "error:"
    head -c 4096 "$(command -v bash)" >binary.yaml
    bad binary.yaml "binary.yaml:1:1: error:"
    iconv -f UTF-8 -t UTF-16 small.yaml >utf16.yaml
    bad utf16.yaml "utf16.yaml:1:1: error:" "UTF-16"
    printf 'format: 1\nname: a\0b\n' >nul.yaml
    bad nul.yaml "nul.yaml:2:8: error: NUL byte"
    printf 'machine:\n\tnodes: 2\n' >tab.yaml
    bad tab.yaml "tab.yaml:2:" "error:"
    head -c 1000000 /dev/zero | tr '\0' '[' >brackets.yaml
    bad brackets.yaml "brackets.yaml:1:" "error:"
    printf 'a: [1\n' >open.yaml
    bad open.yaml "open.yaml:" "error:"
    printf -- '- 1\n' >list.yaml
    bad list.yaml "list.yaml:1:" "error:"
}

@test "what libyaml lets through" {
    cat small.yaml <(printf -- '---\nname: other\n') >second.yaml
    bad second.yaml "second.yaml:9:" "document"
    cat small.yaml <(echo 'name: again') >twice.yaml
    bad twice.yaml "twice.yaml:9:1: error:" "name"
    cat <(echo 'x: &x {a: 1}') <(echo '<<: *x') >merge.yaml
    bad merge.yaml "merge.yaml:2:" "<<"
    printf 'a: &a [*a]\n' >cycle.yaml
    bad cycle.yaml "cycle.yaml:1:" "error:"
    {
        echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
        for i in 1 2 3 4 5 6 7 8 9; do
            p=$((i - 1))
            echo "a$i: &a$i [*a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p, *a$p]"
        done
    } >bomb.yaml
    bad bomb.yaml "bomb.yaml:" "alias"
}

@test "keys" {
    but 's/bandwidth/bandwith/'
    bad bad.yaml "bad.yaml:4:54: error:" "did you mean 'bandwidth'?"
    but 's/^workload.*/workload: {kind: ipi_hw, rate: 5k\/s}/'
    bad bad.yaml "bad.yaml:7:" "rate"
    but 's/^vms:/vmss:/'
    bad bad.yaml "bad.yaml:5:1: error:" "did you mean 'vms'?"
}

@test "the caret stands under the word" {
    but 's/bandwidth/bandwith/'
    expect 3 check bad.yaml
    has "${stderr_lines[1]}" "  4 | interconnect: {topology: full, link: {latency: 50ns, bandwith"
    [ "${stderr_lines[2]}" = "    | $(printf '%53s' '')^~~~~~~~" ]
    [ "${stderr_lines[3]}" = "1 error; nothing was run." ]
}

@test "numbers and units" {
    for value in 50 -50ns 50parsec 1e400ns 99999999999999999999ns .nan nan 0.0001ps '""' '[50ns]' \
        '{}' yes '~'; do
        but "s/latency: 50ns/latency: $value/"
        bad bad.yaml "bad.yaml:4:" "error:" "latency"
    done
    but 's/latency: 50ns/latency: 50/'
    bad bad.yaml "'50'" "50ns"
}

@test "values that do not exist" {
    for change in 's/nodes: 2/nodes: 0/' 's/nodes: 2/nodes: 4294967296/' 's/nodes: 2/nodes: two/' \
        's/node: 0/node: 7/' 's/vcpus: 2/vcpus: 9/' 's/kind: node, node: 0/kind: pinned, cpus: [0, 8]/' \
        's/global-first, local/local, local/' 's/\[global-first, local\]/[]/' \
        's/global-first, local/global/' 's/kind: ipi_hw/kind: ipi/' 's/sends: 100/sends: 0/'; do
        but "$change"
        bad bad.yaml "bad.yaml:" "error:"
    done
}

@test "all errors come at once, in the order of the file" {
    but 's/latency: 50ns/latency: 50/' 's/bandwidth/bandwith/' 's/node: 0/node: 7/'
    expect 3 check bad.yaml
    has "$stderr" "3 errors; nothing was run."
    [ "$(grep -c ': error: ' <<<"$stderr")" -eq 3 ]
    grep ': error: ' <<<"$stderr" | cut -d: -f2 >order
    sort -n order | cmp - order
}

@test "--set is checked like the file" {
    expect 3 check small.yaml --set machine.nodes=0
    has "$stderr" "machine.nodes"
    expect 3 check small.yaml --set machine.noodes=2
    has "$stderr" "did you mean"
    expect 0 check small.yaml --set machine.nodes=4
}

@test "it is quick: SimGrid is not loaded" {
    # An empty folder has no module: whatever needed it would fail.
    VSGISIM_MODULE_DIR=$PWD expect 0 check small.yaml
}

@test "--set of an axis into a file that has no place for it" {
    for text in 'word' '[1, 2]' '"quoted"'; do
        printf '%s\n' "$text" >odd.yaml
        expect 3 check odd.yaml --set 'sweep.run.seed=[1, 2]'
        has "$stderr" "--set sweep.run.seed=[1, 2]: the file is not a map of keys"
    done
    { cat small.yaml; echo 'sweep: 5'; } >odd.yaml
    expect 3 check odd.yaml --set 'sweep.run.seed=[1, 2]'
    has "$stderr" "sweep is a single value here"
    # An empty key is as good as none, as it is for other settings.
    { cat small.yaml; echo 'sweep:'; } >odd.yaml
    expect 0 check odd.yaml --set 'sweep.run.seed=[1, 2]'
    has "$output" "2 points"
}

# Loaded by the tests of this folder: a folder of their own, and small scenarios in it.
# shellcheck disable=SC2154 # bats sets status, output and stderr
bats_require_minimum_version 1.5.0
: "${VSGISIM:?the program to test}" "${VSG_SOURCE_DIR:?}" "${VSG_BUILD_DIR:?}"

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    unset VSGISIM_MODULE_DIR NO_COLOR
    # Two policies on two nodes, no randomness: two runs of 100 sends.
    cat >small.yaml <<'YAML'
format: 1
name: small
machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}
interconnect: {topology: full, link: {latency: 50ns, bandwidth: 64GB/s}, contention: fifo}
vms:
  - {name: guest, vcpus: 2, placement: {kind: node, node: 0}}
workload: {kind: ipi_hw, sends: 100}
policies: [global-first, local]
YAML
    # Random, with a sweep and replications: 2 points, 2 policies, 5 replications.
    cat >sweep.yaml <<'YAML'
format: 1
name: sweep
machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}
interconnect: {topology: full, link: {latency: 50ns, bandwidth: 64GB/s}, contention: fifo}
vms:
  - {name: guest, vcpus: 4, placement: {kind: spread}}
workload: {kind: poisson, sends: 200, rate: 100k/s}
costs: {trap: {exponential: {mean: 200ns}}}
policies: [global-first, local]
run: {seed: 7, replications: 5}
sweep:
  interconnect.link.latency: [50ns, 100ns]
YAML
    # Half of its runs cannot be: without v4.1 there is no direct vSGI.
    cat >half.yaml <<'YAML'
format: 1
name: half
machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}
vms:
  - {name: guest, vcpus: 2, placement: {kind: node, node: 0}}
workload: {kind: ipi_hw, sends: 100}
policies: [local]
sweep:
  machine.gic.v41: [true, false]
YAML
    # Minutes of work, to be stopped.
    cat >long.yaml <<'YAML'
format: 1
name: long
machine: {nodes: 2, cpus_per_node: 4, its_per_node: 1}
vms:
  - {name: guest, vcpus: 2, placement: {kind: node, node: 0}}
workload: {kind: ipi_hw, sends: 100}
policies: [local]
sweep:
  workload.sends: [10, 4000000000]
YAML
}

# expect CODE ARGUMENT...: runs the program; $output has stdout, $stderr has stderr.
expect() {
    local code=$1
    shift
    run --separate-stderr "$VSGISIM" "$@"
    if [ "$status" -ne "$code" ]; then
        printf 'exit code %s instead of %s\nstdout: %s\nstderr: %s\n' \
            "$status" "$code" "$output" "$stderr" >&2
        return 1
    fi
}

# has TEXT PART: the part stands in the text.
has() {
    [[ $1 == *"$2"* ]] || {
        printf 'missing: %s\nin: %s\n' "$2" "$1" >&2
        return 1
    }
}

# empty TEXT
empty() {
    [ -z "$1" ] || {
        printf 'not empty: %s\n' "$1" >&2
        return 1
    }
}

#!/usr/bin/env bats
# The command line itself: help, usage errors, exit code 2.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets status, output, stderr; each test is a subshell
load helpers

@test "without arguments it says in ten lines what it is" {
    expect 0
    [ "${#lines[@]}" -le 10 ]
    has "$output" "vsgisim run scenarios/seed-two-socket.yaml"
    has "$output" "vsgisim help VERB"
    empty "$stderr"
}

@test "every verb has help, the same by both ways" {
    for verb in run check topology plot compare explain list schema version help; do
        expect 0 help "$verb"
        text=$output
        has "$text" "vsgisim $verb: "
        has "$text" "--help"
        if [ "$verb" != help ]; then
            expect 0 "$verb" --help
            [ "$output" = "$text" ]
        fi
    done
}

@test "help of run names every option and exit code" {
    expect 0 run -h
    for option in --out --force --engine --threads --jobs --set --seed --json --csv --samples \
        --progress --quiet --verbose; do
        has "$output" "$option"
    done
    for code in 0 1 2 3 4 5 6 70 130 143; do
        [[ $output =~ (^|[^0-9])${code}[[:space:],] ]]
    done
}

# usage PART ARGUMENT...: exit 2, nothing on stdout, the part on stderr.
usage() {
    local part=$1
    shift
    expect 2 "$@"
    empty "$output"
    has "$stderr" "$part"
    has "$stderr" "Try 'vsgisim help"
}

@test "misspelt words get a hint" {
    usage "unknown verb 'rnu'; did you mean 'run'?" rnu
    usage "unknown option '--treads'; did you mean '--threads'?" run --treads 2 small.yaml
    usage "unknown verb 'chekc'; did you mean 'check'?" help chekc
    usage "did you mean 'scenarios'?" list scenario
    usage "'small.yaml' is not a verb; did you mean 'vsgisim run small.yaml'?" small.yaml
    usage "unknown verb 'xyzzy'" xyzzy
    usage "unknown option '--xyzzy'" run --xyzzy small.yaml
    usage "unknown option '-Z'" run -Z small.yaml
}

@test "verbs and options of later versions are unknown for now" {
    usage "unknown verb 'capacity'" capacity small.yaml
    usage "unknown option '--shard'" run --shard 1/2 small.yaml
}

@test "wrong values of options name what is right" {
    usage "--threads: '0' is neither a number from 1 to 64 nor 'auto'" run --threads 0 small.yaml
    usage "--jobs: '-1' is neither" run --jobs -1 small.yaml
    usage "--jobs: '99999999999999999999' is neither" run --jobs=99999999999999999999 small.yaml
    usage "--engine: 'fast' is not one of parallel|simgrid|both" run --engine fast small.yaml
    usage "--engine: '' is not one of" run --engine= small.yaml
    usage "--progress: 'auto|always' is not one of" run --progress 'auto|always' small.yaml
    usage "--limit-time: '60' has no unit" run --limit-time 60 small.yaml
    usage "--limit-time: it must be above 0" run --limit-time 0s small.yaml
    usage "--limit-memory: '2 GiB'" run --limit-memory '2 GiB' small.yaml
    usage "--only: '3-1' is no list of numbers" run --only 3-1 small.yaml
    usage "--only: '1,' is no list of numbers" run --only 1, small.yaml
    usage "--only: '' is no list of numbers" run --only= small.yaml
    usage "--only: there is no run 2; the study has runs 0 to 1" run --only 0-2 small.yaml
    usage "--seed: '1.5' is not a whole number" run --seed 1.5 small.yaml
    usage "--seed: '18446744073709551616' is not" run --seed 18446744073709551616 small.yaml
    usage "--set: 'run.seed' is not KEY=VALUE" run --set run.seed small.yaml
    usage "--set: '=1' is not KEY=VALUE" run --set =1 small.yaml
    usage "--out: the name is empty" run --out '' small.yaml
    usage "--json takes no value" run --json=yes small.yaml
    usage "--out needs DIR" run small.yaml --out
    usage "-o needs DIR" run small.yaml -o
}

@test "missing, superfluous and contradicting words" {
    usage "FILE...|- is missing" run
    usage "'b' is one too many" topology a b
    usage "'x' is one too many; it takes no operand" version x
    usage "--json and --csv exclude each other" run --json --csv small.yaml
    usage "--quiet and --verbose exclude each other" run -qv small.yaml
    usage "--force needs --out" run --force small.yaml
    usage "'-' is standard input and can be read only once" check - -
    usage "--out takes one FILE" run --out d small.yaml sweep.yaml
    usage "--csv takes one FILE" run --csv small.yaml sweep.yaml
}

@test "short, joined and ended options" {
    cp small.yaml ./--json
    expect 0 check -q -- --json
    expect 0 run -qj2 --engine=parallel small.yaml
    expect 0 run small.yaml -q -j 2 --engine parallel
}

@test "control bytes of the command line do not reach the terminal" {
    expect 2 $'\e[2Jx'
    has "$stderr" '\x1b[2Jx'
    [[ $stderr != *$'\e'* ]]
}

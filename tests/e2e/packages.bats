#!/usr/bin/env bats
# cmake/install-packages.sh, with a made-up dpkg-query, apt-get and sudo in front of the real ones.
# shellcheck disable=SC2016 # what is in single quotes is for the made-up programs to expand


setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p bin
    export VSG_OS_RELEASE=$PWD/os-release CALLS=$PWD/calls HAVE=$PWD/have
    : >calls
    fake dpkg-query 'grep -qx -- "${@: -1}" "$HAVE" && echo installed'
    fake apt-get 'echo "apt-get $*" >>"$CALLS"; [ ! -e "$CALLS.fail" ]'
    fake sudo 'echo sudo >>"$CALLS"; while [[ $1 == -* ]]; do shift; done; exec "$@"'
    fake id 'echo "${FAKE_UID:-0}"'
    export PATH=$PWD/bin:$PATH
    echo 'ID=debian' >os-release
    script=$VSG_SOURCE_DIR/cmake/install-packages.sh
    # Everything of all groups, the first of each choice:
    awk '/^[a-z]/ { sub(/\|.*/, "", $2); print $2 }' "$VSG_SOURCE_DIR/cmake/packages.txt" >have
}

fake() {
    printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

without() {
    grep -vx -- "$1" have >have.new
    mv have.new have
}

@test "all there: nothing is called, nothing is said" {
    FAKE_UID=1000 run "$script" build demo tests
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ ! -s calls ]
}

@test "what is missing is installed, once, without recommendations or questions" {
    without cmake
    without gnuplot-nox # in two groups
    run "$script" build demo tests
    [ "$status" -eq 0 ]
    [ "$output" = "installing 2 packages: cmake gnuplot-nox" ]
    [ "$(grep -c update calls)" -eq 1 ]
    grep -q 'install --no-install-recommends cmake gnuplot-nox$' calls
    run grep sudo calls
    [ "$status" -eq 1 ]
}

@test "another package that does the same will do" {
    without gnuplot-nox
    echo gnuplot-qt >>have
    run "$script" demo
    [ "$status" -eq 0 ]
    [ ! -s calls ]
}

@test "not root: through sudo" {
    without cmake
    FAKE_UID=1000 run "$script" build
    [ "$status" -eq 0 ]
    grep -q sudo calls
}

@test "sudo refuses: says what to run" {
    without cmake
    fake sudo 'exit 1'
    FAKE_UID=1000 run "$script" build
    [ "$status" -eq 1 ]
    [[ $output == *"As root, run:"*"--no-install-recommends cmake"* ]]
}

@test "apt-get fails: its status counts" {
    without cmake
    touch calls.fail
    run "$script" build
    [ "$status" -eq 1 ]
    [[ $output == *"apt-get failed"* ]]
}

@test "another distribution: installs nothing, lists what is missing, goes on when all is there" {
    echo 'ID=fedora' >os-release
    run "$script" build
    [ "$status" -eq 0 ]
    fake pkg-config '[ "${@: -1}" != simgrid ]'
    run "$script" build
    [ "$status" -eq 1 ]
    [[ $output == *"on Debian only"*"libsimgrid-dev"*"routes"* ]]
    [ ! -s calls ]
}

@test "a group that does not exist installs nothing and is an error" {
    run "$script" bulid
    [ "$status" -eq 1 ]
    [[ $output == *"bulid"* ]]
    run "$script"
    [ "$status" -eq 1 ]
}

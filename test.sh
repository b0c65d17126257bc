#!/usr/bin/env bash
# Installs what the tests need, builds, and runs the tests; ends with ctest's summary.
#   ./test.sh           the daily run: gcc, clang and asan builds, the same results from all three,
#                       then every test but the long ones
#   ./test.sh fast      the release build and its fast tests only
#   ./test.sh long      every test of the release build
#   ./test.sh asan|tsan|clang|valgrind|debug   every test of that build
# More words go to ctest: ./test.sh asan -R hist
set -euo pipefail
cd "$(dirname "$0")"

mode=${1:-daily}
[ $# -eq 0 ] || shift
jobs=$(nproc)

build() { # preset
    printf '== build %s\n' "$1"
    cmake --preset "$1" >/dev/null
    cmake --build --preset "$1"
}

cmake/install-packages.sh build tests

case $mode in
daily)
    build release
    build clang
    build asan
    tests/same-bytes.sh build/release/bin/vsgisim build/clang/bin/vsgisim build/asan/bin/vsgisim
    ctest --preset asan -j "$jobs" --progress -L unit "$@"
    ctest --preset release -j "$jobs" --progress -LE long "$@"
    ;;
fast)
    build release
    ctest --preset release -j "$jobs" -L fast "$@"
    ;;
long)
    build release
    ctest --preset release -j "$jobs" "$@"
    ;;
asan | tsan | clang | valgrind | debug)
    build "$mode"
    ctest --preset "$mode" -j "$jobs" "$@"
    ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

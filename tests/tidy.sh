#!/usr/bin/env bash
# clang-tidy over the sources of a build, with the checks of .clang-tidy.
#   tests/tidy.sh [--deep] BUILD_DIR [FILE...]
# --deep: with the static analyzer (clang-analyzer-*), which takes most of the time and does not always see
# that two members of a structure go together; where it is wrong, an assert usually tells it.
# A file that was clean is not looked at again until it, a header, or the settings change
# (stamps in BUILD_DIR/tidy): a minute in a fresh clone, seconds in the daily loop.
set -euo pipefail
cd "$(dirname "$0")/.."

depth=quick
[ "${1-}" != --deep ] || { depth=deep; shift; }
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1
shift
database=$build/compile_commands.json
[ -f "$database" ] || { echo "$database is missing; configure first" >&2; exit 1; }

tool=clang-tidy
command -v clang-tidy-14 >/dev/null && tool=clang-tidy-14
stamps=$build/tidy
mkdir -p "$stamps"

common=$({
    echo "$depth"
    "$tool" --version
    cat .clang-tidy CMakeLists.txt
    find sim models tests -name '*.h' -print0 | sort -z | xargs -0 cat
} | sha256sum)

if [ $# -eq 0 ]; then
    mapfile -t files < <(jq -r '.[].file' "$database" | grep "^$PWD/" | sort -u)
else
    files=("$@")
fi
[ ${#files[@]} -gt 0 ] || { echo "$database names no file of this tree" >&2; exit 1; }

todo=()
for file in "${files[@]}"; do
    stamp=$stamps/$({ echo "$common $file"; cat "$file"; } | sha256sum | cut -c1-32)
    [ -e "$stamp" ] || todo+=("$file" "$stamp")
done
printf '%d files, %d to check\n' ${#files[@]} $((${#todo[@]} / 2))
[ ${#todo[@]} -gt 0 ] || exit 0

# The build uses gcc; clang-tidy may not know each of its warning flags. -UNDEBUG: what an assert rules
# out, the analyzer need not fear.
# The analyzer does not know that a failed cmocka assertion ends the test, so in tests it sees ghosts.
check() { # file stamp
    local checks=()
    [[ $depth = deep && $1 != *_test.c ]] || checks=("--checks=-clang-analyzer-*")
    if "$tool" --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option --extra-arg=-UNDEBUG \
        "${checks[@]}" "$1" 2>"$2.log"; then
        touch "$2"
        rm -f "$2.log"
    else
        grep -v 'warnings\? generated' "$2.log" >&2
        rm -f "$2.log"
        return 1
    fi
}
export tool build depth
export -f check
printf '%s\0' "${todo[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c 'check "$@"' tidy

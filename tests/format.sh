#!/usr/bin/env bash
# Is every C file formatted as .clang-format says?   tests/format.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."

how=(--dry-run -Werror)
[ "${1-}" != --fix ] || how=(-i)

files=()
while IFS= read -r -d '' file; do files+=("$file"); done < <(
    find sim models tests -name '*.[ch]' -print0 | sort -z)
[ ${#files[@]} -gt 0 ] || { echo "no C files found" >&2; exit 1; }

# Versions disagree about details; 14 is Debian 12's.
tool=clang-format
command -v clang-format-14 >/dev/null && tool=clang-format-14
if ! "$tool" "${how[@]}" --style=file "${files[@]}"; then
    echo "tests/format.sh --fix mends it ($("$tool" --version))" >&2
    exit 1
fi
echo "${#files[@]} files formatted"

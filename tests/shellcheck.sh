#!/usr/bin/env bash
# Is every script of the tree clean under shellcheck?
set -euo pipefail
cd "$(dirname "$0")/.."

scripts=(demo.sh test.sh .ci/run)
while IFS= read -r -d '' file; do scripts+=("$file"); done < <(
    find cmake tests scenarios plots \( -name '*.sh' -o -name '*.bats' \) -print0 | sort -z)
shellcheck --external-sources "${scripts[@]}"
echo "${#scripts[@]} scripts clean"

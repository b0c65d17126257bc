#!/usr/bin/env bats
# Every scenario says what it asks and what the answer is, and its figures are today's.
bats_require_minimum_version 1.5.0
: "${VSGISIM:?the program to test}" "${VSG_SOURCE_DIR:?}"

@test "the check of answers can fail" {
    "$VSG_SOURCE_DIR/tests/answers.py" --self-test
}

@test "figures in the answers of scenarios are what the program prints" {
    [[ $VSGISIM != *-wrapped ]] || skip "too long under valgrind"
    "$VSG_SOURCE_DIR/tests/answers.py" "$VSG_SOURCE_DIR"/scenarios/*.yaml
}

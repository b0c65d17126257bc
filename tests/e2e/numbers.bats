#!/usr/bin/env bats
# What the program says against what tests/numbers.py works out from the documents' rules alone.
bats_require_minimum_version 1.5.0

numbers() { run -0 "$VSG_SOURCE_DIR/tests/numbers.py" "$@"; }

@test "latency and stages of random idle machines" { numbers idle 0 40; }
@test "each CPU's ITS on random machines, any boot order, CPUs off and on" { numbers selection 0 60; }
@test "every field of a run from its single IPIs; CSV equals JSON" { numbers figures; }
@test "means, t intervals and comparisons over replications" { numbers intervals; }
@test "policies see the same arrivals, targets and costs" { numbers pairing; }

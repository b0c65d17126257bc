#!/usr/bin/env bash
# From a bare Debian 12 to the seed's experiment: installs what is missing, builds, runs
# scenarios/seed-two-socket.yaml in both engines, and plots. A second start repeats only the run.
set -euo pipefail
cd "$(dirname "$0")"

out=demo-out
program=build/release/bin/vsgisim
step() { printf '\n== %s\n' "$1"; }

step "packages"
cmake/install-packages.sh build demo
echo "all there"

step "build"
[ -f build/release/build.ninja ] || cmake --preset release -DBUILD_TESTING=OFF >/dev/null
cmake --build build/release --target vsgisim vsgisim-simgrid

step "$program run scenarios/seed-two-socket.yaml --engine both --out $out --force"
"$program" run scenarios/seed-two-socket.yaml --engine both --out "$out" --force

step "$program plot $out"
"$program" plot "$out"

cat <<END

Plots:    $out/plots/ (SVG and PNG)
Results:  $out/runs.csv, one row per run; $out/runs/NNNN/ has everything about each

What to try next:
  which ITS each CPU uses, and why
    $program topology scenarios/seed-two-socket.yaml
  twice the distance between the sockets
    $program run scenarios/seed-two-socket.yaml --set interconnect.link.latency=100ns
  what a parameter means and where it is from
    $program explain costs.its
  other questions, ready to run
    $program list scenarios
  all tests
    ./test.sh
END

#!/usr/bin/env bash
# Usage: scripts/baseline.sh [--cpu-only] [flags of rungbench]
# Records a baseline of this machine: builds rungbench and writes 20 rounds of the gate suite (120 with --cpu-only, where
# six make one) to results/baseline/DEVICE.csv, which rungbench-gate compares later runs on the same device with.
# Exit status: 0 recorded; 77 no GPU, and --cpu-only was not given; else rungbench's.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
help_if_asked "$@"

backend=(--backend=cuda --require=cuda)
rounds=20
if [[ ${1-} == --cpu-only ]]; then
    backend=(--backend=cpu)
    rounds=120
    shift
fi
"$root/scripts/setup.sh" build
build build
folder=$root/results/baseline
mkdir -p "$folder" 2>/dev/null || die "$folder: cannot be made; expected a checkout that can be written to"

recording=$(mktemp "$folder/.recording.XXXXXX") || die "$folder: cannot be written to"
trap 'rm -f "$recording" "$recording.partial"' EXIT
"$root/build/rungbench" --suite=gate "${backend[@]}" --rounds="$rounds" "$@" --out="$recording" ||
    { status=$?; say "nothing is recorded: rungbench ended with status $status"; exit "$status"; }

# The file's name is the device's, in lower case: "NVIDIA H200" is nvidia-h200.csv.
device=$(CSV_FILE="baseline.sh: $recording" LC_ALL=C awk -f "$root/scripts/csv/csv.awk" -f "$root/scripts/csv/text.awk" \
    -f "$root/scripts/csv/device.awk" <"$recording")
name=$(tr '[:upper:]' '[:lower:]' <<<"$device" | tr -cs '[:alnum:]\n' '-' | sed 's/^-//; s/-$//')
[[ -n $name ]] || die 'no row says what device it ran on, so the recording has no name'
chmod a+r "$recording"
mv -f "$recording" "$folder/$name.csv"
say "recorded: $folder/$name.csv"

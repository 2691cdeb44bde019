#!/usr/bin/env bash
# Usage: scripts/baseline.sh [--cpu-only] [flags of rungbench]
# Records a baseline of this machine: builds rungbench and writes 20 rounds of the gate suite (120 with --cpu-only, where
# six make one) to results/baseline/DEVICE.csv, which rungbench-gate compares later runs on the same device with. The file of
# a run that ends otherwise stays beside it, as recording-XXXXXX.csv.
# Exit status: 0 recorded; 77 no GPU, and --cpu-only was not given; else rungbench's.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

backend=(--backend=cuda --require=cuda)
rounds=20
flags=()
for flag in "$@"; do
    if [[ $flag == --cpu-only ]]; then
        backend=(--backend=cpu)
        rounds=120
    else
        flags+=("$flag")
    fi
done
for flag in out benchmark_out; do
    ! file_of "$flag" "${flags[@]}" || die "--$flag=$file: the file is named after the device; expected another flag"
done
check_outputs "${flags[@]}"
folder=$root/results/baseline
prepare_folder "$folder"
run "$root/scripts/setup.sh" build
build build

recording=$(mktemp "$folder/recording-XXXXXX.csv") || die "$folder: cannot be written to"
# shellcheck disable=SC2317  # a trap calls it
clean_up() {
    [[ -s $recording ]] || rm -f "$recording"
    [[ ! -e $recording ]] || say "what was measured is in $recording"
}
trap clean_up EXIT
status=0
run "$root/build/rungbench" --suite=gate "${backend[@]}" --rounds="$rounds" "${flags[@]}" --out="$recording" || status=$?
[[ $status -eq 0 ]] || { say "nothing is recorded: rungbench ended with status $status"; exit "$status"; }

# The file's name is the device's, in lower case: "NVIDIA H200" is nvidia-h200.csv.
device=$("$root/build/rungbench" --summarize="$recording" | grep -o '"device":"[^"]*"' | head -n 1 | cut -d '"' -f 4) || true
name=$(tr '[:upper:]' '[:lower:]' <<<"$device" | tr -cs '[:alnum:]\n' '-' | sed 's/^-//; s/-$//')
[[ -n $name ]] || die 'no row says what device it ran on, so the recording has no name'
chmod a+r "$recording"
mv -f "$recording" "$folder/$name.csv" || die "$folder/$name.csv: cannot be written"
say "recorded: $folder/$name.csv"

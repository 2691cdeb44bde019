#!/usr/bin/env bash
# Usage: scripts/train.sh DIR [VARIANT...]
# Trains a network on the MNIST images in DIR by each of these rungs of mnist_step, five epochs each; all that this machine
# can run if none is named. Prints CSV: seconds per epoch with the copies, and in the first with the first call; loss and
# accuracy on images that it was not trained on. Writes it to results/local/training.csv, too, of which scripts/plot.sh draws
# a chart.
# Exit status: 0; 1 a rung failed; 2 usage or input error; 77 no rung could run.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
help_if_asked "$@"
[[ $# -gt 0 ]] || die 'expected the folder with MNIST, as for --mnist of rungbench'

"$root/scripts/setup.sh" build
build build
mkdir -p "$root/results/local" 2>/dev/null || die "$root/results/local: cannot be made; expected a checkout that can be written to"
variants=("${@:2}")
[[ $# -gt 1 ]] || mapfile -t variants < <(sed -nE -e 's/^RUNG\(mnist_step, *([a-z0-9_]+),.*/\1/p' \
    -e 's/^KERNEL\(mnist_step, *([a-z0-9_]+),.*/cuda_\1/p' "$root/bench/table/rungs.def")
out=$root/results/local/training.csv
: >"$out"
status=77
for variant in "${variants[@]}"; do
    ended=0
    "$root/build/rungbench-train" "$1" "$variant" >"$out.one" || ended=$?
    case $ended in
        0) [[ -s $out ]] && sed -i 1d "$out.one"
           [[ $status == 1 ]] || status=0 ;;
        77) : >"$out.one" ;;
        1) status=1 ;;
        *) rm -f "$out.one"; exit "$ended" ;;
    esac
    tee -a "$out" <"$out.one"
done
rm -f "$out.one"
exit "$status"

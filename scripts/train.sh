#!/usr/bin/env bash
# Usage: scripts/train.sh DIR [VARIANT...]
# Trains a network on the MNIST images in DIR by each of these rungs of mnist_step, five epochs each; all that this machine
# can run if none is named. Prints CSV: seconds per epoch with the copies, and in the first with the first call; loss and
# accuracy on images that it was not trained on. Writes it to results/local/training.csv, too, of which scripts/plot.sh draws
# a chart; however it ends, of the rungs that were finished. RUNGBENCH=PROGRAM names a rungbench with rungbench-train next to it, else
# build/rungbench-train is built.
# Exit status: 0; 1 a rung failed; 2 usage or input error; 77 no rung could run.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[[ $# -gt 0 ]] || die 'expected the folder with MNIST, as for --mnist of rungbench'
[[ -d $1 ]] || die "$1: no such folder; expected that with MNIST, as for --mnist of rungbench"

mapfile -t rungs < <(sed -nE -e 's/^RUNG\(mnist_step, *([a-z0-9_]+),.*/\1/p' -e 's/^KERNEL\(mnist_step, *([a-z0-9_]+),.*/cuda_\1/p' \
    "$root/bench/table/rungs.def")
variants=("${@:2}")
for variant in "${variants[@]}"; do
    [[ " ${rungs[*]} " == *" $variant "* ]] || die "$variant: no rung of mnist_step; expected some of ${rungs[*]}"
done
[[ $# -gt 1 ]] || variants=("${rungs[@]}")
out=$work/results/local/training.csv
prepare_folder "${out%/*}"
check_output "$out" "$out"
exec 8<"${out%/*}"
flock -n 8 || die "$out: another run is writing it"
if [[ -z ${RUNGBENCH-} ]]; then
    run "$root/scripts/setup.sh" build
    build build
    RUNGBENCH=$root/build/rungbench
fi

make_place
rows= # of all rungs that were finished, under one header
# shellcheck disable=SC2317  # a trap calls it
finish() {
    local ended=$?
    [[ -z $rows ]] || printf '%s\n' "$rows" | save "$out" "$out" || ended=2
    leave_place
    exit "$ended"
}
trap finish EXIT

export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000} # as rungbench sets it
status=77
shown=0
for variant in "${variants[@]}"; do
    ended=0
    run "$(dirname "$RUNGBENCH")/rungbench-train" "$1" "$variant" >"$place/rows" || ended=$?
    case $ended in
    0) [[ $status == 1 ]] || status=0 ;;
    77) continue ;;
    2) exit 2 ;;
    *)
        say "$variant: ended with status $ended"
        status=1
        ;;
    esac
    [[ -z $rows ]] || sed -i 1d "$place/rows"
    [[ -s $place/rows ]] || continue
    rows+=${rows:+$'\n'}$(<"$place/rows")
    put "$out" <"$place/rows" || shown=2
done
[[ $shown -eq 0 ]] || exit "$shown"
exit "$status"

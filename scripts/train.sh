#!/usr/bin/env bash
# Usage: scripts/train.sh DIR [VARIANT...]
# Trains a network on the MNIST images in DIR by each of these rungs of mnist_step, five epochs each; all that this machine
# can run if none is named. Prints CSV: seconds per epoch with the copies, and in the first with the first call; loss and
# accuracy on images that it was not trained on. Writes it to results/local/training.csv, too, of which scripts/plot.sh draws
# a chart; interrupted, of the rungs that were finished.
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
out=$root/results/local/training.csv
prepare_folder "${out%/*}"
check_output "$out" "$out"
run "$root/scripts/setup.sh" build
build build

make_place
rows=$place/rows
partial=$followed.partial # of what check_output found
exec 8>>"$partial"
flock -n 8 || { partial=; die "$out: another run is writing it"; }
begun=
all=
# shellcheck disable=SC2317  # a trap calls it
clean_up() {
    rm -rf "$place"
    [[ -n $begun ]] || { rm -f ${partial:+"$partial"}; return; }
    if [[ -n $all || -n $signal ]]; then mv -f "$partial" "${partial%.partial}"; else say "what was finished before is in $partial"; fi
}
trap clean_up EXIT

# add_rows: to those of the rungs before, under one header; all of them or none
add_rows() {
    local size=0
    if [[ -n $begun ]]; then
        sed -i 1d "$rows"
        size=$(stat -c %s "$partial")
    fi
    { truncate -s "$size" "$partial" && cat "$rows" >>"$partial"; } 2>/dev/null || {
        truncate -s "$size" "$partial" 2>/dev/null || true
        die "$out: cannot be written"
    }
    begun=yes
}

status=77
shown=0
for variant in "${variants[@]}"; do
    ended=0
    run "$root/build/rungbench-train" "$1" "$variant" >"$rows" || ended=$?
    case $ended in
    0) [[ $status == 1 ]] || status=0 ;;
    77) continue ;;
    2) exit 2 ;;
    *)
        say "$variant: ended with status $ended"
        status=1
        ;;
    esac
    add_rows
    put "$out" <"$rows" || shown=2
done
all=yes
[[ $shown -eq 0 ]] || exit "$shown"
exit "$status"

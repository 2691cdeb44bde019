#!/usr/bin/env bash
# Usage: scripts/bench.sh [flags of rungbench]
# Installs what is missing (Debian, as root), builds rungbench, runs it, and makes charts and a page of its results. These go
# to results/local/ unless --out says where, and every sample next to them. Afterwards `build/rungbench --help` lists the flags.
# The exit status is rungbench's.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

measures=yes
for flag in "$@"; do
    case $flag in
    --version | --list | --benchmark_list_tests | --benchmark_list_tests=true) measures= ;;
    --verify | --info | --calibrate | --profile | --profile=* | --watch) measures= ;;
    --summarize | --summarize=* | --crossovers | --crossovers=* | --match | --match=*) measures= ;;
    esac
done
check_outputs "$@"
if file_of out "$@"; then
    out=$file
elif [[ -n $measures ]]; then
    out=$root/results/local/$(uname -n | tr -c 'A-Za-z0-9._\n-' '-')-$(date -u +%Y%m%dT%H%M%SZ).csv
    prepare_folder "${out%/*}"
    set -- --out="$out" "$@"
fi
# What charts need is installed after the table; who may not install is told before.
groups=(build)
[[ $EUID -eq 0 ]] || groups+=(charts)
run "$root/scripts/setup.sh" "${groups[@]}"
build build
rungbench=$root/build/rungbench
[[ -n $measures ]] || exec "$rungbench" "$@"

# For the charts of them; beside what is no file there is no place.
if file_of samples "$@"; then
    samples=$file
elif [[ $out == *.csv && ( -f $out || ! -e $out ) ]]; then
    samples=${out%.csv}-samples.csv
    set -- --samples="$samples" "$@"
fi

before=$(stat -Lc %i -- "$out" 2>/dev/null) || true
# shellcheck disable=SC2317  # a trap calls it
say_interrupted() {
    case $? in
    129 | 130 | 143) [[ ! -f $out || $(stat -Lc %i -- "$out") == "$before" ]] || say "interrupted; the rows that were finished are in $out" ;;
    esac
}
trap say_interrupted EXIT
status=0
run "$rungbench" "$@" || status=$?
case $status in
0 | 1) ;;
77)
    say 'nothing was measured, so there are no charts'
    exit 77
    ;;
*) exit "$status" ;;
esac
if [[ ! -f $out ]]; then
    say "no charts: $out is not a file"
    exit "$status"
fi
say "results, after $SECONDS s: $out"
run "$root/scripts/setup.sh" charts || true # plot.sh says what it lacks
drawn=0
[[ -f ${samples-} ]] || samples=
run "$root/scripts/plot.sh" ${samples:+--samples="$samples"} "$out" >&2 || drawn=$?
if [[ $drawn -ne 0 && $drawn -ne 77 && $status -eq 0 ]]; then status=$drawn; fi
exit "$status"

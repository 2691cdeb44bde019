#!/usr/bin/env bash
# Usage: scripts/bench.sh [flags of rungbench]
# Installs what is missing (Debian, as root), builds rungbench, runs it, and makes charts and a page of its results. These go
# to results/local/ unless --out says where, and every sample beside them. Afterwards `build/rungbench --help` lists the flags.
# The exit status is rungbench's.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
help_if_asked "$@"

out=
measures=yes
samples=
is_value=
for flag in "$@"; do
    if [[ -n $is_value ]]; then
        printf -v "$is_value" %s "$flag"
        is_value=
        continue
    fi
    case $flag in
    --out=*) out=${flag#*=} ;;
    --out) is_value=out ;;
    --samples=*) samples=${flag#*=} ;;
    --samples) is_value=samples ;;
    --version | --list | --benchmark_list_tests | --benchmark_list_tests=true) measures= ;;
    --verify | --info | --calibrate | --profile*) measures= ;;
    esac
done

"$root/scripts/setup.sh" build charts
build build
rungbench=$root/build/rungbench
[[ -n $measures ]] || exec "$rungbench" "$@"

if [[ -z $out ]]; then
    out=$root/results/local/$(uname -n | tr -c 'A-Za-z0-9._\n-' '-')-$(date -u +%Y%m%dT%H%M%SZ).csv
    mkdir -p "${out%/*}" 2>/dev/null || die "${out%/*}: cannot be made; expected a checkout that can be written to"
    set -- --out="$out" "$@"
fi
# For the charts of them; beside what is no file there is no place.
if [[ -z $samples && $out == *.csv && ( -f $out || ! -e $out ) ]]; then
    samples=${out%.csv}-samples.csv
    set -- --samples="$samples" "$@"
fi

# In the background, since bash hears SIGTERM only when no program in the foreground keeps it. A terminal sends its SIGINT to
# both.
"$rungbench" "$@" &
child=$!
trap 'kill -TERM "$child" 2>/dev/null || true' TERM
trap : INT
status=0
wait "$child" || status=$?
while kill -0 "$child" 2>/dev/null; do
    status=0
    wait "$child" || status=$?
done
trap - INT TERM

case $status in
0 | 1) ;;
130 | 143)
    if [[ -f $out ]]; then say "interrupted; the rows that were finished are in $out"; fi
    exit "$status"
    ;;
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
say "results: $out"
drawn=0
if [[ ! -f $samples ]]; then samples=; fi
"$root/scripts/plot.sh" ${samples:+--samples="$samples"} "$out" >&2 || drawn=$?
if [[ $drawn -ne 0 && $drawn -ne 77 && $status -eq 0 ]]; then status=$drawn; fi
exit "$status"

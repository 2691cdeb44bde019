#!/usr/bin/env bash
# What comes before main(), and a machine whose clock stands still: libraries that are loaded before a program bring it about.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
rungbench=$1
programs=$(dirname "$1")
enter_folder
quick=(--suite=none --size=map:n=100 --min-time=0.001 --filter=/cpu_scalar/hot --threads=1 --progress=off)

# with LIBRARY STATUS PROGRAM FLAG...: LIBRARY loaded before the program. Python tells a status of 130 from an end by a signal.
with() {
    local status
    status=$(python3 -c 'import os, subprocess, sys
with open("out", "wb") as out, open("err", "wb") as err:
    print(subprocess.run(sys.argv[2:], stdout=out, stderr=err, timeout=60,
                         env=dict(os.environ, LD_PRELOAD=sys.argv[1])).returncode)' \
        "$programs/tests/$1.so" "$programs/$3" "${@:4}")
    [[ $status -eq $2 ]] || fail "${*:3} with $1: status $status, expected $2: $(head -c 500 err)"
}

for number in 1 2 15; do
    export EARLY_SIGNAL=$number
    with early_signal $((128 + number)) rungbench "${quick[@]}" --out=early.csv
    with early_signal $((128 + number)) rungbench-gate --sitting /bin/false /bin/false
    [[ -z $(ls early* 2>/dev/null) ]] || fail "signal $number: leaves $(ls early*)"
done
unset EARLY_SIGNAL

with still_clock 1 rungbench "${quick[@]}" --out=still.csv
[[ $(columns still.csv status reason | sort -u) == failed*'stands still'* ]] || fail "a clock that stands still: $(cat still.csv)"
with still_clock 1 rungbench --verify --suite=none --size=map:n=100 --filter=/cpu_scalar
with still_clock 1 rungbench "${quick[@]}" --rounds=2
for flag in --info --calibrate; do
    with still_clock 2 rungbench $flag
    grep -q 'stands still' err || fail "$flag: $(cat err)"
done

end_test

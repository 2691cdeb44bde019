#!/usr/bin/env bash
# Usage: scripts/layout.sh [--cpu-only] [--builds=N] [--out=FILE] [-- flags of rungbench]
# Says how much times depend on where the linker puts the rungs: links rungbench N times (default 3), each time with the
# rungs in another random order, and lets rungbench-gate compare each pair of these builds. Prints a line for each row: the
# smallest and the largest ratio of two builds, how many pairs were `layout` (an alarm, if the code were not the same), and
# how many did not pass the gate. --out writes the table to a file, too.
# Exit status: 0 every pair passed; 1 one did not; 2 usage, or a program that cannot be built or run.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

builds=3
out=
flags=()
switches=(-DCMAKE_BUILD_TYPE=Release)
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --cpu-only)
        flags+=("$1")
        switches+=(-DRUNGBENCH_CUDA=OFF)
        ;;
    --builds=*) builds=${1#*=} ;;
    --out=*)
        out=${1#*=}
        check_output "$1" "$out"
        ;;
    *) die "$1: expected --cpu-only, --builds=N, --out=FILE or --" ;;
    esac
    shift
done
[[ $builds =~ ^[2-9]$ ]] || die "--builds=$builds: expected a number from 2 to 9"

run "$root/scripts/setup.sh" build
make_place
for ((seed = 1; seed <= builds; seed++)); do
    set_up build-layout "${switches[@]}" "-DRUNGBENCH_LINK_SEED=$seed"
    compile build-layout rungbench rungbench-gate
    cp "$root/build-layout/rungbench" "$place/rungbench-$seed" 2>/dev/null || die "$place: cannot be written"
    ((seed == 1)) || ! cmp -s "$place/rungbench-1" "$place/rungbench-$seed" ||
        die "builds 1 and $seed are the same file; expected another order of linking"
done

for ((a = 1; a <= builds; a++)); do
    for ((b = a + 1; b <= builds; b++)); do
        say "build $a and build $b"
        status=0
        run "$root/build-layout/rungbench-gate" "${flags[@]}" --csv="$place/$a-$b.csv" \
            --sitting "$place/rungbench-$a" "$place/rungbench-$b" "$@" >"$place/log" || status=$?
        [[ $status -eq 0 || $status -eq 1 || $status -eq 3 ]] || die "rungbench-gate ended with status $status: $(tail -n 1 "$place/log")"
    done
done

# The columns that are read come before any text that may hold a comma.
status=0
table=$(awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
        name = $at["name"]
        verdict = $at["verdict"]
        ratio = $at["ratio"]
        if (!(name in pairs))
            names[++count] = name
        pairs[name]++
        layout[name] += verdict == "layout"
        if (verdict !~ /^(layout|same code|cleared|faster|new|not gated|skipped)$/)
            failed[name]++
        if (ratio != "" && (!(name in least) || ratio < least[name]))
            least[name] = ratio
        if (ratio != "" && (!(name in most) || ratio > most[name]))
            most[name] = ratio
    }
    END {
        printf "%9s %9s %6s %6s %6s  %s\n", "least", "most", "pairs", "layout", "failed", "row"
        for (i = 1; i <= count; i++) {
            name = names[i]
            printf "%9s %9s %6d %6d %6d  %s\n", name in least ? sprintf("%.4f", least[name]) : "-",
                name in most ? sprintf("%.4f", most[name]) : "-", pairs[name], layout[name], failed[name], name
            bad += failed[name]
        }
        exit bad > 0
    }' "$place"/*-*.csv) || status=$?
if [[ -n $out ]]; then printf '%s\n' "$table" | save "--out=$out" "$out" || status=2; fi
printf '%s\n' "$table" | put "$out" || status=2
exit "$status"

#!/usr/bin/env bash
# Every measured figure that a rung's comment quotes stands in the committed results.
# A quote reads: Measured: matmul/mnist/cuda_tiled/cold 326.1 us (results/h200/mnist.csv)
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
cd "$2"
count=0
files=()

# The median of the row in the file, four digits, in the unit asked for.
median() { # FILE NAME UNIT
    awk -F, -v name="$2" -v unit="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $2 == name { # no cell before the median holds a comma in these files, or the quotes below would show it
            if ($0 ~ /^[^"]*"/ && index($0, "\"") < index($0, $at["time_median_s"])) exit
            scale["s"] = 1; scale["ms"] = 1e3; scale["us"] = 1e6
            printf "%.4g", $at["time_median_s"] * scale[unit]
        }' "$1"
}

ops=$(sed -nE 's/^OP\(([a-z0-9_]+)\).*/\1/p' bench/table/rungs.def)
for op in $ops; do files+=({cpu,kernels}/"$op"/*.c*); done
for file in "${files[@]}"; do
    rung=$(basename "${file%.*}") op=$(basename "$(dirname "$file")")
    # Comments are wrapped: quotes are looked for in the text without its line breaks.
    quotes=$(tr -s '\n *' ' ' <"$file" | grep -oE 'Measured: [^ ]+ [0-9.]+ [mu]?s \([^)]+\)' || true)
    [[ -n $quotes ]] || continue # a new rung has none yet
    count=$((count + 1))
    while read -r _ name figure unit results; do
        results=${results//[()]/}
        [[ $name == "$op/"*"/$rung/"* || $name == "$op/"*"_$rung/"* ]] || fail "$file quotes the figure of $name"
        [[ -f $results ]] || { fail "$file quotes $results, which is not there"; continue; }
        seen=$(median "$results" "$name" "$unit")
        [[ $seen == "$figure" ]] || fail "$file: $name is quoted as $figure $unit, but $results says $seen $unit"
    done <<<"$quotes"
done
quoting=$(grep -l 'Measured:' -r cpu kernels | wc -l)
[[ $count -eq $quoting ]] || fail "$quoting rungs quote figures, $count were read: a pattern above is off"
end_test
echo "$count figures stand in the results"

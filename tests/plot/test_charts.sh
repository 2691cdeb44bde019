#!/usr/bin/env bash
# Tests the charts that scripts/plot.sh draws of measured results: what they say is computed anew from the file's cells, and no
# text may cover another. Usage: test_charts.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

[[ $# -eq 2 ]] || { echo 'test_charts.sh: expected RUNGBENCH and SOURCE_DIR' >&2; exit 1; }
root=$(cd "$2" && pwd)
plot=$root/scripts/plot.sh
measured=$root/results/h200
tools=$root/tests/plot
make_folder
cd "$here"

# draws CASE COUNT ARGUMENT...: plot.sh must succeed and draw that many charts, all whole, in its last argument; COUNT may be
# a file of lines STEM<TAB>LABEL: then it draws these charts alone, and the labels stand in them
draws() {
    if [[ -f $2 ]]; then
        draws "$1" "$(cut -f 1 "$2" | sort -u | wc -l)" "${@:3}"
        says "${*: -1}" "$2"
        return
    fi
    local status=0 folder=${*: -1} file
    "$plot" "${@:3}" >stdout 2>stderr || status=$?
    [[ $status -eq 0 && $(wc -l <stderr) -le 1 ]] || { fail "$1: status $status: $(<stderr)"; return; }
    [[ $(find "$folder" -name '*.svg' | wc -l) -eq $2 && $(find "$folder" -name '*.png' | wc -l) -eq $2 ]] ||
        fail "$1: expected $2 charts, got $(find "$folder" -name '*.svg' -printf '%f ')"
    for file in "$folder"/*.svg; do
        [[ $(tail -n 1 "$file") == '</svg>' ]] || fail "$file: does not end with </svg>"
    done
    /usr/bin/python3 "$tools/overlaps.py" "$folder"/*.svg >overlaps || fail "$1: $(head -n 5 overlaps)"
}

# refuses CASE STATUS TEXT ARGUMENT...: plot.sh must end so, with one line that holds TEXT, and leave nothing behind
refuses() {
    local status=0
    "$plot" "${@:4}" >stdout 2>stderr </dev/null || status=$?
    [[ $status -eq $2 ]] || fail "$1: expected status $2, got $status: $(<stderr)"
    [[ $(wc -l <stderr) -eq 1 && $(<stderr) == plot.sh:*"$3"* ]] || fail "$1: expected one line with '$3', got: $(<stderr)"
    [[ ! -s stdout && ! -e refused ]] || fail "$1: wrote something: $(<stdout)"
}

# says FOLDER LABELS: each line STEM<TAB>LABEL of the file is in its chart
says() {
    /usr/bin/python3 - "$1" "$2" >lacking <<'END' || fail "$1 lacks: $(head -n 5 lacking)"
import pathlib, sys
folder, lines = pathlib.Path(sys.argv[1]), {tuple(line.rstrip("\n").split("\t")) for line in open(sys.argv[2], encoding="utf-8")}
charts = {stem: (folder / f"{stem}.svg").read_text(encoding="utf-8") for stem, _ in lines if (folder / f"{stem}.svg").exists()}
lacking = [f"{stem}: {label}" for stem, label in sorted(lines) if label not in charts.get(stem, "")]
print(*lacking, sep="\n")
sys.exit(1 if lacking or len(lines) < 20 else 0)
END
}

# labels NAME ARGUMENT...: what charts of measured results must say becomes the file NAME
labels() { /usr/bin/python3 "$tools/labels.py" "${@:2}" >"$1"; }

labels mnist.labels "$measured/mnist.csv"
draws 'the MNIST suite' mnist.labels --only=. "$measured/mnist.csv" mnist
[[ $(<stderr) == 'plot.sh: '*': not drawn: sweep-matmul (fewer than three sizes of one kind); samples (no file of samples '* ]] ||
    fail "what is left out: $(<stderr)"
labels all.labels "$measured/sweep.csv"
kinds='^(sweep|roofline|transfers|overview)'
grep -E "$kinds" all.labels >sweep.labels
draws 'the sweep' sweep.labels --only="$kinds" "$measured/sweep.csv" sweep

# made_up OP SHAPE VARIANT BACKEND MODE SECONDS: a row of these, and nothing else of note
made_up() {
    echo "$1/s$2/$3/$5,$1,s$2,$2,$3,$4,fp32,$5,ok,,h,a $4,,r,2026-01-02T03:04:05Z,0,$6,$6,$6,cpu_scalar,1e6"
}
{
    echo name,op,workload,shape,variant,backend,precision,mode,status,reason,host,device,threads,git_rev,timestamp,round,time_q1_s,time_median_s,time_q3_s,baseline,flops
    for row in '128 2e-3' '256 5e-4' '512 1e-4'; do
        read -r n seconds <<<"$row"
        made_up matmul "${n}x${n}x$n" cpu_scalar cpu hot 1e-3
        made_up matmul "${n}x${n}x$n" cublas cuda hot "$seconds"
    done
} >crossing.csv
draws 'a crossing' 1 --only=^sweep crossing.csv crossing
grep -q 'is faster from about 180 on (0.50× at 128, 2.00× at 256)' crossing/sweep-matmul.svg ||
    fail "a crossing: $(grep -o '<text>.*</text>' crossing/sweep-matmul.svg | tr '\n' ' ')"

# A rung that handed over to cublas is drawn nowhere, however fast; what has a place for that says why.
{
    sed -e '1s/$/,runs_as/' -e '2,$s/$/,/' crossing.csv
    for n in 128 256 512; do echo "$(made_up matmul "${n}x${n}x$n" cuda_skinny_tensor cuda hot 1e-6),cublas"; done
} >handed.csv
draws 'a comparison without a hand-over' 8 --only='^(sweep|ladder|speedup|overview)' crossing.csv own
draws 'a hand-over' 8 --only='^(sweep|ladder|speedup|overview)' handed.csv handed
why='Left out: cuda_skinny_tensor (it runs cublas for this shape)'
for chart in own/*.svg; do
    diff <(grep '<text>' "$chart") <(grep '<text>' "handed/${chart#own/}" | grep -vF "$why") >&2 || fail "a hand-over: drawn in ${chart#own/}"
    [[ $chart == */@(sweep|overview)* ]] || grep -qF "$why" "handed/${chart#own/}" || fail "a hand-over: unsaid in ${chart#own/}"
done

# Where things stand, by the axes' own labels.
stands() { # KIND FOLDER/STEM FILE...
    /usr/bin/python3 "$tools/geometry.py" "$1" "$2.svg" "${@:3}" >geometry || fail "$2: $(<geometry)"
}
grep -E '^schema|/cold,' "$measured/mnist.csv" >cold.csv
labels all.labels cold.csv
grep ^ladder all.labels >ladders.labels
draws 'one mode' ladders.labels --only='^ladder' cold.csv cold
for chart in cold/*.svg; do stands ladder "${chart%.svg}" cold.csv; done
for mode in cold hot; do for backend in cpu cuda; do stands roofline "mnist/roofline-$backend-$mode" "$measured/mnist.csv"; done; done
for op in matmul grayscale; do stands sweep "sweep/sweep-$op" "$measured/sweep.csv"; done
stands transfers mnist/transfers "$measured/mnist.csv"

# One chart by its name, without a page.
draws 'a chart by name' 1 --only='^ladder-matmul-mnist$' "$measured/mnist.csv" alone
diff <(grep '<text>' alone/ladder-matmul-mnist.svg) <(grep '<text>' mnist/ladder-matmul-mnist.svg) >&2 ||
    fail 'a chart alone says other things than the same among others'
[[ ! -e alone/report.html && ! -s stderr ]] || fail "a chart by name: $(ls alone) $(<stderr)"

# Twenty rungs with long names, and times that lie close to each other.
/usr/bin/python3 "$tools/many_rungs.py" "$measured/mnist.csv" 14 >many.csv
draws 'twenty rungs' 4 --only='^(ladder-matmul-mnist|roofline-cuda-cold|speedup-matmul-mnist-cold|transfers)$' many.csv many
grep -qE '>[0-9]+  cuda_register_blocked_14<' many/roofline-cuda-cold.svg || fail 'twenty rungs: no list of their numbers'

# Samples: 1000 of a drifting row, 3 of another with two modes, in two rounds.
LC_ALL=C awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print }
    $at["name"] == "matmul/mnist/cuda_naive/cold" { $at["samples"] = 1000; print }
    $at["name"] == "matmul/mnist/cuda_tiled/cold" { $at["samples"] = 2; print; $at["samples"] = $at["round"] = 1; print }
' "$measured/mnist.csv" >drift.csv
{
    echo name,round,index,seconds,iterations
    awk 'BEGIN { for (i = 0; i < 1000; i++) printf "matmul/mnist/cuda_naive/cold,0,%d,%.9g,1\n", i, 1e-3 * (1 + i / 10000) }'
    printf 'matmul/mnist/cuda_tiled/cold,%s\n' 0,0,2e-4,1 0,1,2e-4,1 1,0,3e-4,1
} >drift-samples.csv
draws 'samples' 1 --only=samples drift.csv samples
chart=samples/samples-matmul-mnist-cold.svg
for label in '>1.05 ms<' '>−4.8 %<' '>+4.8 %<' '>200 µs<' '>+0 %<' '>+50 %<'; do
    grep -qF -- "$label" "$chart" || fail "samples: no $label in $(grep -o '<text>.*</text>' "$chart" | tr '\n' ' ')"
done
[[ $(grep -c "xlink:href='#gpPt6'" "$chart") -eq 503 ]] || fail "samples: $(grep -c "xlink:href='#gpPt6'" "$chart") dots, expected 500 and 3"
mv drift-samples.csv elsewhere.csv
sed 1,2d elsewhere.csv | sed '1i name,round,index,seconds,iterations' >drift-samples.csv
refuses 'samples of another run' 77 'samples-matmul-mnist-cold (the samples are of another run)' --only=samples drift.csv refused
rm drift-samples.csv
draws 'samples elsewhere' 1 --only=samples --samples=elsewhere.csv drift.csv elsewhere
cmp -s "$chart" elsewhere/samples-matmul-mnist-cold.svg || fail 'samples elsewhere: another chart'
refuses 'no such samples' 2 'nowhere.csv: no such file' --samples=nowhere.csv drift.csv refused
refuses 'samples of another kind' 2 'no columns name, round, seconds' --samples="$measured/gate/slowed-2pct.csv" drift.csv refused
sed '5s/,0\.[0-9e-]*,\|,[0-9.]*e-[0-9]*,/,x,/' elsewhere.csv >broken.csv
refuses 'a sample that is no number' 2 'expected 5 cells, seconds a number' --samples=broken.csv drift.csv refused

# Two files side by side.
labels compared.labels --compare "$measured/mnist.csv" "$measured/lecture.csv"
draws 'a comparison' compared.labels --compare "$measured/mnist.csv" "$measured/lecture.csv" compared
for chart in matmul-mnist-cold grayscale-puppy-hot; do stands compare "compared/compare-$chart" "$measured/mnist.csv" "$measured/lecture.csv"; done
made_up matmul 4x4x4 cpu_scalar cpu hot 1e-3 >row
{ head -n 1 crossing.csv && cat row; } >first.csv
for device in 'Another, card' ''; do
    { head -n 1 crossing.csv && sed "s/,a cpu,/,\"$device\",/; s/2026-01-02/2026-03-04/" row; } >second.csv
    draws "device '$device'" 1 --compare first.csv second.csv cards
    for label in '>A: first.csv, a cpu, 2026-01-02<' ">B: second.csv, ${device:-an unknown device}, 2026-03-04<"; do
        grep -qF -- "$label" cards/*.svg || fail "two machines: no $label"
    done
done
sed 's/,50000x784x128,/,50000x784x64,/' "$measured/mnist.csv" >shape.csv
refuses 'another shape' 77 'different shapes: 50000x784x128 and 50000x784x64' --only=matmul-mnist-hidden-cold \
    --compare "$measured/mnist.csv" shape.csv refused
refuses 'nothing in common' 77 'no row in common' --only=grayscale --compare "$measured/sweep.csv" "$root/tests/plot/one-row.csv" refused
refuses 'one file to compare' 2 '1 arguments; expected A.csv B.csv' --compare "$measured/mnist.csv"

refuses 'an unknown flag' 2 '--fast: expected --only=REGEX' --fast "$measured/mnist.csv" refused
refuses 'no regular expression' 2 '--only=(: expected an extended regular expression' '--only=(' "$measured/mnist.csv" refused
refuses 'no such chart' 2 '--only=nonsense: matches no chart' --only=nonsense "$measured/mnist.csv" refused
refuses 'a chart that cannot be' 77 'nothing to draw: sweep-matmul (fewer than three' --only=sweep-matmul "$measured/mnist.csv" refused

end_test

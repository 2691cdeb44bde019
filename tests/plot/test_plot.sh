#!/usr/bin/env bash
# Tests scripts/plot.sh on the made-up results beside this file: test_plot.sh ROOT (of the checkout)
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

[[ $# -eq 2 ]] || { echo 'test_plot.sh: expected RUNGBENCH and SOURCE_DIR' >&2; exit 1; }
root=$(cd "$2" && pwd)
plot=$root/scripts/plot.sh
data=$root/tests/plot
make_folder
cd "$here"

# draws CASE CSV OUTDIR CHARTS [LINES]: plot.sh must succeed and draw that many charts, with that many lines on stderr.
draws() {
    local status=0 file end
    "$plot" "$2" "$3" >stdout 2>stderr || status=$?
    [[ $status -eq 0 ]] || { fail "$1: status $status: $(<stderr)"; return 1; }
    [[ $(wc -l <stderr) -eq ${5-0} ]] || fail "$1: expected ${5-0} lines on stderr, got: $(<stderr)"
    [[ $(find "$3" -name '*.svg' | wc -l) -eq $4 && $(find "$3" -type f | wc -l) -eq $((2 * $4 + 1)) && -s $3/report.html ]] ||
        fail "$1: expected $4 charts, a page, and nothing else, got $(find "$3" -type f | wc -l) files"
    for file in "$3"/*.svg; do
        head -n 1 "$file" | grep -q '^<?xml' || fail "$file: does not begin as XML"
        grep -q '<svg' "$file" || fail "$file: no <svg"
        [[ $(tail -n 1 "$file") == '</svg>' ]] || fail "$file: does not end with </svg>"
        if command -v xmllint >/dev/null; then xmllint --noout "$file" || fail "$file: not well-formed"; fi
    done
    for file in "$3"/*.png; do
        [[ $(head -c 8 "$file" | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] || fail "$file: no PNG"
        end=$(tail -c 8 "$file" | od -An -tx1 | tr -d ' ')
        [[ $end == 49454e44ae426082 ]] || fail "$file: a PNG that is cut off"
    done
    return 0
}

# refuses CASE CSV STATUS TEXT: plot.sh must end so, with one line that holds TEXT, and leave nothing behind.
refuses() {
    local status=0 outdir=${5-"$here/refused"}
    "$plot" "$2" "$outdir" >stdout 2>stderr </dev/null || status=$?
    [[ $status -eq $3 ]] || fail "$1: expected status $3, got $status: $(<stderr)"
    [[ $(wc -l <stderr) -eq 1 && $(<stderr) == plot.sh:*"$4"* ]] || fail "$1: expected one line with '$4', got: $(<stderr)"
    [[ ! -s stdout ]] || fail "$1: wrote to stdout: $(<stdout)"
    [[ ! -e $here/refused ]] || fail "$1: left something behind: $(find "$here/refused")"
}

# The labels that each chart must hold, one `STEM LABEL` a line, from the times of the file alone.
labels() {
    sed -e 's/""//g' -e 's/"[^"]*"//g' "$1" | LC_ALL=C awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["status"] == "failed" { wrong[$at["name"]] = 1 }
        $at["status"] == "ok" {
            name = $at["name"]
            times[name] = times[name] " " $at["time_median_s"]
            backend[name] = $at["backend"]
        }
        function middle(list,    t, n, i, j, x) {
            n = split(list, t, " ")
            for (i = 1; i < n; i++)
                for (j = i + 1; j <= n; j++)
                    if (t[j] + 0 < t[i] + 0) { x = t[i]; t[i] = t[j]; t[j] = x }
            return (t[int((n + 1) / 2)] + t[int(n / 2) + 1]) / 2
        }
        function label(x,    s) {
            if (x == 1) return "1×"
            s = x < 0.0995 ? sprintf("%.2g", x) : x < 9.995 ? sprintf("%.2f", x) : x < 99.95 ? sprintf("%.1f", x) : sprintf("%.0f", x)
            if (length(s) > 3 && s !~ /\./) s = substr(s, 1, length(s) - 3) "," substr(s, length(s) - 2)
            return s "×"
        }
        END {
            for (name in times) {
                if (name in wrong) { delete times[name]; continue }
                time[name] = middle(times[name])
                split(name, p, "/")
                key = p[1] "/" p[2] "/" p[4]
                if (backend[name] == "cpu" && (!(key in best) || time[name] < best[key])) best[key] = time[name]
            }
            for (name in time) {
                split(name, p, "/")
                mode = p[4] == "cold" ? "cold" : "hot"
                print "speedup-" p[1] "-" p[2] "-" p[4], label(time[p[1] "/" p[2] "/cpu_scalar/" mode] / time[name])
                print "speedup-" p[1] "-" p[2] "-" p[4], label(best[p[1] "/" p[2] "/" mode] / time[name])
            }
        }'
}

for case in 'cpu-only 6 1' 'full 14 1' 'one-row 1 1' 'many-rungs 5 1' 'rounds 8 1' 'unicode 6 1'; do
    read -r name charts lines <<<"$case"
    draws "$name" "$data/$name.csv" "out/$name" "$charts" "$lines" || continue
    checked=0
    while read -r stem label; do
        grep -qF ">$label</text>" "out/$name/$stem.svg" || fail "$name: $stem.svg lacks the value $label"
        checked=$((checked + 1))
    done < <(labels "$data/$name.csv")
    [[ $checked -gt 0 ]] || fail "$name: no value was checked"
done

has() { # FILE TEXT
    grep -sqF -- "$2" "out/$1" || fail "$1 lacks '$2'"
}
lacks() {
    ! grep -sqF -- "$2" "out/$1" || fail "$1 holds '$2'"
}
has full/speedup-matmul-mnist-hot.svg '>matmul/mnist, hot</text>'
has full/speedup-matmul-mnist-hot.svg '>50000x784x10, FP32, hot: call after call, cache kept, 2026-11-20</text>'
has full/speedup-matmul-mnist-hot.svg '>Example GPU, 12 GB</text>'
has full/speedup-matmul-mnist-hot.svg '>Example CPU 9000 @ 2.70GHz, 16 threads</text>'
has full/speedup-matmul-mnist-hot.svg 'Host example, 2026-11-20 14:00 UTC'
has full/speedup-matmul-mnist-hot.svg '>Speed-up over cpu_scalar</text>'
has full/speedup-matmul-mnist-hot.svg '>Speed-up over openblas</text>'
has full/speedup-matmul-mnist-hot.svg 'quartiles of the samples'
lacks full/speedup-matmul-mnist-hot.svg 'Not measured'
has full/speedup-matmul-mnist-e2e.svg 'CPU rungs: hot'
has full/speedup-matmul-lecture5-hot.svg 'Not measured: cuda_tiled (failed: wrong: C[17,3] is nan'
lacks full/speedup-matmul-lecture5-hot.svg '>cuda_tiled</text>'
has full/speedup-grayscale-puppy-e2e.svg 'Not measured: cuda_tiled (skipped: the budget of 60 s was used up)'
has full/speedup-grayscale-puppy-hot.svg '>cuda_tiled</text>'
has full/overview.svg '>matmul/mnist-valid5</text>'
has cpu-only/speedup-matmul-mnist-hot.svg 'cublas (skipped: built without CUDA)'
lacks cpu-only/speedup-matmul-mnist-hot.svg 'GPU'
has many-rungs/speedup-matmul-lecture5-hot.svg '>cublas_tf32 (TF32)</text>'
has many-rungs/speedup-matmul-lecture5-hot.svg 'Example GPU 12GB "Founders, Edition"'
has rounds/speedup-matmul-mnist-hot.svg 'medians of 5 rounds; whiskers: the fastest and the slowest round'
has unicode/speedup-matmul-mnist-hot.svg 'Größe 9 „Ω“ &lt;x86> &amp; Søn, 日本語'
has unicode/speedup-matmul-mnist-hot.svg "Пример GPU's 12 ГБ"
has unicode/speedup-matmul-mnist-hot.svg 'größe-τ-хост'
# Rounds are shuffled; the chart has the order of the table.
order=$(grep -so '>\(c[pu][a-z_]*\|openblas\)</text>' out/rounds/speedup-matmul-mnist-hot.svg | tr -d '\n') || true
[[ $order == '>cpu_scalar<'*'>cpu_reordered<'*'>cpu_tuned<'*'>openblas<'*'>cuda_naive<'*'>cublas<'* ]] || fail "rounds: order $order"

# The same picture, whatever the order of columns, further ones, line ends, the byte order mark; and from any folder.
same() { # CASE CSV [OUTDIR]
    draws "$1" "$2" "out/same" 1 1 || return 0
    diff -rq -x report.html out/one-row out/same || fail "$1: other charts"
    rm -rf out/same
}
same 'again' "$data/one-row.csv"
sed -e '1s/^/more,/' -e '2,$s/^/"a ""quoted"", cell",/' "$data/one-row.csv" >further.csv
same 'a further column' further.csv
sed -e '1s/^/\xef\xbb\xbf/' -e 's/$/\r/' "$data/one-row.csv" >crlf.csv
same 'line ends of another system' crlf.csv
mkdir 'a b' && cp "$data/one-row.csv" "a b/it's \$x & y=z.csv"
same 'a name with spaces and quotes' "a b/it's \$x & y=z.csv"
mkdir settings && echo 'set term nonsense' >settings/.gnuplot
HOME=$here/settings GNUTERM=nonsense GDFONTPATH=/nowhere same "gnuplot's settings of the user" "$data/one-row.csv"

cp "$data/one-row.csv" plain.csv
"$plot" plain.csv >stdout 2>stderr || fail "no OUTDIR: $(<stderr)"
[[ -s plain-charts/speedup-matmul-mnist-hot.svg && $(<stdout) == *plain-charts* ]] || fail "no OUTDIR: no charts in plain-charts"

# Rows that were slowed on purpose are not drawn, whatever their time.
slow() { # FILE PATTERN: made-up results with a column for it, and these rows slowed
    LC_ALL=C awk -v pattern="$2" 'NR == 1 { print $0 ",slowdown_pct"; next } { print $0 "," ($0 ~ pattern ? "12.5" : "") }' "$data/$1"
}
slow one-row.csv 'no such row' >slowed.csv
same 'an empty column of slowdowns' slowed.csv
slow full.csv '^1,matmul/mnist/(cuda_tiled|cublas)/hot,' >slowed.csv
draws 'slowed rows' slowed.csv out/slowed 14 2 || true
grep -qxF 'plot.sh: slowed.csv: left out, slowed on purpose (--slowdown): 2 rows' stderr || fail "slowed rows: stderr is '$(<stderr)'"
has full/speedup-matmul-mnist-hot.svg '>cublas</text>'
lacks slowed/speedup-matmul-mnist-hot.svg '>cublas</text>'
lacks slowed/speedup-matmul-mnist-hot.svg '>cuda_tiled</text>'
has slowed/speedup-matmul-mnist-hot.svg '>cuda_naive</text>'
has slowed/speedup-matmul-mnist-cold.svg '>cublas</text>'
slow full.csv . >slowed.csv
status=0
"$plot" slowed.csv >stdout 2>stderr || status=$?
[[ $status -eq 77 && ! -s stdout && $(<stderr) == *': left out, slowed'*' rows'*$'\n'*': nothing to draw: '* ]] ||
    fail "all slowed: status $status, $(<stderr)"

refuses 'header only' "$data/header-only.csv" 2 'no row'
refuses 'a column missing' "$data/missing-column.csv" 2 "\`time_median_s'"
refuses 'no such file' nowhere.csv 2 'nowhere.csv: no such file'
refuses 'a folder' "$data" 2 'is a folder'
: >empty.csv
refuses 'an empty file' empty.csv 2 'is empty'
head -c 3000 "$data/full.csv" >short.csv
refuses 'cut off in a row' short.csv 2 'is the file whole?'
sed -e '$s/"Example GPU.*/"Example/' "$data/full.csv" >open.csv
refuses 'cut off in a quoted cell' open.csv 2 'does not end'
sed -e '3s/ok/o"k/' "$data/cpu-only.csv" >quote.csv
refuses 'a quote in a cell' quote.csv 2 'line 3: a quote'
head -c 4000 "$here/out/one-row/speedup-matmul-mnist-hot.png" >picture.csv
refuses 'a picture' picture.csv 2 'picture.csv: '
for value in abc -1 0 nan inf 1e; do
    sed -e "2s/,0.512,/,$value,/" "$data/one-row.csv" >number.csv
    refuses "a time of $value" number.csv 2 "time_median_s is \`$value'; expected a number above 0"
done
sed -e '2s/,ok,/,fine,/' "$data/one-row.csv" >status.csv
refuses 'an unknown status' status.csv 2 "status is \`fine'"
{ cat "$data/one-row.csv"; sed -n '2s/,example,/,another,/p' "$data/one-row.csv"; } >hosts.csv
refuses 'two machines' hosts.csv 2 "line 3: host is \`another', above it was \`example'"
{ head -n 1 "$data/full.csv"; grep ',skipped,' "$data/full.csv"; } >skipped.csv
refuses 'all skipped' skipped.csv 77 'nothing to draw'
{ head -n 1 "$data/full.csv"; grep ',cuda,' "$data/full.csv" | grep -v ,e2e,; } >gpu.csv
refuses 'no baseline' gpu.csv 77 'no row of a baseline'
refuses 'OUTDIR is a file' "$data/one-row.csv" 2 'plain.csv: ' plain.csv
refuses 'OUTDIR in a file' "$data/one-row.csv" 2 'plain.csv/x: cannot be made' plain.csv/x
if [[ $EUID -ne 0 ]]; then
    mkdir closed && chmod 555 closed
    refuses 'OUTDIR is read-only' "$data/one-row.csv" 2 'closed: cannot be written to' closed
    cp "$data/one-row.csv" secret.csv && chmod 0 secret.csv
    refuses 'a file that cannot be read' secret.csv 2 'secret.csv: cannot be read'
fi
mkdir bystander && touch bystander/file
cd bystander
TMPDIR=/nowhere refuses 'no temporary folder' "$data/one-row.csv" 2 '/nowhere: no temporary folder'
cd "$here"
[[ -f bystander/file ]] || fail 'no temporary folder: the folder at hand was emptied'
status=0
"$plot" >stdout 2>stderr || status=$?
[[ $status -eq 2 && $(wc -l <stderr) -eq 1 ]] || fail "no argument: status $status, $(<stderr)"

# What gnuplot complains of stops all, and what was there stays as it was.
mkdir fake
cat >fake/gnuplot <<'END'
#!/bin/sh
for stem in $(cut -f 1 list); do echo half >"$stem.png"; echo half >"$stem.svg"; done
echo 'warning: of sorts' >&2
END
chmod +x fake/gnuplot
PATH=$here/fake:$PATH refuses 'gnuplot complains' "$data/one-row.csv" 2 'gnuplot: warning: of sorts'
cp -r out/one-row before
PATH=$here/fake:$PATH "$plot" "$data/one-row.csv" out/one-row >stdout 2>stderr && fail 'gnuplot complains: status 0'
diff -rq before out/one-row || fail 'a failure changed charts that were there'
mkdir without
for tool in bash env dirname mktemp find rm awk cat sed iconv cp mv chmod wc tr cut mkdir rmdir; do
    ln -s "$(command -v "$tool")" "without/$tool"
done
PATH=$here/without refuses 'no gnuplot' "$data/one-row.csv" 2 'gnuplot-nox' || fail 'no gnuplot'

# How far rounds lie apart: a made-up file of which the deviations are known.
spread=$root/scripts/spread.sh
header=name,op,workload,shape,variant,backend,precision,mode,status,reason,host,device,threads,git_rev,timestamp,round,time_q1_s,time_median_s,time_q3_s,baseline,tick_s
{
    echo "$header"
    for time in 9e-06 1e-05 1.1e-05; do echo "n,matmul,w,1x1x1,long,cuda,fp32,cold,ok,,h,d,,r,t,0,,$time,,,1e-7"; done
    for time in 99.8e-06 1e-4 1.002e-04; do echo "n,matmul,w,1x1x1,steady,cuda,fp32,cold,ok,,h,d,,r,t,0,,$time,,,1e-7"; done
    for time in 1e-06 1.1e-06 1.2e-06; do echo "n,matmul,w,1x1x1,short,cuda,fp32,cold,ok,,h,d,,r,t,0,,$time,,,1e-7"; done
    echo "n,matmul,w,1x1x1,once,cuda,fp32,cold,ok,,h,d,,r,t,0,,1e-05,,,1e-7"
} >spread.csv
"$spread" spread.csv >stdout 2>stderr || fail "spread.sh: $(<stderr)"
[[ $(tr -s ' ' <stdout) == *'matmul/w/long/cold 3 10.000 10.00 10.00'* && $(tr -s ' ' <stdout) == *'matmul/w/steady/cold 3 100.000 0.20 2.00'* ]] ||
    fail "spread.sh: $(<stdout)"
[[ $(<stdout) == *'two ticks: 1 of 2 rows of 10 us and more'*'1 of 1 below 10 us.' ]] || fail "spread.sh: $(tail -n 2 stdout)"
grep -q /once/ stdout && fail 'spread.sh: a row of one round has a spread'
status=0
"$spread" "$data/one-row.csv" >stdout 2>stderr || status=$?
[[ $status -eq 77 && $(wc -l <stderr) -eq 1 ]] || fail "spread.sh, one round: status $status"
for file in nowhere.csv "$here" ''; do
    status=0
    "$spread" "$file" >stdout 2>stderr || status=$?
    [[ $status -eq 2 && $(wc -l <stderr) -eq 1 ]] || fail "spread.sh '$file': status $status"
done

# A library that runs kernels older than the processor says so, in its own charts alone.
awk '{ print $0 "," (NR == 1 ? "marks" : "other-work openblas-old") }' "$data/cpu-only.csv" >old.csv
draws 'old kernels' old.csv old 6 1
grep -q 'Runs kernels older than the processor: openblas<' old/speedup-matmul-mnist-cold.svg || fail 'old kernels: the chart does not say it'
! grep -l 'older than the processor' old/*grayscale*.svg || fail 'old kernels: charts of greyscale say it'

end_test

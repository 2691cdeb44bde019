#!/usr/bin/env bash
# Tests scripts/plot/page.sh on made-up and on committed results: test_page.sh ROOT (of the checkout)
# check_page.py recomputes what a page says; here are the cases, sentences as they must read, and what is refused.
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

[[ $# -eq 2 ]] || { echo 'test_page.sh: expected RUNGBENCH and SOURCE_DIR' >&2; exit 1; }
python=/usr/bin/python3
[[ -x $python ]] || skip 'no Python (Debian: python3)'
root=$(cd "$2" && pwd)
page=$root/scripts/plot/page.sh
data=$root/tests/plot
check=$root/tests/page/check_page.py
make_folder
cd "$here"

svg() { # NAME WIDTH HEIGHT
    printf '<?xml version="1.0"?>\n<svg \n width="%d" height="%d"\n xmlns="http://www.w3.org/2000/svg"\n>\n' "$2" "$3"
    printf '<title>%s</title><rect id="a" width="7" height="9" fill="#0072B2"/>\n</svg>\n' "$1"
}

# One chart of most kinds, some in several workloads and modes; titles need escapes.
mkdir charts
{
    printf 'overview\tWhere the GPU pays\n'
    for workload in mnist mnist-valid5 batch deep; do
        printf 'ladder-matmul-%s\tmatmul/%s, <ladder> & "more"\n' $workload $workload
    done
    for mode in cold hot e2e_pageable; do
        for workload in mnist mnist-valid5; do
            printf 'speedup-matmul-%s-%s\tmatmul/%s, %s\n' $workload $mode $workload $mode
        done
    done
    printf 'roofline-cuda-cold\tRoofline\ntransfers\tTransfers\nsamples-matmul-mnist-cold\tSamples\nown_kind\tIt'\''s its own\n'
} >list
count=0
while IFS=$'\t' read -r stem _; do
    count=$((count + 1))
    svg "$stem" $((400 + count)) $((300 + count)) >"charts/$stem.svg"
done <list
: >none

# makes CASE CSV [LIST [CSV_PATH]]: page.sh must succeed without a word, and the page must say what the file does.
makes() {
    local status=0
    html="$1.html"
    "$page" "$2" charts "${3-list}" "${4-../results.csv}" >"$html" 2>stderr || status=$?
    [[ $status -eq 0 && ! -s stderr ]] || { fail "$1: status $status: $(<stderr)"; return 1; }
    "$python" -B "$check" "$html" "$2" "${3-list}" charts "${4-../results.csv}" >problems 2>&1 ||
        fail "$1: $(<problems)"
}

# The headline without its tags.
says() { # TEXT
    local text
    text=$(sed -n 's/<p class="headline">\(.*\)<\/p>/\1/p' "$html" | sed 's/<[^>]*>//g')
    [[ $text == "$1" ]] || fail "$html says: $text"$'\n'"expected:  $1"
}
has() {
    grep -qF -- "$1" "$html" || fail "$html lacks '$1'"
}
lacks() {
    ! grep -qF -- "$1" "$html" || fail "$html holds '$1'"
}

on='matmul/mnist (50000x784x10)'
makes cpu-only "$data/cpu-only.csv"
says "On Example CPU 9000 @ 2.70GHz, openblas, the best CPU rung, runs $on 122 times as fast as cpu_scalar, cold."
makes full "$data/full.csv"
says "On Example GPU, 12 GB, cublas runs $on 7,378 times as fast as cpu_scalar and 60.5 times as fast as the best CPU rung, \
openblas, cold; with transfers from pinned memory it is 1.25 times as fast as openblas, hot."
makes one-row "$data/one-row.csv"
says "On Example CPU 9000 @ 2.70GHz, cpu_scalar, the baseline and best CPU rung, takes 512 ms for $on, hot."
makes many-rungs "$data/many-rungs.csv"
says "On Example GPU 12GB &quot;Founders, Edition&quot;, a card whose name goes on, MIG 1g.12gb, cublas runs matmul/lecture5 \
(5120x256x5120) 43,692 times as fast as cpu_scalar and 1,256 times as fast as the best CPU rung, openblas, cold; with \
transfers from pinned memory it is 109 times as fast as openblas, hot."
makes rounds "$data/rounds.csv"
says "On Example GPU, 12 GB, cublas runs $on 7,435 times as fast as cpu_scalar and 65.2 times as fast as the best CPU rung, \
openblas, cold; with transfers from pinned memory it is 1.29 times as fast as openblas, hot."
makes unicode "$data/unicode.csv"
has 'Größe 9 „Ω“ &lt;x86&gt; &amp; Søn, 日本語'
has 'Пример GPU&#39;s 12 ГБ, &quot;quoted&quot;'
lacks '<x86>'
makes mnist "$root/results/h200/mnist.csv"
makes lecture "$root/results/h200/lecture.csv" none
makes sweep "$root/results/h200/sweep.csv" none
makes many-rounds "$root/results/xeon-2core/bound.csv" none

# Made-up rows: OP|WORKLOAD|RUNG|BACKEND|PRECISION|MODE|STATUS|REASON|MEDIAN|LAUNCH_BOUND|MARKS|SLOWDOWN|RUNS_AS
rows() {
    echo "name,op,workload,shape,variant,backend,precision,mode,status,reason,host,device,threads,git_rev,timestamp,\
round,time_q1_s,time_median_s,time_q3_s,baseline,speedup,gflops,launch_bound,marks,slowdown_pct,runs_as"
    awk -F'|' '{
        t = $9
        printf "%s/%s/%s/%s,%s,%s,1x1x1,%s,%s,%s,%s,%s,%s,", $1, $2, $3, $6, $1, $2, $3, $4, $5, $6, $7, $8
        printf "h&h,a <dev> of %s,,r<1>,2026-01-02T03:04:05Z,%d,", $4, NR
        if (t == "") printf ",,,,,"
        else printf "%s,%s,%s,%s,%s,%s", t * 0.9, t, t * 1.1, ($1 == "grayscale" ? "other" : "base"), 1 / t, 7 / t
        printf ",%s,%s,%s,%s\n", $10, $11, $12, $13
    }'
}

rows >skipped.csv <<<'matmul|w|cublas|cuda|fp32|hot|skipped|"built <without> CUDA"||||'
makes skipped skipped.csv none
says 'No row has a speed-up: 0 rows were measured and 1 skipped.'
has 'built &lt;without&gt; CUDA'
rows >verified.csv <<<'matmul|w|cublas|cuda|fp32|hot|ok|||||'
makes verified verified.csv none
says 'No row has a speed-up: 0 rows were measured and 1 verified, not timed.'
rows >failed.csv <<END
matmul|w|base|cpu|fp32|hot|ok||8|||
matmul|w|wrong|cpu|fp32|hot|failed|"C[1,2] is <img src=x onerror=alert(1)>, ""expected"" 3 &amp; 4"||||
END
makes failed failed.csv
lacks '<img src=x'
has '&lt;img src=x onerror=alert(1)&gt;, &quot;expected&quot; 3 &amp;amp; 4'
# A rung that was wrong in one round is wrong; one that was skipped in one has the rest; TF32 is never best, nor a rung
# that handed over; slowed rows are none.
rows >mixed.csv <<END
matmul|big|base|cpu|fp32|hot|ok||100|||
matmul|mnist|base|cpu|fp32|hot|ok||8|no|preempted|
matmul|mnist|base|cpu|fp32|hot|ok||9|no|preempted time-stolen|
matmul|mnist|base|cpu|fp32|hot|ok||20|no||
matmul|mnist|wrong|cuda|fp32|hot|ok||0.001|no||
matmul|mnist|wrong|cuda|fp32|hot|failed|no||||
matmul|mnist|some|cuda|fp32|hot|skipped|no budget||||
matmul|mnist|some|cuda|fp32|hot|ok||3|yes||
matmul|mnist|tf|cuda|tf32|hot|ok||1|no||
matmul|mnist|slow|cuda|fp32|hot|ok||0.5|no|slowed|12.5
matmul|mnist|even|cuda|fp32|hot|ok||4|no||
matmul|mnist|even|cuda|fp32|hot|ok||6|no|other-work|
matmul|mnist|handing|cuda|fp32|hot|ok||0.5|no|||even
END
makes mixed mixed.csv
says 'On a &lt;dev&gt; of cuda, some runs matmul/mnist (1x1x1) 3.00 times as fast as base, the baseline and best CPU rung, hot.'
has '<strong>Failed:</strong> <a href="#line-6"><code>matmul/mnist/wrong/hot</code></a>: in round 6: no</li>'
has '1-of-2-rounds'
has 'tf <small>tf32</small>'
has 'handing <small>= even</small>'
has 'Rungs marked = X ran X'
lacks '>slow<'
# Baselines that differ are named in each row.
rows >baselines.csv <<END
matmul|w|base|cpu|fp32|hot|ok||8|||
matmul|w|quick|cpu|fp32|hot|ok||4|||
grayscale|w|base|cpu|u8|hot|ok||2|||
grayscale|w|other|cpu|u8|hot|ok||3|||
END
makes baselines baselines.csv
lacks 'Rungs marked = X ran X'
says 'On a &lt;dev&gt; of cpu, quick, the best CPU rung, runs matmul/w (1x1x1) 2.00 times as fast as base, hot.'
# A row of the file may take several lines.
rows <<<'matmul|w|a|cuda|fp32|hot|skipped|@@||||' | sed 's/@@/"two\nlines"/' >lines.csv
rows <<<'matmul|w|b|cuda|fp32|hot|skipped|one||||' | tail -n 1 >>lines.csv
"$page" lines.csv charts none x.csv >lines.html || fail 'a cell of two lines'
html=lines.html
has 'href="x.csv#L2">2</a>'
has 'href="x.csv#L4">4</a>'

# An SVG that says its size in another way, or not at all.
mkdir sizes
echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12.4 34"/>' >sizes/one.svg
echo '<svg xmlns="http://www.w3.org/2000/svg"/>' >sizes/two.svg
printf 'one\tOne\ntwo\tTwo\n' >sizes/list
"$page" "$data/one-row.csv" sizes sizes/list x.csv >sizes.html || fail 'sizes'
html=sizes.html
has 'alt="Chart: One" width="12" height="34" src='
has 'alt="Chart: Two" src='

# Whatever the path is called, it is one on the same machine.
makes paths "$data/one-row.csv" list 'javascript:alert(1)//"x" <y>&%41#L1?'
has 'href="javascript%3Aalert%281%29//%22x%22%20%3Cy%3E%26%2541%23L1%3F#L2"'
"$page" "$data/one-row.csv" charts none //host/x.csv >paths.html
has 'href="/host/x.csv"'
lacks '//host'

# The same page, whatever the line ends and the byte order mark; and from any folder.
sed -e '1s/^/\xef\xbb\xbf/' -e 's/$/\r/' "$data/full.csv" >crlf.csv
makes crlf crlf.csv
cmp -s full.html crlf.html || fail 'line ends of another system: another page'
mkdir 'a b'
cp -r charts list 'a b'
(cd 'a b' && cp "$data/full.csv" "it's \$x.csv" && "$page" "it's \$x.csv" charts list ../results.csv) | cmp -s - full.html ||
    fail 'another folder: another page'

# refuses CASE TEXT ARGUMENT...: status 2, one line with TEXT, and nothing on stdout.
refuses() {
    local status=0
    "$page" "${@:3}" >stdout 2>stderr </dev/null || status=$?
    [[ $status -eq 2 && $(wc -l <stderr) -eq 1 && $(<stderr) == page.sh:*"$2"* ]] ||
        fail "$1: status $status: $(<stderr)"
    [[ ! -s stdout ]] || fail "$1: wrote to stdout"
}
one=$data/one-row.csv
refuses 'no argument' '0 arguments'
refuses 'five arguments' '5 arguments' "$one" charts list x.csv more
refuses 'no such file' 'nowhere.csv: no such file' nowhere.csv charts list x.csv
refuses 'a folder' 'is a folder' charts charts list x.csv
refuses 'no folder of charts' 'nowhere: no such folder' "$one" nowhere list x.csv
refuses 'no list' 'nowhere: no such file' "$one" charts nowhere x.csv
refuses 'no path' 'empty CSV_PATH' "$one" charts list ''
printf 'overview\tA\nnot-there\tB\n' >lacking
refuses 'no such chart' 'not-there.svg: no such file' "$one" charts lacking x.csv
for line in 'overview' $'../list\tUp' $'\tA' $'a b\tA'; do
    printf '%s\n' "$line" >bad
    refuses "a list with '$line'" 'bad: line 1' "$one" charts bad x.csv
done
refuses 'header only' 'no row' "$data/header-only.csv" charts list x.csv
refuses 'a column missing' "\`time_median_s'" "$data/missing-column.csv" charts list x.csv
: >empty.csv
refuses 'an empty file' 'is empty' empty.csv charts list x.csv
head -c 3000 "$data/full.csv" >short.csv
refuses 'cut off' 'is the file whole?' short.csv charts list x.csv
TMPDIR=/nowhere refuses 'no temporary folder' '/nowhere: no temporary folder' "$one" charts list x.csv
if [[ -c /dev/full ]]; then
    status=0
    "$page" "$one" charts list x.csv >/dev/full 2>stderr || status=$?
    [[ $status -eq 2 && $(wc -l <stderr) -eq 1 ]] || fail "no space for the page: status $status: $(<stderr)"
fi
mkdir left
TMPDIR=$here/left "$page" "$one" charts list x.csv >stdout
[[ -z $(ls left) ]] || fail "left behind: $(ls left)"

end_test

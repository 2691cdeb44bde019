#!/bin/sh
# Stands in for rungbench where the gate runs it, very often: it is one shell, and one awk. Prints three rows of the round
# that --sitting=ID:N says, of those that --filter selects. What it does otherwise is in these variables:
#   FACTOR    times of the row matmul/a.1/x/graph are so many times as long
#   NOISE     standard deviation of a round's times, relative (default 0.002)
#   TROUBLE   what happens from round TROUBLE_ROUND (default 0) on: a status or a signal to end with, or the name of a way
#   ROUNDS    an arithmetic expression of n, the round: where it is true TROUBLE is the row matmul/a-1/x/graph's alone
#   CODE      digest of the rungs' machine code; FIRST_CODE: that of the row matmul/a.1/x/graph
#   CALLS     a file that a line is added to for each call: round and name of the program
#   DEAF      all rows are printed, whatever --filter says
#   HELD      a fifo that TROUBLE=hang holds open, and writes a line to
set -eu
filter=.
threads=
for flag in "$@"; do
    case $flag in
    --sitting=*) sitting=${flag#*=} ;;
    --filter=*) [ -n "${DEAF-}" ] || filter=${flag#*=} ;;
    --slowdown=*) FACTOR=1.05 SLOWED=5 ;;
    --backend=cpu) threads=1 ;;
    esac
done
n=${sitting#*:}
sitting=${sitting%:*}
[ -z "${CALLS-}" ] || echo "$n ${NAME-} $filter" >>"$CALLS"
header=schema,name,status,reason,sitting,round,time_min_s,time_median_s,tick_s,samples,iterations,launch_bound,git_rev,shape,precision
header=$header,transfer,flush,seed,input,device,device_uuid,driver_version,cuda_version,blas_version,sm_clock_set_mhz,power_limit_w
header=$header,host,threads,affinity,governor,slowdown_pct,code,answer
trouble=
if [ "$n" -ge "${TROUBLE_ROUND-0}" ] && [ -z "${ROUNDS-}" ]; then trouble=${TROUBLE-}; fi
case $trouble in
2 | 77)
    [ "$trouble" = 2 ] || echo "$header"
    echo "rungbench: something is wrong in round $n" >&2
    exit "$trouble"
    ;;
hang)
    exec 9>"$HELD"
    echo >&9
    exec sleep 120
    ;;
crash) [ -z "${CRASH_AT_ONCE-}" ] || kill -SEGV $$ ;;
kill) kill -KILL $$ ;;
esac

# The trouble of the second row, and of those after it.
second=$trouble
last=$trouble
if [ "$trouble" = one_fails ]; then second=failed last=; fi
if [ -n "${ROUNDS-}" ]; then
    last=
    # shellcheck disable=SC2004  # it is an expression
    [ $(($ROUNDS)) -eq 0 ] || second=$TROUBLE
fi
FILTER=$filter awk -v header="$header" -v first="$trouble" -v second="$second" -v last="$last" \
    -v factor="${FACTOR-1}" -v noise="${NOISE-0.002}" -v round="$n" -v seed="${SEED-1}" -v sitting="$sitting" \
    -v bound="${BOUND-no}" -v slowed="${SLOWED-}" -v code="${CODE-}" -v first_code="${FIRST_CODE-${CODE-}}" -v threads="$threads" '
    function row(name, seconds, trouble,    reason, sum, i, answer) {
        if (name !~ ENVIRON["FILTER"])
            return
        if (trouble == "failed" || trouble == "skipped") {
            reason = trouble == "failed" ? "wrong at index 3" : "no memory"
            printf "1,%s,%s,%s,%s,%d,,,,,,,fake,1x1,fp32,,,42,random,Fake,GPU-1,1,1,,,,here,,,,,,\n", name, trouble, reason,
                sitting, round
            return
        }
        srand(seed * 1000003 + round * 1009 + length(name) * 13 + 7)
        for (i = 0; i < 12; i++)
            sum += rand()
        answer = trouble == "unlike" ? "beef" : "feed"
        seconds *= 1 + noise * (sum - 6)
        printf "1,%s,ok,,%s,%d,%.9g,%.9g,1e-9,10,10,%s,fake,1x1,fp32,,,42,random,Fake,GPU-1,1,1,,,,here,%s,,,%s,%s,%s\n", name,
            sitting, round, (threads == "" ? 1e-9 : seconds), seconds, bound, threads, slowed, (name == "matmul/a.1/x/graph" ? first_code : code), answer
    }
    BEGIN {
        print header
        row("matmul/a.1/x/graph", 1e-4 * factor, first)
        if (first == "crash")
            exit
        if (first == "cut") {
            printf "1,matmul/a-1/x/graph,ok,,%s", sitting
            exit
        }
        if (second != "vanished")
            row("matmul/a-1/x/graph", 3e-5, second)
        row("grayscale/c/yy/cold", 2e-5, last)
        if (last == "more")
            row("grayscale/d/z/cold", 2e-5, last)
    }'
case $trouble in
crash) kill -SEGV $$ ;;
one_fails | failed) exit 1 ;;
skipped) exit 77 ;;
esac

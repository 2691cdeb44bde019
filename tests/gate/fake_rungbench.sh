#!/usr/bin/env bash
# Stands in for rungbench where the gate runs it: prints three rows of the round that --sitting=ID:N says, of those that --filter
# selects. What it does otherwise is in the environment:
#   FACTOR    times of the row matmul/a.1/x/graph are so many times as long
#   NOISE     standard deviation of a round's times, relative (default 0.002)
#   TROUBLE   what happens from round TROUBLE_ROUND (default 0) on: a status or a signal to end with, or the name of a way
#   ROUNDS    an arithmetic expression of n, the round: where it is true TROUBLE is the row matmul/a-1/x/graph's alone
#   CALLS     a file that a line is added to for each call: round and name of the program
set -euo pipefail
filter=.
threads=
for flag in "$@"; do
    case $flag in
    --sitting=*) sitting=${flag#*=} ;;
    --filter=*) filter=${flag#*=} ;;
    --slowdown=*) FACTOR=1.05 SLOWED=5 ;;
    --backend=cpu) threads=1 ;;
    esac
done
round=${sitting#*:}
[[ -z ${CALLS-} ]] || echo "$round ${NAME-} $filter" >>"$CALLS"
trouble=
if [[ $round -ge ${TROUBLE_ROUND-0} && -z ${ROUNDS-} ]]; then trouble=${TROUBLE-}; fi
case $trouble in
2 | 77)
    echo "rungbench: something is wrong in round $round" >&2
    exit "$trouble"
    ;;
sleep) exec sleep 30 ;;
crash) [[ -z ${CRASH_AT_ONCE-} ]] || kill -SEGV $$ ;;
kill) kill -KILL $$ ;;
esac
echo schema,name,status,reason,sitting,round,time_min_s,time_median_s,tick_s,samples,iterations,launch_bound,git_rev,shape,precision,transfer,flush,seed,input,device,device_uuid,driver_version,cuda_version,blas_version,sm_clock_set_mhz,power_limit_w,host,threads,affinity,governor,slowdown_pct
row() { # NAME SECONDS FACTOR
    [[ $1 =~ $filter ]] || return 0
    case $trouble in
    failed) echo "1,$1,failed,wrong at index 3,${sitting%:*},$round,,,,,,,fake,1x1,fp32,,,42,random,Fake,GPU-1,1,1,,,,here,,,," ;;
    skipped) echo "1,$1,skipped,no memory,${sitting%:*},$round,,,,,,,fake,1x1,fp32,,,42,random,Fake,GPU-1,1,1,,,,here,,,," ;;
    *)
        awk -v name="$1" -v seconds="$2" -v factor="$3" -v noise="${NOISE-0.002}" -v round="$round" -v seed="${SEED-1}" \
            -v sitting="${sitting%:*}" -v bound="${BOUND-no}" -v slowed="${SLOWED-}" -v threads="$threads" 'BEGIN {
            srand(seed * 1000003 + round * 1009 + length(name) * 13 + 7)
            for (i = 0; i < 12; i++)
                sum += rand()
            seconds *= factor * (1 + noise * (sum - 6))
            printf "1,%s,ok,,%s,%d,%.9g,%.9g,1e-9,10,10,%s,fake,1x1,fp32,,,42,random,Fake,GPU-1,1,1,,,,here,%s,,,%s\n", name, sitting,
                round, (threads == "" ? 1e-9 : seconds), seconds, bound, threads, slowed }'
        ;;
    esac
}
row matmul/a.1/x/graph 1e-4 "${FACTOR-1}"
case $trouble in
crash) kill -SEGV $$ ;;
cut)
    printf '1,matmul/a-1/x/graph,ok,,%s' "${sitting%:*}"
    exit 0
    ;;
esac
[[ $trouble != one_fails ]] || trouble=failed
# shellcheck disable=SC2034  # ROUNDS speaks of n
n=$round
if [[ -n ${ROUNDS-} ]] && ((ROUNDS)); then trouble=$TROUBLE; fi
[[ $trouble == vanished ]] || row matmul/a-1/x/graph 3e-5 1
[[ -z ${ROUNDS-} ]] || trouble=
[[ ${TROUBLE-} != one_fails ]] || trouble=
row grayscale/c/yy/cold 2e-5 1
[[ ${TROUBLE-} != one_fails ]] || exit 1
[[ $trouble != more ]] || row grayscale/d/z/cold 2e-5 1
[[ $trouble != failed ]] || exit 1
[[ $trouble != skipped ]] || exit 77

#!/usr/bin/env bash
# What a signal leaves of a run: its status, finished rows and no process. Usage: test_cli_signals.sh RUNGBENCH SOURCE_DIR
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
rungbench=$1
enter_folder
mkfifo rows steps

# begin FLAG...: starts a run, of which `row` waits for a finished row, `step` for one that begins
begin() {
    setsid "$rungbench" --modes=hot --threads=1 --format=csv --progress=on "$@" >rows 2>steps &
    pid=$!
    exec 3<rows 4<steps
}
step() { # WHAT ROW
    local line
    while read -r -u 4 line; do [[ $line != '['*"$2"* ]] || return 0; done
    fail "$1: ended before it began"
}
row() { step "$1" '2/'; } # the second row begins

# ends WHAT STATUS: so, with no process left; what stdout got is in out.csv
ends() {
    local status=0
    cat <&3 >out.csv
    wait "$pid" || status=$?
    [[ $status -eq $2 ]] || fail "$1: status $status, expected $2: $(cat <&4)"
    ! pgrep -s "$pid" >/dev/null || fail "$1: a process goes on: $(pgrep -a -s "$pid")"
    exec 3<&- 4<&-
    [[ -z $(find . -name '*.partial') ]] || fail "$1: leaves $(find . -name '*.partial')"
}

# kept WHAT: finished rows are in signal.csv and on stdout, and are right
kept() {
    cmp -s signal.csv out.csv || fail "$1: stdout has other rows than the file"
    [[ -e signal.csv && $(columns signal.csv status | sort -u) == ok ]] || fail "$1: rows that are not ok, or no file"
}

# Work for ten seconds at least, the first row of which is short.
printf 'P6\n2 2\n255\nabcdefghijkl' >dots.ppm
long=(--suite=none --filter=/cpu_scalar/ --min-time=0.1 --out=signal.csv --image=dots.ppm --gray-out=dots.png --size=map:n=1..100)
for signal in INT TERM HUP; do
    rm -f signal.csv
    begin "${long[@]}"
    row SIG$signal
    kill -s $signal "$pid"
    ends SIG$signal $((128 + $(kill -l $signal)))
    kept SIG$signal
done

# In rounds too, to the parent alone and, as a terminal does, to all processes.
for signal in TERM -INT; do
    rm -f signal.csv
    begin "${long[@]}" --rounds=50
    row "SIG$signal in rounds"
    if [[ $signal == -* ]]; then kill -s "${signal#-}" -- "-$pid"; else kill -s "$signal" "$pid"; fi
    ends "SIG$signal in rounds" $((128 + $(kill -l "${signal#-}")))
    kept "SIG$signal in rounds"
done

# What takes many seconds, the judge's reference or a player's call, is not waited for.
begin --suite=none --size=map:n=5 --shape=2000x1200x1000 --filter=/cpu_scalar/ --min-time=0.001 --out=signal.csv
step 'a long call' 2000x1200x1000
kill -s INT "$pid"
ends 'a long call' 130
[[ $(columns signal.csv status) == ok ]] || fail "a long call: the finished row is lost: $(cat signal.csv)"

# Before the first row, an interruption leaves what was there: between two samples, and amid what takes long.
echo 'before' >early.csv
for shape in 64x64x64 2000x1200x1000; do
    begin --suite=none --shape=$shape --filter=/cpu_scalar/ --min-time=60 --out=early.csv
    step "before the first row of $shape" "$shape"
    kill -s INT -- "-$pid"
    ends "before the first row of $shape" 130
    [[ $(cat early.csv) == before ]] || fail "before the first row of $shape: an older file was replaced"
done

# A kernel of the user's own is not called wrong because its player has heard the signal too.
waits() { # SIZE: a kernel that waits there
    cat <<END
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
void solution(const float *a, const float *b, float *c, int64_t m, int64_t k, int64_t n)
{
    if (m == $1) {
        puts("it waits");
        fflush(stdout);
        pause();
    }
    for (int64_t i = 0; i < m * n; i++) {
        c[i] = 0;
        for (int64_t p = 0; p < k; p++)
            c[i] += a[i / n * k + p] * b[p * n + i % n];
    }
}
END
}
for case in '64::' '1:ok,:' '1::--general'; do # size, status and generality, flag
    IFS=: read -r size expected flag <<<"$case"
    waits "$size" >mine.c
    rm -f signal.csv
    begin --kernel=mine.c --shape=64x64x64 --verify --backend=cpu --filter=/kernel_mine --out=signal.csv ${flag:+"$flag"}
    while read -r -u 4 line && [[ $line != *'it waits'* ]]; do :; done
    kill -s INT -- "-$pid"
    ends "a kernel of one's own at $size $flag" 130
    rows=$([[ ! -e signal.csv ]] || columns signal.csv status general | tr '\t' ,)
    [[ $rows == "$expected" ]] || fail "a kernel of one's own at $size $flag: $rows"
done

# A player that is stopped does not outlive a run that is killed.
begin "${long[@]}"
row 'a stopped player'
player=$(pgrep -P "$pid")
kill -s STOP "$player"
kill -s KILL "$pid"
wait "$pid" || true
if ! timeout 60 tail --pid="$player" -f /dev/null; then
    fail 'a stopped player goes on when its run is killed'
    kill -s KILL "$player"
fi
exec 3<&- 4<&-

end_test

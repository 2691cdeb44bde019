#!/usr/bin/env bash
# Under mpirun: each rank makes a run, and rank 0 has the table and the file.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
rungbench=$1
enter_folder
command -v mpirun >/dev/null || skip 'no mpirun here'
[[ -e ${rungbench%/*}/librungbench_mpi.so ]] || skip 'built without MPI'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_plm_rsh_agent=true # ranks are on this host alone: no ssh
program=$rungbench
rungbench=mpirun
rows=(--suite=none --size=map:n=100 --filter='/cpu_(scalar|tuned)/' --threads=1 --progress=off)
quick=("${rows[@]}" --min-time=0.001)

# The file has the rows of all, and says again what the table said.
run 0 --quiet -n 4 "$program" "${quick[@]}" --rounds=2 --out=all.csv
cp out table
[[ $(tail -n +2 all.csv | wc -l) -eq 32 && $(columns all.csv sitting | sort -u | wc -l) -eq 4 ]] || fail "rows are missing: $(cat all.csv)"
[[ $(grep -c '^  [1-4] ' table) -eq 4 && $(grep -c ' hot  ' table) -eq 2 ]] || fail "a rank has no column: $(cat table)"
[[ $(grep -c 'note: this is a virtual' err) -le 1 ]] || fail "each rank says what one has said: $(cat err)"
rungbench=$program run 0 --merge all.csv
cmp -s out table || fail "of the file the table is another: $(diff table out)"
rungbench=mpirun

# Ranks that disagree, and what has no place in one file: one line of rank 0, and no run.
refused() { # WHAT FLAGS...
    run 2 --quiet "${@:2}"
    [[ $(wc -l <err) -eq 1 && ! -e no.csv ]] || fail "$*: more than a line, or a file: $(cat err; ls)"
    grep -q -e "$1" err || fail "$*: another reason: $(cat err)"
}
refused 'rank 1 on .*seed=7' -n 1 "$program" "${quick[@]}" --out=no.csv : -n 1 "$program" "${quick[@]}" --seed=7 --out=no.csv
refused 'rank 0 on .*nowhere/x.csv: cannot be written' -n 2 "$program" "${quick[@]}" --out=nowhere/x.csv
refused 'rank 0 on .*saw another output' -n 2 "$program" "${quick[@]}" --json=no.csv

# begin: until every rank has a finished row
long=("${rows[@]}" --size=map:n=200 --modes=cold --samples-per-row=8000)
begin() {
    mpirun --quiet -n 3 "$program" "${long[@]}" --out=cut.csv >out 2>err &
    launcher=$!
    for ((i = 0; i < 600; i++)); do
        mapfile -t ranks < <(pgrep -P "$launcher" -x rungbench || true)
        [[ ${#ranks[@]} -ne 3 || $(find "$TMPDIR" -name '*.csv*' -size +1k | wc -l) -ne 3 ]] || return 0
        sleep 0.1
    done
    fail "ranks do not begin: $(cat err)"
    kill "$launcher"
    end_test
}
export TMPDIR=$here/tmp
mkdir "$TMPDIR"

# Of a run that dies the finished rows are in the file, with those of the others, and its rank is named.
begin
judge=$(pgrep -P "${ranks[1]}" | head -n 1)
kill -9 "$judge"
wait "$launcher" && status=0 || status=$?
[[ $status -eq 1 ]] || fail "a run was killed, and the status is $status: $(cat err)"
grep -q 'rank [0-2] on .* ended with exit status 1' err || fail "the rank is not named: $(cat err)"
[[ $(columns cut.csv sitting | sort -u | wc -l) -eq 3 ]] || fail "finished rows are lost: $(cat cut.csv)"
rm cut.csv

# A rank that dies ends all, and the finished rows of the others are kept. Open MPI waits so many seconds before it tells these,
# and again before it kills them; one, its default, is not enough on a busy machine.
export OMPI_MCA_odls_base_sigkill_timeout=5
begin
kill -9 "${ranks[2]}"
wait "$launcher" && status=0 || status=$?
kept=$(find . -name 'cut.csv.rank*' | while read -r file; do columns "$file" sitting; done | sort -u | wc -l)
[[ $status -ne 0 && $kept -ge 2 && ! -e cut.csv ]] || fail "after the death of a rank: status $status, $(ls), $(cat err)"
end_test

#!/usr/bin/env bash
# Where results go when something is in the way: terminals without colours, readers that go away, a stdout that is full or
# closed, a disk that fills up.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
rungbench=$1
enter_folder

# Four rows, whose rungs are verified soonest. One thread: others would wait for each other, at length on a busy machine.
quick=(--suite=none --size=map:n=100 --min-time=0.001 --filter='/cpu_(scalar|tuned)/' --threads=1 --progress=off)

# Colours are for terminals that have some.
# on_terminal SETTING FLAGS...: what it prints on a terminal, where TERM and NO_COLOR are not set but by SETTING
on_terminal() {
    python3 -c 'import os, pty, sys
os.environ.pop("TERM", None)
os.environ.pop("NO_COLOR", None)
os.environ.update([sys.argv[1].split("=", 1)])
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:])))' "$1" "$rungbench" "${quick[@]}" --sitting=a:1 "${@:2}" </dev/null
}
has_colors() { grep -q $'\033\\[' <<<"$1"; }
has_colors "$(on_terminal TERM=xterm)" || fail 'no colours on a terminal that has some'
has_colors "$(on_terminal TERM=dumb --color=always)" || fail '--color=always: no colours'
for setting in TERM=dumb OTHER=x; do
    ! has_colors "$(on_terminal "$setting")" || fail "$setting: colours on a terminal without them"
done

# A reader that goes away, a stdout that is full or closed: the run goes on, and the file is finished.
# without_reader FLAGS...: its status, when nobody reads its stdout any more
without_reader() {
    local status=0 unread
    exec {unread}> >(:)
    wait $!
    "$rungbench" "${quick[@]}" "$@" 1>&"$unread" 2>err || status=$?
    exec {unread}>&-
    echo "$status"
}
for flags in --rounds=2 --format=markdown; do
    [[ $(without_reader "$flags" --out=gone.csv) -eq 0 && ! -e gone.csv.partial ]] || fail "$flags: a reader that goes away: $(ls gone*)"
    [[ $(wc -l <gone.csv) -ge 5 && $(grep -vc 'note: ' err) -eq 0 ]] || fail "$flags: a reader that goes away: $(cat err)"
done
[[ $(without_reader --json=- --out=data.csv) -eq 2 && $(wc -l <data.csv) -eq 5 ]] || fail "data for a reader that goes away: $(ls data*)"
[[ $(grep -v 'note: ' err) == *stdout:* ]] || fail "data for a reader that goes away: it is not said: $(cat err)"
[[ $(without_reader) -eq 2 ]] || fail 'a reader that goes away, and no file, is no error'
status=0
"$rungbench" "${quick[@]}" --out=full.csv >/dev/full 2>err || status=$?
[[ $status -eq 2 && $(wc -l <full.csv) -eq 5 ]] || fail "a full stdout, and a file: status $status: $(ls full*)"
[[ $(grep -v 'note: ' err) == *stdout:* ]] || fail "a full stdout, and a file, is not said: $(cat err)"
"$rungbench" "${quick[@]}" --out=closed.csv >&- 2>err || true
[[ $(wc -l <closed.csv) -eq 5 && ! -e closed.csv.partial ]] || fail 'a closed stdout lost the file'

"$rungbench" --info --suite=none >/dev/full 2>err && fail 'a full stdout of --info went unnoticed'

# A disk that fills up: whole rows only, an older file stays, and a word about it.
many=("${quick[@]}" --size=map:n=101..103)
# keeps_older FOLDER FLAGS...: x.csv there stays, and stderr says that the rows that fitted are in x.csv.partial
keeps_older() {
    echo older >"$1/x.csv"
    run 2 "${many[@]}" --out="$1/x.csv" "${@:2}"
    [[ $(cat "$1/x.csv") == older ]] || fail "${*:2}: a full disk has replaced an older file"
    [[ $(grep -c 'x.csv.partial' err) -eq 1 ]] || fail "${*:2}: a full disk: it is not said where the rows are: $(cat err)"
    awk -F, 'NR == 1 { n = NF } NF < n { exit 1 } END { exit NR < 2 }' "$1/x.csv.partial" || fail "${*:2}: a full disk left half a row, or none"
    [[ $(tail -c 1 "$1/x.csv.partial" | wc -l) -eq 1 ]] || fail "${*:2}: a full disk left half a line"
    rm "$1"/x.csv*
}
mkdir disk
for flags in --rounds=1 --rounds=3; do
    ulimit -S -f 4
    keeps_older disk "$flags"
    ulimit -S -f "$(ulimit -H -f)"
    [[ $(grep -vc 'note: ' err) -eq 1 ]] || fail "a file that may not grow is not said in one line: $(cat err)"
done
mkfifo disk/samples
head -n 2 disk/samples >/dev/null & # and then the samples cannot be written
keeps_older disk --rounds=3 --samples=disk/samples
wait
rm disk/samples
ulimit -S -f 4
run 2 "${many[@]}" --json=disk/x.json
ulimit -S -f "$(ulimit -H -f)"
[[ -z $(ls disk) ]] || fail "a full disk left half a JSON file: $(ls -l disk)"

end_test

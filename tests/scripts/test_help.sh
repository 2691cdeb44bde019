#!/usr/bin/env bash
# Every script says at once how it is used: with --help or -h it prints its usage and does nothing else, where nothing is
# installed and nothing may be written.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
make_folder
cp -r "$2/scripts" "$here"
mkdir "$here/bin"
for tool in awk bash cat cut dirname grep sed sort xargs; do ln -s "$(command -v $tool)" "$here/bin"; done

# state: what lies in the copy
state() {
    find "$here/scripts" -printf '%P %s %T@\n' | sort
}

# answers SCRIPT ARGUMENT...: usage on stdout, nothing on stderr, status 0, and no file touched
answers() {
    local script=$1 status=0 before
    before=$(state)
    PATH=$here/bin "$here/scripts/$script" "${@:2}" >"$here/out" 2>"$here/err" </dev/null || status=$?
    [[ $status -eq 0 ]] || fail "$*: status $status: $(<"$here/err")"
    [[ $(head -n 1 "$here/out") == "Usage: scripts/$script"* ]] || fail "$*: the first line is '$(head -n 1 "$here/out")'"
    [[ $(wc -l <"$here/out") -ge 3 ]] || fail "$*: no word of what it does"
    ! grep -qE '^#|^set ' "$here/out" || fail "$*: more than the usage: $(<"$here/out")"
    [[ ! -s $here/err ]] || fail "$*: it says: $(<"$here/err")"
    [[ $(state) == "$before" ]] || fail "$*: files were made or changed: $(diff <(echo "$before") <(state))"
}

# cannot_answer SCRIPT: where stdout cannot be written, status 2 and one line
cannot_answer() {
    local status close
    for close in '>&-' '>/dev/full'; do
        status=0
        PATH=$here/bin bash -c "exec \"\$0\" --help $close" "$here/scripts/$1" 2>"$here/err" </dev/null || status=$?
        [[ $status -eq 2 && $(wc -l <"$here/err") -eq 1 ]] || fail "$1 --help $close: status $status: $(<"$here/err")"
    done
}

count=0
for script in "$2"/scripts/*.sh; do
    script=${script##*/}
    [[ $script != common.sh ]] || continue # which the others read
    answers "$script" --help
    count=$((count + 1))
done
answers bench.sh -h # all read common.sh, which answers
cannot_answer bench.sh
answers bench.sh --suite=smoke --help
answers gate.sh --cpu-only main --help
answers test.sh -R csv --help

# What is behind -- is rungbench's.
status=0
PATH=$here/bin "$here/scripts/gate.sh" main -- --help >"$here/out" 2>&1 </dev/null || status=$?
[[ $status -ne 0 && $(<"$here/out") != Usage* ]] || fail "gate.sh main -- --help: status $status: $(<"$here/out")"

end_test
echo "$count scripts say how they are used"

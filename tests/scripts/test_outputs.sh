#!/usr/bin/env bash
# Files that scripts write: one that cannot be written is refused before anything is built; one that is there stays until there
# is a new one, whole; and so it is with stdout.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"
make_folder
make_checkout "$2"
cd "$here/checkout"
unset GITHUB_STEP_SUMMARY
export TMPDIR=$here/temporary
mkdir "$TMPDIR" folder blocked.partial

# Trains as TRAINED says: a row for each word, and the exit status last.
program rungbench-train <<'END'
read -r -a rows <<<"${TRAINED:-1 2 0}"
echo variant,epoch
for row in "${rows[@]:0:${#rows[@]}-1}"; do echo "$2,$row"; done
[[ -z ${LONG-} ]] || printf '%01024d\n' {1..5}
[[ $2 != "${FAILS-}" ]] || exit "$FAILS_WITH"
exit "${rows[-1]}"
END
program rungbench </dev/null

# expect STATUS WHAT LINES COMMAND...: so many lines on stderr, but for what is built
expect() {
    local status=0
    "${@:4}" >"$here/out" 2>"$here/err" </dev/null || status=$?
    sed -i '/: building in /d' "$here/err"
    [[ $status -eq $1 ]] || fail "$2: status $status instead of $1: $(<"$here/err")"
    [[ $(wc -l <"$here/err") -eq $3 ]] || fail "$2: $(wc -l <"$here/err") lines instead of $3: $(<"$here/err")"
    [[ -z $(ls -A "$TMPDIR") ]] || fail "$2: left in the temporary folder: $(ls -A "$TMPDIR")"
}

# refuses TEXT SCRIPT ARGUMENT...: in one line that begins so, and nothing is built
refuses() {
    rm -f "$here/built"
    expect 2 "${*:2}" 1 "scripts/$2" "${@:3}"
    [[ $(<"$here/err") == "$2: $1"* ]] || fail "${*:2}: not '$1', but $(<"$here/err")"
    [[ ! -e $here/built ]] || fail "${*:2}: it is found after building"
}

while read -r script flag more; do
    for file in /nowhere/x folder blocked ''; do
        # shellcheck disable=SC2086  # several words
        refuses "$flag=$file: " "$script" $more "$flag=$file"
        # shellcheck disable=SC2086
        [[ $script == gate.sh ]] || refuses "$flag=$file: " "$script" $more "$flag" "$file"
    done
done <<'END'
bench.sh --out
bench.sh --json
bench.sh --samples
gate.sh --junit HEAD
END
for flag in --refuse=no --base-name=x --pairs=40; do refuses "$flag: " gate.sh HEAD "$flag"; done
refuses '/nowhere: ' train.sh /nowhere
refuses 'x??[31m: no rung' train.sh . $'x\n\e[31m'
for file in results/local/training.csv{,.partial}; do
    mkdir -p "$file"
    refuses "$here/checkout/results/local/training.csv: " train.sh .
    rmdir "$file"
done
: >results/resources.csv
mkdir results/resources.sources
refuses "$here/checkout/results/resources.sources: " resources.sh --record

# Training: an older file, with a link to it, is replaced by a whole one.
csv=results/local/training.csv
older() { echo older >kept && ln -sf ../../kept $csv; }
is() { # WHAT FILE ROW...
    [[ $(tail -n +2 "$2") == "$(printf '%s\n' "${@:3}")" ]] || fail "$1: $2 is $(<"$2")"
}
older
expect 0 'training' 0 scripts/train.sh . cpu_tuned cpu_scalar
is 'training' kept cpu_tuned,1 cpu_tuned,2 cpu_scalar,1 cpu_scalar,2
cmp -s kept "$here/out" || fail "training: other rows on stdout: $(<"$here/out")"
older
FAILS=cpu_tuned FAILS_WITH=139 expect 1 'a rung that crashes' 1 scripts/train.sh . cpu_tuned cpu_scalar
is 'a rung that crashes' kept cpu_tuned,1 cpu_tuned,2 cpu_scalar,1 cpu_scalar,2
older
TRAINED='77' expect 77 'no rung can run' 0 scripts/train.sh .
TRAINED='2' expect 2 'no input' 0 scripts/train.sh .
[[ $(<kept) == older && ! -e kept.partial ]] || fail "nothing was trained: $(<kept)"
FAILS=cpu_scalar FAILS_WITH=2 expect 2 'a rung that cannot go on' 0 scripts/train.sh . cpu_tuned cpu_scalar
is 'a rung that cannot go on' kept cpu_tuned,1 cpu_tuned,2
older
expect 0 'training that nobody reads' 0 bash -c 'exec scripts/train.sh . cpu_tuned >&-'
is 'training that nobody reads' kept cpu_tuned,1 cpu_tuned,2
older
expect 2 'training onto a full disk' 1 bash -c 'exec scripts/train.sh . cpu_tuned >/dev/full'
is 'training onto a full disk' kept cpu_tuned,1 cpu_tuned,2

# A file that would get too large stands for a full disk.
older
LONG=yes expect 2 'a full disk' 1 bash -c 'exec > >(cat); ulimit -f 8; trap "" XFSZ; exec scripts/train.sh . cpu_tuned cpu_scalar'
[[ $(<kept) == older && ! -e kept.partial ]] || fail "a full disk: $(<kept)"

end_test

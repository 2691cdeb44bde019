#!/usr/bin/env bash
# rungbench-train: a network learns MNIST by the steps of a rung, and what cannot be trained is refused in one line.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
train=$(dirname "$1")/rungbench-train data=${RUNGBENCH_TEST_DATA:-$2/../shared/data}/mnist

# refuses STATUS TEXT ARGUMENT...
refuses() {
    local status=0 said
    said=$("$train" "${@:3}" 2>&1 >/dev/null) || status=$?
    [[ $status == "$1" ]] || fail "${*:3}: exit status $status, expected $1"
    [[ $said == *"$2"* && $(wc -l <<<"$said") == 1 ]] || fail "${*:3} says '$said', expected one line with '$2'"
}
make_folder
refuses 2 'No such file' "$here/absent" cpu_tuned
refuses 2 'expected a rung of mnist_step' "$here" cpu_fastest
refuses 2 'expected a number of epochs' "$here" cpu_tuned 0
refuses 2 'expected a number of epochs' "$here" cpu_tuned 5x
status=0
"$train" 2>"$here/usage" || status=$?
[[ $status == 2 && $(head -1 "$here/usage") == Usage:* ]] || fail 'no arguments: no usage, or not exit status 2'
refuses 2 'x?[31m: expected a number of epochs' "$here" cpu_tuned $'x\e[31m'
# unwritable TEXT ARGUMENT...: what cannot be printed is an error
unwritable() {
    local status close
    for close in '>&-' '>/dev/full'; do
        status=0
        bash -c "exec \"\$@\" $close" bash "$train" "${@:2}" 2>"$here/err" || status=$?
        [[ $status == 2 && $(<"$here/err") == "rungbench-train: stdout: $1 cannot be written" ]] || fail "${*:2} $close: $status, $(<"$here/err")"
    done
}
unwritable 'the help' --help
unwritable 'the version' --version
version=$("$1" --version | head -n 1) own=$("$train" --version) || own=
[[ $own == "rungbench-train ${version#rungbench }" ]] || fail "--version says '$own', that of rungbench $version"

[[ -e $data/t10k-labels-idx1-ubyte.gz ]] || { end_test && skip 'no real MNIST (RUNGBENCH_TEST_DATA names its folder; scripts/test.sh --help)'; }
ln -s "$data/t10k-images-idx3-ubyte.gz" "$here/"
refuses 2 'has no labels' "$here" cpu_tuned
"$train" "$data" cpu_tuned 2 >"$here/training.csv" || fail "training: exit status $?"
[[ $(head -1 "$here/training.csv") == variant,epoch,seconds,loss,accuracy ]] || fail 'other columns'
LC_ALL=C awk -F, '
    NR > 2 && $4 >= loss { print "the loss does not fall in epoch " $2 ": " $4 " after " loss; failed = 1 }
    { loss = $4; accuracy = $5 }
    END { if (NR != 4 || accuracy <= 0.9) { print NR - 1 " lines, accuracy " accuracy ", expected 3 and above 0.9"; failed = 1 }
          exit failed }' "$here/training.csv" || fail "the network does not learn: $(cat "$here/training.csv")"
unwritable 'the table' "$data" cpu_tuned 1
end_test

# For tests of rungbench-gate; they source it with their own arguments: `gate` is the program, `rates` the script, and the test is in
# a folder of its own.
# shellcheck shell=bash

gate=$(dirname "$1")/rungbench-gate
export RUNGBENCH_GATE=$gate
# shellcheck disable=SC2034  # for those who source it
rates=$2/scripts/rates.sh
source "$2/tests/gate/held.sh"
enter_folder
unset GITHUB_STEP_SUMMARY

# expect STATUS WHAT COMMAND...: its output goes to out, its complaints to err, without the lines of progress that a slow machine has
expect() {
    local wanted=$1 what=$2 status=0
    shift 2
    "$@" >out 2>err </dev/null || status=$?
    sed -i '/^\[[0-9]*\/[0-9]*\] /d' err
    [[ $status -eq $wanted ]] || fail "$what: status $status instead of $wanted: $(head -n 3 err) $(tail -n 4 out)"
}

# has WHAT PATTERN [FILE]: a line of the file (out) matches
has() {
    grep -qE -- "$2" "${3-out}" || fail "$1: no line matches $2 in: $(cat "${3-out}")"
}

# says STATUS PATTERN FLAG...: the gate ends so, and a line of stdout matches
says() {
    expect "$1" "${*:3}" "$gate" "${@:3}"
    has "${*:3}" "$2"
}

# Sourced by common.sh: what lasts is started by run(), in a process group of its own, to all of which INT, TERM and HUP go, also
# where only the script is told. Then the script ends with 128 and the signal's number; at once, if it runs nothing.
# shellcheck shell=bash

child=
signal=
trap 'hear 2' INT
trap 'hear 15' TERM
trap 'hear 1' HUP

# shellcheck disable=SC2317  # a trap calls it
hear() { # SIGNAL
    signal=$1
    [[ -n $child ]] || exit $((128 + signal))
    [[ $child == new ]] || { kill -s "$signal" -- "-$child" && kill -s CONT -- "-$child"; } 2>/dev/null || true
}

# shellcheck disable=SC2317  # a trap calls it
pause() { # as Ctrl-Z stops the script
    kill -s TSTP -- "-$child" 2>/dev/null || true
    kill -s STOP $$
    kill -s CONT -- "-$child" 2>/dev/null || true
}

# await CHILD: its exit status; signals do not end the waiting
await() {
    local status=0
    wait "$1" 2>/dev/null || status=$?
    while kill -0 "$1" 2>/dev/null; do
        status=0
        wait "$1" 2>/dev/null || status=$?
    done
    return "$status"
}

# is_left: whether anything in the child's group still runs
is_left() { grep -qsE "^[0-9]+ \(.*\) [^ZX] [0-9]+ $child " /proc/[0-9]*/stat; }

# run COMMAND...: its exit status. Where a signal has come, the script ends after all of what it started. In what run has started
# it is COMMAND itself.
run() {
    local status=0
    if [[ $BASHPID != "$$" ]]; then
        "$@"
        return
    fi
    child=new
    set -m
    "$@" &
    child=$!
    set +m
    trap pause TSTP
    [[ -z $signal ]] || hear "$signal"
    await "$child" || status=$?
    trap - TSTP
    while [[ -n $signal ]] && is_left; do sleep 0.1; done
    child=
    [[ -z $signal ]] || exit $((128 + signal))
    return "$status"
}

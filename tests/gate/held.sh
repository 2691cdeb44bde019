# For tests that end what hangs; they source it.
# shellcheck shell=bash

# await_holder WHAT: until a process holds the fifo $here/held open, and has written a line to it
await_holder() {
    exec 5<>"${here:?}/held"
    read -r -t 600 -u 5 || fail "$1: nothing hangs"
    exec 6<"$here/held" 5>&-
}

# interrupted SIGNAL STATUS WHAT COMMAND...: a command that hangs and is sent the signal ends so, with all that it has started
interrupted() {
    local child status=0 what="SIG$1 while $3"
    setsid env --default-signal=INT "${@:4}" >"$here/out" 2>"$here/err" </dev/null &
    child=$!
    await_holder "$what"
    kill -s "$1" "$child"
    await_end "$what"
    wait "$child" || status=$?
    [[ $status -eq $2 ]] || fail "$what: status $status instead of $2: $(<"$here/err")"
}

# await_end WHAT: until no process does
await_end() {
    local status=0
    read -r -t 60 -u 6 || status=$?
    [[ $status -eq 1 ]] || fail "$1: what hung is still there"
    exec 6<&-
}

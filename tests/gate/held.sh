# For tests that end what hangs; they source it.
# shellcheck shell=bash

# await_holder WHAT: until a process holds the fifo $here/held open, and has written a line to it
await_holder() {
    exec 5<>"${here:?}/held"
    read -r -t 600 -u 5 || fail "$1: nothing hangs"
    exec 6<"$here/held" 5>&-
}

# await_end WHAT: until no process does
await_end() {
    local status=0
    read -r -t 60 -u 6 || status=$?
    [[ $status -eq 1 ]] || fail "$1: what hung is still there"
    exec 6<&-
}

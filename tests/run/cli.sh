# What tests of the command line have in common; they set `rungbench` and source it.
# shellcheck shell=bash
checks=0

# run STATUS FLAGS...: stdout and stderr are left in out and err; the exit status must be STATUS.
run() {
    local expected=$1 status=0
    shift
    checks=$((checks + 1))
    "${rungbench:?}" "$@" >out 2>err || status=$?
    [[ $status -eq $expected ]] || fail "$(printf '%q ' "$@"): status $status, expected $expected; stderr: $(head -c 300 err)"
}

# columns FILE NAME...: the named columns, looked up in the header
columns() {
    python3 -S -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    print(*(row[name] for name in sys.argv[2:]), sep="\t")' "$@"
}

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

# columns FILE NAME...: the named columns, looked up in the header. Values with commas are quoted; the fields asked for hold none.
columns() {
    awk -v names="${*:2}" '
        function split_line(line, to,    count, field, i, c, quoted) {
            count = 0; field = ""; quoted = 0
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) { to[++count] = field; field = "" }
                else field = field c
            }
            to[++count] = field
            return count
        }
        NR == 1 { wanted = split(names, name, " "); n = split_line($0, head); for (i = 1; i <= n; i++) at[head[i]] = i; next }
        { split_line($0, cell); line = ""; for (i = 1; i <= wanted; i++) line = line (i > 1 ? "\t" : "") cell[at[name[i]]]; print line }
    ' "$1"
}

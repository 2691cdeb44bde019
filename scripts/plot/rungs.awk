# The rungs that have a place in a chart of a workload, and why others have none. Between begin_rungs() and rung_footers():
#   drawn_rows, drawn_row [i]    rows in the table's order
#   drawn_name, drawn_kind [i]   the rung as a chart calls it, and its backend
#   kinds, kind_at [i]           all backends among them

function begin_rungs() {
    drawn_rows = kinds = causes = 0
    bound = old = ""
    split("", kind_seen)
    split("", lacking_rungs)
}

# Adds those that were measured in `mode`; in a mode with transfers or graphs the CPU's stand there as what is divided by,
# if `with_divisors`. Returns how many rows are of the mode itself.
function add_rungs(workload, mode, with_divisors,    i, v, row, own) {
    for (i = 1; i <= rungs[workload]; i++) {
        v = rung_of[workload, i]
        row = with_divisors ? row_in(workload, v, mode) : workload SUBSEP v SUBSEP mode
        if (!is_ok(row)) {
            note_cause(row, v)
            continue
        }
        drawn_row[++drawn_rows] = row
        drawn_name[drawn_rows] = rung_name(workload, v)
        drawn_kind[drawn_rows] = backend[workload, v]
        if (!(backend[workload, v] in kind_seen))
            kind_at[++kinds] = backend[workload, v]
        kind_seen[backend[workload, v]] = 1
        own += row == workload SUBSEP v SUBSEP mode
        if (row in launch_bound)
            bound = bound (bound == "" ? "" : ", ") v
        if (row in openblas_old && (op_of(workload), v) in is_library) # older files have the mark on every row
            old = v
    }
    return own + 0
}

function note_cause(row, v,    cause) {
    cause = cause_of(row)
    if (cause == "" || (cause, v) in lacking_rungs)
        return
    if (!(cause in lacking_rungs))
        cause_at[++causes] = cause
    lacking_rungs[cause, v] = 1
    lacking_rungs[cause] = lacking_rungs[cause] (lacking_rungs[cause] == "" ? "" : ", ") v
}

function cause_of(row,    status, text) {
    if ((row in runs_as) && !((row, "failed") in why))
        return "it runs " runs_as[row] " for this shape"
    status = (row, "failed") in why ? "failed" : (row, "skipped") in why ? "skipped" : ""
    if (status == "")
        return ""
    text = why[row, status]
    return status ": " (length(text) > 110 ? cut(text, 107) "..." : text)
}

function rung_headers(    i) {
    for (i = 1; i <= kinds; i++)
        machine_header(kind_at[i])
}

function rung_footers(    i) {
    if (bound != "")
        footer("Launch-bound (the GPU waited for the host): " bound)
    if (old != "")
        footer("Runs kernels older than the processor: " old)
    for (i = 1; i <= causes; i++)
        footer((cause_at[i] ~ /^(failed|skipped): / ? "Not measured: " : "Left out: ") lacking_rungs[cause_at[i]] \
               " (" cause_at[i] ")")
}

# The results of a file of rungbench, by workload ("op" SUBSEP "workload") and row (workload SUBSEP variant SUBSEP mode):
#   median, fast, slow [row]   seconds: over the rounds, or the quartiles of a single round; "" where unknown
#   resolution [row]   of the timer, in seconds; 0 where unknown
#   bytes, flops, floor [row]   what the work is, and the seconds that the device itself needs for it, the mean over the
#                               rounds; "" where unknown
#   ceiling [row]   what that floor is of: read, copy, fma, transfer
#   sample_count [row]   how many samples were taken, over all rounds
#   upload, kernel, download [row]   seconds, where transfers are part of it: means of the rounds
#   why [row, "failed" or "skipped"]   the reason
#   runs_as [row]   the rung whose kernel it ran instead of its own: its time is no result of its own
#   is_library [op, variant]   somebody else's kernel, which others are measured by
#   workloads, workload_of [i];  modes [workload], mode_of [workload, i];  rungs [workload], rung_of [workload, i]
#   backend, is_tf32 [workload, variant];  shape, precision, input, baseline [workload];  machine, threads [backend]
# Rows that were slowed on purpose are no results; how many there are is said on stderr.
# PLOT_TABLE in the environment is bench/table/rungs.def, whose order the rungs then have: rounds shuffle them.

BEGIN {
    needed = "name,op,workload,shape,variant,backend,precision,mode,status,reason,host,device,threads,git_rev," \
             "timestamp,round,time_q1_s,time_median_s,time_q3_s,baseline"
    while ((getline line < ENVIRON["PLOT_TABLE"]) > 0)
        if (match(line, /^(RUNG|KERNEL|BACKEND)\(/)) {
            split(substr(line, RLENGTH + 1), part, / *, */)
            if (line ~ /RUNG_LIBRARY/)
                is_library[part[1], part[2]] = 1
            if (line ~ /^B/)
                place[part[1]] = ++placed
            else if (line ~ /^R/)
                place[part[1], part[2]] = ++placed
            else {
                place[part[1], "cuda_" part[2]] = ++placed
                place[part[1], "sim_" part[2]] = ++placed + 1000 # behind the ladder
            }
        }
}

function read_header(    n, name, i) {
    n = split(needed, name, ",")
    for (i = 1; i <= n; i++)
        if (!(name[i] in column))
            fail(2, "no column `" name[i] "' among the " count_of(columns, "cell") " of its first line; expected the header " \
                    "of a results file of rungbench")
}

# The number above 0 in the column `name`; "" if the cell is empty.
function positive(name,    text) {
    text = get(name)
    if (text != "" && (text !~ /^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ || text + 0 <= 0))
        fail_line(name " is " shorten(text) "; expected a number above 0")
    return text
}

function note(list, value) {
    if (value != "" && !((list, value) in noted)) {
        noted[list, value] = 1
        return 1
    }
    return 0
}

function one_machine(what, key, value) {
    if (value != "" && (key in machine) && machine[key] != value)
        fail_line(what " is " shorten(value) ", above it was " shorten(machine[key]) "; expected the results of one machine")
    if (value != "")
        machine[key] = value
}

function read_row(    status, workload, variant, row, n) {
    if (get("slowdown_pct") != "") {
        slowed++
        return
    }
    workload = get("op") SUBSEP get("workload")
    variant = get("variant")
    row = workload SUBSEP variant SUBSEP get("mode")
    status = get("status")
    if (note("workload", workload))
        workload_of[++workloads] = workload
    if (note("mode" workload, get("mode")))
        mode_of[workload, ++modes[workload]] = get("mode")
    if (note("rung" workload, variant))
        rung_of[workload, ++rungs[workload]] = variant
    backend[workload, variant] = get("backend")
    if (tolower(get("precision")) == "tf32")
        is_tf32[workload, variant] = 1
    else
        precision[workload] = toupper(get("precision"))
    shape[workload] = get("shape")
    one_machine("host", "host", get("host"))
    if (get("timestamp") != "" && (start == "" || get("timestamp") < start))
        start = get("timestamp")
    if (get("git_rev") != "")
        revision = get("git_rev")
    if (status == "failed" || status == "skipped") {
        why[row, status] = get("reason") == "" ? "no reason given" : get("reason")
        return
    }
    if (status != "ok")
        fail_line("status is " shorten(status) "; expected ok, skipped or failed")
    if (get("runs_as") != "")
        runs_as[row] = get("runs_as")
    if (positive("time_median_s") == "")
        return # a row of --verify

    one_machine("device of backend " get("backend"), get("backend"), get("device"))
    if (get("threads") != "")
        threads[get("backend")] = get("threads")
    if (get("baseline") != "")
        baseline[workload] = get("baseline")
    if (get("input") != "")
        input[workload] = get("input")
    if (get("launch_bound") == "yes")
        launch_bound[row] = 1
    if ((" " get("marks") " ") ~ / openblas-old /)
        openblas_old[row] = 1
    n = ++rounds[row]
    rounds_most = most(rounds_most + 0, n)
    time[row, n] = positive("time_median_s") + 0
    resolution[row] = get("tick_s") + 0
    bytes[row] = positive("bytes")
    flops[row] = positive("flops")
    ceiling[row] = get("ceiling")
    if (positive("floor_s") != "") {
        floor[row] += get("floor_s")
        floor_rounds[row]++
    }
    sample_count[row] += get("samples")
    if (get("kernel_s") != "") {
        upload[row] += get("upload_s")
        kernel[row] += get("kernel_s")
        download[row] += get("download_s")
        part_rounds[row]++
    }
    q1[row] = positive("time_q1_s")
    q3[row] = positive("time_q3_s")
}

END {
    if (slowed)
        complain("left out, slowed on purpose (--slowdown): " count_of(slowed, "row"))
    for (row in rounds)
        summarise(row)
    for (i = 1; i <= workloads; i++)
        sort_rungs(workload_of[i])
}

function summarise(row,    n, i, j, t) {
    n = rounds[row]
    for (i = 2; i <= n; i++) {
        t = time[row, i]
        for (j = i - 1; j >= 1 && time[row, j] > t; j--)
            time[row, j + 1] = time[row, j]
        time[row, j + 1] = t
    }
    median[row] = n % 2 ? time[row, (n + 1) / 2] : (time[row, n / 2] + time[row, n / 2 + 1]) / 2
    fast[row] = n > 1 ? time[row, 1] : q1[row]
    slow[row] = n > 1 ? time[row, n] : q3[row]
    if (floor_rounds[row])
        floor[row] /= floor_rounds[row]
    if (part_rounds[row]) {
        upload[row] /= part_rounds[row]
        kernel[row] /= part_rounds[row]
        download[row] /= part_rounds[row]
    }
}

# By backend, then in the table's order, then (rungs that the table does not know) as they came.
function sort_rungs(workload,    op, i, j, v, rank) {
    op = op_of(workload)
    for (i = 1; i <= rungs[workload]; i++) {
        v = rung_of[workload, i]
        rank[v] = (backend[workload, v] in place ? place[backend[workload, v]] : placed) * 1e6 + \
                  ((op, v) in place ? place[op, v] : placed + i)
        for (j = i - 1; j >= 1 && rank[rung_of[workload, j]] > rank[v]; j--)
            rung_of[workload, j + 1] = rung_of[workload, j]
        rung_of[workload, j + 1] = v
    }
}

# "matmul" of the workload matmul/mnist, and "mnist".
function op_of(workload) { return substr(workload, 1, index(workload, SUBSEP) - 1) }

function part_after(workload) { return substr(workload, index(workload, SUBSEP) + 1) }

# "matmul/mnist" of a workload, "matmul/mnist/cuda_tiled/cold" of a row.
function name_of(row) {
    gsub(SUBSEP, "/", row)
    return row
}

# A rung as charts call it: TF32 rounds what others do not.
function rung_name(workload, variant) { return variant precision_note(workload, variant) }

function precision_note(workload, variant) { return (workload, variant) in is_tf32 ? " (TF32)" : "" }

# A rung that was wrong once has no time, whatever its other rounds say; one that handed over has another rung's, which is
# not drawn twice.
function is_ok(row) { return (row in median) && !((row, "failed") in why) && !(row in runs_as) }

# The mode of the rows that a speed-up in `mode` divides by.
function divisor_mode(mode) { return mode == "cold" ? "cold" : "hot" }

# The row of a rung in a chart of `mode`: the CPU has no transfers and no graphs, and stands there as what is divided by.
function row_in(workload, variant, mode) {
    return workload SUBSEP variant SUBSEP (backend[workload, variant] == "cpu" ? divisor_mode(mode) : mode)
}

# The row of a backend's fastest rung in a chart of `mode`; "" if there is none. TF32 is never best.
function best_row(workload, mode, which,    i, v, row, best) {
    for (i = 1; i <= rungs[workload]; i++) {
        v = rung_of[workload, i]
        row = row_in(workload, v, mode)
        if (is_ok(row) && backend[workload, v] == which && !((workload, v) in is_tf32) && \
            (best == "" || median[row] < median[best]))
            best = row
    }
    return best
}

# What the page says of a row beside its times. Runs behind results.awk, whose names of rows and workloads it shares.
#   page_rows, page_row [i]          the rows in the order of the page
#   of_row [row, what]              op, workload, variant, mode, backend, precision, ceiling, transfer as text; lines, how many
#                                   lines of the file there are; measured, how many of them have a time; verified; failure
#   line_of [row, i]                where they are
#   cell_of [row, what, round]      the file's own text of a time or a figure
#   marks_of_row, mark_of_row [row, i]         what the row has to be read with
#   facts [backend, what]           the values that measured rows have there, in words; "" as backend: all rows
#   lowest, highest [backend, what] of numbers

BEGIN {
    split("op workload variant mode backend precision ceiling transfer", text_columns, " ")
    split("time_median_s time_q1_s time_q3_s gflops bandwidth_gbs ceiling_pct speedup", figure_columns, " ")
    split("device_uuid driver_version cuda_version blas_version power_limit_w sm_clock_set_mhz governor affinity", \
          fact_columns, " ")
    split("sm_clock_mhz memory_clock_mhz temperature_c", range_columns, " ")
    modes_known = split("cold hot graph e2e e2e_pageable", mode_at, " ")
}

rows > taken {
    taken = rows
    if (get("slowdown_pct") == "")
        take_row()
}

function take_row(    row, status, i, n) {
    row = get("op") SUBSEP get("workload") SUBSEP get("variant") SUBSEP get("mode")
    status = get("status")
    if (note("result", row))
        page_row[++page_rows] = row
    for (i = 1; i in text_columns; i++)
        if (get(text_columns[i]) != "")
            of_row[row, text_columns[i]] = get(text_columns[i])
    line_of[row, ++of_row[row, "lines"]] = first_line
    if (status == "failed" && of_row[row, "failure"] == "")
        of_row[row, "failure"] = "in round " get("round") ": " (get("reason") == "" ? "no reason given" : get("reason"))
    take_marks(row)
    add_fact("", "input", get("input"))
    add_fact("", "git_rev", get("git_rev"))
    if (status != "ok")
        return
    if (get("time_median_s") == "") {
        of_row[row, "verified"] = 1
        return
    }
    n = ++of_row[row, "measured"]
    for (i = 1; i in figure_columns; i++)
        cell_of[row, figure_columns[i], n] = get(figure_columns[i])
    for (i = 1; i in fact_columns; i++)
        add_fact(get("backend"), fact_columns[i], get(fact_columns[i]))
    for (i = 1; i in range_columns; i++)
        widen(get("backend"), range_columns[i], get(range_columns[i]))
}

function add_mark(row, mark) {
    if (note("mark" SUBSEP row, mark))
        mark_of_row[row, ++marks_of_row[row]] = mark
}

function take_marks(row,    words, word, i) {
    if (get("launch_bound") == "yes")
        add_mark(row, "launch-bound")
    words = split(get("marks"), word, " ")
    for (i = 1; i <= words; i++)
        add_mark(row, word[i])
}

function add_fact(kind, what, value) {
    if (note("fact" SUBSEP kind SUBSEP what, value))
        facts[kind, what] = facts[kind, what] (facts[kind, what] == "" ? "" : ", ") value
}

function widen(kind, what, value) {
    if (value == "")
        return
    if (!((kind, what) in lowest) || value + 0 < lowest[kind, what])
        lowest[kind, what] = value + 0
    if (!((kind, what) in highest) || value + 0 > highest[kind, what])
        highest[kind, what] = value + 0
}

# failed, ok (it has a time), right (verified, not timed) or skipped. A rung that was wrong once is wrong.
function status_of(row) {
    return (row, "failed") in why ? "failed" : row in median ? "ok" : of_row[row, "verified"] ? "right" : "skipped"
}

function reason_of(row,    text) {
    if (status_of(row) != "failed")
        return why[row, "skipped"]
    text = of_row[row, "failure"]
    if (of_row[row, "lines"] == 1)
        sub(/^in round [^:]*: /, "", text)
    return text
}

# The median over the rounds of what stands in the column `what`; of a single round its very text. "" if no round has it.
function figure_of(row, what,    i, j, n, x, value) {
    for (i = 1; i <= of_row[row, "measured"]; i++)
        if (cell_of[row, what, i] != "") {
            x = cell_of[row, what, i]
            for (j = n++; j >= 1 && value[j] + 0 > x + 0; j--)
                value[j + 1] = value[j]
            value[j + 1] = x
        }
    if (n == 0)
        return ""
    return n % 2 ? value[(n + 1) / 2] : sprintf("%.9g", (value[n / 2] + value[n / 2 + 1]) / 2)
}

function rank_of_mode(mode,    i) {
    for (i = 1; i <= modes_known && mode_at[i] != mode; i++)
        ;
    return i
}

# Rounds shuffle the file: operations stay together, then rungs in the order of the ladder, then modes from cold on.
function order_rows(    ops, op, i, j, k, m, w, row, n) {
    for (i = 1; i <= workloads; i++)
        if (note("op", op_of(workload_of[i])))
            op[++ops] = op_of(workload_of[i])
    for (i = 1; i <= ops; i++)
        for (j = 1; j <= workloads; j++) {
            w = workload_of[j]
            if (op_of(w) != op[i])
                continue
            ordered_workload[++workloads_ordered] = w
            sort_modes(w)
            for (k = 1; k <= rungs[w]; k++)
                for (m = 1; m <= modes[w]; m++) {
                    row = w SUBSEP rung_of[w, k] SUBSEP mode_of[w, m]
                    if ((row, "lines") in of_row)
                        page_row[++n] = row
                }
        }
}

function sort_modes(workload,    i, j, mode) {
    for (i = 2; i <= modes[workload]; i++) {
        mode = mode_of[workload, i]
        for (j = i - 1; j >= 1 && rank_of_mode(mode_of[workload, j]) > rank_of_mode(mode); j--)
            mode_of[workload, j + 1] = mode_of[workload, j]
        mode_of[workload, j + 1] = mode
    }
}

END {
    order_rows()
    for (i = 1; i <= page_rows; i++) {
        row = page_row[i]
        if (status_of(row) == "ok" && of_row[row, "measured"] < of_row[row, "lines"])
            add_mark(row, of_row[row, "measured"] "-of-" of_row[row, "lines"] "-rounds")
        status_total[status_of(row)]++
    }
}

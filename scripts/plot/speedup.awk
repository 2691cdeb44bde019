# Draws, for each workload and mode, the speed-up of each rung over the baseline and over the best rung of the CPU; and
# for all of them together, the best rung of the GPU over the best of the CPU.
# Exit status 77: this is a results file, but no row in it has a speed-up.

BEGIN {
    about["cold"] = "cache emptied before each call"
    about["hot"] = "call after call, cache kept"
    about["graph"] = "many launches in a CUDA graph"
    about["e2e"] = "upload, kernel and download"
    about["e2e_pageable"] = "the same, memory not pinned"
}

END {
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= modes[workload_of[i]]; j++)
            draw(workload_of[i], mode_of[workload_of[i], j])
    draw_overview()
    for (i = 1; i <= lacks; i++)
        left_out = left_out "; " lacking[lack[i]] " (" lack[i] ")"
    if (!charts)
        fail(77, "nothing to draw, no row has a speed-up" (lacks ? ": " substr(left_out, 3) : ""))
    if (lacks)
        complain("not drawn, no speed-up: " substr(left_out, 3))
}

# Notes a chart that cannot be drawn, together with those that lack the same.
function leave_out(chart, cause) {
    if (!(cause in lacking))
        lack[++lacks] = cause
    lacking[cause] = lacking[cause] (lacking[cause] == "" ? "" : ", ") chart
}

function cause_of(row,    status, text) {
    status = (row, "failed") in why ? "failed" : (row, "skipped") in why ? "skipped" : ""
    if (status == "")
        return ""
    text = why[row, status]
    return status ": " (length(text) > 110 ? cut(text, 107) "..." : text)
}

function draw(workload, mode,    op_workload, i, v, row, own, cause, causes, cause_at, whose, bound, best, base, present, \
                                 backends, divisor, text) {
    split(workload, part, SUBSEP)
    op_workload = part[1] "/" part[2]
    divisor = divisor_mode(mode)
    begin_chart()
    for (i = 1; i <= rungs[workload]; i++) {
        v = rung_of[workload, i]
        row = row_in(workload, v, mode)
        if (is_ok(row)) {
            bar_at[++bars] = row
            bar_kind[bars] = backend[workload, v]
            bar_name[bars] = v ((workload, v) in is_tf32 ? " (TF32)" : "")
            bar_note[bars] = duration(median[row])
            if (!(backend[workload, v] in present)) {
                present[backend[workload, v]] = 1
                present[++backends] = backend[workload, v]
            }
            own += is_ok(workload SUBSEP v SUBSEP mode)
            if (row in launch_bound)
                bound = bound (bound == "" ? "" : ", ") v
            if (v == baseline[workload])
                base = row
        } else if ((cause = cause_of(row)) != "") {
            if (!(cause in whose))
                cause_at[++causes] = cause
            whose[cause] = whose[cause] (whose[cause] == "" ? "" : ", ") v
        }
    }
    best = best_row(workload, mode, "cpu")
    if (!own || (base == "" && best == "")) {
        leave_out(op_workload " " mode, causes ? cause_at[causes] : "no row of a baseline")
        return
    }

    note_head = "median"
    if (base != "")
        add_panel(base, (base == best ? "baseline and best CPU rung" : "the baseline") ", " divisor)
    if (best != "" && best != base)
        add_panel(best, "the best CPU rung, " divisor)
    lay_out(94, panels == 1 ? 2 * 350 + GAP : 350)

    text = shape[workload] == part[2] ? "" : shape[workload] ", "
    text = text (precision[workload] == "" ? "" : precision[workload] ", ") mode (mode in about ? ": " about[mode] : "")
    header("", text (mode != divisor ? "; CPU rungs: " divisor : ""))
    for (i = 1; i <= backends; i++)
        machine_header(present[i])
    origin_footer(input[workload] == "" ? "" : " Input: " input[workload] ".")
    if (bound != "")
        footer("Launch-bound (the GPU waited for the host): " bound)
    for (i = 1; i <= causes; i++)
        footer("Not measured: " whose[cause_at[i]] " (" cause_at[i] ")")
    end_chart(part[1] "-" part[2] "-" mode, op_workload ", " mode)
}

function add_panel(divisor, text,    i) {
    split(divisor, part_of_row, SUBSEP)
    panel_head[++panels] = "Speed-up over " part_of_row[3]
    panel_note[panels] = text ": " duration(median[divisor])
    for (i = 1; i <= bars; i++) {
        bar_row[panels, i] = bar_at[i]
        bar_backend[panels, i] = bar_kind[i]
        bar_divisor[panels, i] = median[divisor]
    }
}

function draw_overview(    i, j, p, workload, mode, cpu, gpu, gains) {
    begin_chart()
    for (i = 1; i <= workloads; i++) {
        workload = workload_of[i]
        gains = 0
        for (j = 1; j <= modes[workload]; j++) {
            mode = mode_of[workload, j]
            cpu = best_row(workload, mode, "cpu")
            gpu = best_row(workload, mode, "cuda")
            if (cpu == "" || gpu == "")
                continue
            for (p = 1; p <= panels && panel_head[p] != mode; p++)
                ;
            if (p > panels) {
                panel_head[++panels] = mode
                panel_note[p] = about[mode]
            }
            if (!gains++) {
                split(workload, part, SUBSEP)
                bar_name[++bars] = part[1] "/" part[2]
                bar_note[bars] = shape[workload] == part[2] ? "" : shape[workload]
            }
            bar_row[p, bars] = gpu
            bar_divisor[p, bars] = median[cpu]
            bar_backend[p, bars] = "cuda"
        }
    }
    if (bars < 2)
        return
    note_head = ""
    lay_out(140, 240)
    header("", "Speed-up of the fastest CUDA rung over the fastest CPU rung; cold over cold, all else over the CPU's hot")
    machine_header("cpu")
    machine_header("cuda")
    origin_footer("")
    end_chart("overview", "Where the GPU pays")
}

#chart overview | the best GPU rung over the best CPU rung
#page 1 | overview | 3 | Overview | Each bar is how many times as fast the fastest CUDA rung is as the fastest CPU rung: right of 1× the GPU pays, left of it the CPU does.
#chart speedup-OP-WORKLOAD-MODE | how many times as fast each rung is as the baseline and the best CPU rung
#page 3 | speedup | 0 | Speed-ups | Each bar is how many times as fast a rung is as the one in the panel's heading, on a logarithmic scale; whiskers span the rounds, or the quartiles of a single one.
# For each workload and mode, the speed-up of each rung over the baseline and over the best rung of the CPU; and for all of
# them together, the best rung of the GPU over the best of the CPU.

END { draw_speedups() }

function draw_speedups(    i, j) {
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= modes[workload_of[i]]; j++)
            draw_speedup(workload_of[i], mode_of[workload_of[i], j])
    if (is_wanted("overview"))
        draw_overview()
}

function draw_speedup(workload, mode,    stem, i, own, best, base, divisor) {
    stem = chart_stem("speedup", workload, mode)
    if (!is_wanted(stem))
        return
    divisor = divisor_mode(mode)
    begin_bars()
    begin_rungs()
    own = add_rungs(workload, mode, 1)
    base = workload SUBSEP baseline[workload] SUBSEP divisor
    best = best_row(workload, mode, "cpu")
    if (!own || (!is_ok(base) && best == "")) {
        leave_out(stem, causes ? cause_at[causes] : "no row of a baseline")
        return
    }

    for (i = 1; i <= drawn_rows; i++) {
        bar_name[++bars] = drawn_name[i]
        bar_note[bars] = duration(median[drawn_row[i]])
    }
    note_head = "median"
    if (is_ok(base))
        add_panel(base, (base == best ? "baseline and best CPU rung" : "the baseline") ", " divisor)
    if (best != "" && best != base)
        add_panel(best, "the best CPU rung, " divisor)
    lay_out_bars(94, panels == 1 ? 2 * 350 + GAP : 350)
    subtitle(work_text(workload, mode) (mode != divisor ? "; CPU rungs: " divisor : ""))
    rung_headers()
    origin_footer(measured_as("Bars") (input[workload] == "" ? "" : " Input: " input[workload] "."))
    rung_footers()
    end_bars(stem, name_of(workload) ", " mode)
}

function add_panel(divisor, text,    i) {
    split(divisor, part_of_row, SUBSEP)
    panel_head[++panels] = "Speed-up over " part_of_row[3]
    panel_note[panels] = text ": " duration(median[divisor])
    for (i = 1; i <= bars; i++) {
        bar_row[panels, i] = drawn_row[i]
        bar_backend[panels, i] = drawn_kind[i]
        bar_divisor[panels, i] = median[divisor]
    }
}

function draw_overview(    i, j, p, workload, mode, cpu, gpu, gains) {
    begin_bars()
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
                panel_note[p] = about_mode[mode]
            }
            if (!gains++) {
                bar_name[++bars] = name_of(workload)
                bar_note[bars] = shape[workload] == part_after(workload) ? "" : shape[workload]
            }
            bar_row[p, bars] = gpu
            bar_divisor[p, bars] = median[cpu]
            bar_backend[p, bars] = "cuda"
        }
    }
    if (bars < 2) {
        leave_out("overview", "fewer than two workloads with rows of both CPU and GPU")
        return
    }
    note_head = ""
    lay_out_bars(140, 240)
    subtitle("Speed-up of the fastest CUDA rung over the fastest CPU rung; cold over cold, all else over the CPU's hot")
    machine_header("cpu")
    machine_header("cuda")
    origin_footer(measured_as("Bars"))
    end_bars("overview", "Where the GPU pays")
}

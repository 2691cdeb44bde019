#chart roofline-BACKEND-MODE | each row under the measured roofs
#page 4 | roofline | 3 | Against the ceilings | Each point is a row: the nearer it lies to the roof, or to the short bar of its workload's size, the less is left to gain on this device.
# For each backend and mode without transfers: operations in a second of each row against operations per byte, under roofs that
# are the highest of the rows' ceilings, each the mean over the rounds (S. Williams, A. Waterman and D. Patterson, "Roofline: an
# insightful visual performance model for multicore architectures", Communications of the ACM 52, 2009).

END { draw_rooflines() }

function draw_rooflines(    i, j, mode, seen, any) {
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= modes[workload_of[i]]; j++) {
            mode = mode_of[workload_of[i], j]
            if (mode !~ /^e2e/ && !(mode in seen)) {
                seen[mode] = 1
                any += draw_roofline("cpu", mode) + draw_roofline("cuda", mode)
            }
        }
    if (!any)
        leave_out("roofline", "no row counts operations, or knows a ceiling")
}

# The highest rates that the rows' ceilings tell of: bytes in a second, which those bound by arithmetic reach at least, and
# operations in a second, by arithmetic. 0: unknown.
function roof_of(kind, b, mode,    i, j, v, row, roof) {
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= rungs[workload_of[i]]; j++) {
            v = rung_of[workload_of[i], j]
            row = workload_of[i] SUBSEP v SUBSEP mode
            if (backend[workload_of[i], v] != b || (workload_of[i], v) in is_tf32 || !is_ok(row) || floor[row] == "")
                continue
            if (kind == "memory" && ceiling[row] ~ /^(read|copy|fma)$/ && bytes[row] != "")
                roof = most(roof + 0, bytes[row] / floor[row])
            if (kind == "arithmetic" && ceiling[row] == "fma" && flops[row] != "")
                roof = most(roof + 0, flops[row] / floor[row])
        }
    return roof + 0
}

# More rungs than this have numbers instead of names beside their dots, and of more workloads none is named, or names would
# cover each other.
BEGIN { NAMES_MOST = 6; COLUMNS_MOST = 12 }

function number_rungs(b, mode,    i, j, v, any) {
    numbered = columns_drawn = 0
    split("", number_of)
    for (i = 1; i <= workloads; i++) {
        any = 0
        for (j = 1; j <= rungs[workload_of[i]]; j++) {
            v = rung_of[workload_of[i], j]
            if (backend[workload_of[i], v] != b || !has_intensity(workload_of[i] SUBSEP v SUBSEP mode))
                continue
            any = 1
            if (!(v in number_of)) {
                number_of[v] = ++numbered
                numbered_rung[numbered] = v
            }
        }
        columns_drawn += any
    }
}

function label_of(workload, v) {
    return numbered > NAMES_MOST ? number_of[v] precision_note(workload, v) : rung_name(workload, v)
}

function has_intensity(row) { return is_ok(row) && flops[row] > 0 && bytes[row] > 0 }

function draw_roofline(b, mode,    stem, i, j, workload, row, intensity, memory, arithmetic, dots, line, ridge, low, high, \
                                first, right, text) {
    stem = "roofline-" b "-" mode
    if (!is_wanted(stem))
        return 0
    begin_plane()
    number_rungs(b, mode)
    columns_named = columns_drawn <= COLUMNS_MOST
    low = 1e9
    high = 0
    for (i = 1; i <= workloads; i++) {
        workload = workload_of[i]
        first = ""
        for (j = 1; j <= rungs[workload]; j++) {
            row = workload SUBSEP rung_of[workload, j] SUBSEP mode
            if (backend[workload, rung_of[workload, j]] != b || !has_intensity(row))
                continue
            first = first == "" ? row : first
            intensity = flops[row] / bytes[row]
            add_dot(intensity, flops[row] / median[row] / 1e9, rate_at(row, slow[row]), rate_at(row, fast[row]), b)
            if (columns_named)
                add_text(intensity, flops[row] / median[row] / 1e9, label_of(workload, rung_of[workload, j]), workload)
            dots++
            low = least(low, intensity)
            high = most(high, intensity)
        }
        if (first != "") {
            column_row[workload] = first
            column_x[workload] = flops[first] / bytes[first]
        } else
            delete column_x[workload]
    }
    memory = roof_of("memory", b, mode)
    arithmetic = roof_of("arithmetic", b, mode)
    if (!dots || (!memory && !arithmetic))
        return 0

    ridge = memory && arithmetic ? arithmetic / memory : memory ? high * 2 : low / 2
    low = least(low, ridge) / 1.5
    high = most(high * 2.5, ridge * 1.5)
    line = add_line(b, 1, 2.5)
    if (memory) {
        extend_line(line, low, memory * low / 1e9)
        extend_line(line, least(ridge, high), memory * least(ridge, high) / 1e9)
    }
    if (arithmetic) {
        if (!memory)
            extend_line(line, low, arithmetic / 1e9)
        extend_line(line, high, arithmetic / 1e9)
    }
    for (i = 1; i <= workloads; i++)
        if (workload_of[i] in column_x)
            add_limit(workload_of[i], column_row[workload_of[i]])
    for (i = 1; columns_named && numbered > NAMES_MOST && i <= numbered; i++) {
        add_legend(i "  " numbered_rung[i])
        right = most(right, width(numbered_rung[i]) * 8 + 50)
    }
    lay_out_plane(0.02, 0.09, most(right, 40))
    join_columns()
    subtitle("FP32, " mode ": " about_mode[mode])
    machine_header(b)
    text = memory ? "memory or cache " grouped(sprintf("%.0f", memory / 1e9)) " GB/s" : ""
    if (arithmetic)
        text = text (text == "" ? "" : ", ") "FP32 FMA " grouped(sprintf("%.0f", arithmetic / 1e9)) " GFLOP/s"
    footer("Line: the highest rates that the rows' ceilings tell of, " text ". Short bars: the ceiling for work of that size.")
    if (columns_drawn > COLUMNS_MOST)
        footer("Names are left out: " columns_drawn " workloads would cover each other.")
    origin_footer(measured_as("Dots"))
    y_unit = x_unit = ""
    end_plane(stem, "Roofline, " b ", " mode, "FLOP per byte", "GFLOP/s")
    return 1
}

# A short bar at what the device can do with work of that size, or else at the workload's first rung, called by its name.
function add_limit(workload, row,    x, y, line) {
    x = flops[row] / bytes[row]
    y = flops[row] / (floor[row] == "" ? median[row] : floor[row]) / 1e9
    if (floor[row] != "") {
        line = add_line("limit", 1, 2)
        extend_line(line, x / 1.12, y)
        extend_line(line, x * 1.12, y)
    }
    if (columns_named)
        add_title(x, y, part_after(workload))
}

# Texts of workloads that stand closer than a text is wide must be kept apart together.
function join_columns(    i, j) {
    for (i = 1; i <= plane_texts; i++)
        for (j = 1; j < i; j++)
            if (text_group[i] != text_group[j] && \
                distance(pixel_x(text_x[i]), pixel_x(text_x[j])) < 30 + most(width(text_of[i]), width(text_of[j])) * 8)
                text_group[i] = text_group[j]
}

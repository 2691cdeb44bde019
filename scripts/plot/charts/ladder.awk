#chart ladder-OP-WORKLOAD | GFLOP/s or GB/s of each rung, with the device's ceilings and the library
#page 2 | ladder | 3 | The ladder | How much work each rung gets done per second, from the textbook loop to the library. Dashed is what the device itself can do, dotted the library.
# For each workload, how much work each rung gets done in a second, in the ladder's order, and how near that is to what the
# device can do and to the library: one panel for each mode without transfers.

BEGIN { LADDER_WIDTH = 280; LADDER_ROW = 30 } # pixels

END { draw_ladders() }

function draw_ladders(    i) {
    for (i = 1; i <= workloads; i++)
        draw_ladder(workload_of[i])
}

# Billions of operations, or of bytes where there are none to count, in a second.
function rate_in(row, s) { return (flops[row] != "" ? flops[row] : bytes[row]) / s / 1e9 }

# The same where the seconds may be unknown.
function rate_at(row, s) { return s == "" ? "" : rate_in(row, s) }

function has_rate(row) { return is_ok(row) && (flops[row] != "" || bytes[row] != "") }

function draw_ladder(workload,    stem, i, p, mode, panel_mode, name_at, v, row) {
    stem = chart_stem("ladder", workload, "")
    if (!is_wanted(stem))
        return
    begin_frame()
    begin_rungs()
    ladder_panels = ladder_rows = 0
    library_names = ""
    split("", ladder_row)
    for (i = 1; i <= modes[workload]; i++) {
        mode = mode_of[workload, i]
        if (mode ~ /^e2e/ || ladder_panels == 3 || !add_rungs(workload, mode, 0))
            continue
        panel_mode[++ladder_panels] = mode
    }
    for (i = 1; i <= rungs[workload]; i++) {
        v = rung_of[workload, i]
        for (p = 1; p <= ladder_panels; p++) {
            row = workload SUBSEP v SUBSEP panel_mode[p]
            if (!has_rate(row))
                continue
            if (!(v in name_at)) {
                name_at[v] = ++ladder_rows
                ladder_name[ladder_rows] = rung_name(workload, v)
                ladder_kind[ladder_rows] = backend[workload, v]
                ladder_library[ladder_rows] = (op_of(workload), v) in is_library
                if (ladder_library[ladder_rows])
                    library_names = library_names (library_names == "" ? "" : ", ") v
            }
            ladder_row[p, name_at[v]] = row
            ladder_unit = flops[row] != "" ? "GFLOP/s" : "GB/s"
        }
    }
    if (!ladder_rows) {
        leave_out(stem, causes ? cause_at[causes] : "no row says how much work it is")
        return
    }
    lay_out_ladder()
    subtitle(work_text(workload, ladder_panels == 1 ? panel_mode[1] : ""))
    rung_headers()
    if (has_limits())
        footer("Dashed: the row's ceiling, what the device itself can do with this work; per cent of it are behind the figures.")
    if (library_names != "")
        footer("Dotted: " library_names ".")
    origin_footer(measured_as("Dots") (input[workload] == "" ? "" : " Input: " input[workload] "."))
    rung_footers()
    begin_file(stem, name_of(workload) ", " ladder_unit)
    write_ladder(panel_mode)
    end_file("ladder")
}

function has_limits(    p, i) {
    for (p = 1; p <= ladder_panels; p++)
        for (i = 1; i <= ladder_rows; i++)
            if (ladder_row[p, i] != "" && floor[ladder_row[p, i]] != "")
                return 1
    return 0
}

function lay_out_ladder(    i, p, longest) {
    ladder_text_width = 60
    for (p = 1; p <= ladder_panels; p++)
        for (i = 1; i <= ladder_rows; i++)
            if (ladder_row[p, i] != "")
                ladder_text_width = most(ladder_text_width, width(ladder_text(ladder_row[p, i])) * 8.8 + 22)
    ladder_text_width = int(ladder_text_width)
    longest = 10
    for (i = 1; i <= ladder_rows; i++)
        longest = most(longest, width(ladder_name[i]))
    panels_at = beside_names(longest, 16)
    total = panels_at + ladder_panels * (LADDER_WIDTH + ladder_text_width) + MARGIN
}

# "1,312 (86 %)"
function ladder_text(row,    text, share) {
    text = rate_text(rate_in(row, median[row]))
    if (floor[row] == "")
        return text
    share = 100 * floor[row] / median[row]
    return text " (" (share >= 9.95 ? sprintf("%.0f", share) : sprintf("%.2g", share)) " %)"
}

# One range for all panels, so that they can be compared.
function ladder_range(    p, i, row, from, to) {
    from = 1e9
    to = -1e9
    for (p = 1; p <= ladder_panels; p++)
        for (i = 1; i <= ladder_rows; i++)
            if ((row = ladder_row[p, i]) != "") {
                from = least(from, log10(rate_in(row, slow[row] == "" ? median[row] : slow[row])))
                to = most(to, log10(rate_in(row, fast[row] == "" ? median[row] : fast[row])))
                if (floor[row] != "")
                    to = most(to, log10(rate_in(row, floor[row])))
            }
    ladder_from = from - 0.2
    ladder_to = most(to + 0.1, ladder_from + 0.5)
}

function write_ladder(panel_mode,    p, i, name) {
    ladder_range()
    printf "panels = %d\nbars = %d\nrow = %d\npanels_at = %d\npanel_width = %d\npanel_gap = %d\n", \
        ladder_panels, ladder_rows, LADDER_ROW, panels_at, LADDER_WIDTH, ladder_text_width > out
    printf "unit = %s\n", quoted(ladder_unit) > out
    printf "panel_from = %.9g\npanel_to = %.9g\n", 10 ^ ladder_from, 10 ^ ladder_to > out
    printf "panel_ticks = \"set xtics (%s)\"\n", log_ticks_across(ladder_from, ladder_to, LADDER_WIDTH, "") > out
    split("head note whiskers limits libraries", name, " ")
    for (i = 1; i in name; i++)
        printf "array panel_%s[%d]\n", name[i], ladder_panels > out
    printf "array name[%d]\n", ladder_rows > out
    for (i = 1; i <= ladder_rows; i++)
        printf "name[%d] = %s\n", i, quoted(ladder_name[i]) > out
    for (p = 1; p <= ladder_panels; p++)
        write_ladder_panel(p, panel_mode[p])
}

# The rate of a backend's library in that panel; "" if it has none.
function library_rate(p, kind,    i) {
    for (i = 1; i <= ladder_rows; i++)
        if (ladder_library[i] && ladder_kind[i] == kind && ladder_row[p, i] != "")
            return rate_in(ladder_row[p, i], median[ladder_row[p, i]])
    return ""
}

# Each rung: place, rate, whisker's ends, backend, text, its ceiling, and the rate of its backend's library.
function write_ladder_panel(p, mode,    i, row, library, whiskers, limits, libraries) {
    printf "$rungs%d << CHART_END\n", p > out
    for (i = 1; i <= ladder_rows; i++) {
        row = ladder_row[p, i]
        if (row == "")
            continue
        whiskers += fast[row] != "" && slow[row] != ""
        limits += floor[row] != ""
        library = library_rate(p, ladder_kind[i])
        libraries += library != ""
        printf "%d\t%.9g\t%s\t%s\t%s\t%s\t%s\t%s\n", i, rate_in(row, median[row]), \
            or_nan(rate_at(row, slow[row])), or_nan(rate_at(row, fast[row])), ladder_kind[i], ladder_text(row), \
            or_nan(rate_at(row, floor[row])), or_nan(library) > out
    }
    printf "CHART_END\npanel_head[%d] = %s\npanel_note[%d] = %s\n", p, quoted(mode), p, quoted(about_mode[mode]) > out
    printf "panel_whiskers[%d] = %d\npanel_limits[%d] = %d\npanel_libraries[%d] = %d\n", \
        p, (whiskers > 0), p, (limits > 0), p, (libraries > 0) > out
}

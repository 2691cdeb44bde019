# Draws two summaries (summary.awk), the files PLOT_A and PLOT_B of the environment, which PLOT_A_NAME and PLOT_B_NAME call by
# name: for each workload and mode, how fast each rung is in both, and the ratio. Exit status 77: they share no row.

BEGIN {
    FS = "\t"
    COMPARE_WIDTH = 460; COMPARE_ROW = 44; RATIO_WIDTH = 130 # pixels
    read_side("a", ENVIRON["PLOT_A"])
    read_side("b", ENVIRON["PLOT_B"])
    for (i = 1; i <= charts_wished; i++)
        draw_comparison(wished[i])
    if (!charts)
        fail(77, "nothing to draw: " (refused ? all_left_out() : only == "" ? "the files have no row in common" : \
                                      "--only=" only " matches no chart"))
    if (refused)
        complain("not drawn: " all_left_out())
    exit
}

function read_side(side, file,    line, cell, key, chart) {
    while ((getline line < file) > 0) {
        split(line, cell, "\t")
        if (cell[1] == "machine")
            machine[side, cell[2]] = cell[3]
        else if (cell[1] == "origin") {
            day[side] = substr(cell[3], 1, 10)
            origin[side] = "host " (cell[2] == "" ? "unknown" : cell[2]) (cell[3] == "" ? "" : ", " moment(cell[3])) \
                           (cell[4] == "" ? "" : ", rungbench at " cell[4]) (cell[5] > 1 ? ", " cell[5] " rounds" : "")
        } else {
            chart = cell[2] SUBSEP cell[4]
            if (!(chart in has_chart)) {
                has_chart[chart] = 1
                wished[++charts_wished] = chart
            }
            key = chart SUBSEP cell[5]
            if (!(key in has_row)) {
                has_row[key] = 1
                row_of[chart, ++rows_of[chart]] = key
                row_name[key] = cell[5]
                row_kind[key] = cell[6]
            }
            shape_of[side, chart] = cell[3]
            unit_of[chart] = cell[11]
            if (cell[10] != "") {
                rate[side, key] = cell[10] / cell[7] / 1e9
                low_rate[side, key] = cell[9] == "" ? "" : cell[10] / cell[9] / 1e9
                high_rate[side, key] = cell[8] == "" ? "" : cell[10] / cell[8] / 1e9
            }
        }
    }
    close(file)
}

function draw_comparison(chart,    part, stem, i, key, n, both, keys, longest) {
    split(chart, part, SUBSEP)
    stem = "compare-" part[1] "-" part[2]
    if (!is_wanted(stem))
        return
    for (i = 1; i <= rows_of[chart]; i++) {
        key = row_of[chart, i]
        if (!(("a", key) in rate) && !(("b", key) in rate))
            continue
        keys[++n] = key
        both += (("a", key) in rate) && (("b", key) in rate)
        longest = most(longest, width(row_name[key]))
    }
    if (!both || shape_of["a", chart] != shape_of["b", chart]) {
        leave_out(safe(stem), !both ? "no row in common" : "different shapes: " shape_of["a", chart] " and " shape_of["b", chart])
        return
    }
    begin_frame()
    panels_at = beside_names(longest, 40)
    total = panels_at + COMPARE_WIDTH + RATIO_WIDTH + MARGIN
    header("", shape_of["a", chart] ", " part[2])
    side_header("a", keys, n)
    side_header("b", keys, n)
    footer("Bars: median rates; whiskers: the fastest and the slowest round, or quartiles of the samples. Ratio: B's rate over " \
           "A's; above 1 B is faster.")
    begin_file(stem, part[1] ", " part[2] ", " unit_of[chart] ": A and B")
    write_comparison(keys, n, unit_of[chart])
    end_file("compare")
}

# "A: old.csv, NVIDIA H200", a line for each machine that has a row in the chart; A is grey, B has the backend's colour.
function side_header(side, keys, n,    i, kind, text, seen) {
    for (i = 1; i <= n; i++) {
        kind = row_kind[keys[i]]
        if (!((side, keys[i]) in rate) || (kind in seen))
            continue
        seen[kind] = 1
        text = (side == "a" ? "A: " ENVIRON["PLOT_A_NAME"] : "B: " ENVIRON["PLOT_B_NAME"]) ", "
        text = text device_name(machine[side, kind]) (day[side] == "" ? "" : ", " day[side])
        header(side == "a" ? "past" : kind, text)
    }
    footer((side == "a" ? "A: " : "B: ") origin[side])
}

function ratio_text(x) { return x >= 0.1 && x < 10 ? sprintf("%.3f×", x) : factor(x) }

function write_comparison(keys, n, unit,    i, s, side, from, to, x, text, ratio) {
    from = 1e9
    to = -1e9
    for (i = 1; i <= n; i++)
        for (s = 1; s <= 2; s++) {
            side = s == 1 ? "a" : "b"
            if (!((side, keys[i]) in rate))
                continue
            x = low_rate[side, keys[i]] == "" ? rate[side, keys[i]] : low_rate[side, keys[i]]
            from = least(from, log10(x))
            x = high_rate[side, keys[i]] == "" ? rate[side, keys[i]] : high_rate[side, keys[i]]
            to = most(to, log10(x))
        }
    from -= 0.25
    to = most(to, from + 0.5)
    to = from + (to - from) * COMPARE_WIDTH / (COMPARE_WIDTH - 70)
    printf "bars = %d\nrow = %d\npanels_at = %d\npanel_width = %d\npanel_from = %.9g\npanel_to = %.9g\n", \
        n, COMPARE_ROW, panels_at, COMPARE_WIDTH, 10 ^ from, 10 ^ to > out
    printf "unit = %s\npanel_ticks = \"set xtics (%s)\"\narray name[%d]\narray note[%d]\n$bars << CHART_END\n", \
        quoted(unit), log_ticks_across(from, to, COMPARE_WIDTH, ""), n, n > out
    for (i = 1; i <= n; i++)
        for (s = 1; s <= 2; s++) {
            side = s == 1 ? "a" : "b"
            if ((side, keys[i]) in rate)
                printf "%.2f\t%.9g\t%s\t%s\t%s\t%s\t%.9g\n", i + (s == 1 ? -0.19 : 0.19), rate[side, keys[i]], \
                    or_nan(low_rate[side, keys[i]]), or_nan(high_rate[side, keys[i]]), \
                    (s == 1 ? "past" : row_kind[keys[i]]), rate_text(rate[side, keys[i]]), \
                    most(rate[side, keys[i]], high_rate[side, keys[i]] + 0) > out
        }
    print "CHART_END" > out
    for (i = 1; i <= n; i++) {
        ratio = (("a", keys[i]) in rate) && (("b", keys[i]) in rate) ? ratio_text(rate["b", keys[i]] / rate["a", keys[i]]) : \
                ("a", keys[i]) in rate ? "A only" : "B only"
        printf "name[%d] = %s\nnote[%d] = %s\n", i, quoted(row_name[keys[i]]), i, quoted(ratio) > out
    }
}

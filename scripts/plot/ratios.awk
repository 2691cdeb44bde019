# Draws the ratios of a verdict file with their intervals, one row of the chart for each that has one: a panel for rows of
# the same threshold, the slowest first. Exit status 77: no row has a ratio.

BEGIN {
    ROW = 24; PANEL_HEAD = 46; PANEL_GAP = 46; WIDTH = 520; CHANGE = 96 # pixels
}

END {
    for (i = 1; i <= rows; i++)
        if (i in change)
            order[++bars] = i
    if (!bars)
        fail(77, "nothing to draw, no row was timed on both sides: " without_ratio())
    sort_rows()
    lay_out()
    begin_frame()
    header("", device (device != "" && revisions != "" ? ", " : "") revisions)
    for (i = 1; i <= verdicts; i++)
        if (n = drawn_with(verdict_at[i]))
            header(verdict_at[i], count_of(n, "row") " " verdict_at[i])
    write_footers()
    begin_file("ratios", "Change in time, new over base")
    write_chart()
    end_file("ratios")
}

function drawn_with(verdict,    i, n) {
    for (i = 1; i <= bars; i++)
        n += row_verdict[order[i]] == verdict
    return n + 0
}

# By threshold, then the slowest first, then as in the file.
function comes_before(a, b) {
    return threshold[a] != threshold[b] ? threshold[a] < threshold[b] : change[a] > change[b]
}

function sort_rows(    i, j, row) {
    for (i = 2; i <= bars; i++) {
        row = order[i]
        for (j = i - 1; j >= 1 && comes_before(row, order[j]); j--)
            order[j + 1] = order[j]
        order[j + 1] = row
    }
}

function lay_out(    i, longest) {
    longest = 10
    for (i = 1; i <= bars; i++)
        longest = most(longest, width(row_name[order[i]]))
    panels_at = beside_names(longest, CHANGE)
    total = panels_at + WIDTH + MARGIN + 12 # where the last number on the axis ends
}

# "2 skipped (a/b, c/d), 1 failed (e/f: why)"
function without_ratio(    i, k, n, names, text) {
    for (k = 1; k <= verdicts; k++) {
        n = 0
        names = ""
        for (i = 1; i <= rows; i++)
            if (!(i in change) && row_verdict[i] == verdict_at[k]) {
                n++
                names = names (names == "" ? "" : ", ") row_name[i] (n == 1 && row_reason[i] != "" ? ": " row_reason[i] : "")
            }
        if (n)
            text = text (text == "" ? "" : ", ") n " " verdict_at[k] \
                   " (" (length(names) > 150 ? cut(names, 147) "..." : names) ")"
    }
    return text
}

function write_footers(    i, open_ended, rounds, missing) {
    for (i = 1; i <= bars; i++)
        open_ended += low[order[i]] == "" || high[order[i]] == ""
    rounds = rounds_most ? " of " (rounds_least == rounds_most ? "" : rounds_least " to ") count_of(rounds_most, "round") : ""
    footer("Points: change of geometric means" rounds "; lines: 95 % intervals; arrows: on beyond the panel; " \
           "dashed: the threshold.")
    if (open_ended)
        footer("Without a line: too few rounds to bound the change.")
    if ((missing = without_ratio()) != "")
        footer("Not drawn: " missing)
}

# "+5.12 %"
function signed(x,    size, text) {
    size = x < 0 ? -x : x
    text = size >= 99.95 ? grouped(sprintf("%.0f", size)) : sprintf(size >= 9.995 ? "%.1f" : "%.2f", size)
    return (text ~ /^[0.]+$/ ? "" : x < 0 ? "−" : "+") text " %"
}

# How far the row reaches from 0.
function reach(row,    a, b) {
    a = least(change[row], low[row] == "" ? change[row] : low[row])
    b = most(change[row], high[row] == "" ? change[row] : high[row])
    return most(-a, b)
}

# A row far beyond the others, or beyond six thresholds, does not squash the rest: it is cut.
function widest(first, last,    i, j, n, list, x) {
    for (i = first; i <= last; i++) {
        x = reach(order[i])
        for (j = n++; j >= 1 && list[j] > x; j--)
            list[j + 1] = list[j]
        list[j + 1] = x
    }
    return most(6 * threshold[order[first]], 1.5 * list[int((n + 1) / 2)])
}

# 1, 2 or 5 times a power of ten, and no less than x.
function round_up(x,    power) {
    power = 10 ^ (int(log10(x) + 1000) - 1000)
    return x <= power ? power : x <= 2 * power ? 2 * power : x <= 5 * power ? 5 * power : 10 * power
}

# A format of gnuplot's, which has its own use for %.
function tick(x) { return (x < 0 ? "−" : "+") grouped(sprintf("%.6g", x < 0 ? -x : x)) " %%" }

# Fixes `from` and `to`, what the panel shows: the threshold on both sides, and all that is not cut.
function choose_range(first, last,    i, row, limit, margin) {
    limit = widest(first, last)
    from = -threshold[order[first]]
    to = 1.5 * threshold[order[first]]
    for (i = first; i <= last; i++) {
        row = order[i]
        show(change[row], limit)
        show(low[row], limit)
        show(high[row], limit)
    }
    margin = 0.05 * (to - from)
    from -= margin
    to += margin
}

function show(x, limit) {
    if (x != "" && x >= -limit && x <= limit) {
        from = least(from, x)
        to = most(to, x)
    }
}

# Each row: place, change, where the line begins and how long it is, verdict, and whether it goes on to the left and to
# the right; NaN is nothing.
function write_rows(p,    i, row, begin, end, left, right, inside) {
    panel_points = panel_lines = panel_lefts = panel_rights = 0
    printf "$rows%d << CHART_END\n", p > out
    for (i = first_of[p]; i <= last_of[p]; i++) {
        row = order[i]
        begin = low[row] == "" ? change[row] : low[row]
        end = high[row] == "" ? change[row] : high[row]
        left = begin < from
        right = end > to
        begin = most(begin, from)
        end = least(end, to)
        panel_points += inside = change[row] >= from && change[row] <= to
        panel_lines += begin < end
        panel_lefts += left
        panel_rights += right
        printf "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", i - first_of[p] + 1, (inside ? sprintf("%.9g", change[row]) : "NaN"), \
            (begin < end ? sprintf("%.9g", begin) : "NaN"), sprintf("%.9g", end - begin), row_verdict[row], \
            (left ? 1 : "NaN"), (right ? 1 : "NaN") > out
    }
    print "CHART_END" > out
}

function write_panel(p,    row, step, x) {
    row = order[first_of[p]]
    choose_range(first_of[p], last_of[p])
    write_rows(p)
    printf "panel_rows[%d] = %d\npanel_top[%d] = %d\npanel_from[%d] = %.9g\npanel_to[%d] = %.9g\npanel_threshold[%d] = %.9g\n", \
        p, last_of[p] - first_of[p] + 1, p, top_of[p], p, from, p, to, p, threshold[row] > out
    printf "panel_points[%d] = %d\npanel_lines[%d] = %d\npanel_lefts[%d] = %d\npanel_rights[%d] = %d\n", \
        p, (panel_points > 0), p, (panel_lines > 0), p, (panel_lefts > 0), p, (panel_rights > 0) > out
    printf "panel_head[%d] = %s\npanel_note[%d] = %s\n", p, quoted(sprintf("Threshold %.6g %%", threshold[row])), \
        p, quoted(sprintf("cleared: slower by less than %.6g %%", cleared_below[row])) > out
    step = round_up((to - from) / 7)
    printf "panel_ticks[%d] = \"set xtics ('0' 0", p > out
    for (x = step * int(from / step); x <= to; x += step)
        if (x < -step / 2 || x > step / 2)
            printf ", '%s' %.9g", tick(x), x > out
    printf ")\"\n" > out
}

# Panels one below the other, each with its numbers below it; the last one's are the frame's.
function write_chart(    i, p, body, name) {
    for (i = 1; i <= bars; i++) {
        if (i == 1 || threshold[order[i]] != threshold[order[i - 1]]) {
            first_of[++panels] = i
            body += (panels > 1 ? PANEL_GAP : 0) + PANEL_HEAD
            top_of[panels] = body
        }
        last_of[panels] = i
        body += ROW
        row_y[i] = body - ROW / 2
    }
    printf "panels = %d\nbars = %d\nrow = %d\nbody = %d\npanels_at = %d\npanel_width = %d\n", \
        panels, bars, ROW, body, panels_at, WIDTH > out
    split("head note rows top from to threshold points lines lefts rights ticks", name, " ")
    for (i = 1; i in name; i++)
        printf "array panel_%s[%d]\n", name[i], panels > out
    printf "array name[%d]\narray note[%d]\narray row_y[%d]\n", bars, bars, bars > out
    for (i = 1; i <= bars; i++)
        printf "name[%d] = %s\nnote[%d] = %s\nrow_y[%d] = %d\n", i, quoted(row_name[order[i]]), i, \
            quoted(signed(change[order[i]])), i, row_y[i] > out
    for (p = 1; p <= panels; p++)
        write_panel(p)
}

# Describes a chart of bars in variables for bars.gp. Filled by who draws, between begin_bars() and end_bars():
#   bars, bar_name, bar_note [i];  panels, panel_head, panel_note [p]
#   bar_row, bar_divisor [p, i]   the row, and the seconds that its median divides; no bar where they are missing
#   bar_backend [p, i]

BEGIN { ROW = 32; GAP = 56 } # pixels

function begin_bars() {
    bars = panels = 0
    split("", bar_row)
    split("", bar_divisor)
    begin_frame()
}

# Fixes the width, which header() and footer() need: `note_width` pixels of notes, panels of `panel` pixels.
function lay_out_bars(note_width, panel,    i, longest) {
    longest = 10
    for (i = 1; i <= bars; i++)
        longest = most(longest, width(bar_name[i]))
    panel_width = panel
    panels_at = beside_names(longest, note_width)
    total = panels_at + panels * panel + (panels - 1) * GAP + MARGIN
}

function label_width(text) { return width(text) * 9 + 14 }

# Writes the bars of panel `p`, its axis and its ticks. Ranges are in decades.
function write_bars(p,    i, row, value, known, low, high, any, from, to, span, left, right, n, x) {
    from = to = left = right = any = 0
    for (i = 1; i <= bars; i++) {
        row = bar_row[p, i]
        if (row == "")
            continue
        value[i] = bar_divisor[p, i] / median[row]
        known[i] = fast[row] != "" && slow[row] != ""
        any += known[i]
        low[i] = known[i] ? bar_divisor[p, i] / slow[row] : value[i]
        high[i] = known[i] ? bar_divisor[p, i] / fast[row] : value[i]
        from = least(from, log10(low[i]))
        to = most(to, log10(high[i]))
        n = label_width(factor(value[i]))
        if (value[i] < 1)
            left = most(left, n)
        else
            right = most(right, n)
    }
    to = most(to, from + 0.4)
    span = (to - from) * panel_width / (panel_width - left - right)
    from -= left * span / panel_width
    to = from + span

    # Each bar: index, speed-up, whisker's ends, backend, label, and where the label begins and ends.
    printf "$bars%d << CHART_END\n", p > out
    for (i = 1; i <= bars; i++) {
        if (!(i in value))
            continue
        n = label_width(factor(value[i])) * span / panel_width
        x = log10(value[i] < 1 ? low[i] : high[i])
        printf "%d\t%.9g\t%s\t%s\t%s\t%s\t%.9g\t%.9g\n", i, value[i], (known[i] ? low[i] : "NaN"), \
            (known[i] ? high[i] : "NaN"), bar_backend[p, i], factor(value[i]), 10 ^ x, 10 ^ (value[i] < 1 ? x - n : x + n) > out
    }
    printf "CHART_END\npanel_head[%d] = %s\npanel_note[%d] = %s\n", p, quoted(panel_head[p]), p, quoted(panel_note[p]) > out
    printf "panel_from[%d] = %.9g\npanel_to[%d] = %.9g\n", p, 10 ^ from, p, 10 ^ to > out
    printf "panel_whiskers[%d] = %d\npanel_gains[%d] = %d\npanel_losses[%d] = %d\n", \
        p, (any ? 2 : 0), p, (right > 0), p, (left > 0) > out

    printf "panel_ticks[%d] = \"set xtics (%s)\"\n", p, log_ticks_across(from, to, panel_width, "×") > out
}

function end_bars(stem, title,    i, name) {
    begin_file(stem, title)
    printf "bars = %d\npanels = %d\npanels_at = %d\npanel_width = %d\npanel_gap = %d\nrow = %d\n", \
        bars, panels, panels_at, panel_width, GAP, ROW > out
    split("head note from to whiskers gains losses ticks", name, " ")
    for (i = 1; i in name; i++)
        printf "array panel_%s[%d]\n", name[i], panels > out
    printf "array name[%d]\narray note[%d]\n", bars, bars > out
    for (i = 1; i <= bars; i++)
        printf "name[%d] = %s\nnote[%d] = %s\n", i, quoted(bar_name[i]), i, quoted(bar_note[i]) > out
    printf "note_head = %s\n", quoted(note_head) > out
    for (i = 1; i <= panels; i++)
        write_bars(i)
    end_file("bars")
}

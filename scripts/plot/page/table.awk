# The table of all rows. data-value holds what a column is sorted by: the file's own text where there is a single round.

BEGIN {
    columns_shown = split("Operation,Workload,Rung,Mode,Backend,Time,Spread,GFLOP/s,GB/s,Ceiling %,Speed-up,Over best CPU," \
                          "Notes,Line", heading, ",")
    split("op,workload,,mode,backend", filtered_by, ",")
}

# The baseline of all speed-ups, if there is one; else each cell names its own.
function common_baseline(    w, text) {
    for (w in baseline)
        if (text == "" || text == baseline[w])
            text = baseline[w]
        else
            return ""
    return text
}

function is_number(column) { return column >= 6 && column != 13 }

function print_table(    i) {
    if (common_baseline() != "")
        heading[11] = "Over " common_baseline()
    print "<section id=\"table\">\n<h2>All rows</h2>"
    print_controls()
    print "<div class=\"box\" role=\"region\" aria-labelledby=\"caption\" tabindex=\"0\">\n<table id=\"rows\">"
    print "<caption id=\"caption\">" (rounds_most > 1 ? "Medians of rounds. Spread: from the fastest to the slowest round" : \
        "Medians. Spread: from the first to the third quartile of the samples") \
        ", in per cent of the median and as times.</caption>\n<thead>\n<tr>"
    for (i = 1; i <= columns_shown; i++)
        print "<th scope=\"col\"" (is_number(i) ? " class=\"number\" data-sort=\"number\"" : " data-sort=\"text\"") \
            (filtered_by[i] == "" ? "" : " data-filter=\"" filtered_by[i] "\"") ">" html(heading[i]) "</th>"
    print "</tr>\n</thead>\n<tbody>"
    for (i = 1; i <= page_rows; i++)
        print_row(page_row[i])
    print "</tbody>\n</table>\n</div>"
    print "<p class=\"small\">The best CPU rung is the fastest that is not TF32. Lines are those of <a href=\"" \
        link(ENVIRON["PAGE_CSV"]) "\">the results as CSV</a>."
    for (i in runs_as) {
        print "Rungs marked = X ran X's kernel, as their own is not made for the shape; such a row is in no chart."
        break
    }
    if (rounds_most > 1)
        print "Where there are several rounds, each figure is the median of theirs, and a speed-up the ratio of two medians."
    print "</p>\n</section>"
}

# The script shows them: without it they would do nothing.
function print_controls(    i) {
    print "<div id=\"controls\" role=\"group\" aria-label=\"Choose rows\" hidden>"
    print "<label>Filter <input type=\"search\" id=\"words\" autocomplete=\"off\" placeholder=\"words, all must match\"></label>"
    for (i = 1; i <= columns_shown; i++)
        if (filtered_by[i] != "")
            print "<label>" heading[i] " <select id=\"choose-" filtered_by[i] "\">" \
                "<option value=\"\">all</option></select></label>"
    print "<button type=\"button\" id=\"reset\">Show all</button>"
    print "<span id=\"shown\" role=\"status\"></span>\n</div>"
}

function print_row(row,    status, i) {
    status = status_of(row)
    print "<tr id=\"line-" line_of[row, 1] "\" data-status=\"" status "\">"
    text_cell(of_row[row, "op"])
    text_cell(of_row[row, "workload"])
    print "<th scope=\"row\">" html(of_row[row, "variant"]) precision_of(row) other_kernel_of(row) "</th>"
    text_cell(of_row[row, "mode"])
    text_cell(of_row[row, "backend"])
    if (status == "ok") {
        print_time(row)
        figure_cell(row, "gflops", "")
        figure_cell(row, "bandwidth_gbs", "")
        figure_cell(row, "ceiling_pct", of_row[row, "ceiling"])
        print_speedups(row)
    } else {
        print "<td class=\"number status\" data-value=\"\">" status "</td>"
        for (i = 1; i <= 6; i++)
            number_cell("", "")
    }
    print "<td>" notes_on(row, status) "</td>"
    print "<td class=\"number\" data-value=\"" line_of[row, 1] "\">" lines_of(row) "</td>\n</tr>"
}

function text_cell(text) { print "<td>" html(text) "</td>" }

function number_cell(value, text) { print "<td class=\"number\" data-value=\"" html(value) "\">" text "</td>" }

function aside(text) { return text == "" ? "" : " <small>" html(text) "</small>" }

# What is neither FP32 nor bytes has to be said.
function precision_of(row,    text) {
    text = of_row[row, "precision"]
    return tolower(text) == "fp32" || tolower(text) == "u8" ? "" : aside(text)
}

# A rung that handed over says to which.
function other_kernel_of(row) { return row in runs_as ? aside("= " runs_as[row]) : "" }

function figure_cell(row, what, of_what,    value) {
    value = figure_of(row, what)
    number_cell(value, value == "" ? "" : figure(value) aside(of_what))
}

function print_time(row,    low, high, spread) {
    number_cell(exact(row, "time_median_s", median[row]), duration(median[row]))
    if (fast[row] == "" || slow[row] == "") {
        number_cell("", "<small>unknown</small>")
        return
    }
    low = fast[row] + 0
    high = slow[row] + 0
    spread = 100 * (high - low) / median[row]
    print "<td class=\"number\" data-value=\"" sprintf("%.9g", spread) "\" data-low=\"" html(exact(row, "time_q1_s", low)) \
        "\" data-high=\"" html(exact(row, "time_q3_s", high)) "\">" percent(spread) \
        " <small>" duration_range(low, high) "</small></td>"
}

# The file's own text of a time where there is one round, else the number.
function exact(row, what, number) {
    return of_row[row, "measured"] == 1 ? cell_of[row, what, 1] : sprintf("%.9g", number)
}

function print_speedups(row,    workload, mode, over, divisor, value) {
    workload = of_row[row, "op"] SUBSEP of_row[row, "workload"]
    mode = of_row[row, "mode"]
    over = baseline[workload]
    value = figure_of(row, "speedup")
    divisor = base_row(workload, mode)
    if (value != "" && of_row[row, "measured"] > 1 && divisor != "")
        value = sprintf("%.9g", median[divisor] / median[row])
    number_cell(value, value == "" ? "" : factor(value + 0) aside(common_baseline() == "" ? over : ""))
    divisor = best_row(workload, mode, "cpu")
    value = divisor == "" ? "" : sprintf("%.9g", median[divisor] / median[row])
    number_cell(value, value == "" ? "" : factor(value + 0))
}

function notes_on(row, status,    i, text) {
    for (i = 1; i <= marks_of_row[row] && status != "skipped"; i++)
        text = text (i == 1 ? "" : " ") html(mark_of_row[row, i])
    if (status == "failed" || status == "skipped")
        text = text (text == "" ? "" : "; ") html(reason_of(row))
    return text
}

function lines_of(row,    i, text) {
    for (i = 1; i <= of_row[row, "lines"]; i++)
        text = text (i == 1 ? "" : " ") "<a href=\"" link(ENVIRON["PAGE_CSV"]) "#L" line_of[row, i] "\">" line_of[row, i] "</a>"
    return i <= 4 ? text : "<details><summary>" (i - 1) " lines</summary>" text "</details>"
}

# The rows of a verdict file (rungbench-gate --csv), in the file's order:
#   rows, row_name, row_verdict, row_reason [i]
#   change [i], low, high [i]   in per cent, new time over base; low and high are "" where nothing bounds them. A row that
#                               was not timed on both sides has no change.
#   threshold, cleared_below [i]   in per cent
#   rounds_least, rounds_most   over all rows and both sides
#   device, revisions   what was compared; "" where the file does not say
#   verdicts, verdict_at [i]   all there are, the worst first

BEGIN {
    needed = "name,verdict,ratio,ratio_low,ratio_high,base_rounds,new_rounds,threshold,clear,reason"
    verdicts = split("slower,failed,missing,newly skipped,suspected,inconclusive,accepted,layout,faster,cleared,new,not gated," \
                     "skipped,not compared", verdict_at, ",")
    for (i = 1; i <= verdicts; i++)
        is_verdict[verdict_at[i]] = 1
}

function read_header(    n, name, i) {
    n = split(needed, name, ",")
    for (i = 1; i <= n; i++)
        if (!(name[i] in column))
            fail(2, "no column `" name[i] "' among the " count_of(columns, "cell") " of its first line; expected the header " \
                    "of a verdict file of rungbench-gate")
}

# The number above 0 in the column `name`; "" if the cell is empty.
function positive(name,    text) {
    text = get(name)
    if (text != "" && (text !~ /^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ || text + 0 <= 0))
        fail_line(name " is " shorten(text) "; expected a number above 0")
    return text
}

function count_rounds(name,    n) {
    n = positive(name) + 0
    rounds_least = rounds_most ? least(rounds_least, n) : n
    rounds_most = most(rounds_most + 0, n)
}

function per_cent(ratio) { return ratio == "" ? "" : 100 * (ratio - 1) }

function read_row() {
    row_name[rows] = get("name")
    row_verdict[rows] = get("verdict")
    row_reason[rows] = get("reason")
    device = get("device")
    revisions = get("new_revision") == "" ? "" : "revision " get("new_revision") " over " get("base_revision")
    if (!(row_verdict[rows] in is_verdict))
        fail_line("verdict is " shorten(row_verdict[rows]) "; expected cleared, slower or another of rungbench-gate")
    if (positive("ratio") == "")
        return
    if (positive("threshold") == "" || positive("clear") == "")
        fail_line("a ratio without threshold and clear; expected both")
    change[rows] = per_cent(get("ratio"))
    low[rows] = per_cent(positive("ratio_low"))
    high[rows] = per_cent(positive("ratio_high"))
    threshold[rows] = 100 * get("threshold")
    cleared_below[rows] = 100 * get("clear")
    count_rounds("base_rounds")
    count_rounds("new_rounds")
}

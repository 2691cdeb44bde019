# What every chart has around its panels, in variables for frame.gp: `title`, lines above (head) and below (foot), and the
# width `total`, which header() and footer() need. The chart becomes STEM.chart in the folder at hand, and STEM with its title a
# line of the file `list` there. PLOT_ONLY in the environment is a regular expression: which stems are wanted.

BEGIN {
    MARGIN = 24 # pixels
    only = ENVIRON["PLOT_ONLY"]
}

function is_wanted(stem) { return only == "" || safe(stem) ~ only }

# Notes a chart that cannot be drawn, together with those that lack the same.
function leave_out(stem, cause) {
    if (!is_wanted(stem))
        return
    refused++
    if (!(cause in lacking))
        lack[++lacks] = cause
    if (++lacking_count[cause] <= 4)
        lacking[cause] = lacking[cause] (lacking[cause] == "" ? "" : ", ") stem
}

function all_left_out(    i, text) {
    for (i = 1; i <= lacks; i++)
        text = text (i > 1 ? "; " : "") lacking[lack[i]] \
               (lacking_count[lack[i]] > 4 ? " and " lacking_count[lack[i]] - 4 " more" : "") " (" lack[i] ")"
    return text
}

# Where panels begin that have names of up to `longest` letters to their left, and `room` pixels for more.
function beside_names(longest, room) { return int(MARGIN + longest * 9.03 + room) }

function begin_frame() { heads = foots = 0 }

# A line above the panels; `kind` is what it speaks of and has the colour of (a backend, a verdict), or empty.
function header(kind, text,    lines, line, i) {
    lines = wrap(text, int((total - 2 * MARGIN - 20) / 8.6), line)
    for (i = 1; i <= lines; i++) {
        head[++heads] = line[i]
        head_kind[heads] = i > 1 && kind != "" ? "continued" : kind
    }
}

function footer(text,    lines, line, i) {
    lines = wrap(text, int((total - 2 * MARGIN) / 6.9), line)
    for (i = 1; i <= lines; i++)
        foot[++foots] = line[i]
}

# From here to end_file() who draws writes to the file `out`.
function begin_file(stem, title,    i) {
    stem = safe(stem)
    if (stem in used)
        stem = stem "-" (++used[stem])
    used[stem] = 1
    out = stem ".chart"
    print stem "\t" title > "list"
    charts++
    printf "title = %s\nmargin = %d\ntotal = %d\nheads = %d\nfoots = %d\n", quoted(title), MARGIN, total, heads, foots > out
    printf "array head[%d]\narray head_kind[%d]\narray foot[%d]\n", heads, heads, foots > out
    for (i = 1; i <= heads; i++)
        printf "head[%d] = %s\nhead_kind[%d] = %s\n", i, quoted(head[i]), i, quoted(head_kind[i]) > out
    for (i = 1; i <= foots; i++)
        printf "foot[%d] = %s\n", i, quoted(foot[i]) > out
}

# The chart is drawn by DRAWER.gp.
function end_file(drawer) {
    print "load '" drawer ".gp'" > out
    close(out)
}

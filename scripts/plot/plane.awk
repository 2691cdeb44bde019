# Describes a chart of one plane with two logarithmic axes in variables for plane.gp. Filled by who draws, between
# begin_plane() and end_plane(): lines of points, dots with whiskers, and texts beside a place, which are kept apart.

BEGIN { PLANE_WIDTH = 820; PLANE_LEFT = 66; PLANE_HEAD = 30; TEXT_GAP = 17 } # pixels

function begin_plane() {
    plane_lines = plane_dots = plane_texts = plane_titles = plane_legends = 0
    plane_x_from = plane_y_from = 1e9
    plane_x_to = plane_y_to = -1e9
    split("", line_points)
    begin_frame()
}

# `dash`: 1 a whole line, 2 dashes, 3 dots. Returns the line, for extend_line().
function add_line(kind, dash, thickness) {
    line_kind[++plane_lines] = kind
    line_dash[plane_lines] = dash
    line_width[plane_lines] = thickness
    line_points[plane_lines] = 0
    return plane_lines
}

function extend_line(line, x, y,    n) {
    n = ++line_points[line]
    line_x[line, n] = x
    line_y[line, n] = y
    reach_to(x, y)
}

# `low` and `high` are the whisker's ends, "" where unknown.
function add_dot(x, y, low, high, kind) {
    dot[++plane_dots] = sprintf("%.9g\t%.9g\t%s\t%s\t%s", x, y, or_nan(low), or_nan(high), kind)
    reach_to(x, y)
    if (low != "")
        reach_to(x, low)
    if (high != "")
        reach_to(x, high)
}

# A text to the right of a place, or at the right edge of the plane (`x` is ""); those of one `group` are kept apart.
function add_text(x, y, text, group) {
    text_of[++plane_texts] = text
    text_x[plane_texts] = x
    text_y[plane_texts] = y
    text_group[plane_texts] = group
}

# A line of the list to the right of the plane.
function add_legend(text) { legend[++plane_legends] = text }

# A text centred above a place, which stays there.
function add_title(x, y, text) {
    title_text[++plane_titles] = text
    title_x[plane_titles] = x
    title_y[plane_titles] = y
}

# Widens what is shown.
function reach_to(x, y) {
    plane_x_from = least(plane_x_from, log10(x))
    plane_x_to = most(plane_x_to, log10(x))
    plane_y_from = least(plane_y_from, log10(y))
    plane_y_to = most(plane_y_to, log10(y))
}

# Fixes the ranges, `margin_x` and `margin_y` being shares of what is shown, and the width with `right` pixels beside the plane.
function lay_out_plane(margin_x, margin_y, right,    i, n, pad) {
    pad = most(plane_x_to - plane_x_from, 0.3) * margin_x
    plane_x_from -= pad
    plane_x_to += pad
    pad = most(plane_y_to - plane_y_from, 0.3) * margin_y
    plane_y_from -= pad
    plane_y_to += pad
    n = 0
    for (i = 1; i <= plane_texts; i++)
        n += text_x[i] == ""
    PLANE_HEIGHT = most(440, most(n, plane_legends) * TEXT_GAP + 20)
    total = MARGIN + PLANE_LEFT + PLANE_WIDTH + right + MARGIN
}

# Pixels from the left edge of the chart, and from the upper edge of the plane.
function pixel_x(x) {
    return MARGIN + PLANE_LEFT + (log10(x) - plane_x_from) / (plane_x_to - plane_x_from) * PLANE_WIDTH
}
function pixel_y(y) { return (plane_y_to - log10(y)) / (plane_y_to - plane_y_from) * PLANE_HEIGHT }

# Texts of a group from above to below, each TEXT_GAP below the one before, as near to where they belong as that allows.
function place_texts(group,    i, j, n, order, t, wish) {
    for (i = 1; i <= plane_texts; i++)
        if (text_group[i] == group) {
            wish[i] = text_at[i] = pixel_y(text_y[i])
            for (j = n++; j >= 1 && wish[order[j]] > wish[i]; j--)
                order[j + 1] = order[j]
            order[j + 1] = i
        }
    for (t = 1; t <= 60; t++)
        for (i = 1; i < n; i++)
            push_apart(order[i], order[i + 1])
    for (i = n; i >= 1; i--)
        text_at[order[i]] = least(text_at[order[i]], (i == n ? PLANE_HEIGHT - 6 : text_at[order[i + 1]] - TEXT_GAP))
    for (i = 1; i <= n; i++)
        text_at[order[i]] = most(text_at[order[i]], (i == 1 ? 8 : text_at[order[i - 1]] + TEXT_GAP))
}

function push_apart(above, below,    overlap) {
    overlap = TEXT_GAP - (text_at[below] - text_at[above])
    if (overlap > 0.1) {
        text_at[above] -= overlap / 2
        text_at[below] += overlap / 2
    }
}

# Where a title stands: above its place, and above texts and other titles that it would cover.
function title_height(i,    j, half, x, moved) {
    half = width(title_text[i]) * 4 + 4
    x = pixel_x(title_x[i])
    title_at[i] = pixel_y(title_y[i]) - 13
    do {
        moved = 0
        for (j = 1; j < i; j++)
            moved += covers(i, x - half, x + half, pixel_x(title_x[j]) - width(title_text[j]) * 4, width(title_text[j]) * 8, \
                            title_at[j])
        for (j = 1; j <= plane_texts; j++)
            if (text_x[j] != "")
                moved += covers(i, x - half, x + half, pixel_x(text_x[j]) + 22, width(text_of[j]) * 8, text_at[j])
    } while (moved)
    return title_at[i]
}

# Whether title `i`, from `left` to `right`, covers what stands there and is so wide; then it is moved above it.
function covers(i, left, right, from, wide, at) {
    if (left > from + wide || right < from || distance(title_at[i], at) >= 15)
        return 0
    title_at[i] = at - 15
    return 1
}

function distance(a, b) { return a < b ? b - a : a - b }

function end_plane(stem, title, x_title, y_title) {
    begin_file(stem, title)
    printf "plane_left = %d\nplane_width = %d\n", MARGIN + PLANE_LEFT, PLANE_WIDTH > out
    printf "plane_height = %d\nplane_head = %d\n", PLANE_HEIGHT, PLANE_HEAD > out
    printf "set xrange [%.9g:%.9g]\n", 10 ^ plane_x_from, 10 ^ plane_x_to > out
    printf "set yrange [%.9g:%.9g]\n", 10 ^ plane_y_from, 10 ^ plane_y_to > out
    printf "set xtics (%s)\n", log_ticks_across(plane_x_from, plane_x_to, PLANE_WIDTH, x_unit) > out
    printf "set ytics (%s)\n", log_ticks(plane_y_from, plane_y_to, PLANE_HEIGHT, 26, y_unit) > out
    printf "x_title = %s\ny_title = %s\n", quoted(x_title), quoted(y_title) > out
    write_lines()
    write_texts()
    end_file("plane")
}

# An array of gnuplot's, which may not be empty.
function declare(name, count) { printf "array %s[%d]\n", name, count + 1 > out }

function write_lines(    i, n) {
    printf "lines = %d\n", plane_lines > out
    declare("line_kind", plane_lines)
    declare("dash", plane_lines)
    declare("thickness", plane_lines)
    for (i = 1; i <= plane_lines; i++) {
        printf "line_kind[%d] = %s\ndash[%d] = %d\n", i, quoted(line_kind[i]), i, line_dash[i] > out
        printf "thickness[%d] = %g\n$line%d << CHART_END\n", i, line_width[i], i > out
        for (n = 1; n <= line_points[i]; n++)
            printf "%.9g\t%.9g\n", line_x[i, n], line_y[i, n] > out
        print "CHART_END" > out
    }
    printf "dots = %d\n$dots << CHART_END\n", plane_dots > out
    for (i = 1; i <= plane_dots; i++)
        print dot[i] > out
    print "CHART_END" > out
}

function write_texts(    i, group, x) {
    for (i = 1; i <= plane_texts; i++)
        if (!(text_group[i] in group)) {
            group[text_group[i]] = 1
            place_texts(text_group[i])
        }
    printf "texts = %d\ntitles = %d\nlegends = %d\n", plane_texts, plane_titles, plane_legends > out
    declare("caption", plane_texts)
    declare("text_x", plane_texts)
    declare("text_y", plane_texts)
    declare("place_x", plane_texts)
    declare("place_y", plane_texts)
    for (i = 1; i <= plane_texts; i++) {
        x = text_x[i] == "" ? MARGIN + PLANE_LEFT + PLANE_WIDTH : pixel_x(text_x[i])
        printf "caption[%d] = %s\ntext_x[%d] = %.1f\ntext_y[%d] = %.1f\n", i, quoted(text_of[i]), i, x + 22, i, text_at[i] > out
        printf "place_x[%d] = %.1f\nplace_y[%d] = %.1f\n", i, x + 5, i, pixel_y(text_y[i]) > out
    }
    declare("over", plane_titles)
    declare("over_x", plane_titles)
    declare("over_y", plane_titles)
    for (i = 1; i <= plane_titles; i++) {
        printf "over[%d] = %s\nover_x[%d] = %.1f\n", i, quoted(title_text[i]), i, pixel_x(title_x[i]) > out
        printf "over_y[%d] = %.1f\n", i, title_height(i) > out
    }
    declare("legend", plane_legends)
    for (i = 1; i <= plane_legends; i++)
        printf "legend[%d] = %s\n", i, quoted(legend[i]) > out
}

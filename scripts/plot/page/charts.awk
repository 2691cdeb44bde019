# The charts, by kind. Each is an image within the page, so that what its SVG names stays apart from the others.
# PAGE_CHARTS in the environment is the folder with `list` (lines STEM<tab>TITLE), and N.svg and N.base64 of its line N.

# Its `kinds` are the #page lines of the charts' files: order, kind, how many stand there unfolded (0: all are folded away, by
# workload), heading, advice.

function read_kinds(    list, line, part) {
    list = ENVIRON["PAGE_CHARTS"] "/kinds"
    while ((getline line < list) > 0) {
        split(line, part, / \| /)
        add_kind(part[2], part[3], part[4], part[5])
    }
    close(list)
    add_kind("", 3, "Further charts", "Named by what they show.")
}

function add_kind(name, open, heading, advice) {
    chart_kind[++chart_kinds] = name
    kind_heading[name] = heading
    kind_open[name] = open
    kind_advice[name] = advice
}

function read_charts(    list, line, tab) {
    read_kinds()
    list = ENVIRON["PAGE_CHARTS"] "/list"
    while ((getline line < list) > 0) {
        tab = index(line, "\t")
        chart_stem[++charts] = substr(line, 1, tab - 1)
        chart_title[charts] = substr(line, tab + 1)
    }
    close(list)
}

function kind_of_chart(stem) {
    sub(/-.*/, "", stem)
    return stem in kind_heading ? stem : ""
}

function print_charts(    i, k) {
    print "<section id=\"charts\">\n<h2>Charts</h2>"
    if (!charts)
        print "<p>None was drawn.</p>"
    for (k = 1; k <= chart_kinds; k++)
        for (i = 1; i <= charts; i++)
            if (kind_of_chart(chart_stem[i]) == chart_kind[k]) {
                print_kind(chart_kind[k])
                break
            }
    print "</section>"
}

function print_kind(kind,    i, seen, folded_away, titles) {
    print "<section class=\"kind\">\n<h3>" kind_heading[kind] "</h3>\n<p>" kind_advice[kind] "</p>"
    if (kind_open[kind] == 0)
        print_by_workload(kind)
    else {
        for (i = 1; i <= charts; i++) {
            if (kind_of_chart(chart_stem[i]) != kind)
                continue
            if (++seen <= kind_open[kind])
                print_chart(i)
            else
                titles = titles (++folded_away == 1 ? "" : "; ") html(chart_title[i])
        }
        seen = 0
        if (folded_away)
            print "<details>\n<summary>" folded_away " more: " titles "</summary>"
        for (i = 1; i <= charts; i++)
            if (kind_of_chart(chart_stem[i]) == kind && ++seen > kind_open[kind])
                print_chart(i)
        if (folded_away)
            print "</details>"
    }
    print "</section>"
}

# Of KIND-OP-WORKLOAD-MODE all modes in one fold; the first is open.
function print_by_workload(kind,    i, j, group, label, groups) {
    for (i = 1; i <= charts; i++) {
        if (kind_of_chart(chart_stem[i]) != kind || i in label)
            continue
        group = workload_of_chart(chart_stem[i])
        print "<details" (groups++ ? "" : " open") ">"
        for (j = i; j <= charts; j++)
            if (kind_of_chart(chart_stem[j]) == kind && workload_of_chart(chart_stem[j]) == group)
                label[j] = chart_title[j]
        print "<summary>" fold_label(i, label) "</summary>"
        for (j = i; j <= charts; j++)
            if (j in label && workload_of_chart(chart_stem[j]) == group)
                print_chart(j)
        print "</details>"
    }
}

function workload_of_chart(stem) {
    sub(/-[^-]*$/, "", stem)
    return stem
}

# The first title, and what is new in those behind it: "matmul/mnist, cold; hot".
function fold_label(first, label,    j, text, shared, rest) {
    text = html(chart_title[first])
    shared = chart_title[first]
    sub(/,[^,]*$/, ",", shared)
    for (j = first + 1; j <= charts; j++) {
        if (!(j in label) || workload_of_chart(chart_stem[j]) != workload_of_chart(chart_stem[first]))
            continue
        rest = chart_title[j]
        if (substr(rest, 1, length(shared)) == shared)
            rest = substr(rest, length(shared) + 2)
        text = text "; " html(rest)
    }
    return text
}

function print_chart(i,    file, id) {
    id = "chart-" chart_stem[i]
    file = ENVIRON["PAGE_CHARTS"] "/" i
    print "<figure id=\"" id "\">"
    printf "<img alt=\"%s\"%s src=\"data:image/svg+xml;base64,", html("Chart: " chart_title[i]), size_of_svg(file ".svg")
    copy_file(file ".base64")
    print "\">"
    print "<figcaption>" html(chart_title[i]) " <a class=\"enlarge\" href=\"#" id "\">full size</a>" \
        "<a class=\"reduce\" href=\"#charts\">fit to the page</a></figcaption>\n</figure>"
}

# No line is broken, none is added.
function copy_file(file,    line, started) {
    while ((getline line < file) > 0)
        printf "%s%s", (started++ ? "\n" : ""), line
    close(file)
}

# width and height as an image needs them to keep its place; nothing if the SVG does not say.
function size_of_svg(file,    line, tag, part, across, down) {
    while (tag !~ /<svg[^>]*>/ && (getline line < file) > 0)
        tag = tag " " line
    close(file)
    if (!match(tag, /<svg[^>]*>/))
        return ""
    tag = substr(tag, RSTART, RLENGTH)
    across = number_in(tag, "width")
    down = number_in(tag, "height")
    if ((across == "" || down == "") && match(tag, /viewBox=["'][-0-9., ]+/)) {
        split(substr(tag, RSTART + 9, RLENGTH - 9), part, /[, ]+/)
        across = part[3]
        down = part[4]
    }
    return across + 0 > 0 && down + 0 > 0 ? sprintf(" width=\"%.0f\" height=\"%.0f\"", across, down) : ""
}

function number_in(tag, name) {
    if (!match(tag, "[ \t]" name "=[\"'][0-9.]+(px)?[\"']"))
        return ""
    tag = substr(tag, RSTART, RLENGTH)
    gsub(/[^0-9.]/, "", tag)
    return tag
}

"""Rows of dots with their names to the left and their values to the right, in panels side by side."""
import axis
import gnuplot
import text
from frame import MARGIN, TEXT_SIZE, WIDTH, columns

ROW, ABOVE, BELOW, GAP = 24, 46, 46, 14  # pixels
NAME_MOST = 250

# Between START and END stand the lines `plot ..., \` of who draws; DOTS are the last of them. A loop to 0 draws nothing, which
# is how gnuplot wants an empty set.
START = r"""
set logscale x
set yrange [rows + 0.5 : 0.5]
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
row_at(i) = Y(top + (i - 0.5) * row)
do for [i = 1:rows] {
    set label name[i] at screen X(margin), row_at(i) left noenhanced \
        font (strong[i] ? STRONG : CODE) textcolor rgb INK
    set label note[i] at screen X(note_x), row_at(i) right noenhanced font SMALL textcolor rgb FAINT
    if (!strong[i]) { set arrow from graph 0, first i to graph 1, first i nohead back linecolor rgb GRID linewidth 1 }
}
set label note_head at screen X(note_x), Y(top - 10) right noenhanced font SMALL textcolor rgb FAINT
do for [i = 1:values] {
    set label value[i] at screen X(value_x[i]), row_at(value_row[i]) left noenhanced font TEXT \
        textcolor rgb (value_bad[i] ? ALARM : INK)
}
set multiplot
do for [p = 1:panels] {
    set lmargin at screen X(panel_left[p])
    set rmargin at screen X(panel_left[p] + panel_width)
    set label panel_head[p] at screen X(panel_left[p]), Y(top - 28) left noenhanced font STRONG textcolor rgb INK
    set label panel_note[p] at screen X(panel_left[p]), Y(top - 10) left noenhanced font SMALL textcolor rgb FAINT
    set label axis_title at screen X(panel_left[p] + panel_width / 2), Y(bottom + 36) center noenhanced font SMALL \
        textcolor rgb FAINT
    set xtics ()
    do for [i = 1:ticks] {
        if (tick_panel[i] == p) { set xtics add (tick_text[i] tick_at[i]) }
    }
    set xrange [panel_from[p] : panel_to[p]]
    data = sprintf("$dots%d", p)
    crosses = sprintf("$crosses%d", p)
"""
DOTS = r"""for [i = 1:panel_whiskers[p]] data using (strcol(3) eq 'NaN' ? NaN : $2):1:3:4 with xerrorbars pointtype 0 \
            linecolor rgb INK linewidth 1.2, \
        for [i = 1:panel_crosses[p]] crosses using 2:1 with points pointtype 2 pointsize 0.9 linecolor rgb BAD linewidth 2.4, \
        for [i = 1:panel_rings[p]] data using ($7 > 0 ? $2 : NaN):1 with points pointtype 6 pointsize 1.35 linecolor rgb INK \
            linewidth 1.2, \
        for [i = 1:panel_dots[p]] data using 2:1:6:(color(strcol(5))) with points pointsize 0.8 pointtype variable \
            linecolor rgb variable linewidth 1.6
"""
END = r"""
    unset label
    unset object
}
unset multiplot
"""


class Panel:
    def __init__(self, head, note=""):
        self.head, self.note = text.clean(head), text.clean(note)
        self.dots, self.crosses, self.values = [], [], []
        self.reach = []  # what must be in view

    def dot(self, place, x, low, high, kind, value, ringed=False, filled=True):
        known = low is not None and high is not None
        mark = gnuplot.MARKS.get(kind, 13) - (not filled)
        self.dots.append((place, x, low if known else None, high if known else None, kind, mark, int(ringed)))
        self.reach += [x, low, high] if known else [x]
        self.values.append((place, value, 0))

    def cross(self, place, word):
        self.crosses.append(place)
        self.values.append((place, word, 1))


def lay_out(names, panels, axis_title, unit="", notes=None, note_head="", strong=None, shared=False, row=ROW):
    """The variables of START, DOTS and END. `strong`: which names are headings, without a dot;
    `shared`: one scale for all panels."""
    strong = strong or [0] * len(names)
    mono = max(text.pixels(name, TEXT_SIZE, mono=True) for name, heading in zip(names, strong) if not heading)
    note_width = max((text.pixels(note, 12) + 14 for note in [*(notes or []), note_head] if note), default=0)
    left = MARGIN + min(mono, NAME_MOST) + 12 + note_width
    value_width = max((text.pixels(value, TEXT_SIZE) for panel in panels for _, value, _ in panel.values), default=0) + 14
    each = (WIDTH - MARGIN - left + GAP) / len(panels)
    width = int(each - value_width - GAP)
    lefts = [int(left + i * each) for i in range(len(panels))]
    ranges = [text.decades(*panel.reach) for panel in panels]
    if shared:
        ranges = [(min(low for low, _ in ranges), max(high for _, high in ranges))] * len(panels)
    ranges = [(low - 0.05 * max(high - low, 0.4), high + 0.05 * max(high - low, 0.4)) for low, high in ranges]
    ticks = [(p + 1, *tick) for p, (low, high) in enumerate(ranges) for tick in axis.ticks(low, high, width, unit)]
    values = [(value, lefts[p] + width + 8, place, bad) for p, panel in enumerate(panels) for place, value, bad in panel.values]
    found = {"rows": len(names), "row": row, "strong": strong,
             "name": [name if heading else text.squeeze(name, NAME_MOST, TEXT_SIZE, mono=True) for name, heading in zip(names, strong)],
             "note": notes or [""] * len(names), "note_head": note_head, "note_x": int(left - 14), "axis_title": axis_title,
             "panels": len(panels), "panel_left": lefts, "panel_width": width,
             "panel_head": [text.shorten(panel.head, each - 10, TEXT_SIZE, bold=True) for panel in panels],
             "panel_note": [text.shorten(panel.note, each - 10, 12) for panel in panels],
             "panel_from": [10.0 ** low for low, _ in ranges], "panel_to": [10.0 ** high for _, high in ranges],
             "panel_dots": [int(bool(panel.dots)) for panel in panels],
             "panel_crosses": [int(bool(panel.crosses)) for panel in panels],
             "panel_rings": [int(any(dot[6] for dot in panel.dots)) for panel in panels],
             "panel_whiskers": [int(any(dot[2] is not None for dot in panel.dots)) for panel in panels]}
    found |= columns(ticks, "ticks", "tick_panel", "tick_text", "tick_at")
    found |= columns(values, "values", "value", "value_x", "value_row", "value_bad")
    for p, panel in enumerate(panels):
        found[f"dots{p + 1}"] = panel.dots
        found[f"crosses{p + 1}"] = [(place, 10.0 ** (ranges[p][0] + 0.04 * (ranges[p][1] - ranges[p][0]))) for place in panel.crosses]
    return found

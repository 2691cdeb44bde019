"""A chart: what stands around its panels, and the script of gnuplot that draws it."""
import gnuplot
import text

WIDTH = 900  # pixels, of every chart
MARGIN = 20
TITLE_LINE, HEAD_LINE, FOOT_LINE = 23, 20, 17
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 16, 13, 12

# Needs `terminal` and `out`. X and Y are pixels on the screen; panels stand between `top` and `bottom`, `left` and `right`.
TEMPLATE = r"""
X(pixel) = pixel / real(width)
Y(pixel) = 1 - pixel / real(height)
if (terminal eq 'png') {
    scale = 2 * height < 30000 ? 2 : 30000.0 / height # Cairo draws no more
    set terminal pngcairo size scale * width, scale * height fontscale 0.75 * scale linewidth scale pointscale scale font TEXT \
        background BACK
} else {
    set terminal svg size width, height fixed font TEXT background BACK
}
set output out
do for [i = 1:titles] {
    set label title[i] at screen X(margin), Y(title_at[i]) left noenhanced font TITLE textcolor rgb INK
}
do for [i = 1:heads] {
    if (head_kind[i] ne '') {
        set label '' at screen X(margin + 6), Y(head_at[i]) point pointtype head_mark[i] pointsize 1.1 linewidth 2 \
            linecolor rgb color(head_kind[i])
    }
    set label head[i] at screen X(head_x[i]), Y(head_at[i]) left noenhanced font TEXT \
        textcolor rgb (head_kind[i] eq 'bad' ? ALARM : FAINT)
}
do for [i = 1:foots] {
    set label foot[i] at screen X(margin), Y(foot_at[i]) left noenhanced font SMALL textcolor rgb FAINT
}
set tmargin at screen Y(top)
set bmargin at screen Y(bottom)
set lmargin at screen X(left)
set rmargin at screen X(right)
"""


class Chart:
    """`kind` is the module that draws it; `workload` and `mode` are what it shows, empty if it shows several."""

    def __init__(self, kind, stem, title, subtitle, workload="", mode=""):
        self.kind, self.stem = kind, text.file_name(stem)
        self.title, self.subtitle = text.clean(title), text.clean(subtitle)
        self.workload, self.mode = workload, mode
        self.caption = ""  # what surprises in the data, and what marks mean; for the page and for those who cannot see it
        self._heads, self._foots = [], []
        self._script = ""

    def header(self, what, kind=""):
        """A line above the panels, with the colour of what it speaks of (a backend, a verdict)."""
        self._heads.append((text.clean(what), kind))

    def footer(self, what):
        self._foots.append(text.clean(what))

    def remark(self, what):
        """A sentence of the caption, which also stands below the chart."""
        self.caption = f"{self.caption} {what}".strip()
        self.footer(what)

    def description(self):
        return ". ".join(part.rstrip(".") for part in (self.subtitle, *(h for h, _ in self._heads), self.caption) if part) + "."

    def draw(self, template, body, above, below, **values):
        """Fixes the script: panels of `body` pixels with as many `above` and `below` them as the template draws there. `values` are
        the template's, among them `left` and `right` where the panels do not reach from margin to margin."""
        inner = WIDTH - 2 * MARGIN
        titles = text.wrap(self.title, inner, TITLE_SIZE, bold=True)
        y = 8
        frame = {"width": WIDTH, "margin": MARGIN, "left": MARGIN, "right": WIDTH - MARGIN,
                 "titles": len(titles), "title": titles, "title_at": []}
        for _ in titles:
            frame["title_at"].append(y + TITLE_LINE // 2)
            y += TITLE_LINE
        y += 2
        heads = []
        for what, kind in [(self.subtitle, ""), *self._heads]:
            indent = 20 if kind else 0
            for i, line in enumerate(text.wrap(what, inner - indent, TEXT_SIZE)):
                heads.append((line, kind if i == 0 else "", gnuplot.MARKS.get(kind, 5), MARGIN + indent, y + HEAD_LINE // 2))
                y += HEAD_LINE
        frame |= columns(heads, "heads", "head", "head_kind", "head_mark", "head_x", "head_at")
        frame["top"] = y + above
        frame["bottom"] = frame["top"] + body
        y = frame["bottom"] + below + 10
        foots = []
        for what in self._foots:
            for line in text.wrap(what, inner, SMALL_SIZE, lines=3):
                foots.append((line, y + FOOT_LINE // 2))
                y += FOOT_LINE
        self.caption = self.caption or " ".join(self._foots[:1])
        frame |= columns(foots, "foots", "foot", "foot_at") | {"height": y + 8}
        self._script = gnuplot.variables(frame | values) + TEMPLATE + template
        return self

    def script(self):
        return self._script + "\nunset output\n"


def columns(rows, count, *names):
    """How many rows there are, and a list per place in them."""
    return {count: len(rows)} | {name: [row[i] for row in rows] for i, name in enumerate(names)}

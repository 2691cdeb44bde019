"""A chart: what stands around its panels, and the script of gnuplot that draws it."""
import gnuplot
import text

WIDTH = 440  # pixels, of every chart: a phone's
MARGIN = 14
TITLE_LINE, HEAD_LINE, FOOT_LINE = 23, 20, 17
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 16, 13, 12

# Needs `terminal`, `out`, `width` and `height`. X and Y are pixels on the screen.
START = r"""
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
"""


class Chart:
    """`stem` names its files, and begins with the name of the module that draws it; `workload` and `mode` are what it shows, empty if
    it shows several. Places are pixels from the left and from above; those that are texts may count from `top` and `bottom`, where
    the panels begin and end."""

    def __init__(self, stem, title, subtitle, workload="", mode=""):
        self.stem = text.file_name(stem)
        self.title, self.subtitle = text.clean(title), text.clean(subtitle)
        self.workload, self.mode = workload, mode
        self.caption = ""  # what surprises in the data, and what marks mean; for the page and for those who cannot see it
        self._heads, self._foots = [], []
        self._commands, self._blocks = [], 0

    def header(self, what, kind=""):
        """A line above the panels, with the colour of what it speaks of (a backend, a verdict)."""
        self._heads.append((text.clean(what), kind))

    def footer(self, what):
        self._foots += [text.clean(what)] * bool(what)

    def remark(self, what):
        """A sentence of the caption, which also stands below the chart."""
        self.caption = f"{self.caption} {what}".strip()
        self.footer(what)

    def description(self):
        return ". ".join(part.rstrip(".") for part in (self.subtitle, *(h for h, _ in self._heads), self.caption) if part) + "."

    def do(self, *commands):
        """Commands of gnuplot. Text stands in them as gnuplot.quoted() has it."""
        self._commands += commands

    def label(self, what, x, y, align="left", font="TEXT", color="INK", upright=False):
        self.do(f"set label {gnuplot.quoted(what)} at screen X({x}), Y({y}) {align} {'rotate' if upright else ''} noenhanced font {font} "
                f"textcolor rgb {color}")

    def area(self, left=MARGIN, right=WIDTH - MARGIN, top="top", bottom="bottom"):
        """Where the next plot stands."""
        self.do(f"set lmargin at screen X({left})", f"set rmargin at screen X({right})",
                f"set tmargin at screen Y({top})", f"set bmargin at screen Y({bottom})")

    def range(self, axis, low, high):
        self.do(f"set {axis}range [{low:.9g} : {high:.9g}]")

    def ticks(self, ticks, axis="x"):
        """[(text, place)] along an axis of the next plot, with lines of a grid."""
        places = ", ".join(f"{gnuplot.quoted(said)} {place}" for said, place in ticks)
        self.do(f"set {axis}tics ({places}) scale 0 font SMALL textcolor rgb FAINT",
                f"set grid {axis}tics linetype 1 linecolor rgb GRID linewidth 1")

    def plot(self, *series):
        """Of each (rows, style), how gnuplot draws rows, whose cells are its columns 1, 2 and so on. Of no rows it draws nothing."""
        parts = []
        for rows, style in series:
            if rows:
                self._blocks += 1
                self.do(gnuplot.block(f"$rows{self._blocks}", rows))
                parts.append(f"$rows{self._blocks} {style}")
        self.do("plot " + (", \\\n    ".join(parts) or "NaN"))

    def finish(self, body, above, below):
        """Fixes the script: panels of `body` pixels, with as many `above` and `below` them as is drawn there."""
        panels, self._commands = self._commands, []
        inner = WIDTH - 2 * MARGIN
        y = 8
        for line in text.wrap(self.title, inner, TITLE_SIZE, lines=4, bold=True):
            self.label(line, MARGIN, y + TITLE_LINE // 2, font="TITLE")
            y += TITLE_LINE
        y += 2
        for what, kind in ((self.subtitle, ""), *self._heads):
            if kind:
                self.do(f"set label '' at screen X({MARGIN + 6}), Y({y + HEAD_LINE // 2}) point pointtype {gnuplot.MARKS.get(kind, 5)} "
                        f"pointsize 1.1 linewidth 2 linecolor rgb color('{kind}')")
            indent = 20 if kind else 0
            for i, line in enumerate(text.wrap(what, inner - indent, TEXT_SIZE, lines=6)):
                self.label(line, MARGIN + indent, y + HEAD_LINE // 2, color="ALARM" if kind == "bad" and i == 0 else "FAINT")
                y += HEAD_LINE
        top, bottom = y + above, y + above + body
        y = bottom + below + 10
        for what in self._foots:
            for line in text.wrap(what, inner, SMALL_SIZE, lines=8):
                self.label(line, MARGIN, y + FOOT_LINE // 2, font="SMALL", color="FAINT")
                y += FOOT_LINE
        self.caption = self.caption or " ".join(self._foots[:1])
        self.area()
        sizes = f"width = {WIDTH}\nheight = {y + 8}\ntop = {top}\nbottom = {bottom}\n"
        self._commands = [sizes + START, *self._commands, *panels]
        return self

    def script(self):
        return "\n".join((*self._commands, "unset output\n"))

"""A plane with two logarithmic axes: lines, dots with whiskers, and texts that keep clear of each other."""
import math

import axis
import gnuplot
import text
from frame import MARGIN, SMALL_SIZE, WIDTH, columns

LEFT, HEIGHT, LINE, ABOVE, BELOW = 64, 420, 15, 30, 48  # pixels

# A loop to 0 draws nothing, which is how gnuplot wants an empty set.
START = r"""
set logscale xy
set xrange [x_from : x_to]
set yrange [y_from : y_to]
set ytics scale 0 font SMALL textcolor rgb FAINT
set ytics ()
do for [i = 1:x_ticks] { set xtics add (x_tick_text[i] x_tick[i]) }
do for [i = 1:y_ticks] { set ytics add (y_tick_text[i] y_tick[i]) }
set grid xtics ytics linetype 1 linecolor rgb GRID linewidth 1
set label y_title at screen X(margin), Y(top - 14) left noenhanced font SMALL textcolor rgb FAINT
set label x_title at screen X(left + (right - left) / 2), Y(bottom + 38) center noenhanced font SMALL textcolor rgb FAINT
do for [i = 1:texts] {
    set label said[i] at screen X(text_x[i]), Y(top + text_y[i]) left noenhanced font SMALL textcolor rgb (text_bad[i] ? ALARM : INK)
    set arrow from screen X(from_x[i]), Y(top + from_y[i]) to screen X(to_x[i]), Y(top + text_y[i]) nohead \
        linecolor rgb FAINT linewidth 0.5
}
"""
DOTS = r"""for [i = 1:whiskers] $dots using 1:(strcol(3) eq 'NaN' ? NaN : $2):3:4 with yerrorbars pointtype 0 linecolor rgb INK \
        linewidth 1.2, \
    for [i = 1:crosses] $bad using 1:2 with points pointtype 2 pointsize 0.9 linecolor rgb BAD linewidth 2.4, \
    for [i = 1:rings] $dots using 1:($7 > 0 ? $2 : NaN) with points pointtype 6 pointsize 1.3 linecolor rgb INK linewidth 1.2, \
    for [i = 1:(rows > 0)] $dots using 1:2:6:(color(strcol(5))) with points pointsize 0.7 pointtype variable \
        linecolor rgb variable linewidth 1.4
"""


class Plane:
    """`right`: pixels beside the plane for its texts. Ranges are fixed by reach(), then texts may be placed."""

    def __init__(self, right=0):
        self.width = WIDTH - 2 * MARGIN - LEFT - int(right)
        self.height = HEIGHT
        self.right = WIDTH - MARGIN  # where texts end at most
        self.dots, self.bad, self.texts = [], [], []
        self.kept_free = []  # (x, x, y): level lines that no text may cross
        self._xs, self._ys = [], []

    def reach(self, x, *ys):
        self._xs.append(x)
        self._ys += [y for y in ys if y]

    def dot(self, x, y, low, high, kind, ringed=False):
        known = low is not None and high is not None
        self.dots.append((x, y, low if known else None, high if known else None, kind, gnuplot.MARKS.get(kind, 13), int(ringed)))
        self.reach(x, y, low, high)

    def fix(self):
        def padded(values, share):
            low, high = text.decades(*values)
            pad = max(high - low, 0.5) * share
            return low - pad, high + pad
        self.x_range, self.y_range = padded(self._xs, 0.05), padded(self._ys, 0.09)

    def bottom(self):
        """Where crosses stand, which have no place on the axis upward."""
        return 10.0 ** (self.y_range[0] + 0.03 * (self.y_range[1] - self.y_range[0]))

    def at(self, x, y):
        """Pixels from the left edge of the chart, and from the upper edge of the plane."""
        (left, right), (low, high) = self.x_range, self.y_range
        return (MARGIN + LEFT + (math.log10(x) - left) / (right - left) * self.width,
                (high - math.log10(y)) / (high - low) * self.height)

    def write(self, said, x, y, bad=False, column=None):
        """A text beside a place, or in a column at so many pixels, where it covers nothing; far away if need be."""
        from_x, from_y = self.at(x, y)
        wide = text.pixels(said, SMALL_SIZE)
        for step in range(250):
            place_y = from_y + (step + 1) // 2 * (4 if step % 2 else -4)
            for place_x in (from_x + 12, from_x - 12 - wide) if column is None else (column,):
                if self._is_free(place_x, place_x + wide, place_y):
                    to_x = place_x - 3 if place_x > from_x else place_x + wide + 3
                    self.texts.append((said, place_x, place_y, from_x, from_y, to_x, int(bad), place_x + wide))
                    return

    def _is_free(self, left, right, y):
        texts = ((t[1], t[7], t[2]) for t in self.texts)
        dots = ((x - 6, x + 6, y) for x, y in (self.at(dot[0], dot[1]) for dot in self.dots))
        lines = ((self.at(a, y)[0], *self.at(b, y)) for a, b, y in self.kept_free)
        return MARGIN + LEFT <= left and right <= self.right and 6 <= y <= self.height - 6 and not any(
            abs(y - at) < LINE and left < end and start < right for start, end, at in (*texts, *dots, *lines))

    def variables(self, x_title, y_title, y_unit=""):
        x_ticks = axis.ticks(*self.x_range, self.width)
        y_ticks = axis.ticks(*self.y_range, self.height, y_unit, gap=26)
        found = {"left": MARGIN + LEFT, "right": MARGIN + LEFT + self.width, "x_title": x_title, "y_title": y_title,
                 "x_from": 10.0 ** self.x_range[0], "x_to": 10.0 ** self.x_range[1],
                 "y_from": 10.0 ** self.y_range[0], "y_to": 10.0 ** self.y_range[1],
                 "dots": self.dots, "bad": self.bad, "rows": len(self.dots),
                 "crosses": int(bool(self.bad)), "whiskers": int(any(dot[2] is not None for dot in self.dots)),
                 "rings": int(any(dot[6] for dot in self.dots))}
        found |= columns(x_ticks, "x_ticks", "x_tick_text", "x_tick") | columns(y_ticks, "y_ticks", "y_tick_text", "y_tick")
        return found | columns(self.texts, "texts", "said", "text_x", "text_y", "from_x", "from_y", "to_x", "text_bad")

"""Dots with whiskers and rings, and crosses of what has no place on their axis."""
import gnuplot


class Dots:
    """`error` is the axis along which values and whiskers lie, x or y. `ring` and `dot` are sizes, `line` the width of a hollow dot's,
    whose interval is unknown."""

    def __init__(self, error, ring, dot, line):
        self.error, self.ring_size, self.dot_size, self.line = error, ring, dot, line
        self.dots, self.crosses = [], []

    def add(self, at, value, low, high, kind, ringed):
        ends = (None, None) if low is None or high is None else (low, high)
        self.dots.append((at, value, *ends, kind, gnuplot.MARKS.get(kind, 13) - (ends[0] is None), int(ringed)))

    def series(self):
        """What Chart.plot() wants, the lowest first: whiskers may be shorter than a dot is wide."""
        place, span = ("1:2", "1:3:(0):($4 - $3)") if self.error == "y" else ("2:1", "3:1:($4 - $3):(0)")
        return ((self.crosses, f"using {place} with points pointtype 2 pointsize 0.9 linecolor rgb BAD linewidth 2.4"),
                ([dot for dot in self.dots if dot[6]],
                 f"using {place} with points pointtype 6 pointsize {self.ring_size} linecolor rgb INK linewidth 1.2"),
                (self.dots, f"using {place}:6:(color(strcol(5))) with points pointsize {self.dot_size} pointtype variable "
                            f"linecolor rgb variable linewidth {self.line}"),
                ([dot for dot in self.dots if dot[2] is not None],
                 f"using {span} with vectors nohead linecolor rgb INK linewidth 1.4"))


def tell_hollow(chart, several):
    """Once, above the panels."""
    if any(dot[2] is None for dots in several for dot in dots.dots):
        chart.header("Hollow: interval unknown, of too few samples")

"""Ticks of logarithmic axes. Ranges are in decades, lengths in pixels."""
import math

import text


def label(x, unit):
    if unit == "s":
        return text.duration(x).replace(".00 ", " ").replace(".0 ", " ")
    return (f"{x:.1g}" if x < 1 else f"{x:,.0f}" if x < 1e7 else f"{x:.0e}".replace("e+0", "e").replace("e+", "e")) + unit


def ticks(start, end, pixels, unit="", gap=None):
    """[(text, place)]: 1, 2, 5, 10 or powers of ten, at least `gap` pixels apart, or else with room for the texts."""
    if gap is None:
        gap = 8 + max(len(label(10.0 ** math.floor(x), unit)) for x in (start, end)) * 7.2
    per_decade = pixels / (end - start)
    digits = (1, 2, 5) if per_decade * 0.301 > gap else (1, 3) if per_decade * 0.477 > gap and per_decade < 400 else (1,)
    step = math.ceil(gap / per_decade)
    return [(label(digit * 10.0 ** exponent, unit), digit * 10.0 ** exponent)
            for exponent in range(math.floor(start) - 1, math.ceil(end) + 1) if exponent % step == 0
            for digit in digits if start - 1e-9 <= math.log10(digit) + exponent <= end + 1e-9]

"""Ticks of logarithmic axes. Ranges are in decades, lengths in pixels."""
import math

import text


def label(x, unit):
    if unit == "s":
        return text.duration(x).replace(".00 ", " ").replace(".0 ", " ")
    for prefix, scale in (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)):
        if x < 0.9995e3 * scale:
            break
    return (f"{x:.1g}" if x < 1 else f"{x / scale:,.0f}{prefix}") + unit


def ticks(start, end, pixels, unit="", gap=None):
    """[(text, place)]: 1, 2, 5, 10 or powers of ten, at least `gap` pixels apart, or else with room for the texts."""
    exponents = range(math.floor(start), math.ceil(end) + 1)
    if gap is None:
        gap = 10 + max(len(label(10.0 ** exponent, unit)) for exponent in exponents if start - 1 < exponent <= end + 0.01) * 7.2
    decade = pixels / (end - start)
    digits = (1, 2, 5) if decade * 0.301 > gap else (1, 3) if decade * 0.477 > gap else (1,)
    step = math.ceil(gap / decade)
    return [(label(digit * 10.0 ** exponent, unit), digit * 10.0 ** exponent) for exponent in exponents if exponent % step == 0
            for digit in digits if start - 1e-9 <= math.log10(digit) + exponent <= end + 1e-9]

"""Ticks of axes, lengths in pixels. Ranges of logarithmic ones are in decades."""
import math

import text

PER_CENT = ("0", 0), *((f"{x} %%", x) for x in (25, 50, 75, 100))


def label(x, unit):
    if unit == "s":
        return text.duration(x).replace(".00 ", " ").replace(".0 ", " ")
    value, prefix = text.in_unit(x, text.PREFIXES)
    return (f"{x:.6g}" if x < 10 else f"{value:,.0f}{prefix}") + unit


def steps(low, high, pixels):
    """Round places of an even axis."""
    rough = (high - low) / (pixels / 55)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= rough)
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def ticks(start, end, pixels, unit="", gap=None):
    """[(text, place)]: 1, 2, 5, 10 or powers of ten, or even steps where that is one at most; at least `gap` pixels apart, or else
    with room for the texts."""
    exponents = range(math.floor(start), math.ceil(end) + 1)
    if gap is None:
        seen = [exponent for exponent in exponents if start - 0.01 <= exponent <= end + 0.01] or exponents
        gap = 10 + max(len(label(10.0 ** exponent, unit)) for exponent in seen) * 7.2
    decade = pixels / (end - start)
    digits = (1, 2, 5) if decade * 0.301 > gap else (1, 3) if decade * 0.477 > gap else (1,)
    step = math.ceil(gap / decade)
    places = [digit * 10.0 ** exponent for exponent in exponents if exponent % step == 0
              for digit in digits if start - 1e-9 <= math.log10(digit) + exponent <= end + 1e-9]
    return [(label(place, unit), place) for place in (places if len(places) > 1 or end - start > 1 else steps(10.0 ** start, 10.0 ** end, pixels))]

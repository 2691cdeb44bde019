"""Numbers as the page shows them, where charts do not show them too (text.py)."""
import math

import results
import text


def factor(x):
    return text.factor(x).removesuffix("×")


def durations(low, high):
    """From `low` to `high`, in the unit of `high` and with a digit more, as they lie close together."""
    unit = text.duration(high).split()[1]
    low, high = (seconds * {"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}[unit] for seconds in (low, high))
    digits = ".1f" if high >= 99.95 else ".2f" if high >= 9.995 else ".3f"
    return f"{low:{digits}}–{high:{digits}} {unit}"


def percent(x):
    return f"{factor(x)} %"


def rates(found, unit):
    """[5.9e13] -> 59.0 TFLOP/s; of several the least and the greatest."""
    return " to ".join(dict.fromkeys(per_second(x, unit) for x in (min(found), max(found)))) if found else ""


def per_second(x, unit):
    scale, prefix = next(((scale, prefix) for scale, prefix in ((1e12, "T"), (1e9, "G")) if x >= scale), (1e6, "M"))
    return f"{factor(x / scale)} {prefix}{unit}"


FILTERS = {each.__name__: each for each in (results.gain_of, text.duration, text.count, text.moment, text.rate,
                                            text.span, durations, percent, rates)}

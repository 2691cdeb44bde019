"""Numbers and texts as charts show them."""
import math
import re
import unicodedata

# How many of a unit are one.
PREFIXES = ("T", 1e-12), ("G", 1e-9), ("M", 1e-6), ("k", 1e-3), ("", 1)
TIMES = ("s", 1), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)
# What does not show, or turns the text around it: control characters, bidirectional overrides, half a surrogate pair.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
NARROW = frozenset("ijlIft.,:;|!'()[] /-")
WIDE = frozenset("mwMW%@")


def clean(text):
    """On one line, and only what XML may hold."""
    return UNSEEN.sub(" ", str(text))


def pixels(text, size, mono=False, bold=False):
    """About how wide a text is in DejaVu Sans; never less than it is."""
    def letter(c):
        if unicodedata.combining(c):
            return 0
        if unicodedata.east_asian_width(c) in "WF":
            return 1.2 if mono else 1
        return 0.603 if mono else 0.4 if c in NARROW else 0.98 if c in WIDE else 0.7 if c.isupper() else 0.62
    return size * sum(map(letter, text)) * (1.1 if bold else 1)


def wrap(text, limit, size, lines=2, bold=False):
    """Lines of at most `limit` pixels; what does not fit in so many lines is left out, and marked."""
    found = [""]
    for word in clean(text).split():
        while pixels(word, size, bold=bold) > limit:
            part = len(word)
            while pixels(word[:part], size, bold=bold) > limit:
                part -= 1
            found += [word[:part]]
            word = word[part:]
        joined = f"{found[-1]} {word}".strip()
        if pixels(joined, size, bold=bold) <= limit:
            found[-1] = joined
        else:
            found.append(word)
    found = [line for line in found if line]
    if len(found) > lines:
        found = found[:lines]
        found[-1] = shorten(found[-1] + " ...", limit, size, bold=bold)
    return found


def shorten(text, limit, size, bold=False):
    """At most `limit` pixels wide; what is left out shows as dots."""
    if pixels(text, size, bold=bold) <= limit:
        return text
    text = text.removesuffix(" ...")
    while text and pixels(text + "...", size, bold=bold) > limit:
        text = text[:-1]
    return text.rstrip() + "..."


def count(n, what):
    return f"{n:,} {what}" + ("" if n == 1 else "s")


def listed(names, most=6):
    """a, b and 3 more"""
    names = list(names)
    if len(names) > most:
        return ", ".join(names[:most]) + f" and {len(names) - most} more"
    return ", ".join(names)


def figures(x, least=1):
    """Three figures or so: 1,234; 12.3; 1.23; small ones with two."""
    if x >= 1e7:
        return f"{x:.3g}".replace("e+0", "e").replace("e+", "e")
    return f"{x:,.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= least else f"{x:.2g}"


def span(low, high):
    """From `low` to `high`, with three digits of `high`."""
    decimals = max(0, 2 - math.floor(math.log10(high)))
    return f"{low:,.{decimals}f}–{high:,.{decimals}f}"


def factor(x):
    return "1×" if x == 1 else figures(x, 0.0995) + "×"


def roughly(x):
    """With two figures."""
    return "~" + (f"{x:.2g}" if x < 99.5 else figures(float(f"{x:.2g}"))) + "×"


def rate(x):
    """Billions per second."""
    return figures(x, 0.0995)


def per_cent(x):
    return (f"{x:.0f}" if x >= 9.95 else f"{x:.2g}") + " %"


def per_cent_exactly(x):
    return f"{rate(x)} %"


def in_unit(x, units):
    """(how many, the largest of these units of which it is one or more)"""
    unit, scale = next((each for each in units if x * each[1] >= 0.9995), units[-1])
    return x * scale, unit


def duration(seconds):
    value, unit = in_unit(seconds, TIMES)
    return f"{figures(value, 0)} {unit}"


def durations(low, high):
    """From `low` to `high`, in the unit of `high` and with a digit more, as they lie close together."""
    value, unit = in_unit(high, TIMES)
    digits = ".1f" if value >= 99.95 else ".2f" if value >= 9.995 else ".3f"
    return f"{low * value / high:{digits}}–{value:{digits}} {unit}"


def size(n):
    value, prefix = in_unit(n, PREFIXES[1:])
    return f"{value:.3g} {prefix + 'B' if prefix else 'bytes'}"


def rates(found, unit):
    """[5.9e13] -> 59.0 TFLOP/s; of several the least and the greatest."""
    ends = (in_unit(x, PREFIXES[:3]) for x in (min(found), max(found))) if found else ()
    return " to ".join(dict.fromkeys(f"{rate(value)} {prefix}{unit}" for value, prefix in ends))


def moment(timestamp):
    """2026-11-21T17:11:22Z -> 2026-11-21 17:11 UTC"""
    return f"{timestamp[:10]} {timestamp[11:16]} UTC" if len(timestamp) > 16 else timestamp


def decades(*values):
    """The least and the greatest of them, in powers of ten."""
    known = [math.log10(v) for v in values if v]
    return (min(known), max(known)) if known else (0, 0)


def file_name(text):
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in text)


def squeeze(name, limit, size, mono=False):
    """At most `limit` pixels wide; what is left out is in the middle, since names differ at their ends."""
    if pixels(name, size, mono) <= limit:
        return name
    keep = len(name)
    while keep > 2 and pixels(name[:keep // 2] + "..." + name[-(keep - keep // 2):], size, mono) > limit:
        keep -= 1
    return name[:keep // 2] + "..." + name[-(keep - keep // 2):]

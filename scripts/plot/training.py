"""How long training takes by each rung (scripts/train.sh): its first epoch, and the mean of the others."""
import panels
import table
import text
from failure import Failure
from frame import Chart

HEADER = b"variant,epoch,seconds,"
COLUMNS = ("variant", "epoch", "seconds", "accuracy")
WHAT = "a file of scripts/train.sh"


def load(path):
    """{variant: (seconds of each epoch, accuracy after the last)}"""
    found = {}
    for line, row in table.rows(path, WHAT, COLUMNS):
        if row["epoch"] != "0":
            of_variant = found.setdefault(row["variant"], ([], []))
            for numbers, name in zip(of_variant, ("seconds", "accuracy")):
                numbers.append(table.positive(path, line, name, row[name]))
    lengths = {len(seconds) for seconds, _ in found.values()}
    if len(lengths) != 1 or min(lengths) < 2:
        raise Failure(f"{path}: rungs with {text.listed(map(str, sorted(lengths))) or 'no'} epochs; expected equally many of each, and two at least")
    return {variant: (seconds, accuracies[-1]) for variant, (seconds, accuracies) in found.items()}


def draw(path):
    found = load(path)
    later = {variant: later_of(seconds) for variant, (seconds, _) in found.items()}
    fastest, *others = sorted(later, key=lambda variant: later[variant][0])
    ratios = {variant: ratio(later[variant], later[fastest]) for variant in others}
    chart = Chart("training", title_of(fastest, ratios), f"Seconds per epoch of MNIST, {len(found[fastest][0])} epochs")
    chart.header("the first epoch, in which libraries start up", "other")
    chart.header("the mean of the others", "cuda")
    chart.footer("Whiskers: the fastest and the slowest of them; dotted: from there to the first epoch. On the right: that mean, how many times as long it is as that of the fastest rung, "
                 "and the share of other images that is named correctly after all epochs. All times include the copies of images to the device.")
    if others:
        chart.footer("How far ratios may be off: " + ("by the fastest and the slowest of these epochs of both." if later[fastest][1] else
                                                      "unknown, since one epoch after the first shows no spread."))
    panel, spans = panels.Panel("seconds per epoch, log", unit="s"), []
    for variant, (seconds, accuracy) in found.items():
        place, first, (mean, low, high) = panel.row(variant), seconds[0], later[variant]
        spans.append((place, first, mean))
        times = text.factor if low or variant == fastest else text.roughly
        panel.dot(place, mean, low, high, "cuda", f"{text.duration(mean)}  {times(mean / later[fastest][0])}  {text.per_cent(100 * accuracy)}")
        panel.dot(place, first, None, None, "other", "")
    panel.below = [(spans, "using 3:1:($2 - $3):(0) with vectors nohead linecolor rgb FAINT linewidth 1.4 dashtype 3")]
    return panels.draw(chart, [panel])


def later_of(seconds):
    """Of the epochs after the first: the mean, the fastest and the slowest; of a single one nobody knows how they spread."""
    later = seconds[1:]
    return sum(later) / len(later), *((min(later), max(later)) if len(later) > 1 else (None, None))


def ratio(long, short):
    """Of two of these: (ratio, low, high)."""
    return long[0] / short[0], *((long[1] / short[2], long[2] / short[1]) if short[1] else (None, None))


def title_of(fastest, ratios):
    if not ratios:
        return f"After its first epoch {fastest} trains"
    tied = [variant for variant, (_, low, _) in ratios.items() if low and low <= 1]
    if tied:
        return f"After its first epoch {fastest} cannot be told from {text.listed(tied, 2)}"
    following, (times, low, high) = next(iter(ratios.items()))
    known = f"{text.figures(times)} times ({text.figures(low)} to {text.figures(high)})" if low else f"{text.roughly(times).removesuffix('×')} times (range unknown)"
    return f"After its first epoch {fastest} trains {known} as fast as {following}, the next by its mean"

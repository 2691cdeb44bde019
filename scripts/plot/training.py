"""How long training takes by each rung (scripts/train.sh): its first epoch, and the mean of the others."""
import axis
import table
import text
from failure import Failure
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart

ROW, BELOW = 28, 30  # pixels
COLUMNS = ("variant", "epoch", "seconds", "accuracy")
WHAT = "a file of scripts/train.sh"


def is_file(path):
    return table.first_line(path).startswith(b"variant,epoch,seconds,")


def load(path):
    """{variant: (seconds of each epoch, accuracy after the last)}"""
    found = {}
    for line, row in table.rows(path, WHAT, COLUMNS):
        if row["epoch"] != "0":
            seconds, accuracy = (table.positive(path, line, name, row[name]) for name in ("seconds", "accuracy"))
            if seconds is None or accuracy is None:
                raise Failure(f"{path}: line {line}: an epoch without seconds or accuracy; expected both")
            found.setdefault(row["variant"], ([], []))[0].append(seconds)
            found[row["variant"]][1].append(accuracy)
    lengths = {len(seconds) for seconds, _ in found.values()}
    if len(lengths) != 1 or min(lengths) < 2:
        raise Failure(f"{path}: rungs with {text.listed(map(str, sorted(lengths))) or 'no'} epochs; expected equally many of each, and two at least")
    return {variant: (seconds, accuracies[-1]) for variant, (seconds, accuracies) in found.items()}


def draw(path):
    found = load(path)
    rows = [(place, seconds[0], sum(seconds[1:]) / len(seconds[1:])) for place, (seconds, _) in enumerate(found.values(), 1)]
    whole = {variant: sum(seconds) for variant, (seconds, _) in found.items()}
    slowest, fastest = max(whole, key=whole.get), min(whole, key=whole.get)
    epochs = len(found[fastest][0])
    chart = Chart("training", f"{fastest} trains {text.figures(whole[slowest] / whole[fastest])} times as fast as {slowest}, "
                  "copies and the first step included", f"Seconds per epoch of MNIST, {epochs} epochs; log")
    chart.header("the first epoch, with the first call", "past")
    chart.header("the mean of the others", "cuda")
    chart.footer("On the right: all epochs, how many times as fast that is as the slowest, and the share of other images that is named "
                 "correctly after them. All times include the copies of images to the device.")
    notes = [f"{text.duration(seconds)}  {text.factor(whole[slowest] / seconds)}  {text.per_cent(100 * found[variant][1])}"
             for variant, seconds in whole.items()]
    left = int(MARGIN + max(text.pixels(variant, TEXT_SIZE, mono=True) for variant in found)) + 24
    right = int(WIDTH - MARGIN - max(text.pixels(note, TEXT_SIZE) for note in notes)) - 24
    start, end = text.decades(*(seconds for row in rows for seconds in row[1:]))
    start, end = start - 0.1, end + 0.1
    chart.area(left, right)
    chart.do("set logscale x")
    chart.range("x", 10 ** start, 10 ** end)
    chart.range("y", len(rows) + 0.5, 0.5)
    chart.ticks(axis.ticks(start, end, right - left, "s"))
    for i, (variant, note) in enumerate(zip(found, notes)):
        chart.label(variant, MARGIN, f"top + {(i + 0.5) * ROW}", font="CODE")
        chart.label(note, right + 12, f"top + {(i + 0.5) * ROW}")
    chart.plot((rows, "using 3:1:($2 - $3):(0) with vectors nohead linecolor rgb FAINT linewidth 1.4"),
               (rows, "using 3:1 with points pointtype 7 pointsize 1.2 linecolor rgb color('cuda')"),
               (rows, "using 2:1 with points pointtype 5 pointsize 1.1 linecolor rgb color('past')"))
    return chart.finish(len(rows) * ROW, 6, BELOW)

"""How long training takes by each rung (scripts/train.sh): its first epoch, and the mean of the others."""
import axis
import table
import text
from failure import Failure
from frame import MARGIN, TEXT_SIZE, WIDTH, Chart, columns

ROW, BELOW = 28, 30  # pixels
COLUMNS = ("variant", "epoch", "seconds", "accuracy")
WHAT = "a file of scripts/train.sh"

TEMPLATE = r"""
set logscale x
set xrange [10**from : 10**to]
set yrange [rows + 0.5 : 0.5]
do for [i = 1:ticks] { set xtics add (tick_text[i] tick_at[i]) }
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
do for [i = 1:rows] {
    set label name[i] at screen X(margin), Y(top + (i - 0.5) * row) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(right + 12), Y(top + (i - 0.5) * row) left noenhanced font TEXT \
        textcolor rgb INK
}
plot $epochs using 3:1:($2 - $3):(0) with vectors nohead linecolor rgb FAINT linewidth 1.4, \
    $epochs using 3:1 with points pointtype 7 pointsize 1.2 linecolor rgb color('cuda'), \
    $epochs using 2:1 with points pointtype 5 pointsize 1.1 linecolor rgb color('past')
"""


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
    chart = Chart("training", "training", f"{fastest} trains {text.figures(whole[slowest] / whole[fastest])} times as fast as {slowest}, "
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
    ticks = axis.ticks(start, end, right - left, "s")
    return chart.draw(TEMPLATE, len(rows) * ROW, 6, BELOW, **{"from": start, "to": end}, rows=len(rows), row=ROW, epochs=rows,
                      left=left, right=right, name=list(found), note=notes, **columns(ticks, "ticks", "tick_text", "tick_at"))

"""How long training takes by each rung (scripts/train.sh): its first epoch, and the mean of the others."""
import panels
import table
import text
from failure import Failure
from frame import Chart

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
    steady = {variant: sum(seconds[1:]) / len(seconds[1:]) for variant, (seconds, _) in found.items()}
    fastest, *others = sorted(steady, key=steady.get)
    epochs = len(found[fastest][0])
    ahead = f" {text.figures(steady[others[0]] / steady[fastest])} times as fast as {others[0]}, the next" if others else ""
    chart = Chart("training", f"After its first epoch {fastest} trains{ahead}", f"Seconds per epoch of MNIST, {epochs} epochs")
    chart.header("the first epoch, in which libraries start up", "other")
    chart.header("the mean of the others", "cuda")
    chart.footer("Whiskers: the fastest and the slowest of them; dotted: from there to the first epoch. On the right: that mean, how many times as long it is as that of the fastest rung, "
                 "and the share of other images that is named correctly after all epochs. All times include the copies of images to the device.")
    panel, spans = panels.Panel("seconds per epoch, log", unit="s"), []
    for variant, (seconds, accuracy) in found.items():
        place, first, later = panel.row(variant), seconds[0], steady[variant]
        spans.append((place, first, later))
        panel.dot(place, later, min(seconds[1:]), max(seconds[1:]), "cuda", f"{text.duration(later)}  {text.factor(later / steady[fastest])}  "
                  f"{text.per_cent(100 * accuracy)}")
        panel.dot(place, first, None, None, "other", "")
    panel.below = [(spans, "using 3:1:($2 - $3):(0) with vectors nohead linecolor rgb FAINT linewidth 1.4 dashtype 3")]
    return panels.draw(chart, [panel])

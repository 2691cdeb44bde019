"""For each workload that a GPU multiplies in more ways than one, time against measured error, in its first mode without transfers."""
import plane
import results
from charts.growth import span_of

HELP = "accuracy-OP-WORKLOAD", "time against measured error, for each way to multiply"
PAGE = 10, "Speed at stated accuracy", ("Each dot is a rung: the lower, the faster; further left, more precise.")
LACKING = "no workload that a GPU multiplies in more ways than one, with errors"
RIVALS = ("library",)  # of which the title speaks
UNITS = {"fp32": 1, "tf32": 2 ** 13}  # of roundoff, in those of FP32


def draw(data):
    for workload in data.workloads:
        for mode in data.kernel_modes(workload)[:1]:
            rows = [row for row in data.rows(workload, mode) if row["backend"] == "cuda" and row.get("precision") in UNITS and
                    (results.is_bad(row) or row.get("rms_err"))]
            if len({row.get("arithmetic") for row in rows if results.is_timed(row)}) > 1:
                yield accuracy(data, workload, mode, rows)


def errors_of(row):
    """Root mean square and largest, where that is known, in u = 2^-24."""
    return [row[name] * UNITS[row["precision"]] for name in ("rms_err", "max_err") if row.get(name)]


def accuracy(data, workload, mode, rows):
    shown = plane.Plane(height=520)
    timed = [row for row in rows if results.is_timed(row)]
    reach = []
    for row in timed:
        error, *most = errors_of(row)
        time = row["time_median_s"]
        shown.dot(error, time, row.get("low_s"), row.get("high_s"), kind_of(row), row["best"] or row["tied"])
        for largest in most:
            shown.reach(largest, time)
            reach.append((error, time, largest - error))
            shown.kept_free.append((error, largest, time))
    shown.fix()
    for row in rows:
        if results.is_bad(row):
            shown.crosses.append((10.0 ** shown.x_range[0], shown.bottom()))
            shown.write(f"{row['variant']} {results.bad_word(row)}", *shown.crosses[-1], bad=True)
    for row in named(timed):
        shown.write(results.rung_name(row), errors_of(row)[0], row["time_median_s"])
    headline = data.headline(workload, mode)
    title = results.finding(headline, RIVALS) if headline else results.name_of(workload)
    chart = data.chart(f"accuracy-{workload['op']}-{workload['workload']}", f"At FP32's accuracy, {title}", workload, mode)
    data.devices(chart, ["cuda"])
    for kind, what in (("other", "a library"), ("tf32", "TF32: another answer")):
        if any(kind_of(row) == kind for row in timed):
            chart.header(what, kind)
    data.alarms(chart, rows)
    chart.footer(data.marks("Dots") + " Ringed: the fastest in FP32, and those that cannot be "
                 "told from it. Named, where there is room: the fastest rung of ours of each way to multiply, and each library." +
                 (results.certainty(headline, RIVALS) if headline else ""))
    if reach:
        chart.footer("Lines to the right: as far as the largest error.")
    chart.remark(f"RMS errors{', of the worst round' if data.summary.get('rounds', 1) > 1 else ''}: " + ", ".join(f"{precision.upper()} {span_of(errors)} u" for precision in UNITS if (
        errors := [errors_of(row)[0] for row in timed if row["precision"] == precision])) + ".")
    data.origin(chart, workload)
    data.causes(chart, rows)
    return shown.draw(chart, "RMS error in units of u |A||B|, u = 2⁻²⁴, log", "time, log", "s", below=[
        (reach, "using 1:2:3:(0) with vectors nohead linecolor rgb FAINT linewidth 1")])


def kind_of(row):
    return "tf32" if row["precision"] != "fp32" else "other" if results.is_library(row) else "cuda"


def named(rows):
    """The fastest of ours of each way to multiply, and all libraries."""
    fastest = {}
    for row in sorted(rows, key=lambda row: row["time_median_s"]):
        fastest.setdefault(row["variant"] if results.is_library(row) else row.get("arithmetic"), row)
    return fastest.values()

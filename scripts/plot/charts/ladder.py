"""For each workload how near each rung comes to what its device can do, and its time, in the ladder's order: of the CPU, of the GPU's
plain cores, of its tensor cores, and libraries."""
import axis
import panels
import results
import text

HELP = "ladder-OP-WORKLOAD", "each rung's share of what its device can do, and its time"
PAGE = 2, "The ladder", ("How near each rung comes to what the device itself can do with this work, from the textbook loop to the library, and "
                         "how long it takes.")


def draw(data):
    for workload in data.workloads:
        mode = next(iter(data.kernel_modes(workload)), None)
        stem = f"ladder-{workload['op']}-{workload['workload']}"
        if not mode:
            data.leave_out(stem, "no row without transfers has a time")
        else:
            yield ladder(data, workload, mode, stem)


def ladder(data, workload, mode, stem):
    rows = data.rows(workload, mode)
    known = any("ceiling_pct" in row for row in rows)
    columns = ("ceiling_pct", "ceiling_pct_low", "ceiling_pct_high") if known else ("time_median_s", "low_s", "high_s")
    panel = (panels.Panel("share of its own device's ceiling, CPU or GPU", places=axis.PER_CENT) if known else
             panels.Panel("time, log: no ceiling is known", unit="s"))
    for group in dict.fromkeys(sorted(map(group_of, rows))):
        panel.heading(group[1])
        for row in rows:
            if group_of(row) == group:
                draw_row(panel, row, *columns)
    headline = data.headline(workload, mode)
    title = results.finding(headline) + results.share(headline) if headline else results.name_of(workload)
    chart = data.chart(stem, title, workload, mode)
    data.devices(chart, results.backends(rows))
    data.alarms(chart, rows)
    chart.footer(("Ceiling: the work per second that the device's own measured speed allows; the CPU's for rungs of the CPU, the GPU's for "
                  "those of the GPU, and for rungs on tensor cores these cores', in their own format. " if known else "") + "On the right: the time.")
    chart.footer(data.marks("Dots") + data.ringed(rows) + (results.certainty(headline) if headline else ""))
    remark(chart, workload, rows)
    data.origin(chart, workload)
    data.causes(chart, data.all_rows(workload, mode))
    return panels.draw(chart, [panel])


def draw_row(panel, row, value, low, high):
    place = panel.row(results.rung_name(row))
    if results.is_bad(row):
        panel.cross(place, results.bad_word(row))
    elif value in row:
        panel.dot(place, row[value], row.get(low), row.get(high), row["backend"],
                  ("~" if row.get("approximate") else "") + text.duration(row["time_median_s"]),
                  row["best"] or row["tied"])
    else:
        panel.values.append((place, f"{text.duration(row['time_median_s'])}, no ceiling", "INK"))


def group_of(row):
    """(its place, its name)"""
    if results.is_library(row):
        return 4, "Libraries"
    if row["backend"] == "cpu":
        return 0, "CPU"
    if row["backend"] != "cuda":
        return 3, {"gpus": "Several GPUs", "sim": "Simulated"}.get(row["backend"], row["backend"])
    if row.get("arithmetic") in results.TENSOR_LIMITS:
        return 2, "GPU, tensor cores"
    return 1, "GPU, CUDA cores" if row.get("arithmetic") == "fma" else "GPU"


def remark(chart, workload, rows):
    """A step of the ladder that does not pay surprises whoever reads it as a course."""
    timed = [row for row in sorted(rows, key=group_of) if results.is_timed(row) and row["backend"] != "cpu" and not row["library"] and
             row.get("precision") == workload.get("precision")]
    losses = [(after["time_median_s"] / before["time_median_s"], before, after) for before, after in zip(timed, timed[1:])
              if group_of(after) == group_of(before) and after.get("low_s", 0) > before.get("high_s", float("inf"))]
    if losses:
        loss, before, after = max(losses, key=lambda item: item[0])
        chart.remark(f"Not every step pays on every shape: {after['variant']} ({after.get('summary') or 'no summary'}) takes "
                     f"{text.figures(loss)} times as long as {before['variant']}, the step before it.")

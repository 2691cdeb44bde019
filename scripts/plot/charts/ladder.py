"""For each workload how much work each rung gets done per second, in the ladder's order, and how near that is to what the device
can do and to the library: one panel for each mode without transfers."""
import panels
import results
import text
from frame import Chart

HELP = "ladder-OP-WORKLOAD", "GFLOP/s or GB/s of each rung, with the device's ceilings and the library"
PAGE = 2, "The ladder", ("How much work each rung gets done per second, from the textbook loop to the library. Dashed is what the "
                         "device itself can do, dotted the library.")

LINES = "using 2:($1 - 0.5):(0):(1):(color(strcol(3))) with vectors nohead linecolor rgb variable "
DASHED, DOTTED = LINES + "dashtype (8, 5) linewidth 1.6", LINES + "dashtype (2, 4) linewidth 1.8"


def draw(data):
    for workload in data.workloads:
        modes = data.kernel_modes(workload)[:3]
        stem = f"ladder-{workload['op']}-{workload['workload']}"
        if not modes:
            data.leave_out(stem, "no row without transfers has a time")
        elif not (workload.get("flops") or workload.get("bytes")):
            data.leave_out(stem, "no row says how much work it is")
        else:
            yield ladder(data, workload, modes, stem)


def ladder(data, workload, modes, stem):
    rows = {mode: data.rows(workload, mode) for mode in modes}
    every = [row for mode in modes for row in rows[mode]]
    rungs = {row["variant"]: row for row in sorted(every, key=lambda row: row["order"])}
    place = {variant: i for i, variant in enumerate(rungs, 1)}
    unit = "GFLOP/s" if workload.get("flops") else "GB/s"
    drawn = []
    for mode in modes:
        panel = panels.Panel(mode, data.about(mode))
        rate = {row["variant"]: results.rate_of(row, row["time_median_s"]) for row in rows[mode] if results.is_timed(row)}
        limits, rivals = [], []
        for row in rows[mode]:
            at = place[row["variant"]]
            if results.is_bad(row):
                panel.cross(at, results.bad_word(row))
                continue
            share = f" ({text.per_cent(row['ceiling_pct'])})" if "ceiling_pct" in row else ""
            panel.dot(at, rate[row["variant"]], results.rate_of(row, row.get("high_s")), results.rate_of(row, row.get("low_s")), row["backend"],
                      text.rate(rate[row["variant"]]) + share, ringed=row["best"] or row["tied"])
            limits.append((at, results.rate_of(row, row.get("floor_s")), row["backend"]))
            rivals.append((at, rate.get(row.get("library_rung")), row["backend"]))
        panel.below = [([line for line in lines if line[1]], style) for lines, style in ((limits, DASHED), (rivals, DOTTED))]
        panel.reach += [rate for _, rate, _ in limits if rate]
        drawn.append(panel)
    headline = next(filter(None, (data.headline(workload, mode) for mode in modes)), None)
    title = results.finding(headline) if headline else results.name_of(workload)
    chart = Chart(stem, title, data.work(workload) + (f"; title: {headline['mode']}" if headline else ""),
                  results.name_of(workload))
    data.devices(chart, results.backends(rungs.values()))
    data.alarms(chart, every)
    if any(panel.below[0][0] for panel in drawn):
        chart.footer("Dashed: the row's ceiling, what the device itself can do with this work; per cent of it are behind the figures.")
    if any(panel.below[1][0] for panel in drawn):
        chart.footer("Dotted: " + text.listed(dict.fromkeys(row["library_rung"] for row in every if row.get("library_rung"))) + ".")
    chart.footer(data.marks("Dots") + data.ringed(every))
    remark(chart, workload, rows[modes[0]], modes[0])
    remark_cache(chart, workload, rows)
    data.origin(chart, workload)
    data.causes(chart, [row for mode in modes for row in data.all_rows(workload, mode)])
    return panels.draw(chart, [results.rung_name(row) for row in rungs.values()], drawn, f"{unit}, log", shared=True)


def remark_cache(chart, workload, rows):
    """Work that fits into the cache is another problem hot than cold."""
    cold, hot = ({row["variant"]: row["time_median_s"] for row in rows.get(mode, ()) if results.is_timed(row)} for mode in ("cold", "hot"))
    gains = [(cold[variant] / hot[variant], variant) for variant in cold.keys() & hot.keys()]
    if gains and max(gains)[0] > 1.5 and workload.get("bytes"):
        chart.remark(f"{max(gains)[1]} is {text.figures(max(gains)[0])} times as fast hot as cold: what it reads and writes, "
                     f"{text.size(workload['bytes'])}, then comes from the cache, at least in part.")


def remark(chart, workload, rows, mode):
    """A step of the ladder that does not pay surprises whoever reads it as a course."""
    timed = [row for row in rows if results.is_timed(row) and row["backend"] != "cpu" and not row["library"] and
             row.get("precision") == workload.get("precision")]
    losses = [(after["time_median_s"] / before["time_median_s"], before, after) for before, after in zip(timed, timed[1:])
              if after["backend"] == before["backend"] and after.get("low_s", 0) > before.get("high_s", float("inf"))]
    if losses:
        loss, before, after = max(losses, key=lambda item: item[0])
        chart.remark(f"Not every step pays on every shape: {mode}, {after['variant']} ({after.get('summary') or 'no summary'}) takes "
                     f"{text.figures(loss)} times as long as {before['variant']}, the step before it.")

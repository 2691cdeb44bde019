"""Several GPUs on one problem: how they stand to one, and how fast what they tell each other passes."""
import panels
import plane
import results
import text
from frame import Chart, SMALL_SIZE

HELP = "scaling, scaling-OP", "how several GPUs stand to one; bus bandwidth of a collective against its size"
PAGE = 11, "Are several GPUs faster?", ("What GPUs tell each other takes time that does not shrink with the work, so small work is done sooner "
                                       "by one.")
MODE = "hot"


def draw(data):
    found = data.summary["scaling"]
    if found:
        yield scaling(data, found)
    else:
        data.leave_out("scaling", "no workload that both one GPU and several ran")
    told = [workload for workload in data.workloads if any(row.get("message_bytes") for row in data.rows(workload, MODE))]
    for op in dict.fromkeys(workload["op"] for workload in told):
        lines = series(data, [workload for workload in told if workload["op"] == op])
        if lines:
            yield collective(data, op, lines)
        else:
            data.leave_out(f"scaling-{op}", "fewer than two sizes of a rung")


def scaling(data, found):
    shown = []
    for key, head, note in (("strong", "At the same size", "times as fast as one GPU"),
                            ("weak", "At each one's share of it", "times the work of one GPU")):
        panel = panels.Panel("times, log", head, note)
        for one in found:
            if one.get(key):
                panel.dot(panel.row(one["workload"], f"{one['op']}: {one['rung']}"), one[key], one.get(key + "_low"), one.get(key + "_high"), "gpus",
                          results.gain_of(one, key))
        if panel.values:
            panel.compare()
            shown.append(panel)
    chart = Chart("scaling", title_of(found), f"The best rung of several GPUs over the best of one, {data.mode(MODE)}")
    data.devices(chart, ["gpus"])
    chart.footer(data.ratio_marks("Points"))
    chart.footer(results.unsure([(one.get(key + "_low"), one.get(key + "_high")) for one in found for key in ("strong", "weak") if one.get(key)]))
    data.origin(chart)
    return panels.draw(chart, shown, shared=True)


def title_of(found):
    known = [one for one in found if one.get("strong")]
    cards = max(one["cards"] for one in found)
    if not known:
        return f"{cards:.0f} GPUs, and one on the share of each"
    most = max(known, key=lambda one: one["strong"])
    return (f"{cards:.0f} GPUs are faster than one at {sum(one['strong'] > 1 for one in known)} of {text.count(len(known), 'workload')}, "
            f"{text.factor(most['strong'])} at {results.name_of(most)}")


def series(data, told):
    """{line: [(bytes, row)]} of those rungs, and numbers of GPUs, with two sizes or more."""
    found = {}
    for workload in told:
        for row in data.rows(workload, MODE):
            if results.is_timed(row) and row.get("cards") and row.get("message_bytes"):
                found.setdefault((results.rung_name(row), row["shape"].split("x")[0]), {})[row["message_bytes"]] = row
    several = len({cards for _, cards in found}) > 1
    return {f"{rung}, {cards} GPUs" if several else rung: sorted(points.items())
            for (rung, cards), points in found.items() if len(points) > 1}


def collective(data, op, lines):
    shown = plane.Plane(max(text.pixels(name, SMALL_SIZE) for name in lines) + 24, max(plane.HEIGHT, len(lines) * plane.LINE + 20))
    for rung, points in lines.items():
        for size, row in points:
            ends = (row["passed_bytes"] / row[end] if end in row else None for end in ("high_s", "low_s"))
            shown.dot(size, 1e9 * row["bus_gbs"], *ends, "other" if row["library"] else "gpus", ringed=row["best_of_backend"])
    shown.fix()
    below = []
    for rung, points in sorted(lines.items(), key=lambda item: -item[1][-1][1]["bus_gbs"]):
        kind = "other" if points[0][1]["library"] else "gpus"
        below.append(([(size, 1e9 * row["bus_gbs"]) for size, row in points],
                      f"using 1:2 with lines linecolor rgb color('{kind}') linewidth 1.6"))
        shown.write(rung, points[-1][0], 1e9 * points[-1][1]["bus_gbs"], beside=True)
    best = [row["variant"] for points in lines.values() for _, row in points if row["best_of_backend"]]
    rung = max(best, key=best.count, default="no rung")
    sizes = {row["workload"] for points in lines.values() for _, row in points}
    chart = Chart(f"scaling-{op}", f"{op}: of the rungs on GPUs {rung} is the fastest at {best.count(rung)} of {text.count(len(sizes), 'size')}",
                  f"{op}: bus bandwidth against the bytes that each GPU gets, {data.mode(MODE)}")
    data.devices(chart, ["gpus"])
    if any(points[0][1]["library"] for points in lines.values()):
        chart.header("a library", "other")
    chart.footer(data.marks("Points"))
    chart.footer("Ringed: the fastest of those on GPUs at that size. Bus bandwidth is what the links of a GPU must carry at least, each way, per second, as "
                 "nccl-tests counts it.")
    data.origin(chart)
    return shown.draw(chart, "bytes, log", "bus bandwidth in B/s, log", "", below)

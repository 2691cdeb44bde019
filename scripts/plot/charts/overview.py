"""For all workloads together, in each mode: how many times as fast the fastest rung of the GPU is as the fastest of the CPU."""
import panels
import results
import text
from frame import Chart

HELP = "overview", "the best GPU rung over the best CPU rung, in all workloads"
PAGE = 1, "Overview", ("Each dot is how many times as fast the fastest CUDA rung is as the fastest CPU rung; below the workload its "
                       "operation and the winner: right of 1× the GPU pays, left of it the CPU does.")
LACKING = "fewer than two workloads with rows of both CPU and GPU"


def draw(data):
    blocks = [(mode, pairs) for mode in data.modes if (pairs := duels(data, mode))]
    if max((len(pairs) for _, pairs in blocks), default=0) < 2:
        return
    won = ", ".join(f"{sum(row['over_best_cpu'] >= 1 for _, row in pairs)} of {len(pairs)} {mode}" for mode, pairs in blocks)
    chart = Chart("overview", f"The GPU wins {won}", "The fastest CUDA rung over the fastest CPU rung, workload by workload, "
                  "with the winner's name, or that of one tied with it; cold over cold, all else over the CPU's hot")
    data.devices(chart, ["cpu", "cuda"])
    data.alarms(chart, data.summary["rows"])
    chart.footer(data.ratio_marks("Dots"))
    left_out = {mode: missing for mode, pairs in blocks if (missing := lacking(data, mode, pairs))}
    if left_out:
        chart.footer("Left out, since no time of the GPU there has a rank: " +
                     "; ".join(f"{text.listed(names, 4)}, {mode}" for mode, names in left_out.items()) + ".")
    gains = [row for _, pairs in blocks for _, row in pairs]
    chart.footer(results.unsure([(row.get("over_best_cpu_low"), row.get("over_best_cpu_high")) for row in gains]))
    remark(chart, blocks)
    data.origin(chart)
    shown = []
    for mode, pairs in blocks:
        panel = panels.Panel("times as fast, log", mode, data.about[mode], "×")
        for workload, row in pairs:
            gain = row["over_best_cpu"]
            kind, winner = ("cuda", results.rung_name(row)) if gain >= 1 else ("cpu", row["best_cpu_rung"])
            panel.dot(panel.row(workload["workload"], f"{workload['op']}: {winner}"), gain, row.get("over_best_cpu_low"), row.get("over_best_cpu_high"), kind,
                      results.gain_of(row, "over_best_cpu"))
        panel.compare()
        shown.append(panel)
    yield panels.draw(chart, shown, shared=True)


def duels(data, mode):
    """[(workload, the row of the GPU's fastest rung)], where it has a rival on the CPU."""
    found = []
    for workload in data.workloads:
        found += [(workload, row) for row in data.rows(workload, mode)
                  if row["best_of_backend"] and row["backend"] == "cuda" and "over_best_cpu" in row][:1]
    return found


def lacking(data, mode, pairs):
    """Workloads with times of the GPU, but none that can be the best."""
    shown = {results.name_of(workload) for workload, _ in pairs}
    return [name for workload in data.workloads if (name := results.name_of(workload)) not in shown and
            any(row["backend"] == "cuda" and results.is_timed(row) for row in data.rows(workload, mode))]


def remark(chart, blocks):
    """Kernels that win and lose with their transfers are what most surprises."""
    gains = [(row["over_best_cpu"], results.name_of(workload), mode) for mode, pairs in blocks for workload, row in pairs]
    won = {name for gain, name, mode in gains if gain >= 1 and mode == "hot"}
    for mode, _ in blocks:
        turned = [name for gain, name, of in gains if gain < 1 and name in won and of == mode]
        if turned and results.moves_data(mode):
            chart.remark(f"The kernel wins and the whole call loses, {mode}: {text.listed(turned)}. There moving the data takes longer "
                         "than the CPU takes to compute with it.")
            return
    least, most = min(gains), max(gains)
    chart.remark(f"From {text.factor(least[0])} ({least[1]}, {least[2]}) to {text.factor(most[0])} ({most[1]}, {most[2]}): how much a GPU gains "
                 "is a matter of the work and of where its data are.")

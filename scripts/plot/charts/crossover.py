"""For all operations at once: the sizes at which the GPU is faster than the CPU, with transfers and without."""
import panels
import results
import text
from frame import Chart
from summary import meanings

HELP = "crossover", "for every operation, from which size on the GPU is faster"
PAGE = 7, "When is a GPU not faster?", ("A launch takes microseconds however little there is to do, and data has to be moved. Each dot is a "
                                        "workload: right of 1× the GPU is faster.")
LACKING = "no operation has three sizes where both a GPU and a CPU have a best rung"


def draw(data):
    sized = ({**crossing, "points": [point for point in crossing["points"] if point.get("bytes")]} for crossing in data.summary["crossovers"]
             if crossing["device_backend"] != "gpus")  # those are scaling's
    crossings = [crossing for crossing in sized if crossing["points"]]
    if crossings:
        yield crossover(data, crossings)


def crossover(data, crossings):
    shown = {}  # what is compared: its panel
    for crossing in crossings:
        what = crossing["what"]
        panel = shown.setdefault(what, panels.Panel("how many times as fast the GPU is, log", what[0].upper() + what[1:],
                                                    f"GPU {crossing['device_mode']}, CPU {crossing['host_mode']}", "×"))
        place = panel.row(name_of(crossing))
        for i, point in enumerate(crossing["points"], 1):
            winner = crossing["device_backend" if point["gain"] > 1 else "host_backend"]
            panel.dot(place, point["gain"], point.get("gain_low"), point.get("gain_high"), winner,
                      verdict(crossing["points"]) if i == len(crossing["points"]) else "")
        panel.compare()
    chart = Chart("crossover", title_of(crossings), "Who is faster at each size, the best rung of either side: "
                  f"{' against '.join(map(data.device, dict.fromkeys(c[key] for key in ('device_backend', 'host_backend') for c in crossings)))}")
    data.alarms(chart, [row for workload in data.workloads for mode in {c[key] for c in crossings for key in ("device_mode", "host_mode")}
                        for row in data.all_rows(workload, mode)])
    for key, who in (("device_backend", "the GPU is faster"), ("host_backend", "the CPU is faster")):
        chart.header(who, crossings[0][key])
    chart.remark("On the right: the smallest measured size, input and output, from which on the GPU is faster, or at how many of the sizes.")
    left_out(data, chart, crossings)
    chart.footer(data.ratio_marks("Points"))
    points = [point for crossing in crossings for point in crossing["points"]]
    chart.footer(results.unsure([(point.get("gain_low"), point.get("gain_high")) for point in points]))
    data.origin(chart)
    return panels.draw(chart, list(shown.values()), shared=True)


def left_out(data, chart, crossings):
    """Sizes at which nobody knows the best rung of a side, and why."""
    about = meanings(data.summary)
    for words, names in results.grouped((f"Left out, since their fastest rung is {one['unfair']} ({about[one['unfair']]}): {{}}.",
                                         f"{crossing['op']}/{one['workload']} ({one['rung']})") for crossing in crossings for one in crossing["unknown"]):
        chart.remark(words.replace("{}", text.listed(names), 1))


def name_of(crossing):
    return f"{crossing['op']} {crossing.get('kind', '')}".strip()


def verdict(points):
    wins = [point["gain"] > 1 for point in points]
    if all(wins) or not any(wins):
        return "at every size" if wins[0] else "at no size"
    first = wins.index(True)
    return f"from {text.size(points[first]['bytes'])}" if all(wins[first:]) else f"at {sum(wins)} of {len(wins)}"


def title_of(crossings):
    lost = []
    for what in dict.fromkeys(crossing["what"] for crossing in crossings):
        gains = [point["gain"] for crossing in crossings if crossing["what"] == what for point in crossing["points"]]
        lost.append(f"{what}, {sum(gain <= 1 for gain in gains)} of {text.count(len(gains), 'workload')}")
    return "The GPU loses: " + "; ".join(lost)

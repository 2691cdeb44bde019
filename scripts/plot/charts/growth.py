"""For workloads that differ in one size only: time against that size, ours beside the library and the floor; and where the time makes a
step that the work does not explain."""
import itertools

import plane
import text
from frame import Chart, SMALL_SIZE

HELP = "growth-OP-SHAPE", "time against one size of an operation, the others fixed"
PAGE = 9, "As one size grows", ("Each chart lets one size of an operation grow and holds the others. A line that follows the floor is good for every "
                                "size; a step is a size that a kernel was not made for.")
FEWEST, FEWEST_OF_AXIS = 6, 3  # sizes; of an axis they were asked for
LACKING = f"fewer than {FEWEST} products, or {FEWEST_OF_AXIS} workloads of --size, that differ in one size only"
STEP = 1.5  # so much further from the floor than one size before


def draw(data):
    for op in dict.fromkeys(workload["op"] for workload in data.workloads):
        for name, letter, members in groups([workload for workload in data.workloads if workload["op"] == op]):
            mode = next((m for m in ("cold", *data.modes) if any(m in data.kernel_modes(w) for w in members.values())), None)
            points = [point(data, members[size], size, mode) for size in sorted(members)] if mode else []
            points = [found for found in points if found]
            if len(points) >= (FEWEST if is_product(op) else FEWEST_OF_AXIS):
                yield growth(data, op, name, letter, mode, points)


def is_product(op):
    return op.startswith("matmul") and op != "matmul_batched"


def sizes_of(workload):
    parts = str(workload.get("shape", "")).split("x")
    return tuple(map(int, parts)) if all(part.isdecimal() and part.isascii() and int(part) for part in parts) else ()


def axes_of(workload):
    return dict(part.split("=") for part in workload.get("axes", "").split(";") if "=" in part)


def letters_of(workloads):
    """What the sizes that may grow are called, by place: those of products, else those that --size let vary. An axis is the place
    whose size is its value in all workloads that have it."""
    if is_product(workloads[0]["op"]):
        return dict(enumerate("MKN"))
    letters = {}
    for axis in dict.fromkeys(name for workload in workloads for name in axes_of(workload)):
        having = [(sizes_of(w), axes_of(w)[axis]) for w in workloads if axis in axes_of(w)]
        for place in range(min(len(sizes) for sizes, _ in having)):
            if place not in letters and all(str(sizes[place]) == value for sizes, value in having):
                letters[place] = axis.upper()
                break
    return letters


def groups(workloads):
    """("50000x784xN", "N", {n: workload}) of each set that differs in one size only."""
    found = {}
    for place, letter in letters_of(workloads).items():
        for workload in workloads:
            sizes = sizes_of(workload)
            if place < len(sizes):
                shape = "x".join(letter if i == place else str(size) for i, size in enumerate(sizes))
                found.setdefault((shape, letter), {})[sizes[place]] = workload
    return ((shape, letter, members) for (shape, letter), members in found.items())


def point(data, workload, n, mode):
    """(size, our fastest row, its library's, floor) on the GPU, or on the CPU where no row has one; None: no row of ours."""
    own = {row["backend"]: row for row in data.rows(workload, mode) if row["fastest_own"]}
    ours = own.get("cuda", own.get("cpu"))
    if not ours:
        return None
    library = next((row for row in data.rows(workload, mode) if row["variant"] == ours.get("library_rung")), None)
    return n, ours, library, ours.get("floor_s")


def growth(data, op, name, letter, mode, points):
    backend = points[0][1]["backend"]
    ends = [("library", points[-1][2]), ("ours", points[-1][1])]
    names = {end: end if end == "ours" else row["variant"] for end, row in ends if row}
    names["floor"] = "floor"
    shown = plane.Plane(right=max(text.pixels(said, SMALL_SIZE) for said in names.values()) + 24)
    for n, ours, library, floor in points:
        if library:
            shown.dot(n, library["time_median_s"], library.get("low_s"), library.get("high_s"), "other")
        shown.dot(n, ours["time_median_s"], ours.get("low_s"), ours.get("high_s"), backend)
        shown.reach(n, floor)
    shown.fix()
    lines = {"ours": [(n, ours["time_median_s"]) for n, ours, _, _ in points],
             "library": [(n, library["time_median_s"]) for n, _, library, _ in points if library],
             "floor": [(n, floor) for n, _, _, floor in points if floor]}
    for line, said in sorted(names.items(), key=lambda item: -(lines[item[0]] or [(0, 0)])[-1][1]):
        if lines[line]:
            shown.write(said, *lines[line][-1], beside=True)
    held = [ours for _, ours, _, _ in points if "over_library" in ours]
    gains = [ours["over_library"] for ours in held]
    steps = list(steps_of(points))
    chart = Chart(f"growth-{op}-{name}", title_of(letter, points, gains),
                  f"{op}/{name}, {letter} from {points[0][0]:,} to {points[-1][0]:,}, {points[0][1]['precision'].upper()}, {data.mode(mode)}", mode=mode)
    data.devices(chart, [backend])
    data.alarms(chart, [row for workload in data.workloads for row in data.all_rows(workload, mode)
                        if workload["op"] == op and row["backend"] == backend])
    if lines["floor"]:
        chart.footer("Dashed: the floor, which is the bytes at the memory's measured rate or the operations at the arithmetic's, whichever "
                     "takes longer, and never less than an empty launch.")
    chart.footer(data.marks("Dots") + " Ours: the fastest of our rungs at each size.")
    sure = [ours for ours in held if "over_library_low" in ours]
    if sure:
        ends = min(ours["over_library_low"] for ours in sure), max(ours["over_library_high"] for ours in sure)
        chart.footer(f"As both times spread, {span_of(ends)} times as fast" +
                     (f"; at {text.count(len(held) - len(sure), 'size')} unknown." if len(sure) < len(held) else "."))
    if steps:
        chart.footer(f"Shaded: from one size to the next, ours falls {text.figures(STEP)} times further behind the floor, or more.")
    runs = ", ".join(f"{variant} {span}" for variant, span in runs_of(points))
    chart.remark(f"Fastest of ours: {runs}.")
    data.origin(chart)
    return shown.draw(chart, f"{letter}, log", "time, log", "s", shaded=steps, below=(
        (lines["floor"], "using 1:2 with lines linecolor rgb FAINT linewidth 1.6 dashtype 2"),
        (lines["library"], "using 1:2 with lines linecolor rgb color('other') linewidth 1.6"),
        (lines["ours"], f"using 1:2 with lines linecolor rgb color('{backend}') linewidth 1.6")))


def title_of(letter, points, gains):
    if not gains:
        far = [ours["time_median_s"] / floor for _, ours, _, floor in points if floor]
        return f"As {letter} grows, our best rung takes {span_of(far)} times as long as the floor" if far else f"Time as {letter} grows"
    library = points[-1][2] or next(library for _, _, library, _ in points if library)
    return f"As {letter} grows, our best rung is {span_of(gains)} times as fast as {library['variant']}"


def span_of(factors):
    low, high = (text.figures(x, 0.0995) for x in (min(factors), max(factors)))
    return low if low == high else f"{low} to {high}"


def steps_of(points):
    """Neighbouring sizes between which ours falls behind the floor."""
    far = [(n, ours["time_median_s"] / floor) for n, ours, _, floor in points if floor]
    return ((a, b) for (a, before), (b, after) in zip(far, far[1:]) if after >= STEP * before)


def runs_of(points):
    """(variant, "1 to 16") of each stretch of sizes that one rung wins."""
    for variant, run in itertools.groupby(points, key=lambda found: found[1]["variant"]):
        sizes = [f"{n:,}" for n, *_ in run]
        yield variant, " to ".join(dict.fromkeys((sizes[0], sizes[-1])))

"""For each backend and mode without transfers: operations per second of each row against operations per byte, under the roofs that
the device reaches itself (S. Williams, A. Waterman and D. Patterson, "Roofline: an insightful visual performance model for
multicore architectures", Communications of the ACM 52, 2009)."""
import plane
import results
import text
from frame import SMALL_SIZE, Chart

HELP = "roofline-BACKEND-MODE", "each row under the measured roofs"
PAGE = 4, "Against the ceilings", ("Each dot is a row: the nearer it lies to the roof, or to the short bar of its workload's size, the less is "
                                   "left to gain on this device.")
LACKING = "no row counts operations, or knows a ceiling"
NAME_MOST = 150  # pixels


def draw(data):
    for mode in filter(lambda mode: not results.moves_data(mode), data.modes):
        for backend in ("cpu", "cuda"):
            works = {results.name_of(w): rows for w in data.workloads
                     if (rows := [r for r in data.rows(w, mode) if r["backend"] == backend and r.get("flops") and r.get("bytes") and
                                  r.get("unfair") != "tf32"])}
            timed = [row for rows in works.values() for row in rows if results.is_timed(row)]
            roofs = {row["ceiling"]: 0 for row in timed if "floor_s" in row and "ceiling" in row}
            if roofs:
                yield roofline(data, backend, mode, works, timed)


def roof_of(data, backend, timed):
    """Bytes per second, of the row that moves most of them, and operations per second by multiply-adds; None where unknown."""
    known = [(row["bytes"], row["bytes"] / floor) for row in timed if (floor := bytes_floor(row))]
    return max(known, default=(0, None))[1], peak(data, backend, "fma")


def bytes_floor(row):
    """The least time for its bytes; None: nobody knows, as of rows bound by arithmetic of which no more was written."""
    return row.get("floor_bytes_s") or (row.get("floor_s") if row.get("ceiling") not in results.LIMITS else None)


def peak(data, backend, kind):
    return max((c["per_s"] for c in data.summary["ceilings"] if c["backend"] == backend and c["kind"] == kind), default=None)


def roofline(data, backend, mode, works, timed):
    memory, arithmetic = roof_of(data, backend, timed)
    shown = plane.Plane()
    limits = []
    for row in timed:
        x, rate = row["flops"] / row["bytes"], row["flops"] / 1e9
        shown.dot(x, rate / row["time_median_s"], rate / row["high_s"] if "high_s" in row else None,
                  rate / row["low_s"] if "low_s" in row else None, backend, ringed=row["best"] or row["tied"])
        if "floor_s" in row:
            shown.reach(x, rate / row["floor_s"])
            limits.append((x, rate / row["floor_s"]))
    xs = [dot[0] for dot in shown.dots]
    ridge = arithmetic / memory if memory and arithmetic else None
    tensor = {kind: rate for kind in dict.fromkeys(row.get("ceiling") for row in timed)
              if kind in results.TENSOR_LIMITS and memory and (rate := peak(data, backend, kind))}
    ends = [*xs, ridge or xs[0], *(rate / memory for rate in tensor.values())]
    low, high = min(ends) / 1.5, max(ends) * 1.5
    roof = [(x, min(rate for rate in (memory and memory * x, arithmetic) if rate) / 1e9) for x in (low, ridge, high) if x]
    # The roofs of tensor cores go on where that of multiply-adds bends.
    roofs = [[(rate / memory, rate / 1e9), (high, rate / 1e9)] for rate in tensor.values()]
    rising = [(ridge, arithmetic / 1e9), max((line[0] for line in roofs), default=None)] if roofs and ridge else []
    for x, y in (*roof, *(point for line in roofs for point in line)):
        shown.reach(x, y)
    shown.fix()
    label(shown, works)
    chart = Chart(f"roofline-{backend}-{mode}", title_of(timed), f"Rows of {backend} that count operations, FP32, {data.mode(mode)}", mode=mode)
    data.devices(chart, [backend])
    data.alarms(chart, [row for rows in works.values() for row in rows])
    lines = [memory and f"{memory / 1e9:,.0f} GB/s, what memory gives the row that moves most bytes",
             arithmetic and f"FP32 FMA {arithmetic / 1e9:,.0f} GFLOP/s"]
    chart.footer(f"Line: {', '.join(filter(None, lines))}.")
    if tensor:
        chart.footer("Dashed: " + "; ".join(f"{results.TENSOR_LIMITS[kind]}, {rate / 1e12:,.0f} TFLOP/s" for kind, rate in tensor.items()) + ".")
    chart.footer("Short bars: the ceiling for work of that size and kind; above the line on tensor cores, in the cache, or where the "
                 "device was faster for a moment.")
    chart.footer(data.marks("Dots") + " Ringed: the fastest of its workload on all devices, and those that cannot be told from it.")
    if ridge:
        chart.remark(f"Left of the bend, at {text.figures(ridge)} FLOP per byte, memory is the limit, right of it arithmetic, "
                     "if that is FP32 multiply-adds.")
    small = [name for name, rows in works.items() if any(below(row, memory, arithmetic) for row in rows)]
    if small:
        chart.remark(f"The ceiling lies far below the line where the work is too small to fill the device: {text.listed(small, 4)}.")
    data.origin(chart)
    return shown.draw(chart, "FLOP per byte, log", "GFLOP/s, log", below=(
        (roof, f"using 1:2 with lines linecolor rgb color('{backend}') linewidth 2.5"),
        *((line, f"using 1:2 with lines linecolor rgb color('{backend}') linewidth 2 dashtype 2") for line in (*roofs, rising) if line),
        (sorted(set(limits)), "using ($1 / 1.1):2:($1 * 0.21 / 1.1):(0) with vectors nohead linecolor rgb INK linewidth 2")))


def title_of(timed):
    """Of the rows whose time is known well."""
    ranked = [row for row in timed if row["fair"] and not row.get("approximate") and "ceiling_pct_low" in row]
    if not ranked:
        return "No row is known to come near its ceiling"
    best = max(ranked, key=lambda row: row["ceiling_pct"])
    tied = [row["variant"] for row in ranked if row is not best and row["workload"] == best["workload"] and row["ceiling_pct_high"] >= best["ceiling_pct_low"]]
    return (f"{best['variant']} {'reaches' if best['ceiling_pct'] >= 100 else 'comes nearest to'} its ceiling, on {best['workload']}, at "
            f"{text.per_cent(best['ceiling_pct'])}" + (f"; {text.listed(tied, 2)} cannot be told from it" if tied else ""))


def below(row, memory, arithmetic):
    """Whether the row's own ceiling is less than half of the roof over it."""
    roof = min((rate for rate in (memory and memory * row["flops"] / row["bytes"], arithmetic) if rate), default=0)
    return results.is_timed(row) and "floor_s" in row and row["flops"] / row["floor_s"] < roof / 2


def label(shown, works):
    for name, rows in works.items():
        for row in rows:
            x = shown.columns[text.squeeze(row["workload"], NAME_MOST, SMALL_SIZE)] = row["flops"] / row["bytes"]
            if results.is_bad(row):
                shown.crosses.append((x, shown.bottom()))
                shown.write(f"{name}: {row['variant']} {results.bad_word(row)}", x, shown.bottom(), bad=True)


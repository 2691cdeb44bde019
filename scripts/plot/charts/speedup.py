"""For each workload and mode, how many times as fast each rung is as the baseline, the best CPU rung and the library."""
import panels
import results
import text

HELP = "speedup-OP-WORKLOAD-MODE", "how many times as fast each rung is as the baseline, the best CPU rung and the library"
PAGE = 3, "Speed-ups", ("Each dot is how many times as fast a rung is as the one in the panel's heading: right of 1× it is faster. "
                        "Whiskers carry the spread of both.")


RIVALS = "best_cpu", "library"  # of which the title speaks


def draw(data):
    for workload in data.workloads:
        for mode in data.modes:
            rows = data.rows(workload, mode)
            stem = f"speedup-{workload['op']}-{workload['workload']}-{mode}"
            if any(key in row for row in rows for key in ("speedup", "over_best_cpu", "over_library")):
                yield from speedup(data, workload, mode, rows, stem)
            elif data.all_rows(workload, mode):
                data.leave_out(stem, "no row of a baseline" if any(map(results.is_timed, rows)) else "no row has a time")


def speedup(data, workload, mode, rows, stem):
    divisor_mode = next((row["best_cpu_mode"] for row in rows if "best_cpu_mode" in row), mode)
    if divisor_mode != mode and not any(row["backend"] == "cpu" for row in rows):
        # The CPU has no transfers and no graphs, and stands there as what is divided by.
        rows = [row for row in data.rows(workload, divisor_mode) if row["backend"] == "cpu"] + rows
    drawn = [panel for rival in rivals(workload, mode, rows, divisor_mode) if (panel := add(rows, mode, *rival)).values]
    if not drawn:
        data.leave_out(stem, "no row but what it would be held against")
        return
    chart = data.chart(stem, title_of(data, workload, mode), workload, mode, f"; CPU rungs: {divisor_mode}" if divisor_mode != mode else "")
    data.devices(chart, results.backends(rows))
    data.alarms(chart, rows)
    chart.footer(data.ratio_marks("Dots") + data.ringed(rows))
    remark(chart, next((row for row in rows if row["best"] and row["mode"] == mode), {}), workload.get("baseline"))
    data.origin(chart, workload)
    data.causes(chart, data.all_rows(workload, mode))
    yield panels.draw(chart, drawn)


def title_of(data, workload, mode):
    headline = data.headline(workload, mode)
    return results.finding(headline, RIVALS) if headline else f"{results.name_of(workload)}, {mode}"


def remark(chart, best, baseline):
    """What a kernel cannot change, or how much the baseline flatters it."""
    if "upload_s" in best and "download_s" in best:
        share = 100 * (best["upload_s"] + best["download_s"]) / max(best["time_median_s"], best["upload_s"] + best["download_s"])
        chart.remark(f"Of the fastest call {text.per_cent(share)} is upload and download, which no kernel can make shorter.")
    elif "best_cpu_rung" in best and best["over_best_cpu"] * 3 < best.get("speedup", 0):
        chart.remark(f"Over {baseline} {best['variant']} gains {results.gain_of(best, 'speedup')}, over {best['best_cpu_rung']} "
                     f"{results.gain_of(best, 'over_best_cpu')}: the slower the rung that one compares with, the larger the speed-up.")


def rivals(workload, mode, rows, divisor_mode):
    """(key, rung, what it is, mode) of each that rows are held against."""
    def named(key):
        return list(dict.fromkeys(row[key] for row in rows if key in row))
    best = named("best_cpu_rung")
    if any("speedup" in row for row in rows) and best != [workload.get("baseline")]:
        yield "speedup", workload.get("baseline", "the baseline"), "the baseline", divisor_mode
    if best:
        yield "over_best_cpu", best[0], "baseline and best CPU rung" if best == [workload.get("baseline")] else "best CPU rung", divisor_mode
    libraries = [row["library_rung"] for row in rows if "library_rung" in row and row["mode"] == mode]
    if libraries:  # each device has its own, and one axis one: that of most rows
        yield "over_library", max(libraries, key=libraries.count), "the library", mode


def add(rows, mode, key, rival, what, rival_mode):
    panel = panels.Panel("times as fast, log", f"over {rival}", f"{what}, {rival_mode}", "×")
    for row in rows:
        if results.is_bad(row):
            panel.cross(panel.row(results.rung_name(row)), results.bad_word(row))
        elif key in row and row["variant"] != rival and (key != "over_library" or (row["mode"], row.get("library_rung")) == (mode, rival)):
            panel.dot(panel.row(results.rung_name(row)), row[key], row.get(key + "_low"), row.get(key + "_high"), row["backend"],
                      results.gain_of(row, key), row["mode"] == mode and (row["best"] or row["tied"]))
    panel.compare()
    return panel

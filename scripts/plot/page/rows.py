"""The rows of a summary, as the page asks about them."""
import math

import axis
import text
from summary import meanings

CONDITIONS = (("Device", "device", ""), ("UUID", "device_uuid", ""), ("Driver", "driver_version", ""), ("CUDA", "cuda_version", ""),
              ("BLAS", "blas_version", ""), ("Threads", "threads", ""), ("May use CPUs", "affinity", ""),
              ("Governor", "governor", ""), ("CPU clock, measured", "cpu_clock_mhz", "MHz"), ("Clock set to", "sm_clock_set_mhz", "MHz"),
              ("Clock, measured", "sm_clock_mhz", "MHz"), ("Memory clock", "memory_clock_mhz", "MHz"),
              ("Power limit", "power_limit_w", "W"), ("Power", "power_w", "W"), ("Temperature", "temperature_c", "°C"))
# All that is known of a row, for those who point at it. In each line, separated by semicolons: words, how values are written in
# them, and the columns of the values.
WHOLE = "{:.0f}".format
LINES = (
    (("{}", "{}/{}/{}/{}".format, "op", "workload", "variant", "mode"), ("{}", str, "shape"), ("{}", str, "summary")),
    (("{}", lambda state: state.removeprefix("ok"), "state"), ("{}", str, "reason"), ("never the best: {}", str, "unfair")),
    (("median {}", text.duration, "time_median_s"), ("95 % interval {}", text.durations, "time_ci_low_s", "time_ci_high_s"),
     ("spread {}", text.durations, "low_s", "high_s"), ("{} samples", str, "samples")),
    (("upload {}", text.duration, "upload_s"), ("kernel {}", text.duration, "kernel_s"), ("download {}", text.duration, "download_s")),
    (("{} GFLOP/s", text.rate, "gflops"), ("{} GB/s", text.rate, "bandwidth_gbs"), ("{} of the ceiling", text.per_cent_exactly, "ceiling_pct"),
     ("ceiling: {}", str, "ceiling")),
    (("error {}", "{:.3g} of {:.3g}".format, "max_abs_err", "err_bound"), ("root mean square {} roundoffs", "{:.3g}".format, "rms_err")),
    (("clock {} MHz", WHOLE, "sm_clock_mhz"), ("clock {} MHz", WHOLE, "cpu_clock_mhz"), ("memory {} MHz", WHOLE, "memory_clock_mhz"),
     ("{} °C", WHOLE, "temperature_c"), ("{} W", WHOLE, "power_w"), ("{}", " ".join, "marks")),
    (("{}", str, "source"), ("revision {}", str, "git_rev")),
)


class Rows:
    def __init__(self, summary):
        self.all = [{**row, "id": f"row-{number}", "state": state(row), "marks": marks(row), "of_bound": of_bound(row)}
                    for number, row in enumerate(summary["rows"], 1)]
        for row in self.all:
            row["known"] = everything(row)
        self.meanings = meanings(summary)
        self.with_transfers = {row["mode"] for row in self.all if row.get("transfer")}
        baselines = {row.get("baseline") for row in self.all if "speedup" in row}
        self.baseline = baselines.pop() if len(baselines) == 1 else None
        self.gains = Gains([headline for workload in summary["workloads"] for headline in self.compared(workload)])
        self.backends = list(dict.fromkeys(row["backend"] for row in self.all if row["state"] == "ok"))

    def values(self, column):
        return list(dict.fromkeys(row[column] for row in self.all if row.get(column)))

    def states(self, workload):
        """How many rows of a workload are what."""
        states = [row["state"] for row in self.all if row["op"] == workload["op"] and row["workload"] == workload["workload"]]
        return {each: states.count(each) for each in states}

    def has_fair(self, workload):
        return any(row["fair"] for row in self.all if row["op"] == workload["op"] and row["workload"] == workload["workload"])

    def approximate(self):
        return sum("approximate" in row for row in self.all)

    def compared(self, workload):
        """What a card shows: the headline of the first mode without transfers, and of the first with them."""
        first = {}
        for headline in workload["headlines"]:
            first.setdefault(headline["mode"] in self.with_transfers, headline)
        return [first[moved] for moved in sorted(first)]

    def conditions(self):
        """(label, a text per backend) of what is known of any of them."""
        for label, column, unit in CONDITIONS:
            texts = [across([row[column] for row in self.all if row["backend"] == backend and row.get(column)], unit)
                     for backend in self.backends]
            if any(texts):
                yield label, texts

    def marked(self):
        """{(mark, its meaning): rows}"""
        found = {}
        for row in self.all:
            for mark in row["marks"]:
                found.setdefault((mark, self.meanings.get(mark)), []).append(row)
        return found

    def skipped(self):
        """{reason: rows}"""
        found = {}
        for row in self.all:
            if row["state"] == "skipped":
                found.setdefault(row.get("reason", "no reason given"), []).append(row)
        return dict(sorted(found.items(), key=lambda item: -len(item[1])))


class Gains:
    """How many times as fast the fastest are as their rivals, on one logarithmic axis; places are per cent of its width."""

    def __init__(self, headlines):
        found = [math.log10(gain[end]) for headline in headlines for gain in gains(headline) for end in ("low", "value", "high")]
        self.start = min(0, *found, 0)
        self.length = max(0, *found, 0.3) - self.start
        self.ticks = [(said, self.place(x)) for said, x in axis.ticks(self.start, self.start + self.length, 240, "×") if found]

    def place(self, x):
        return f"{3 + 94 * (math.log10(x) - self.start) / self.length:.2f}%"


def gains(headline):
    """Over the library and the best CPU rung, where these have rows and the fastest is neither itself."""
    for key, rung in ("over_library", "library_rung"), ("over_best_cpu", "best_cpu_rung"):
        if key in headline and headline.get(rung, headline["best"]) != headline["best"]:
            value = headline[key]
            low, high = headline.get(f"{key}_low", value), headline.get(f"{key}_high", value)
            yield {"key": key, "rung": headline[rung], "value": value, "low": low, "high": high, "known": f"{key}_low" in headline,
                   "approximate": headline.get(f"{key}_approximate"),
                   "verdict": "tied" if headline[rung] in headline["tied"] else "slower" if high < 1 else ""}


def state(row):
    """wrong, failed, ok (it has a time), verified (it was not timed) or skipped."""
    if row["status"] == "failed":
        return "wrong" if row.get("wrong") else "failed"
    return "verified" if row["status"] == "ok" and "time_median_s" not in row else row["status"]


def marks(row):
    if row["status"] == "skipped":
        return []
    first = ["launch-bound"] if row.get("launch_bound") else []
    return list(dict.fromkeys(first + row.get("marks", "").split()))


def of_bound(row):
    """The error in per cent of what is allowed; None: unknown."""
    error, bound = row.get("max_abs_err"), row.get("err_bound")
    if error is None or bound is None:
        return None
    return 100 * error / bound if bound else 0 if error == 0 else None


def across(values, unit):
    """From the least to the greatest; of texts each once."""
    texts = [f"{min(values):.0f}", f"{max(values):.0f}"] if values and not isinstance(values[0], str) else values
    return ((" to " if unit else ", ").join(dict.fromkeys(texts)) + " " + unit).strip() if texts else ""


def everything(row):
    lines = ([words.format(write(*(row[column] for column in columns))) for words, write, *columns in line
              if all(row.get(column) is not None for column in columns)] for line in LINES)
    return "\n".join("; ".join(filter(None, line)) for line in lines if any(line))

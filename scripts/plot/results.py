"""A summary with the questions that charts ask of it."""
import re

import text
from frame import Chart
from summary import meanings

TENSOR_LIMITS = {"tf32": "the tensor cores' peak in TF32", "tf32x3": "a third of the tensor cores' peak in TF32",
                 "fp16x3": "a third of the tensor cores' peak in FP16", "bf16x9": "a ninth of the tensor cores' peak in BF16"}
LIMITS = {"fma": "the arithmetic peak", "transfer": "the bus's speed", **TENSOR_LIMITS}  # what a ceiling is of; else memory


class Results:
    def __init__(self, summary, samples=None):
        self.summary = summary
        self.samples = samples  # the path of what rungbench --samples wrote, or None
        self.workloads = summary["workloads"]
        self.modes = [mode["mode"] for mode in summary["modes"]]
        self.about = {mode["mode"]: mode["about"] for mode in summary["modes"]}
        self._rows = {}
        for row in summary["rows"]:
            self._rows.setdefault((row["op"], row["workload"], row["mode"]), []).append(row)
        self.left_out = []  # (stem, cause) of charts that the file cannot feed

    def leave_out(self, stem, cause):
        self.left_out.append((text.file_name(stem), cause))

    def all_rows(self, workload, mode):
        return self._rows.get((workload["op"], workload["workload"], mode), [])

    def rows(self, workload, mode):
        """Those with a place in a chart: with a time, or failed; not those that ran another rung's kernel."""
        return [row for row in self.all_rows(workload, mode) if is_bad(row) or is_timed(row)]

    def headline(self, workload, mode):
        return next((h for h in workload["headlines"] if h["mode"] == mode), None)

    def kernel_modes(self, workload):
        return [mode for mode in self.modes if not moves_data(mode) and any(map(is_timed, self.rows(workload, mode)))]

    def chart(self, stem, title, workload, mode, more=""):
        """Its subtitle: matmul/mnist, 50000x784x10, FP32, cold: cache emptied before each call"""
        shape = workload.get("shape") if workload.get("shape") != workload["workload"] else ""
        parts = name_of(workload), shape, workload.get("precision", "").upper(), self.mode(mode)
        return Chart(stem, title, ", ".join(filter(None, parts)) + more, name_of(workload), mode)

    def mode(self, mode):
        return f"{mode}: {self.about[mode]}" if self.about.get(mode) else mode

    def devices(self, chart, backends):
        """A line above the panels for each device among them."""
        for backend in backends:
            chart.header(("simulated on " if backend == "sim" else "") + self.device(backend), backend)

    def device(self, backend):
        names = [f"{device.get('device') or 'an unknown device'}" +
                 (f", {text.count(device['threads'], 'thread')}" if device.get("threads") else "")
                 for device in self.summary["devices"] if device["backend"] == backend]
        return text.listed(names) or "an unknown device"

    def origin(self, chart, workload=None):
        """Which machine measured this, and when; the last line but for causes."""
        said = f"Host {self.summary.get('host', 'unknown')}"
        if self.summary.get("timestamp"):
            said += ", " + text.moment(self.summary["timestamp"])
        if self.summary.get("git_rev"):
            said += f", rungbench at {self.summary['git_rev']}"
        chart.footer(said + "." + (f" Input: {workload['input']}." if workload and workload.get("input") else ""))

    def marks(self, what):
        """What dots and whiskers stand for."""
        rounds = self.summary.get("rounds", 1)
        return f"{what}: medians{f' of {rounds} rounds' if rounds > 1 else ''}; whiskers: {self.spread()}." + self.alone()

    def alone(self):
        """Samples of one process agree with each other more than processes do."""
        return "" if self.summary.get("rounds", 1) > 1 else " Another process may differ by more."

    def ratio_marks(self, what):
        return f"{what}: ratios of medians; whiskers: where they may lie, by {self.spread()} of both." + self.alone()

    def spread(self):
        return ("the fastest and the slowest round" if self.summary.get("rounds", 1) > 1 else
                "quartiles of the samples in one process")

    def ringed(self, rows):
        """What rings stand for; who rounds more has none, however fast."""
        at = ", of those with FP32's accuracy" if any(row.get("unfair") == "tf32" for row in rows) else ""
        return f" Ringed: the fastest{at}, and those that cannot be told from it."

    def alarms(self, chart, rows):
        """Wrong and failed rungs stand above the panels, whatever else there is to see; of several workloads with their names."""
        for words, names in grouped((f"{bad_word(row)}: {{}} ({reason(row)})",
                                     ("" if chart.workload else f"{name_of(row)}/") + rung_name(row)) for row in rows if is_bad(row)):
            chart.header(words.replace("{}", text.listed(names), 1), "bad")

    def causes(self, chart, rows):
        """Why rungs have no place in the chart, and what else is to be known of those that have."""
        bound = [rung_name(row) for row in rows if row.get("launch_bound") and is_timed(row)]
        if bound:
            chart.footer(f"Launch-bound (the GPU waited for the host): {text.listed(dict.fromkeys(bound))}")
        for mark in "throttled", "openblas-old":
            names = dict.fromkeys(rung_name(row) for row in rows if mark in str(row.get("marks", "")).split() and is_timed(row))
            if names:
                chart.footer(f"{mark} ({meanings(self.summary)[mark]}): {text.listed(names)}")
        for words, names in grouped(cause for cause in map(cause_of, rows) if cause):
            chart.footer(words.replace("{}", text.listed(names), 1))


def grouped(pairs):
    """[(words, names)]: names that share their words, each once."""
    found = {}
    for words, name in pairs:
        found.setdefault(words, {})[name] = True
    return found.items()


def name_of(item):
    return f"{item['op']}/{item['workload']}"


def rung_name(row):
    return row["variant"] + (f" ({row['unfair'].upper()})" if row.get("unfair") == "tf32" else "")


def moves_data(mode):
    return mode.startswith("e2e")


def is_timed(row):
    return row["status"] == "ok" and "time_median_s" in row and not row.get("runs_as")


def is_library(row):
    """One in TF32, too, which is none to compare with."""
    return row["library"] or row["variant"].startswith("cublas")


def is_bad(row):
    return row["status"] == "failed"


def bad_word(row):
    return "WRONG" if row.get("wrong") else "FAILED"


def reason(row):
    said = re.sub(r"^(round \d+: )?(wrong: )?", "", text.clean(row.get("reason") or "no reason given"))
    return said if len(said) <= 110 else said[:107] + "..."


def cause_of(row):
    """Why a row is not drawn: (words with {} for the rung, rung)."""
    if row.get("runs_as") and not is_bad(row):
        return "Left out, since they run another rung's kernel for this shape: {}", f"{rung_name(row)} ({row['runs_as']})"
    return ("Skipped: {}", rung_name(row)) if row["status"] == "skipped" else None


def backends(rows):
    return list(dict.fromkeys(row["backend"] for row in rows))


def gain_of(row, key):
    """A ratio of times: 2.41×, or ~2.4× where one of them has no interval."""
    return text.roughly(row[key]) if row.get(f"{key}_approximate") else text.factor(row[key])


def unsure(ratios):
    """In words, of how many of [(low, high)] nobody knows whether the ratio is above 1; empty: of none."""
    around, unknown = sum(low is not None and low <= 1 <= high for low, high in ratios), sum(low is None for low, _ in ratios)
    said = [f"{around} may be either side of 1×"] * bool(around) + [f"{unknown} have no interval"] * bool(unknown)
    return f"Of {text.count(len(ratios), 'ratio')} {', '.join(said)}." if said else ""


def rival_of(headline, against):
    """Of these the first that is another rung, with a ratio to it; None: there is none."""
    return next((other for other in against if f"over_{other}" in headline and headline.get(f"{other}_rung") not in (None, headline["best"])), None)


def finding(headline, against=("library", "best_cpu")):
    """One sentence on the fastest rung of a mode, held against its rival."""
    said = headline["best"]
    other = rival_of(headline, against)
    rival = headline.get(f"{other}_rung")
    if rival in headline["tied"]:
        said += f" and {rival} are equally fast"
    elif other:
        said = f"{said} is" if headline[f"over_{other}"] >= 1 else f"Even {said} is only"
        said += f" {gain_of(headline, f'over_{other}').removesuffix('×')} times as fast as {rival}"
        if headline["tied"]:
            said += f", and {text.listed(headline['tied'], 2)} cannot be told from it"
    else:
        said += f" and {text.listed(headline['tied'], 2)} are equally fast" if headline["tied"] else " is the fastest"
    return said


def share(headline):
    """How that sentence goes on, where a ceiling is known."""
    limit = LIMITS.get(headline.get("ceiling"), "the memory's speed" if headline["mode"] == "cold" else "the cache's or memory's speed")
    return f", at {text.per_cent(headline['ceiling_pct'])} of {limit}" if "ceiling_pct" in headline else ""


def certainty(headline, against=("library", "best_cpu")):
    """What is known of the ratio in that sentence; empty if it has none."""
    other = rival_of(headline, against)
    if not other or headline[f"{other}_rung"] in headline["tied"]:
        return ""
    low, high = (headline.get(f"over_{other}_{end}") for end in ("low", "high"))
    if low is None:
        return " How far the ratio in the title may be off is unknown."
    return f" The ratio in the title is {text.figures(low, 0.0995)} to {text.figures(high, 0.0995)} as both times spread."

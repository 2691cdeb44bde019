# What a results file of rungbench says, recomputed from its lines alone. A row's name is (op, workload, rung, mode).
import csv
import statistics

MODES = ["cold", "hot", "graph", "e2e", "e2e_pageable"]


class Results:
    def __init__(self, path):
        self.lines, self.slowed = {}, 0
        line = 2
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            for record in reader:
                record["line"] = line
                line = reader.line_num + 1
                if record.get("slowdown_pct"):
                    self.slowed += 1
                else:
                    name = tuple(record[c] for c in ("op", "workload", "variant", "mode"))
                    self.lines.setdefault(name, []).append(record)

    def timed(self, name):
        return [r for r in self.lines.get(name, []) if r["status"] == "ok" and r["time_median_s"]]

    def status(self, name):
        states = {r["status"] for r in self.lines[name]}
        return "failed" if "failed" in states else "ok" if self.timed(name) else "right" if "ok" in states else "skipped"

    def median(self, name):
        return statistics.median(float(r["time_median_s"]) for r in self.timed(name))

    def usable(self, name):
        handed_over = any(r.get("runs_as") for r in self.lines.get(name, []))
        return name in self.lines and self.status(name) == "ok" and not handed_over

    def best(self, op, workload, mode, backend):
        if backend == "cpu":
            mode = "cold" if mode == "cold" else "hot"
        names = [n for n in self.lines if n[0] == op and n[1] == workload and n[3] == mode and self.usable(n) and
                 self.lines[n][0]["backend"] == backend and self.lines[n][0]["precision"].lower() != "tf32"]
        return min(names, key=self.median, default=None)

    def base(self, op, workload, mode):
        named = [r["baseline"] for n in self.lines if n[:2] == (op, workload) for r in self.timed(n) if r["baseline"]]
        name = (op, workload, named[-1], "cold" if mode == "cold" else "hot") if named else None
        return name if name and self.usable(name) else None

    def marks(self, name):
        mine = self.lines[name]
        marks = {mark for r in mine for mark in (r.get("marks") or "").split()}
        if any(r.get("launch_bound") == "yes" for r in mine):
            marks.add("launch-bound")
        if self.status(name) == "ok" and len(self.timed(name)) < len(mine):
            marks.add(f"{len(self.timed(name))}-of-{len(mine)}-rounds")
        return marks if self.status(name) != "skipped" else set()

    def compared(self, op, workload):
        """(fastest, best CPU rung, baseline) of the mode that a headline speaks of, or None."""
        modes = sorted({n[3] for n in self.lines if n[:2] == (op, workload)}, key=MODES.index)
        for backend in "cuda", "cpu":
            for mode in modes:
                best = self.best(op, workload, mode, backend)
                found = (best, self.best(op, workload, mode, "cpu"), self.base(op, workload, mode))
                if found[0] and (found[2] or (backend == "cuda" and found[1])):
                    return found
        return None

    def headline(self):
        """((op, workload), fastest rung, the ratios that are said), or None."""
        found = {w: self.compared(*w) for w in dict.fromkeys(n[:2] for n in self.lines)}
        found = {w: c for w, c in found.items() if c}
        if not found:
            return None
        named = [w for w in found if w[1] == "mnist"]
        chosen = named[0] if named else max(found, key=lambda w: self.median(found[w][2]) if found[w][2] else 0)
        first, cpu, base = found[chosen]
        ratios = [self.median(base) / self.median(first)] if base and first != base else []
        if self.lines[first][0]["backend"] == "cuda":
            if cpu and cpu != base:
                ratios.append(self.median(cpu) / self.median(first))
            moved, hot = (*first[:3], "e2e"), self.best(*chosen, "e2e", "cpu")
            if self.usable(moved) and hot and moved != first:
                ratios.append(self.median(hot) / self.median(moved))
        return chosen, first, ratios

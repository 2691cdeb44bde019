"""Judges the kernels of cases.txt, each as a kernel of the user's own, and says which were not judged as expected: the first
of each section, or all with RUNGBENCH_TEST_ALL=1.

Usage: cheats.py RUNGBENCH IMPATIENT SOURCE_DIR BACKEND [--table=FILE.csv] [--times] [--only=REGEX], in an empty folder.
IMPATIENT ends kernels that hang sooner. --table gets a line per row; --times compares times: by hand, on a quiet machine.
"""
import argparse
import csv
import ctypes
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

# The rung that does the work of an operation, its flag and size, and how to tell that size.
OPS = {
    "matmul": ("cpu_reordered", "--shape=40x300x28", "p->m == 40 && p->k == 300 && p->n == 28"),
    "grayscale": ("cpu_scalar", "--image-size=33x65", "p->images == 1 && p->height == 33 && p->width == 65"),
    "dot": ("cpu_scalar", "--size=dot:n=50000", "p->n == 50000"),
    "reduce_rows": ("cpu_scalar", "--size=reduce_rows:m=100,n=200", "p->m == 100 && p->n == 200"),
}
SHORT = {"gray": "grayscale"}
SIZES = {"sim": ["--verify", "--simulate", "--shape=24x64x28"],
         "cuda": ["--modes=cold", "--shape=512x512x512", "--shape=256x4096x256"]}
KERNELS_MAX = 16
CASES_MAX = 1  # of a section, unless RUNGBENCH_TEST_ALL=1
SLACK = 1.1  # of the time of honest work, that a ranked row of a cheat may be faster
WITHOUT_RANK = {"unaudited", "clock-unclear", "over-ceiling"}


@dataclass
class Case:
    name: str
    op: str
    section: "Section"
    reason: str
    code: str

    def write(self, folder, backend):
        """The file that a user might bring."""
        path = folder / f"{self.name}.{'c' if backend == 'cpu' else 'cu'}"
        file, code = self.section.file, self.code
        if backend == "cpu":
            rung, _, timed = OPS[self.op]
            guard = "    if (!timed(p)) {\n        right(p);\n        return;\n    }\n" * ("timed" in self.section.options)
            text = (f'#define NAME "{self.name}"\n#define RIGHT {self.op}_{rung}\n#define TIMED ({timed})\n#define _GNU_SOURCE\n'
                    f'#include "bench/table/{self.op}.h"\ntypedef struct {self.op}_problem P;\n#include "tests/cheats/{file}"\n\n'
                    f"static void body(const P *p)\n{{\n    calls_at_work++;\n{guard}    {code}\n}}\n\n"
                    f"const char *{self.op}_own(const void *problem, void *stream)\n{{\n    (void)stream;\n"
                    "    body(problem);\n    return NULL;\n}\n")
        else:
            text = (f'#include "tests/cheats/{file}"\n\nstatic void body(const P *p, cudaStream_t stream)\n{{\n    {code}\n}}\n\n'
                    "const char *matmul_own(const void *problem, void *stream)\n{\n"
                    "    const P *p = (const P *)problem;\n    const char *error = grid_x_error(__func__, ceil_div(p->m * p->n, THREADS));\n"
                    "    if (!error)\n        body(p, (cudaStream_t)stream);\n    return error ? error : launch_error(__func__);\n}\n")
        path.write_text(text)
        return path


@dataclass
class Section:
    backends: list
    file: str
    expected: str
    options: list
    reason: str
    flags: list
    cases: list = field(default_factory=list)


HEAD = re.compile(r'@ ((?:cpu |sim |cuda )+)(\S+) (\S+)((?: \w+)*)(?: "([^"]*)")?(?: -- (.*))?$')
LINE = re.compile(r'(?:(\w+)/)?(\w+) +(?:"([^"]*)" *)?(.*)$')


def read_cases(path):
    sections = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if match := HEAD.match(line):
            backends, file, expected, options, reason, flags = match.groups()
            sections.append(Section(backends.split(), file, expected, options.split(), reason or "", (flags or "").split()))
        elif line.startswith(" "):
            sections[-1].cases[-1].code += "\n    " + line.strip()
        elif match := LINE.match(line):
            op, name, reason, code = match.groups()
            section = sections[-1]
            section.cases.append(Case(f"{op}_{name}" if op else name, SHORT.get(op, op) or "matmul", section,
                                      reason or section.reason, code))
        else:
            sys.exit(f"{path}:{number}: cannot read '{line}'")
    return sections


class Judge:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.rows = []
        self.lacks = confined()

    def flags(self, backend, section):
        if backend != "cpu":
            return SIZES[backend]
        time_s = "0.3" if self.arguments.times else "0.002"
        return ["--modes=cold", f"--min-time={time_s}", *sorted({OPS[case.op][1] for case in section.cases})]

    def start(self, number, section, files, *flags):
        folder = self.folder / f"{number}"
        program = self.arguments.impatient if "hung" in section.options else self.arguments.rungbench
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "TMPDIR": str(folder / "tmp"), "RUNGBENCH_ROW_S": "4",
                       "OMP_NUM_THREADS": "2"}
        return subprocess.run([program, "--progress=off", "--suite=none", "--general", *flags, *(f"--kernel={file}" for file in files)],
                              cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False)

    def write(self, number, backend, cases):
        """The files' names."""
        folder = self.folder / f"{number}"
        (folder / "tmp").mkdir(parents=True, exist_ok=True)
        return [case.write(folder, backend).name for case in cases]

    def compile(self, runs):
        """All, before the first kernel runs that is timed."""
        flags = ["--filter=/kernel_", "--verify", "--shape=1x1x1"]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, (backend, section, cases) in enumerate(runs):
                for name in self.write(number, backend, cases):
                    pool.submit(self.start, number, section, [name], *flags)

    def run(self, number, backend, section, cases):
        """What was not as expected."""
        folder = self.folder / f"{number}"
        names = self.write(number, backend, cases)
        run = self.start(number, section, names, "--filter=/kernel_", "--out=rows.csv", *self.flags(backend, section),
                         *section.flags)
        out = folder / "rows.csv"
        if not out.exists():
            return [f"{[case.name for case in cases]}: no results, status {run.returncode}: {run.stderr[-600:]}"]
        rows = list(csv.DictReader(out.open(newline="")))
        self.rows += rows
        if "FORGED" in run.stdout + out.read_text():
            return [f"{[case.name for case in cases]}: the results have what a kernel has written"]
        if any("FORGED" in object.read_bytes()[:100].decode("latin1") for object in (folder / "rungbench").glob("*")):
            return [f"{[case.name for case in cases]}: the cache has what a kernel has written"]
        return [wrong for case in cases
                for wrong in look(case, [row for row in rows if row["variant"] == f"kernel_{case.name}"], run.stderr)]


def confined():
    """Why kernels can reach out of their processes here; empty: they cannot. Linux, Documentation/userspace-api/landlock.rst."""
    create_ruleset, ask_version = 444, 1
    version = ctypes.CDLL(None).syscall(create_ruleset, None, 0, ask_version)
    return "" if version >= 6 else f"this system has version {version} of Landlock's interface, expected 6"


def look(case, rows, said):
    expected = case.section.expected
    if not rows:
        return [f"{case.name}: has no row"]
    return [f"{case.name} ({row['name']}) is {row['status']}, expected {expected}: '{row['reason']}' {row['marks']}"
            for row in rows if not is_as_expected(case, expected, row, rows, said)]


def is_as_expected(case, expected, row, rows, said):
    is_ok, failed = row["status"] == "ok", row["status"] == "failed"
    is_left_out = row is not rows[0] and row["reason"].startswith("not run: the rung ended its process in row ")
    rejected = failed and re.search(case.reason, (rows[0] if is_left_out else row)["reason"])
    if expected == "rejected" and "--rounds=2" in case.section.flags:
        return rejected or row is not rows[-1]
    is_timed = "cuda" in case.section.backends  # there times alone can tell
    has_no_rank = is_ok and WITHOUT_RANK & set(row["marks"].split())
    calls = re.findall(rf"^{case.name}: (-?\d+) calls at work$", said, re.MULTILINE)
    return {"rejected": rejected,
            "works": failed or has_no_rank or is_timed or (calls and int(calls[-1]) >= int(row["samples"])),
            "ok": is_ok,
            "rejected-or-ok": is_ok or failed,
            "named": is_ok and row["runs_as"] == case.reason,
            "unranked": failed or has_no_rank}[expected]


def find_times(rows):
    """Rows that are faster than honest work can be."""
    honest = {row["workload"]: float(row["time_median_s"]) for row in rows if row["variant"] == "kernel_honest"}
    return [f"{row['name']} takes {row['time_median_s']} s, and honest work {honest[row['workload']]} s" for row in rows
            if row["status"] == "ok" and row["workload"] in honest and not WITHOUT_RANK & set(row["marks"].split())
            and not row["runs_as"] and float(row["time_median_s"]) * SLACK < honest[row["workload"]]]


def write_table(path, rows):
    with path.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("row", "status", "time_median_s", "marks", "reason"))
        table.writerows((row["name"], row["status"], row["time_median_s"], row["marks"], row["reason"]) for row in rows)


def main():
    parser = argparse.ArgumentParser()
    for name in ("rungbench", "impatient", "root", "backend"):
        parser.add_argument(name)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    root = Path(arguments.root)
    sections = [section for section in read_cases(root / "tests/cheats/cases.txt") if arguments.backend in section.backends]
    failures = []
    judge = Judge(arguments, Path.cwd())
    runs = []
    most = None if os.environ.get("RUNGBENCH_TEST_ALL") == "1" or arguments.backend == "cuda" or arguments.only else CASES_MAX
    for section in sections:
        if "confined" in section.options and judge.lacks:
            print(f"left out: {judge.lacks}")
            continue
        cases = [case for case in section.cases if re.search(arguments.only, case.name)][:most]
        runs += [(arguments.backend, section, cases[at:at + KERNELS_MAX]) for at in range(0, len(cases), KERNELS_MAX)]
    runs.sort(key=lambda run: "hung" not in run[1].options)
    if arguments.times:
        judge.compile(runs)
    with ThreadPoolExecutor(2 if arguments.backend != "cuda" and not arguments.times else 1) as pool:
        for wrong in pool.map(lambda numbered: judge.run(numbered[0], *numbered[1]), enumerate(runs)):
            failures += wrong
    if arguments.times:
        failures += find_times(judge.rows)
    if arguments.table:
        write_table(arguments.table, judge.rows)
    for failure in failures:
        print(f"FAILED: {failure}")
    count = sum(len(cases) for _, _, cases in runs)
    print(f"{count} kernels on {arguments.backend}: {len(judge.rows)} rows, {len(failures)} not as expected")
    sys.exit(1 if failures or count == 0 else 0)


main()

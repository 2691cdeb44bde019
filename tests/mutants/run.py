#!/usr/bin/env -S python3 -B
"""Runs mutants of the rungs through the tests on the simulator: every one must be killed, or be listed as equivalent.

FILE.json comes from the build:
    {"source_dir": "/src", "rungs": {"kernels/matmul/mine.cu": {"compile": ["c++", ...], "check": ["arg", ...]}},
     "link": ["c++", "{object}", ...]}
A mutant is compiled, linked, and the program run with the rung's `check` arguments. Status 1, a signal or no end in
time kills it; status 0 lets it live; any other says nothing of the mutant, so it ends the run.

Exit status: 0 as expected; 1 a mutant lives that should not, or the list of equivalents is wrong; 2 could not run.
"""
import argparse
import difflib
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from equivalents import LISTED_MAX, Broken, read_equivalents
from mutants import emptied, generate
from processes import Processes

ALWAYS = {"barrier-removed", "barrier-narrowed", "wait-removed", "wait-off-by-one", "commit-removed", "guard-removed",
          "guard-off-by-one"}
SAMPLE_MIN = 30
COMPILER_DIED = re.compile("internal compiler error|signal terminated program")  # its status is 1 all the same
OUTPUT_MAX = 256 << 20  # bytes of a file: a mutant that prints for ever must not fill the disk


class Bench:
    """Compiles and runs one text after another, in a folder of its own each."""

    def __init__(self, build, folder, limit):
        self.build, self.folder, self.limit, self.processes = build, Path(folder), limit, Processes()

    def run(self, file, text, name):
        """('invalid', 'killed' or 'lives', the end of what the last command said)."""
        rung = self.build["rungs"][file]
        with tempfile.TemporaryDirectory(dir=self.folder) as made:
            source, made_object, program, output = (Path(made, part) for part in
                                                    (Path(file).name, "mutant.o", "mutant", "output"))
            source.write_text(text, encoding="utf-8")
            compile_it = [*rung["compile"], "-x", "c++", "-w", "-c", str(source), "-o", str(made_object)]
            status = self.processes.run(compile_it, output)
            if status == 1 and not COMPILER_DIED.search(output.read_text(errors="replace")):
                return "invalid", end_of(output)
            self.demand(status == 0, name, compile_it, status, output)
            link = [str(made_object) if word == "{object}" else word for word in self.build["link"]]
            status = self.processes.run([*link, "-o", str(program)], output)
            self.demand(status == 0, name, link, status, output)
            check = [str(program), *rung["check"]]
            status = self.processes.run(check, output, self.limit)
            self.demand(status is None or status < 0 or status in (0, 1), name, check, status, output)
            return "lives" if status == 0 else "killed", end_of(output)

    @staticmethod
    def demand(right, name, command, status, output):
        if not right:
            raise Broken(f"{name}: {' '.join(command)}: status {status}\n{end_of(output)}")


def commit(folder):
    """What git calls the present commit; without git, always the same."""
    try:
        said = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return said.stdout.strip()


def end_of(output):
    return output.read_bytes()[-2000:].decode(errors="replace")


def chosen(mutants, sample, seed):
    """Those of the operators that matter most, and as many others, which the seed decides."""
    if sample is None:
        return mutants
    others = sorted((m for m in mutants if m.operator not in ALWAYS),
                    key=lambda m: hashlib.sha256(f"{seed} {m}".encode()).digest())
    always = len(mutants) - len(others)
    taken = set(others[:max(sample, SAMPLE_MIN - always)])
    return [m for m in mutants if m.operator in ALWAYS or m in taken]


def difference(mutant, text):
    lines = difflib.unified_diff(text.splitlines(), mutant.apply(text).splitlines(), n=0, lineterm="")
    return "".join(f"\n    {line}" for line in list(lines)[3:])


def prove_machinery(bench, texts, map_all):
    """What is right must live and what does nothing must die, or no verdict is worth anything."""
    def prove(file):
        for what, text, wanted in (("unchanged", texts[file], "lives"), ("emptied", emptied(texts[file]), "killed")):
            if what == "emptied" and text == texts[file]:
                raise Broken(f"{file}: no kernel found")
            verdict, said = bench.run(file, text, f"{file}, {what}")
            if verdict != wanted:
                raise Broken(f"{file}, {what}: {verdict}, should be {wanted}: no mutant can be judged\n{said}")
    list(map_all(prove, texts))


def judge(bench, mutants, texts, equivalents, map_all):
    """Runs the mutants, prints what is unexpected, and returns (counts, whether all was as expected)."""
    counts, expected = dict.fromkeys(("killed", "equivalent", "survived", "invalid"), 0), True
    verdicts = map_all(lambda m: bench.run(m.file, m.apply(texts[m.file]), str(m)), mutants)
    for mutant, (verdict, _) in zip(mutants, verdicts):
        listed = mutant.name() in equivalents
        verdict = {"lives": "equivalent" if listed else "survived"}.get(verdict, verdict)
        if verdict == "survived" or listed and verdict != "equivalent":
            print(f"{mutant}: {verdict}{', but listed as equivalent' * listed}{difference(mutant, texts[mutant.file])}",
                  flush=True)
            expected = False
        counts[verdict] += 1
    return counts, expected


def run(arguments, build, folder, pool):
    files = arguments.files or list(build["rungs"])
    unknown = set(files) - build["rungs"].keys()
    if unknown:
        raise Broken(f"not in the build: {' '.join(sorted(unknown))}")
    texts = {file: Path(build["source_dir"], file).read_text(encoding="utf-8") for file in files}
    mutants = [mutant for file in files for mutant in generate(file, texts[file])]
    elsewhere = build["rungs"].keys() - texts.keys()
    equivalents = {name: e for name, e in read_equivalents(arguments.equivalents).items() if e.file not in elsewhere}

    expected = True
    made = {mutant.name(): mutant.change() for mutant in mutants}
    for name, equivalent in equivalents.items():
        if made.get(name) != equivalent.change:
            print(f"{name}: {equivalent.change}: listed as equivalent, but gone (there is {made.get(name, 'nothing')})")
            expected = False

    bench = Bench(build, folder, arguments.limit)
    try:
        prove_machinery(bench, texts, pool.map)
        seed = commit(build["source_dir"]) if arguments.seed is None else arguments.seed
        picked = set(chosen(mutants, arguments.sample, seed))
        picked = [m for m in mutants if m in picked or m.name() in equivalents]
        counts, as_expected = judge(bench, picked, texts, equivalents, pool.map)
    except BaseException:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would leave files behind
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pool.shutdown(wait=False, cancel_futures=True)
        bench.processes.stop()
        raise
    if len(equivalents) > LISTED_MAX * (len(mutants) - counts["invalid"]):
        print(f"{len(equivalents)} of {len(mutants) - counts['invalid']} mutants are listed as equivalent: "
              f"more than {LISTED_MAX:.0%}")
        expected = False
    print(f"{len(picked) - counts['invalid']} mutants: {counts['killed']} killed, {counts['equivalent']} equivalent as "
          f"listed, {counts['survived']} survived, {counts['invalid']} not valid C++")
    return expected and as_expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, metavar="FILE.json")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="every mutant (what it does without --sample, too)")
    which.add_argument("--sample", type=int, metavar="N", help="all of barriers, waits and guards, and N others")
    parser.add_argument("--seed", metavar="TEXT", help="decides which others; default: the commit")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="for one run of the tests")
    parser.add_argument("--equivalents", default=Path(__file__).with_name("equivalent.txt"), metavar="FILE")
    parser.add_argument("files", nargs="*", metavar="FILE.cu", help="as the build names them; default: all")
    arguments = parser.parse_args()
    if arguments.jobs < 1 or (arguments.sample or 0) < 0:
        parser.error("--jobs must be at least 1, --sample at least 0")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_MAX, OUTPUT_MAX))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        build = json.loads(Path(arguments.build).read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory(prefix="mutants.") as folder, ThreadPoolExecutor(arguments.jobs) as pool:
            return 0 if run(arguments, build, folder, pool) else 1
    except KeyboardInterrupt:
        return 130
    except (Broken, OSError, KeyError, ValueError) as error:
        print(f"run.py: {error!r}" if isinstance(error, KeyError) else f"run.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env -S python3 -B
"""Runs mutants of the rungs through --verify on the simulator: each must be killed, or be listed in equivalent.txt.

FILE.json comes from the build:
    {"source_dir": "/src", "rungs": {"kernels/matmul/mine.cu": {"compile": ["c++", ...], "check": ["arg", ...]}},
     "link": ["c++", "{object}", ...]}
A mutant is compiled, linked, and the program run with the rung's `check` arguments. Status 1, a signal, or many times the
processor time that the right rung takes kills it; status 0 lets it live; any other says nothing of the mutant, so
it ends the run.

Headers with device code that these rungs include from their own folder or from kernels/ are mutated, too. A mutant of
a header is built into one after another of the rungs that include it, until one kills it.

A sample depends on the texts of the lines alone: the same tree has the same sample, and a line keeps its mutants when
others change, unless one of them comes first. Run all mutants of a rung that you add or change:
    tests/mutants/run.py --build build-test/tests/mutants/mutants.json kernels/matmul/mine.cu

Exit status: 0 as expected; 1 a mutant lives that should not, or the list of equivalents is wrong; 2 could not run.
"""
import argparse
import functools
import hashlib
import json
import math
import os
import re
import resource
import signal
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from equivalents import LISTED_MAX, Broken, entry, read_equivalents
from mutants import emptied, generate
from processes import Processes

COMPILER_DIED = re.compile("internal compiler error|signal terminated program")  # its status is 1 all the same
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"/]+|kernels/[^"/]+)"', re.M)
OUTPUT_MAX = 256 << 20  # bytes of a file: a mutant that prints for ever must not fill the disk
ADVICE = """\
    Let --verify try what tells it from the original: a ragged size, a far one (bench/ops/), an address. If no input
    can, add this to tests/mutants/equivalent.txt, with the proof:
"""


class Sources:
    """The texts of the simulated rungs, and of the headers of device code that they include from their folder or from
    kernels/, directly or not.

    Headers of rungs that the simulator cannot run are not among them."""

    def __init__(self, build):
        self.folder, self.texts, self.of_rung = build["source_dir"], {}, {}
        for rung in build["rungs"]:
            self.of_rung[rung] = self.included(rung, [])
        has_device_code = {file for file, text in self.texts.items() if emptied(text) != text}
        launch_only = {rung for rung, files in self.of_rung.items()  # its kernels are in a header beside it
                       if rung not in has_device_code and any(Path(file).parent == Path(rung).parent and file in has_device_code
                                                              for file in files)}
        headers = has_device_code - self.of_rung.keys()
        self.mutated = [*(self.of_rung.keys() - launch_only), *filter(self.is_device_code, headers)]
        self.mutated.sort(key=list(self.texts).index)

    def included(self, file, known):
        """Adds the file to those that are known, and what it includes."""
        known.append(file)
        self.texts[file] = Path(self.folder, file).read_text(encoding="utf-8")
        for name in INCLUDED.findall(self.texts[file]):
            header = name if "/" in name else str(Path(file).with_name(name))
            if header not in known and Path(self.folder, header).is_file() and ("/" not in name or self.is_device_code(header)):
                self.included(header, known)
        return known

    def is_device_code(self, header):
        """Not what the GPU and the simulator each have in a way of their own."""
        text = Path(self.folder, header).read_text(encoding="utf-8")
        return "__CUDACC__" not in text and (Path(header).parent != Path("kernels") or "__device__" in text)

    def of(self, rung):
        return {file: self.texts[file] for file in self.of_rung[rung]}

    def rungs_with(self, *files):
        return [rung for rung, parts in self.of_rung.items() if set(parts) & set(files)]


class Bench:
    """Compiles and runs one text after another, in a folder of its own each."""

    def __init__(self, build, sources, folder, slower, processes):
        self.build, self.sources, self.folder = build, sources, Path(folder)
        self.slower, self.processes, self.limits = slower, processes, {}

    def verdict(self, file, text, name):
        """That of the rungs with this file, which has that text: the first verdict that is not 'lives'."""
        for rung in self.sources.rungs_with(file):
            verdict, said, _ = self.run(rung, file, text, name)
            if verdict != "lives":
                break
        return verdict, said

    def run(self, rung, file, text, name):
        """('invalid', 'killed' or 'lives', the end of what the last command said, the program's processor time)."""
        commands = self.build["rungs"][rung]
        with tempfile.TemporaryDirectory(dir=self.folder) as made:
            source, made_object, program, output = (Path(made, part) for part in
                                                    (Path(rung).name, "mutant.o", "mutant", "output"))
            for part, right in self.sources.of(rung).items():  # headers are looked for beside the rung first
                to = Path(made, part if Path(part).parent == Path("kernels") else Path(part).name)
                to.parent.mkdir(exist_ok=True)
                to.write_text(text if part == file else right, encoding="utf-8")
            compile_it = [*commands["compile"], "-x", "c++", "-w", "-c", str(source), "-o", str(made_object), "-iquote", made]
            status, _ = self.processes.run(compile_it, output)
            if status == 1 and not COMPILER_DIED.search(output.read_text(errors="replace")):
                return "invalid", end_of(output), 0
            self.demand(status == 0, name, compile_it, status, output)
            link = [str(made_object) if word == "{object}" else word for word in self.build["link"]]
            status, _ = self.processes.run([*link, "-o", str(program)], output)
            self.demand(status == 0, name, link, status, output)
            check = [str(program), *commands["check"]]
            status, seconds = self.processes.run(check, output, self.limits.get(rung))
            self.demand(status < 0 or status in (0, 1), name, check, status, output)
            return "lives" if status == 0 else "killed", end_of(output), seconds

    @staticmethod
    def demand(right, name, command, status, output):
        if not right:
            raise Broken(f"{name}: {' '.join(command)}: status {status}\n{end_of(output)}")


def end_of(output):
    return output.read_bytes()[-2000:].decode(errors="replace")


def chosen(mutants, each):
    """So many of each operator."""
    groups = defaultdict(list)
    for mutant in sorted(mutants, key=rank):
        groups[mutant.operator].append(mutant)
    return [mutant for group in groups.values() for mutant in group[:each]]


def rank(mutant):
    return hashlib.sha256(repr(mutant.key()).encode()).digest()


def prove_machinery(bench, files, map_all):
    """What is right must live and what does nothing must die, or no verdict is worth anything."""
    def demand(file, what, verdict, wanted, said):
        if verdict != wanted:
            raise Broken(f"{file}, {what}: {verdict}, should be {wanted}: no mutant can be judged\n{said}")

    def prove_right(rung):
        verdict, said, seconds = bench.run(rung, rung, bench.sources.texts[rung], f"{rung}, unchanged")
        demand(rung, "unchanged", verdict, "lives", said)
        bench.limits[rung] = math.ceil(bench.slower * (seconds + 1))

    def prove_emptied(file):
        text = emptied(bench.sources.texts[file])
        if text == bench.sources.texts[file]:
            raise Broken(f"{file}: no kernel found")
        verdict, said = bench.verdict(file, text, f"{file}, emptied")
        demand(file, "emptied", verdict, "killed", said)

    list(map_all(prove_right, bench.sources.rungs_with(*files)))
    list(map_all(prove_emptied, files))


def judge(bench, mutants, equivalents, map_all):
    """Runs the mutants, prints what is unexpected, and returns (counts, whether all was as expected)."""
    counts, expected = dict.fromkeys(("killed", "equivalent", "survived", "invalid"), 0), True
    verdicts = map_all(lambda m: bench.verdict(m.file, m.apply(bench.sources.texts[m.file]), str(m)), mutants)
    for mutant, (verdict, _) in zip(mutants, verdicts):
        listed = mutant.key() in equivalents
        verdict = {"lives": "equivalent" if listed else "survived"}.get(verdict, verdict)
        if verdict == "survived":
            print(f"{mutant}: survived\n{ADVICE}{entry(mutant.key(), 'WHY')}\n", flush=True)
        elif listed and verdict != "equivalent":
            print(f"{mutant}: {verdict}, but listed as equivalent: take it out of the list", flush=True)
        expected &= verdict != "survived" and (verdict == "equivalent" or not listed)
        counts[verdict] += 1
    return counts, expected


def report_stale(equivalents, mutants):
    """Whether each that is listed is there. One whose line was rewritten survives besides, and is printed anew."""
    stale = equivalents - {m.key() for m in mutants}
    for key in sorted(stale):
        print(f"{entry(key, '...')}\n    is listed as equivalent, but there is no such mutant: take it out of the list")
    return not stale


def run(arguments, bench, map_all):
    files = arguments.files or bench.sources.mutated
    unknown = set(files) - set(bench.sources.mutated)
    if unknown:
        raise Broken(f"not in the build: {' '.join(sorted(unknown))}")
    mutants = [mutant for file in files for mutant in generate(file, bench.sources.texts[file])]
    elsewhere = set(bench.sources.mutated) - set(files)
    equivalents = {key for key in read_equivalents(arguments.equivalents) if key[0] not in elsewhere}
    expected, picked = True, mutants
    if arguments.sample is None:
        expected = report_stale(equivalents, mutants)
    else:
        picked = chosen([m for m in mutants if m.key() not in equivalents], arguments.sample)

    prove_machinery(bench, files if arguments.sample is None else sorted({m.file for m in picked}), map_all)
    counts, as_expected = judge(bench, picked, equivalents, map_all)
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
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants of each operator, and none that is listed; "
                        "RUNGBENCH_TEST_ALL=1 in the environment makes it all mutants of all files")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--slower", type=float, default=10, metavar="N", help="how many times the processor time of the right "
                        "rung, and a second, a mutant may take")
    parser.add_argument("--equivalents", default=Path(__file__).with_name("equivalent.txt"), metavar="FILE")
    parser.add_argument("files", nargs="*", metavar="FILE", help="a rung, as the build names it, or a header; default: all")
    arguments = parser.parse_args()
    if arguments.jobs < 1 or (arguments.sample or 0) < 0:
        parser.error("--jobs must be at least 1, --sample at least 0")
    if os.environ.get("RUNGBENCH_TEST_ALL") == "1" and arguments.sample is not None:
        arguments.sample, arguments.files = None, []
    os.environ["OMP_NUM_THREADS"] = "1"  # threads that wait for one another would use processor time
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_MAX, resource.RLIM_INFINITY))
    processes = Processes()
    # Only the main thread runs handlers: a signal that another thread gets would not wake it.
    endings = (signal.SIGINT, signal.SIGTERM)
    block = functools.partial(signal.pthread_sigmask, signal.SIG_BLOCK, endings)
    for number in endings:
        signal.signal(number, lambda *_: processes.stop())
    try:
        build = json.loads(Path(arguments.build).read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory(prefix="mutants.") as folder, ThreadPoolExecutor(arguments.jobs, initializer=block) as pool:
            try:
                bench = Bench(build, Sources(build), folder, arguments.slower, processes)
                return 0 if run(arguments, bench, pool.map) else 1
            finally:
                processes.stop()
    except InterruptedError:
        return 130
    except (Broken, OSError, KeyError, ValueError) as error:
        print(f"run.py: {error!r}" if isinstance(error, KeyError) else f"run.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

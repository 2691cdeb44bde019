"""scripts/history.sh in a repository of its own."""
import concurrent.futures
import csv
import datetime
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from xml.etree import ElementTree

import forked
import history
import records
import store
from failure import Failure
from summary import ROOT

HOSTILE = "a'b\"c`$(touch x)\\n\t\x1b[31m]]><i>\u202e/../../日本"
GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e",
       "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e"}


def interrupted(names, read):
    raise KeyboardInterrupt


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        self.repository = self.here / "repository"
        if not Command.repositories:
            self.make_repository()
        shutil.copytree(Command.repositories[0].name, self.repository, symlinks=True)
        self.commits = self.git("log", "--reverse", "--format=%H").split()
        self.fake = self.here / "rungbench"  # results are summaries already
        self.fake.write_text(f'#!/bin/sh\ncase $1 in --match=*) exec "{os.environ["RUNGBENCH"]}" "$1" ;; esac\ncat "${{1#--summarize=}}"\n')
        self.fake.chmod(0o755)

    repositories = []  # that of each test begins as a copy of this one

    def make_repository(self):
        Command.repositories.append(tempfile.TemporaryDirectory())
        for part in ("history", "plot", "common"):
            shutil.copytree(ROOT / "scripts" / part, self.repository / "scripts" / part)
        for part in ("history.sh", "common.sh"):
            shutil.copy(ROOT / "scripts" / part, self.repository / "scripts")
        (self.repository / "CMakeLists.txt").touch()  # it is a checkout
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        for i in range(3):
            self.commit(f"change {i}")
        shutil.copytree(self.repository, Command.repositories[0].name, symlinks=True, dirs_exist_ok=True)
        shutil.rmtree(self.repository)

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.repository, env=os.environ | GIT, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, subject):
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def script(self, *arguments, shell='exec "$@"', stdout=subprocess.PIPE, **environment):
        return subprocess.run(["bash", "-c", shell, "bash", self.repository / "scripts/history.sh", *map(str, arguments)], cwd=self.here,
                              stdout=stdout, stderr=subprocess.PIPE, env=os.environ | GIT | {"RUNGBENCH": str(self.fake)} | environment,
                              text=True, check=False)

    def history(self, *arguments, **environment):
        """The same, in a process that has all of it loaded."""
        return forked.call("history.sh", history.main, self.here, arguments, GIT | {"RUNGBENCH": str(self.fake)} | environment,
                           lambda: setattr(store, "WORK", self.repository))

    def run_of(self, revision, sitting="s1", device="card", name="matmul/mnist/cuda_mine/cold", **more):
        """A results file with a row of the GPU, one of the CPU and a library, and two rows that have no time of their own."""
        gpu = {"name": name, "backend": "cuda", "device": device, "device_uuid": "GPU-1", "driver_version": "1", "library": False}
        rows = [gpu, gpu | {"name": "matmul/mnist/cublas/cold", "library": True},
                gpu | {"name": "matmul/mnist/other/cold", "runs_as": "cuda_mine"},
                {"name": "matmul/mnist/cpu_auto/hot", "backend": "cpu", "device": "processor", "library": False},
                gpu | {"name": "matmul/mnist/bound/cold", "launch_bound": True}]
        common = {"host": "vm", "git_rev": revision, "sitting": sitting, "time_median_s": 1e-3, "status": "ok"}
        made = {"timestamp": "2026-01-01T00:00:00Z", "rounds": 3, "workloads": [], "rows": [common | row for row in rows],
                "ceilings": [{"backend": "cuda", "kind": "fma", "per_s": 5e13}]} | more
        path = self.here / f"{sitting}.csv"
        path.write_text(json.dumps(made))
        return path

    def refused(self, said, *words, status=2):
        self.assertEqual(said.returncode, status, said)
        self.assertEqual(said.stderr.count("\n"), 1, said.stderr)
        for word in words:
            self.assertIn(word, said.stderr)

    def stored(self, folder="h"):
        return [records.read(content, name) for name, content in store.Folder(self.here / folder).read()]

    def a_run(self, day, seconds=1.0):
        """A run with one row, of a commit that the repository does not have"""
        time = f"{datetime.date(2026, 1, 1) + datetime.timedelta(day)}T00:00:00Z"
        about = dict.fromkeys(records.ABOUT, "") | {"commit": f"{day + 1:040x}", "commit_time": time, "timestamp": time, "run": f"{day}",
                                                    "device": "card", "device_uuid": "GPU-1", "rounds": "3"}
        return about | {"rows": {"a/w/r/cold": seconds}, "controls": {}}

    def fill(self, count=30, **more):
        for i in range(count):
            revision = self.commits[i] if i < len(self.commits) else self.commit(f"{HOSTILE} {i}".replace("\t", " "))
            self.assertEqual(self.history("add", self.run_of(revision, f"s{i}", **more), "--into=h").returncode, 0)

    def test_add(self):
        run = self.run_of(self.commits[1][:12])
        said = self.history("add", run, "--into=h")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        gpu, cpu = before = self.stored()
        self.assertEqual(gpu["rows"], {"matmul/mnist/cuda_mine/cold": 1e-3, "matmul/mnist/cublas/cold": 1e-3, "ceiling/fma": 2e-14})
        self.assertEqual(gpu["controls"], {"matmul/mnist/cublas/cold": "library", "ceiling/fma": "ceiling"})
        self.assertEqual((gpu["commit"], gpu["driver_version"], cpu["device"]), (self.commits[1], "1", "processor"))
        self.assertIn("there already", self.history("add", run, "--into=h").stdout)
        self.assertEqual(self.stored(), before)
        self.assertEqual(self.history("add", self.run_of(self.commits[1], "s2"), "--into=h").returncode, 0)
        self.assertEqual(len(self.stored()), 4)
        more = self.run_of(self.commits[1], "s2", name="matmul/mnist/cuda_more/cold")
        self.assertEqual(self.history("add", more, "--into=h").returncode, 0)
        self.assertEqual([list(run["rows"]) for run in self.stored() if "matmul/mnist/cuda_more/cold" in run["rows"]],
                         [["matmul/mnist/cuda_more/cold"]], "what was there is not there twice")

    def test_a_commit_that_was_abbreviated_is_the_same(self):
        place = store.Folder(self.here / "h")
        self.fill(1)
        known = self.stored()
        shutil.rmtree(self.here / "h")
        runs = (run | {"commit": run["commit"][:12]} for run in known)
        place.update(lambda names, read: (dict(map(records.document, runs)), ()))
        self.history("add", self.run_of(self.commits[0], "s0"), "--into=h")
        self.assertEqual(len(self.stored()), len(known))

    def test_refused_runs(self):
        self.refused(self.history("add", self.run_of(self.commits[0] + "-dirty"), "--into=h"), "--dirty")
        self.refused(self.history("add", self.run_of("unknown"), "--into=h"), "unknown")
        two = json.loads(self.run_of(self.commits[0]).read_text())["rows"]
        two[0]["git_rev"] = self.commits[1]
        self.refused(self.history("add", self.run_of(self.commits[0], rows=two), "--into=h"), "2 revisions")
        self.refused(self.history("add", self.run_of(self.commits[0], rows=two[2:3]), "--into=h"), "no row", status=77)
        for bad in ({"timestamp": ""}, {"timestamp": "yesterday"}, {"rows": [two[3] | {"name": ""}]}, {"rows": [two[3] | {"time_median_s": 1e99}]}):
            self.refused(self.history("add", self.run_of(self.commits[0], **bad), "--into=h"), "s1.csv: ", "expected")
        self.assertFalse((self.here / "h").exists())
        self.assertEqual(self.history("add", self.run_of(self.commits[0] + "-dirty"), "--into=h", "--dirty").returncode, 0)
        self.assertEqual({run["commit"] for run in self.stored()}, {f"{self.commits[0]}-dirty"})

    def test_branch(self):
        (self.repository / "staged").write_text("x")
        self.git("add", "staged")
        (self.repository / "README").write_text("not committed")

        def state():
            return self.git("status", "--porcelain"), self.git("rev-parse", "HEAD"), (self.repository / ".git/index").read_bytes()
        before = state()
        for sitting in ("s1", "s2", "s2"):
            said = self.history("add", self.run_of(self.commits[0], sitting))
            self.assertEqual(said.returncode, 0, said)
        self.assertEqual(before, state())
        self.assertEqual(self.git("rev-list", "--count", "rungbench-history"), "2")
        names = self.git("ls-tree", "-r", "--name-only", "rungbench-history").split()
        self.assertEqual([name.split("/")[:2] for name in names], 2 * [["GPU-1", "2026-01"]] + 2 * [["processor-vm", "2026-01"]])
        self.assertIn("1 commit", self.history("show", "out").stdout)
        self.refused(self.history("add", self.run_of(self.commits[0]), "--branch=main"), "checked out")
        self.refused(self.history("show", "--branch=none", "out"), "there is none")

    def test_hostile_text(self):
        self.fill(3, device=HOSTILE, name=f"matmul/mnist/\n{HOSTILE.replace('/', '')}/cold")
        before = sorted(path.name for path in self.here.iterdir())
        said = self.history("show", "--from=h", "out")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertNotRegex(said.stdout.replace("\n", ""), "[\x00-\x1f\x7f]")
        self.assertEqual(sorted(path.name for path in self.here.iterdir()), sorted([*before, "out"]))
        texts = ["".join(ElementTree.parse(svg).getroot().itertext()) for svg in (self.here / "out").glob("*.svg")]
        self.assertTrue(any("$(touch x)" in text for text in texts))
        self.assertEqual(self.history("export", "--from=h", "otava").returncode, 0)

    def test_few_commits(self):
        (self.here / "h").mkdir()
        self.refused(self.history("show", "--from=h", "out"), "no history", status=77)
        self.fill(1)
        said = self.history("show", "--from=h", "out")
        self.assertRegex(said.stdout, "cuda_mine/cold +too few")
        self.assertTrue(list((self.here / "out").glob("history-*.png")))
        self.refused(self.history("show", "--from=h", "--filter=nothing", "out"), "matches no row", status=77)
        self.refused(self.history("show", "--from=h", "--filter=((.*)*)*!", "out"), "matches no row", status=77)
        self.assertNotIn("cpu_auto", self.history("show", "--from=h", "--filter=cuda", "out").stdout)

    def test_damaged_stores(self):
        self.fill(2)
        run = self.stored()[0]
        for bad in ("", "[]", "{}", "[" * 10**5, *(json.dumps(run | part) for part in (
                {"rows": []}, {"rows": {"a": -1}}, {"rows": {"a": "1"}}, {"rows": {"": 1}}, {"rows": {"\ud800": 1}}, {"controls": {"a": 1}},
                {"rows": {"a": math.nan}}, {"commit": ""}, {"host": None}))):
            self.assertRaises(Failure, records.read, bad, "h")
        path = next((self.here / "h/GPU-1").rglob("*.json"))
        whole = path.read_bytes()
        for content in b"no run, but text", whole[:100], whole.replace(b'"commit"', b'"commot"'):
            with self.subTest(content=content[:50]):
                path.write_bytes(content)
                for arguments in (("show", "out", "--from=h"), ("thin", "--keep=1", "--from=h"), ("add", self.run_of(self.commits[2]), "--into=h")):
                    self.refused(self.history(*arguments), path.name)
                self.assertEqual(path.read_bytes(), content)
                path.write_bytes(whole)
        self.git("update-ref", "refs/heads/damaged", self.git("commit-tree", "-m", "x", self.git("write-tree")))
        self.refused(self.history("show", "--branch=damaged", "out"), "no history of this version", status=77)  # but other files
        name = "GPU-1/2026-01/a.json"
        blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=self.repository, input="{", check=True, capture_output=True, text=True).stdout.strip()
        self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
        self.git("update-ref", "refs/heads/damaged", self.git("commit-tree", "-m", "x", self.git("write-tree")))
        self.refused(self.history("show", "--branch=damaged", "out"), name)
        (self.repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
        self.refused(self.history("show", "--branch=damaged", "out"), name)

    def test_wrong_flags(self):
        self.fill(1)
        for arguments in ([], ["draw"], ["add"], ["add", "none.csv"], ["show", "--from=none"], ["show", "--from=h", "--branch=b"],
                          ["show", "--from=h", "--filter=(\n"],
                          ["show", "--from=h", "--filter=a{99999}"], ["show", "--what"], ["export", "--from=h"], ["rates"],
                          ["thin", "--from=h"], ["thin", "--from=h", "--keep=0"],
                          ["add", self.here, "--into=h"], ["show", "--branch=a..b"], ["show", "--from=h", "a", "b"]):
            self.refused(self.history(*arguments))

    def test_no_git(self):
        tools = self.here / "tools"
        tools.mkdir()
        for tool in ("bash", "dirname", "nproc", "python3", "gnuplot", "cat", "sh"):
            (tools / tool).symlink_to(shutil.which(tool))
        self.refused(self.script("add", self.run_of(self.commits[0]), PATH=str(tools)), "git: not found")
        self.refused(self.script("show", "out", PATH=str(tools)), "git: not found")

    def test_no_identity(self):
        nobody = {"GIT_AUTHOR_NAME": "", "GIT_COMMITTER_NAME": "", "EMAIL": "", "HOME": str(self.here)}
        self.git("config", "user.useConfigOnly", "true")
        run = self.run_of(self.commits[0])
        self.refused(self.script("add", run, **nobody), "user.name")
        self.assertEqual(self.git("branch", "--list", "rungbench-history"), "")
        self.assertEqual(self.script("add", run, "--into=h", **nobody).returncode, 0)

    def test_a_run_without_times_is_not_said_to_be_drawn(self):
        said = self.history("add", ROOT / "tests/plot/header-only.csv", "--into=h", RUNGBENCH=os.environ["RUNGBENCH"])
        self.refused(said, "header-only.csv", status=77)
        self.assertNotIn("draw", said.stderr)

    def test_a_reader_that_goes_away(self):
        read, write = os.pipe()
        os.close(read)
        self.fill(1)
        for arguments, made in ((("add", self.run_of(self.commits[1], "s9"), "--into=g"), "g/GPU-1"),
                                (("export", "--from=h", "otava"), "otava/otava.yaml"),
                                (("show", "--from=h", "out"), "out")):
            said = self.script(*arguments, stdout=write)
            self.assertEqual((said.returncode, said.stderr), (0, ""), arguments)
            self.assertTrue((self.here / made).exists())
        os.close(write)

    def test_stdout_that_cannot_be_written(self):
        self.fill(1)
        for where in ("&-", "/dev/full"):
            self.refused(self.script("export", "--from=h", "otava", shell=f'exec "$@" >{where}'), "stdout")

    def test_an_interruption_leaves_nothing(self):
        self.fill(1)
        tools = self.here / "tools"
        tools.mkdir()
        (tools / "gnuplot").write_text(f"#!/bin/sh\ntouch {self.here}/drawing\nexec sleep 60\n")
        (tools / "gnuplot").chmod(0o755)
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            started = subprocess.Popen([self.repository / "scripts/history.sh", "show", "--from=h", "out"], cwd=self.here,
                                       start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       env=os.environ | GIT | {"RUNGBENCH": str(self.fake), "PATH": f"{tools}:{os.environ['PATH']}"})
            while not (self.here / "drawing").exists() and started.poll() is None:
                time.sleep(0.01)
            os.killpg(started.pid, number)
            self.assertEqual((started.communicate(timeout=60)[1], started.returncode), (b"", status))
            self.assertFalse((self.here / "out").exists())
            (self.here / "drawing").unlink()

    def places(self):
        """Both stores, in the repository of this test"""
        self.addCleanup(setattr, store, "WORK", store.WORK)
        self.addCleanup(os.environ.update, {name: os.environ.get(name, "") for name in GIT})
        store.WORK = self.repository
        os.environ.update(GIT)
        return store.Folder(self.here / "h"), store.Branch("b")

    def test_a_write_that_fails_loses_nothing(self):
        for place, flag in zip(self.places(), ("--into=h", "--branch=b")):
            self.assertEqual(self.history("add", self.run_of(self.commits[0]), flag).returncode, 0)
            before = dict(place.read())
            with self.assertRaises(KeyboardInterrupt):
                place.update(interrupted)
            big = self.run_of(self.commits[1], "s2", device=random.Random(1).randbytes(500_000).hex())
            self.refused(self.script("add", big, flag, shell='ulimit -f 100; exec "$@"'))
            self.assertEqual(dict(place.read()), before)
            self.assertEqual({path.suffix for path in (self.here / "h").rglob("*") if path.is_file()}, {".json"})
            self.assertEqual(self.history("add", self.run_of(self.commits[1], "s2"), flag).returncode, 0)
            self.assertEqual(len(dict(place.read())), 4)

    def test_four_at_once(self):
        for place, flag in zip(self.places(), ("--into=h", "--branch=b")):
            runs = [self.run_of(self.commits[0], f"s{i}") for i in range(4)]
            with concurrent.futures.ThreadPoolExecutor(4) as threads:
                said = list(threads.map(lambda run, where=flag: self.script("add", run, where), runs))
            self.assertEqual([(one.returncode, one.stderr) for one in said], 4 * [(0, "")])
            self.assertEqual(len(dict(place.read())), 8)

    def test_a_branch_that_others_move(self):
        _, branch = self.places()
        one, two, three = (records.document(self.a_run(i)) for i in range(3))

        def while_others_add(*others):
            left = list(others)

            def change(names, read):
                if left:
                    branch.update(lambda names, read: (dict([left.pop()]), ()))
                return dict([one]), ()
            return change
        branch.update(while_others_add(two, three))
        self.assertEqual(dict(branch.read()), dict([one, two, three]))
        branch.update(lambda names, read: ({}, names))
        store.ATTEMPTS, attempts = 2, store.ATTEMPTS
        self.addCleanup(setattr, store, "ATTEMPTS", attempts)
        with self.assertRaisesRegex(Failure, "nothing was stored in 2 attempts"):
            branch.update(while_others_add(two, three))
        self.assertEqual(dict(branch.read()), dict([two, three]))

    def test_branches_of_two_clones_merge(self):
        self.places()
        store.Branch("common").update(lambda names, read: (dict([records.document(self.a_run(0))]), ()))
        for name, runs in (("one", (1, 2)), ("two", (2, 3))):
            self.git("branch", name, "common")
            store.Branch(name).update(lambda names, read, some=runs: (dict(records.document(self.a_run(i)) for i in some), ()))
        self.git("switch", "-q", "one")
        self.git("merge", "-q", "two")
        self.assertEqual(len(dict(store.Branch("one").read())), 4)

    def test_thin(self):
        runs = [self.a_run(i, 1.0 if i < 33 else 1.5) for i in range(60)]  # one a day
        for place, flag in zip(self.places(), ("--from=h", "--branch=b")):
            place.update(lambda names, read: (dict(map(records.document, runs)), ()))
            for _ in range(2):
                said = self.history("thin", flag, "--keep=10")
                self.assertEqual((said.returncode, said.stderr), (0, ""))
                stay = [int(records.read(text, name)["run"]) for name, text in place.read()]
                mondays = [day for day in range(60) if datetime.date.fromisoformat(runs[day]["commit_time"][:10]).weekday() == 0]
                self.assertEqual(stay, sorted({0, 32, 33, *range(50, 60), *mondays}))
            self.assertIn(f" 0 runs went, {len(stay)} stay", said.stdout)

    def test_export(self):
        self.fill(2)
        self.assertEqual(self.history("export", "--from=h", "otava").returncode, 0)
        config = (self.here / "otava/otava.yaml").read_text()
        file = next(line for line in config.splitlines() if "cuda_mine" in line and "file:" in line).split(": ")[1]
        with open(self.here / json.loads(file), encoding="utf-8", newline="") as lines:
            header, *rows = csv.reader(lines)
        self.assertEqual(header, ["time", "commit", "time_s"])
        self.assertEqual([(row[1], float(row[2])) for row in rows], [(commit[:12], 1e-3) for commit in self.commits[:2]])
        self.assertTrue(all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row[0]) for row in rows))
        self.assertIn("time_column: time\n    attributes: [commit]\n    metrics:\n      time_s: {direction: -1", config)

    def test_exported_tests_keep_their_names_when_others_go(self):
        self.fill(2)

        def exported(*flags):
            self.assertEqual(self.history("export", "--from=h", *flags, "otava").returncode, 0)
            return set(re.findall('^  "(.*)":$', (self.here / "otava/otava.yaml").read_text(), re.MULTILINE))
        every, some = exported(), exported("--filter=cpu_auto")
        self.assertEqual(len(every), 4)
        self.assertLess(some, every)
        self.assertEqual(len(list((self.here / "otava").iterdir())), 5)  # nor do the files

    def test_what_the_program_summarizes(self):
        results = ROOT / "results/h200-x1/general.csv"
        said = self.history("add", results, "--into=h", RUNGBENCH=os.environ["RUNGBENCH"])
        self.assertEqual(said.returncode, 0, said)
        run, = self.stored()
        self.assertEqual(set(run["controls"].values()), {"library", "ceiling"})
        self.assertGreater(len(run["rows"]), len(run["controls"]))
        with open(results, encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        for cells in ({"timestamp": "x"}, {"name": ""}, {"git_rev": ""}, {"bytes": "1e999"}):
            with open(self.here / "cells.csv", "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, lines[0])
                writer.writeheader()
                writer.writerow(lines[0] | cells)
            self.refused(self.history("add", self.here / "cells.csv", "--into=g", RUNGBENCH=os.environ["RUNGBENCH"]), "cells.csv")
        self.refused(self.history("add", ROOT / "README.md", "--into=h", RUNGBENCH=os.environ["RUNGBENCH"]), "README.md")

"""scripts/history.sh in a repository of its own."""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from xml.etree import ElementTree

import records
import store
from failure import Failure
from summary import ROOT

HOSTILE = "a'b\"c`$(touch x)\\n\t\x1b[31m]]><i>\u202e/../../日本"
GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e",
       "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e"}


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)
        self.repository = self.here / "repository"
        for part in ("history", "plot", "common"):
            shutil.copytree(ROOT / "scripts" / part, self.repository / "scripts" / part)
        for part in ("history.sh", "common.sh"):
            shutil.copy(ROOT / "scripts" / part, self.repository / "scripts")
        self.fake = self.here / "rungbench"  # results are summaries already
        self.fake.write_text(f'#!/bin/sh\ncase $1 in --match=*) exec "{os.environ["RUNGBENCH"]}" "$1" ;; esac\ncat "${{1#--summarize=}}"\n')
        self.fake.chmod(0o755)
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.commits = [self.commit(f"change {i}") for i in range(3)]

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.repository, env=os.environ | GIT, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, subject):
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def history(self, *arguments, **environment):
        return subprocess.run([self.repository / "scripts/history.sh", *map(str, arguments)], cwd=self.here, capture_output=True,
                              env=os.environ | GIT | {"RUNGBENCH": str(self.fake)} | environment, text=True, check=False)

    def run_of(self, revision, sitting="s1", device="card", name="matmul/mnist/cuda_mine/cold", **more):
        """A results file with a row of the GPU, one of the CPU and a library, and two rows that have no time of their own."""
        gpu = {"name": name, "backend": "cuda", "device": device, "device_uuid": "GPU-1", "driver_version": "1", "library": False}
        rows = [gpu, gpu | {"name": "matmul/mnist/cublas/cold", "library": True},
                gpu | {"name": "matmul/mnist/other/cold", "runs_as": "cuda_mine"},
                {"name": "matmul/mnist/cpu_tuned/hot", "backend": "cpu", "device": "processor", "library": False},
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

    def fill(self, count=30, **more):
        for i in range(count):
            revision = self.commits[i] if i < len(self.commits) else self.commit(f"{HOSTILE} {i}".replace("\t", " "))
            self.assertEqual(self.history("add", self.run_of(revision, f"s{i}", **more), "--into=h").returncode, 0)

    def test_add(self):
        run = self.run_of(self.commits[1][:12])
        said = self.history("add", run, "--into=h")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        files = {path.name: path.read_text() for path in (self.here / "h").iterdir()}
        self.assertEqual(sorted(files), ["GPU-1.csv", "processor-vm.csv"])
        lines = list(csv.DictReader(files["GPU-1.csv"].splitlines()))
        self.assertEqual([(line["name"], line["control"], float(line["time_s"])) for line in lines],
                         [("matmul/mnist/cuda_mine/cold", "", 1e-3), ("matmul/mnist/cublas/cold", "library", 1e-3),
                          ("ceiling/fma", "ceiling", 2e-14)])
        self.assertEqual({(line["commit"], line["driver_version"]) for line in lines}, {(self.commits[1], "1")})
        again = self.history("add", run, "--into=h")
        self.assertIn("there already", again.stdout)
        self.assertEqual(files, {path.name: path.read_text() for path in (self.here / "h").iterdir()})
        self.assertEqual(self.history("add", self.run_of(self.commits[1], "s2"), "--into=h").returncode, 0)
        self.assertTrue((self.here / "h/GPU-1.csv").read_text().startswith(files["GPU-1.csv"]))

    def test_a_commit_that_was_abbreviated_is_the_same(self):
        self.fill(1)
        path = self.here / "h/GPU-1.csv"
        path.write_text(path.read_text().replace(self.commits[0], self.commits[0][:12]))
        before = path.read_text()
        self.history("add", self.run_of(self.commits[0], "s0"), "--into=h")
        self.assertEqual(path.read_text().count(",s0,"), before.count(",s0,"))

    def test_refused_runs(self):
        self.refused(self.history("add", self.run_of(self.commits[0] + "-dirty"), "--into=h"), "--dirty")
        self.refused(self.history("add", self.run_of("unknown"), "--into=h"), "unknown")
        two = json.loads(self.run_of(self.commits[0]).read_text())["rows"]
        two[0]["git_rev"] = self.commits[1]
        self.refused(self.history("add", self.run_of(self.commits[0], rows=two), "--into=h"), "2 revisions")
        self.refused(self.history("add", self.run_of(self.commits[0], rows=two[2:3]), "--into=h"), "no row", status=77)
        self.assertFalse((self.here / "h").exists())
        self.assertEqual(self.history("add", self.run_of(self.commits[0] + "-dirty"), "--into=h", "--dirty").returncode, 0)
        self.assertIn(f"{self.commits[0]}-dirty,", (self.here / "h/GPU-1.csv").read_text())

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
        self.assertEqual(self.git("ls-tree", "--name-only", "rungbench-history").split(), ["GPU-1.csv", "processor-vm.csv"])
        self.assertEqual(self.git("show", "rungbench-history:GPU-1.csv").count("\n"), 6)
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
        self.assertNotIn("cpu_tuned", self.history("show", "--from=h", "--filter=cuda", "out").stdout)

    def test_wrong_files_and_flags(self):
        self.fill(1)
        path = self.here / "h/GPU-1.csv"
        good = path.read_text()
        for bad in ("", "a,b\n", good.replace("0.001", "-1"), good.replace("0.001", "nan"), good.replace("0.001", "1e300"), good + "x\n",
                    good[:-1] + ",x\n", good + '"x', good + "\0"):
            with self.assertRaises(Failure, msg=bad):
                records.read(bad, "h")
        path.write_text(bad)
        self.refused(self.history("show", "--from=h", "out"), "GPU-1.csv")
        self.refused(self.history("add", self.run_of(self.commits[1]), "--into=h"), "GPU-1.csv")
        self.assertEqual(path.read_text(), bad)
        path.write_text(good)
        for arguments in ([], ["draw"], ["add"], ["add", "none.csv"], ["show", "--from=none"], ["show", "--from=h", "--branch=b"],
                          ["show", "--from=h", "--filter=(\n"],
                          ["show", "--from=h", "--filter=a{99999}"], ["show", "--what"], ["export", "--from=h"], ["rates", "--histories=0"],
                          ["add", self.here, "--into=h"], ["show", "--branch=a..b"], ["show", "--from=h", "a", "b"]):
            self.refused(self.history(*arguments))

    def test_no_git(self):
        tools = self.here / "tools"
        tools.mkdir()
        for tool in ("bash", "dirname", "nproc", "python3", "gnuplot", "cat", "sh"):
            (tools / tool).symlink_to(shutil.which(tool))
        self.refused(self.history("add", self.run_of(self.commits[0]), PATH=str(tools)), "git: not found")
        self.refused(self.history("show", "out", PATH=str(tools)), "git: not found")

    def test_no_identity(self):
        nobody = {"GIT_AUTHOR_NAME": "", "GIT_COMMITTER_NAME": "", "EMAIL": "", "HOME": str(self.here)}
        self.git("config", "user.useConfigOnly", "true")
        run = self.run_of(self.commits[0])
        self.refused(self.history("add", run, **nobody), "user.name")
        self.assertEqual(self.git("branch", "--list", "rungbench-history"), "")
        self.assertEqual(self.history("add", run, "--into=h", **nobody).returncode, 0)

    def test_a_run_without_times_is_not_said_to_be_drawn(self):
        said = self.history("add", ROOT / "tests/plot/header-only.csv", "--into=h", RUNGBENCH=os.environ["RUNGBENCH"])
        self.refused(said, "header-only.csv", status=77)
        self.assertNotIn("draw", said.stderr)

    def history_into(self, where, *arguments):
        return subprocess.run(["bash", "-c", f'exec "$@" >{where}', "bash", self.repository / "scripts/history.sh", *arguments], cwd=self.here,
                              env=os.environ | GIT | {"RUNGBENCH": str(self.fake)}, stderr=subprocess.PIPE, text=True, check=False)

    def test_a_reader_that_goes_away(self):
        read, write = os.pipe()
        os.close(read)
        self.fill(1)
        for arguments, made in ((("add", self.run_of(self.commits[1], "s9"), "--into=g"), "g/GPU-1.csv"),
                                (("export", "--from=h", "otava"), "otava/otava.yaml"),
                                (("show", "--from=h", "out"), "out")):
            said = subprocess.run([self.repository / "scripts/history.sh", *arguments], cwd=self.here, stdout=write, stderr=subprocess.PIPE,
                                  env=os.environ | GIT | {"RUNGBENCH": str(self.fake)}, text=True, check=False)
            self.assertEqual((said.returncode, said.stderr), (0, ""), arguments)
            self.assertTrue((self.here / made).exists())
        os.close(write)

    def test_stdout_that_cannot_be_written(self):
        self.fill(1)
        for where in ("&-", "/dev/full"):
            self.refused(self.history_into(where, "export", "--from=h", "otava"), "stdout")

    def test_a_folder_that_was_made_for_nothing_goes(self):
        self.fill(1)
        tools = self.here / "tools"
        tools.mkdir()
        (tools / "gnuplot").write_text("#!/bin/sh\nexit 3\n")
        (tools / "gnuplot").chmod(0o755)
        self.refused(self.history("show", "--from=h", "out", PATH=f"{tools}:{os.environ['PATH']}"), "gnuplot")
        self.assertFalse((self.here / "out").exists())
        (self.here / "out").mkdir()
        (self.here / "out/mine").touch()
        self.refused(self.history("show", "--from=h", "out", PATH=f"{tools}:{os.environ['PATH']}"), "gnuplot")
        self.assertEqual([path.name for path in (self.here / "out").iterdir()], ["mine"])

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

    def test_nothing_is_half_written(self):
        folder = store.Folder(self.here / "h")
        folder.update(lambda old: {"a.csv": "old"})
        replace, store.os.replace = store.os.replace, lambda *_: 1 / 0
        try:
            with self.assertRaises(ZeroDivisionError):
                folder.update(lambda old: {"a.csv": "new"})
        finally:
            store.os.replace = replace
        self.assertEqual({path.name: path.read_text() for path in folder.path.iterdir()}, {"a.csv": "old"})

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
        every, some = exported(), exported("--filter=cpu_tuned")
        self.assertEqual(len(every), 4)
        self.assertLess(some, every)
        self.assertEqual(len(list((self.here / "otava").iterdir())), 5)  # nor do the files

    def test_what_the_program_summarizes(self):
        said = self.history("add", ROOT / "results/h200/rounds.csv", "--into=h", RUNGBENCH=os.environ["RUNGBENCH"])
        self.assertEqual(said.returncode, 0, said)
        with open(next((self.here / "h").glob("GPU-*.csv")), encoding="utf-8", newline="") as file:
            found = records.read(file.read(), "h")
        self.assertEqual({r["control"] for r in found}, {"", "library", "ceiling"})
        self.refused(self.history("add", ROOT / "README.md", "--into=h", RUNGBENCH=os.environ["RUNGBENCH"]), "README.md")


if __name__ == "__main__":
    unittest.main()

"""The command line of scripts/plot.sh: what it draws where, what it refuses, and what it leaves behind."""
import filecmp
import gzip
import os
import random
import shutil
import tempfile

from plotting import COLUMNS, DATA, MEASURED, ROOT, SVG_ONLY, PlotCase, Svg, failed, row, write

HOSTILE = "<script>alert(1)</script> `touch made` $(touch made) '; system(\"touch made\") # {/:Bold x}^2_3 @TITLE %s END_OF_DATA \\ ]]> & \x1b "


RUNGS = {"cpu_scalar": 0.5, "cpu_reordered": 0.2, "cpu_auto": 1e-2, "openblas": 4e-3, "cuda_naive": 4e-4, "cublas": 7e-5}


def rows_of_rungs(factor=1.0, **more):
    """Each in hot, and those of the GPU with transfers"""
    for variant, seconds in RUNGS.items():
        seconds *= factor
        backend = "cuda" if variant.startswith("cu") else "cpu"
        yield row(variant, seconds, workload="mnist", backend=backend, **more)
        if backend == "cuda":
            yield row(variant, 20 * seconds, "e2e", workload="mnist", backend=backend, upload_s=12 * seconds, kernel_s=seconds,
                      download_s=7 * seconds, transfer="pinned", **more)


class Draws(PlotCase):
    def test_made_up_files(self):
        shuffled = [cells for i in range(5) for cells in rows_of_rungs(1 + 0.02 * i, round=i)]
        random.Random(1).shuffle(shuffled)
        without_gpu = [cells if cells["backend"] == "cpu" else
                       cells | {"time_median_s": "", "samples": 0, "status": "skipped", "reason": "built without CUDA"} for cells in rows_of_rungs()]
        for name, rows, some in (("cpu-only", without_gpu, "hot"), ("rounds", shuffled, "hot"),
                                 ("unicode", rows_of_rungs(device="Größe 9 „Ω“ <x86> & Søn, 日本語", host="größe-τ-хост"), "e2e")):
            with self.subTest(name):
                charts = self.draw(write(self.folder / f"{name}.csv", list(rows)), only=None, out=name)
                self.assertIn(f"speedup-matmul-mnist-{some}", charts)
                self.assertTrue((self.folder / name / "report.html").stat().st_size)
                self.assertEqual(len(list((self.folder / name).iterdir())), 3 * len(charts) + 1)
        unicode = Svg(self.folder / "unicode/speedup-matmul-mnist-hot.svg").said()
        self.assertIn("Größe 9 „Ω“ <x86> & Søn, 日本語", unicode)
        rounds = Svg(self.folder / "rounds/speedup-matmul-mnist-hot.svg")
        self.assertIn("by the fastest and the slowest round of both", rounds.said())
        order = list(map(rounds.row_of, list(RUNGS)[1:]))
        self.assertEqual(order, sorted(order))  # the rounds were shuffled

    def test_the_same_picture_whatever_is_around_the_results(self):
        self.draw(DATA / "one-row.csv", only=None)
        source = (DATA / "one-row.csv").read_text()
        lines = source.splitlines()
        (self.folder / "settings").mkdir()
        (self.folder / "settings/.gnuplot").write_text("set term nonsense\n")
        for name, text in (("x.csv", source.replace("\n", "\r\n")),
                           (os.fsdecode(b"''a b$x&\xff.csv"), "\n".join([f"more,{lines[0]}", f'"a ""quoted"", cell",{lines[1]}']) + "\n")):
            with self.subTest(name):
                path = self.folder / name
                path.write_text(text, encoding="utf-8", newline="")
                done = self.run_plot(path.name, "again", env=os.environ | SVG_ONLY | {"HOME": str(self.folder / "settings"), "GNUTERM": "nonsense"})
                self.assertEqual(done.returncode, 0, done.stderr)
                for chart in (self.folder / "out").glob("ladder*"):
                    self.assertTrue(filecmp.cmp(chart, self.folder / "again" / chart.name, shallow=False), chart.name)

    def test_beside_the_file_if_no_folder_is_named(self):
        shutil.copy(DATA / "one-row.csv", self.folder / "mine.csv")
        self.assertEqual(self.call_plot("mine.csv", **SVG_ONLY).returncode, 0)
        self.assertTrue((self.folder / "mine-charts/report.html").exists())

    def test_flags_stand_anywhere(self):
        shutil.copy(DATA / "one-row.csv", self.folder / "--only=this.csv")
        for arguments in ((DATA / "one-row.csv", "--only=^ladder", "out"), (DATA / "one-row.csv", "out", "--only=^ladder"),
                          ("--only=^ladder", "--", "--only=this.csv", "out")):
            done = self.call_plot(*arguments, **SVG_ONLY)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({path.name.split("-")[0] for path in (self.folder / "out").iterdir()}, {"ladder"})
            shutil.rmtree(self.folder / "out")

    def test_in_a_checkout_of_any_name_a_further_chart_is_one_file(self):
        root = self.folder / "it's a:b \"$x"
        (root / "bench").mkdir(parents=True)
        shutil.copytree(ROOT / "scripts", root / "scripts")
        (root / "scripts/plot/charts/counts.py").write_text('''"""How many rungs there are."""
from frame import Chart

HELP = "counts", "how many rungs each workload has"
PAGE = 9, "Counted", "How many there are."


def draw(data):
    chart = Chart("counts", "There are some", "counted")
    chart.range("x", 0, 2)
    chart.range("y", 0, 2)
    chart.plot(([(1, 1)], "using 1:2 with points"))
    yield chart.finish(100, 10, 10)
''')
        told = self.run_plot("--help", plot=root / "scripts/plot.sh").stdout
        self.assertRegex(told, r"(?s)\n  overview .*\n  samples.*\n  counts +how many rungs each workload has\n")
        done = self.run_plot(DATA / "one-row.csv", "out", plot=root / "scripts/plot.sh", env=os.environ | SVG_ONLY)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(Svg(self.folder / "out/counts.svg").title, "There are some")

    def test_hostile_text_stays_text(self):
        texts = [name for name in COLUMNS if name in ("precision", "reason", "input", "baseline", "shape")]
        rows = [row("cpu_scalar", 1e-3), row("cpu_auto\n!touch made\n", 1e-5), failed("openblas")]
        for cells in rows:
            cells |= {name: HOSTILE[:60] if name in ("precision", "shape", "baseline") else HOSTILE for name in texts
                      if name != "reason" or cells["status"] == "failed"}
        charts = self.draw(write(self.folder / "evil.csv", rows), only=None)
        self.assertIn("`touch made` $(touch made) '; system(\"touch made\") #", charts["ladder-matmul-w"].said())
        for svg in charts.values():
            self.assertNotIn("<script", svg.source)
            self.assertNotIn("]]>", svg.source)
        self.assertEqual(list(self.folder.rglob("made")), [])


class Refuses(PlotCase):
    def refuse(self, *arguments, status=2, says=(), **environment):
        self.assert_refused(self.call_plot(*arguments, **environment), status, *says)

    def test_what_is_no_file_of_results(self):
        os.mkfifo(self.folder / "fifo")
        (self.folder / "folder").mkdir()
        (self.folder / "empty.csv").touch()
        with open(self.folder / "huge.csv", "wb") as file:
            file.truncate(100_000_000)
        for name, says in (("nowhere.csv", "no such file"), ("folder", "is a folder"), ("fifo", "no regular file"),
                           ("/dev/zero", "no regular file"), ("huge.csv", "100 MB; expected a results file of rungbench of at most 64 MiB"),
                           ("empty.csv", "is empty")):
            self.refuse(name, "out", says=[f"{name}: ", says])
        packed = gzip.compress((DATA / "verdicts.csv").read_bytes())
        for spoilt in (b"name,verdict\n", packed[:-9], packed[:20] + b"\xff" * 20 + packed[40:]):
            (self.folder / "spoilt.csv.gz").write_bytes(spoilt)
            self.refuse("spoilt.csv.gz", "out", says=["spoilt.csv.gz: corrupt or truncated gzip data"])
        (self.folder / "missing.csv").write_text((DATA / "one-row.csv").read_text().replace("time_median_s", "other"))
        self.refuse("missing.csv", "out", says=["missing.csv: ", "time_median_s"])
        self.refuse(DATA / "header-only.csv", "out", status=77, says=["header-only.csv: no row has a time"])

    def test_impossible_numbers(self):
        for column, value in ("time_median_s", "1e308"), ("flops", "1e-300"), ("flops", "inf"), ("time_q3_s", "0"), ("floor_s", "0"):
            made = write(self.folder / "made.csv", [row("cpu_scalar", 1e-3, **{column: value})])
            self.refuse(made, "out", says=["made.csv: ", column])

    def test_what_takes_too_long(self):
        many = [row(f"cpu_{i}", 1e-3, workload=f"w{i}") for i in range(251)]
        self.refuse(write(self.folder / "many.csv", many), "out",
                    says=["many.csv: ", " MB, 251 rows for 502 charts; expected at most 6,000 rows for 500 charts"])
        self.assertFalse((self.folder / "out").exists())

    def test_nothing_to_draw(self):
        skipped = [row("cublas", "", samples=0, status="skipped", reason="built without CUDA")]
        self.refuse(write(self.folder / "made.csv", skipped), "out", status=77, says=["made.csv: no row has a time"])
        self.refuse("--only=^sweep", DATA / "one-row.csv", "out", status=77, says=["nothing to draw: sweep-matmul (fewer than three"])
        self.refuse("--only=nonsense", DATA / "one-row.csv", "out", says=["--only=nonsense: matches no chart"])
        other = write(self.folder / "made.csv", [row("cpu_scalar", 1e-3)])
        self.refuse("--compare", other, DATA / "one-row.csv", "out", status=77, says=["no row in common"])
        shape = write(self.folder / "shape.csv", [row("cpu_scalar", 1e-3, shape="1x2x3")])
        self.refuse("--compare", other, shape, "out", status=77, says=["different shapes: 64x64x64 and 1x2x3"])
        runs = write(self.folder / "runs.csv", [row("cpu_scalar", 1e-3, host=host, sitting=host) for host in "ab"])
        self.refuse("--compare", other, runs, "out", says=["runs.csv: rows of 2 runs; expected one"])

    def test_arguments(self):
        one = DATA / "one-row.csv"
        for arguments, says in (((), "0 arguments; expected FILE.csv [OUTDIR]"), (("--compare", one), "1 arguments; expected A.csv B.csv"),
                                (("--fast", one), "--fast: expected --only="), (("--only=(", one), "--only=(: not a POSIX extended regular expression"),
                                (("--compare", "--samples=a.csv", one, one), "--samples=a.csv: expected --only="),
                                (("--only=((.*)*)*!", one), "matches no chart"),
                                (("--samples=nowhere.csv", one, "out"), "nowhere.csv: no such file"),
                                (("--samples=/dev/zero", one, "out"), "/dev/zero: is no regular file"),
                                ((f"--samples={one}", one, "out"), "no column 'seconds'"),
                                ((one, "/dev/null/x"), "/dev/null/x: cannot be written to")):
            self.refuse(*arguments, says=[says])

    def test_no_program(self):
        other = self.program('echo "$1"')
        for program, says in (("/nowhere/rungbench", "expected the program rungbench"), ("/bin/true", "as young as this script"),
                              (other, "as young as this script")):
            self.refuse(DATA / "one-row.csv", "out", says=[program, says], RUNGBENCH=program)

    def program(self, script):
        descriptor, path = tempfile.mkstemp(dir=self.folder)
        with open(descriptor, "w") as file:
            file.write(f"#!/bin/sh\n{script}\nexit 0\n")
        os.chmod(path, 0o755)
        return path

    def test_stderr_that_cannot_be_written(self):
        for where, arguments, status in (("&-", "--only=^ladder", 0), ("/dev/full", "--only=^sweep", 77)):
            done = self.run_plot(arguments, DATA / "one-row.csv", "out", shell=f'exec "$@" 2>{where}')
            self.assertEqual((done.returncode, done.stdout.count("\n")), (status, status == 0), done.stdout)

    def test_stdout_that_cannot_be_written(self):
        for where in ("&-", "/dev/full"):
            done = self.run_plot("--only=^ladder", DATA / "one-row.csv", "out", shell=f'exec "$@" >{where}', env=os.environ | SVG_ONLY)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("stdout", done.stderr)


class Leaves(PlotCase):
    """Charts appear whole or not at all."""

    def test_what_gnuplot_complains_of_or_leaves_half_done_stops_all(self):
        half = """sed -n "s/^out = '\\(.*\\)'$/\\1/p" "$2" | while read -r name; do echo half >"$name"; done"""
        for script, says in (((half, "echo warning: of sorts >&2"), "gnuplot: warning: of sorts"), ((half, "exit 3"), "exit status 3"),
                             ((half,), "is not whole")):
            self.assert_refused(self.call_plot(DATA / "one-row.csv", "out", **self.fake(*script)), 2, says)
        self.draw(DATA / "one-row.csv", only="^ladder")
        before = {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}
        done = self.call_plot("--only=^ladder", DATA / "one-row.csv", "out", **self.fake(half))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}, before)

    def test_no_gnuplot(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for tool in ("bash", "env", "dirname", "nproc", "sed", "grep"):
            (tools / tool).symlink_to(shutil.which(tool))
        self.assert_refused(self.run_plot("--only=^ladder", DATA / "one-row.csv", "out", env=os.environ | {"PATH": str(tools)}), 2,
                            "gnuplot: not found; install it")

    def test_no_jinja_is_seen_before_anything_is_drawn(self):
        (self.folder / "jinja2.py").write_text("raise ImportError\n")
        env = os.environ | self.fake("touch ../../drawing", "exit 1") | {"PYTHONPATH": str(self.folder)}
        self.assert_refused(self.run_plot(DATA / "one-row.csv", "out", env=env), 2, "jinja2: not found; install it")
        self.assertFalse((self.folder / "drawing").exists())

    def test_a_full_disk(self):
        self.assert_refused(self.run_plot("--only=^transfers", MEASURED / "default.csv.gz", "out", shell='ulimit -f 16; exec "$@"', env=os.environ | SVG_ONLY), 2)

    def test_no_folder(self):
        (self.folder / "file").touch()
        self.assert_refused(self.call_plot("--only=^ladder", DATA / "one-row.csv", "file"), 2, "file: cannot be written to")

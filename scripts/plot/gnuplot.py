"""What charts look like, and gnuplot, which draws them: all of one kind in one process."""
import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from html import escape

import text
from failure import Failure

# A backend has one colour and one mark in every chart, so has a verdict. After Okabe and Ito's palette, which the
# colour-blind can tell apart. Text has a contrast of 4.5 to 1 at least, marks 3 to 1.
LIGHT = {"back": "#ffffff", "ink": "#1a1a1a", "faint": "#5f5f5f", "grid": "#e2e2e2", "alarm": "#b04a00", "bad": "#d55e00",
         "cpu": "#009e73", "cuda": "#0072b2", "gpus": "#6a3d9a", "sim": "#b8508c", "other": "#806000", "past": "#767676", "tf32": "#767676",
         "cleared": "#0072b2", "slower": "#d55e00", "inconclusive": "#b07800", "suspected": "#b8508c", "layout": "#2e8bc0",
         "faster": "#00875f", "upload": "#767676", "kernel": "#0072b2", "download": "#949494", "rest": "#e8e8e8", "on": "#ffffff"}
DARK = {"back": "#0d1117", "ink": "#e6edf3", "faint": "#9aa4af", "grid": "#2b323b", "alarm": "#ff8c42", "bad": "#d55e00",
        "cpu": "#2bbf8e", "cuda": "#56b4e9", "gpus": "#b79ae0", "sim": "#e08fc0", "other": "#d0b040", "past": "#8b949e", "tf32": "#8b949e",
        "cleared": "#56b4e9", "slower": "#d55e00", "inconclusive": "#e69f00", "suspected": "#e08fc0", "layout": "#9cd3f5",
        "faster": "#2bbf8e", "upload": "#8b949e", "kernel": "#56b4e9", "download": "#5c6472", "rest": "#21262d", "on": "#0d1117"}
MARKS = {"cpu": 5, "cuda": 7, "gpus": 11, "sim": 9, "other": 13, "tf32": 15, "bad": 2}
# Square, circle, triangles, diamond, pentagon, cross; one less is hollow.
NIGHT = {color[1:]: DARK[kind] for kind, color in LIGHT.items()}

# Lengths are pixels of the SVG; the PNG has twice as many.
STYLE = r"""
set encoding utf8
set datafile separator "\t"
set datafile commentschars ""
SANS = 'DejaVu Sans'
TITLE = SANS . ':Bold,16'
STRONG = SANS . ':Bold,13'
TEXT = SANS . ',13'
SMALL = SANS . ',12'
CODE = SANS . ' Mono,13'
set style fill solid 1 noborder
unset key
unset border
set xtics scale 0 font SMALL textcolor rgb FAINT
set xtics ()
unset ytics
"""


def quoted(said):
    """As gnuplot's string in single quotes, in which nothing but the quote is special, and which ends with its line. The only way of
    text into a script."""
    return "'" + text.clean(said).replace("'", "''") + "'"


def block(name, rows):
    """Rows of numbers and plain words as gnuplot's block of data; None is no number."""
    def written(cell):
        return "NaN" if cell is None else f"{cell:.9g}" if isinstance(cell, float) else str(cell)
    return "\n".join((f"{name} << END_OF_DATA", *("\t".join(map(written, row)) for row in rows), "END_OF_DATA"))


def palette():
    chosen = " : ".join(f"kind eq '{kind}' ? 0x{color[1:]}" for kind, color in LIGHT.items())
    names = "\n".join(f"{name.upper()} = '{LIGHT[name]}'" for name in ("back", "ink", "faint", "grid", "alarm", "bad", "on"))
    return f"color(kind) = {chosen} : 0x{LIGHT['other'][1:]}\n{names}\n"


def spell(script):
    """Cairo ruins a whole PNG for a letter that no font has; DejaVu has none of Asia's beyond Arabic."""
    return re.sub("[\u0700-\u1dff\u2e80-\uffff\U00010000-\U0010ffff]", "?", script)


def script_of(charts, terminal):
    scripts = (f"reset\nterminal = '{terminal}'\nout = {quoted(f'{chart.stem}.{terminal}')}\n{palette()}{STYLE}{chart.script()}"
               for chart in charts)
    return "".join(map(spell, scripts) if terminal == "png" else scripts)


def require():
    if not shutil.which("gnuplot"):
        raise Failure("gnuplot: not found; install it (Debian: apt-get install gnuplot-nox)")


def start(script, running):
    """It is among those that run before a signal can end this program."""
    # C.UTF-8: points in numbers, and all letters. -d: no settings of the user's.
    environment = {name: value for name, value in os.environ.items() if name != "GNUTERM"} | {"LC_ALL": "C.UTF-8"}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        running.append(subprocess.Popen(["gnuplot", "-d", script.name], cwd=script.parent, env=environment, start_new_session=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def draw(charts, folder):
    """Each chart as STEM.svg, STEM-dark.svg and STEM.png in the folder, which is nobody else's; of charts of one stem the second is
    STEM-2."""
    running, taken = [], Counter()
    for chart in charts:
        taken[chart.stem] += 1
        if taken[chart.stem] > 1:
            chart.stem += f"-{taken[chart.stem]}"
    try:
        for terminal in ("svg", "png"):
            script = folder / f"{terminal}.gp"
            script.write_text(script_of(charts, terminal), encoding="utf-8")
            start(script, running)
        for process in running:
            said = process.communicate()[1].decode(errors="replace").split()
            if said or process.returncode:
                raise Failure("gnuplot: " + (" ".join(said)[:300] or f"exit status {process.returncode}"))
    finally:
        for process in running:
            with process, contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # what it has started might still write
    for chart in charts:
        finish(chart, folder)


def read_whole(path, end):
    content = path.read_bytes() if path.exists() else b""
    if not content.rstrip().endswith(end):
        raise Failure(f"{path.name}: is not whole (no space left?)")
    return content


def finish(chart, folder):
    """gnuplot draws hollow marks thinly, names one font, takes each part of a chart's title from its own script, leaves ]]> as no XML may hold it,
    and opens groups in which nothing is drawn: the first with the pen of the chart before, which no reset forgets."""
    read_whole(folder / f"{chart.stem}.png", b"IEND\xaeB`\x82")
    svg = read_whole(folder / f"{chart.stem}.svg", b"</svg>").decode()
    about = f"<title>{escape(chart.title, quote=False)}</title>\n<desc>{escape(chart.description(), quote=False)}</desc>"
    svg = re.sub(r"(id='gpPt\d+' stroke-width=)'[\d.]+'", r"\1'0.36'", svg)  # too thin to be seen
    svg = re.sub(r'(<g id="gnuplot_plot_[0-9a-z]*" ?>)<title>.*</title>', r"\1", svg)
    svg = re.sub(r"<g [^>]*>\s*</g>\s*", "", svg)
    svg = re.sub("<title>Gnuplot</title>\\s*<desc>.*</desc>", lambda _: about, svg.replace("]]>", "]]&gt;"), count=1)
    svg = svg.replace("<svg ", '<svg role="img"', 1)
    svg = svg.replace('font-family="DejaVu Sans:Bold"', 'font-family="DejaVu Sans, Verdana, sans-serif" font-weight="bold"')
    svg = svg.replace('font-family="DejaVu Sans"', 'font-family="DejaVu Sans, Verdana, sans-serif"')
    svg = svg.replace('font-family="DejaVu Sans Mono"', 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"')
    svg = "\n".join(line for line in svg.split("\n") if line) + "\n"
    for suffix, drawn in ((".svg", svg), ("-dark.svg", re.sub("<[^>]*>", lambda tag: darken(tag[0]), svg))):
        (folder / (chart.stem + suffix)).write_text(drawn, encoding="utf-8")


def darken(tag):
    """The same with each colour of the light palette as that of the dark one, in the same of gnuplot's spellings."""
    def other(color):
        light = color[1] or "".join(f"{int(part):02x}" for part in color[2].split(","))
        dark = NIGHT.get(light.lower())
        if not dark:
            return color[0]
        if color[1]:
            return dark.upper() if light.isupper() else dark
        return ("rgb({:3}, {:3}, {:3})" if ", " in color[2] else "rgb({},{},{})").format(*bytes.fromhex(dark[1:]))
    return re.sub(r"#([0-9a-fA-F]{6})|rgb\(([\d, ]+)\)", other, tag)

"""report.html: one page of a results file, with all that it needs in it. Nothing is decided here: what is best, tied,
wrong, or how many times as fast is read from `rungbench --summarize`. What a reader may change on the page, page.js does."""
import base64
import hashlib
import os
import pathlib
import re
from urllib.parse import quote

import results
import text
from failure import Failure
from gnuplot import darken

from . import sources
from .rows import Rows, gains

PARTS = pathlib.Path(__file__).resolve().parent
COLOR = re.compile(r"""\b(fill|stroke|color|flood-color) ?= ?(["'])(rgb\([^)]*\)|#\w+|\w+)\2""")
FILTERS = (gains, results.gain_of, text.count, text.duration, text.durations, text.listed, text.moment, text.per_cent_exactly, text.rate,
           text.rates, text.span)
CHART = "stem", "title", "subtitle", "caption", "workload", "mode"


def require():
    """Refuses where the page cannot be made: before the charts are drawn, which takes long."""
    try:
        import jinja2
    except ImportError:
        raise Failure("jinja2: not found; install it (Debian: apt-get install python3-jinja2)") from None


def write(summary, charts, kinds, folder, csv):
    """Makes folder/report.html. `summary` is what `rungbench --summarize` says of the file `csv`, which the page holds byte
    for byte. `charts` are frame.Chart, with folder/STEM.svg; `kinds` the modules of charts/."""
    import jinja2
    import markupsafe
    style, script = ((PARTS / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    summary = visible(summary)
    pages = jinja2.Environment(loader=jinja2.FileSystemLoader(PARTS), autoescape=True, trim_blocks=True,
                               lstrip_blocks=True, keep_trailing_newline=True)
    pages.filters.update({each.__name__: each for each in FILTERS},
                         by_folder=lambda path: markupsafe.Markup("/<wbr>").join(path.split("/")))
    page = pages.get_template("page.html").render(
        summary=summary, rows=Rows(summary), style=style, script=script, digests=[digest(style), digest(script)],
        kinds=[kind.PAGE[1:] + (of_kind(charts, kind, folder),) for kind in kinds],
        links=sources.links(PARTS, summary["rows"]), csv_name=visible(os.path.basename(csv)),
        csv=data_url("text/csv", pathlib.Path(csv).read_bytes()))
    (folder / "report.html").write_text(page, encoding="utf-8", newline="\n")


def visible(value):
    """The same with `\\u202e` for a character that nobody sees."""
    if isinstance(value, dict):
        return {name: visible(part) for name, part in value.items()}
    if isinstance(value, list):
        return [visible(part) for part in value]
    if isinstance(value, str):
        return text.UNSEEN.sub(lambda found: " " if found[0] in "\t\n\r" else f"\\u{ord(found[0]):04x}", value)
    return value


def of_kind(charts, kind, folder):
    return [{**embed(folder / f"{chart.stem}.svg"), **{name: visible(getattr(chart, name)) for name in CHART}}
            for chart in charts if kind.__name__ == f"charts.{chart.stem.partition('-')[0]}"]


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def embed(path):
    """What an <img> of a chart needs. Light and dark are one image, so that the page is half as large."""
    svg = small(path.read_text(encoding="utf-8"))
    width, height = re.search(r'<svg[^>]*? width="(\d+)[^>]*? height="(\d+)', svg).groups()
    return {"width": width, "height": height, "url": data_url("image/svg+xml", in_both_colors(svg).encode())}


def small(svg):
    return re.sub(r"\s+", " ", re.sub(r"<g [^>]*>\s*</g>", "", svg))


def in_both_colors(svg):
    """With the colours of the dark palette where the reader's system is dark."""
    pairs = dict.fromkeys((found[1], found[3]) for found in COLOR.finditer(svg))
    rules = "".join(f'[{name}="{color}"]{{{name}:{darken(color)}}}' for name, color in pairs if darken(color) != color)
    return svg.replace("<defs>", f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style><defs>", 1)


def data_url(kind, content):
    """As it may stand between the quotes of an attribute."""
    return f"data:{kind};charset=utf-8," + quote(content, safe=" !'()*,-./:;=>@_~+$")

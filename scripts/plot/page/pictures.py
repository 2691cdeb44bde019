"""Charts as images within the page."""
import re
from urllib.parse import quote

from gnuplot import darken

COLOR = re.compile(r"""\b(fill|stroke|color|flood-color) ?= ?(["'])(rgb\([^)]*\)|#\w+|\w+)\2""")


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

"""Charts as images within the page."""
import re
from urllib.parse import quote

COLOR = re.compile(r"""\b(fill|stroke|color|flood-color) ?= ?(["'])(rgb\([^)]*\)|#\w+|\w+)\2""")


def embed(path):
    """What an <img> of a chart needs. Light and dark are one image, so that the page is half as large."""
    light, dark = (small(path.with_name(path.name + end).read_text(encoding="utf-8")) for end in (".svg", "-dark.svg"))
    width, height = re.search(r'<svg[^>]*? width="(\d+)[^>]*? height="(\d+)', light).groups()
    return {"width": width, "height": height, "url": data_url("image/svg+xml", recolored(light, dark).encode())}


def small(svg):
    return re.sub(r"\s+", " ", re.sub(r"<g [^>]*>\s*</g>", "", svg))


def recolored(light, dark):
    """`light`, with the colours of `dark`, which differs from it in nothing else, where the reader's system is dark."""
    pairs = {(here[1], here[3]): there[3] for here, there in zip(COLOR.finditer(light), COLOR.finditer(dark))}
    rules = "".join(f'[{name}="{old}"]{{{name}:{new}}}' for (name, old), new in pairs.items() if old != new)
    return light.replace("<defs>", f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style><defs>", 1)


def data_url(kind, content):
    """As it may stand between the quotes of an attribute."""
    return f"data:{kind};charset=utf-8," + quote(content, safe=" !'()*,-./:;=>@_~+$")

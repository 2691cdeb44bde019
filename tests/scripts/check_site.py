"""Usage: check_site.py SITE: names each link of its pages to a file or a heading that is not there, and counts the others."""
import sys
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "page"))
from html_tree import Tree

site = Path(sys.argv[1]).resolve()
pages = {file: list(Tree(file.read_text(encoding="utf-8")).top.all()) for file in site.rglob("*.html")}
ids = {file: {"", *(element.get("id") for element in elements)} for file, elements in pages.items()}
count = broken = 0
for file, elements in pages.items():
    for link in (value for element in elements for name, value in element.attributes.items() if name in ("href", "src", "srcset")):
        if ":" in link.split("/")[0]:  # another site's
            continue
        count += 1
        path, _, anchor = unquote(link).partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.is_file() or anchor not in ids.get(target, {anchor}):
            broken += 1
            print(f"{file.relative_to(site)}: {link}")
if not broken:
    print(count)
sys.exit(1 if broken else 0)

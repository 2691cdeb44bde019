"""Usage: check_site.py SITE: names each link of its pages to a file or a heading that is not there, and counts the others."""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.ids, self.links = {""}, []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src", "srcset"):
                self.links.append(value)


site = Path(sys.argv[1]).resolve()
pages = {file: Page(file) for file in site.rglob("*.html")}
count = broken = 0
for file, page in pages.items():
    for link in page.links:
        if ":" in link.split("/")[0]:  # another site's
            continue
        count += 1
        path, _, anchor = unquote(link).partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.is_file() or (target in pages and anchor not in pages[target].ids):
            broken += 1
            print(f"{file.relative_to(site)}: {link}")
if not broken:
    print(count)
sys.exit(1 if broken else 0)

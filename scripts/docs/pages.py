"""mkdocs' hook (mkdocs.yml): the site has README.md and all that links lead to from there, each file at its place in the repository."""
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

from mkdocs.exceptions import PluginError

ROOT = Path(__file__).resolve().parents[2]
AS_THEY_ARE = {".csv", ".gz", ".png", ".svg", ".txt"}
LINK = re.compile(r'(?<=\]\()[^)\s]+|(?<=\bsrc=")[^"]+|(?<=\bsrcset=")[^"]+')
gathered = tempfile.TemporaryDirectory()


def place(file):
    """Of a file of the repository, in the site: sources are pages, so that a browser shows them, and nothing is hidden."""
    name = re.sub(r"(^|/)\.", r"\1", str(file.relative_to(ROOT)))
    if file.is_dir():
        return name + "/README.md"
    return name if file.suffix in AS_THEY_ARE | {".md"} else name + ".md"


def follow(link, page, todo):
    """The link as the site has it; what it leads to is to do."""
    name, hash_sign, heading = link.partition("#")
    if not name or re.match(r"[a-z]+:", link):
        return link
    target = (page.parent / name).resolve()
    if not target.is_relative_to(ROOT) or not target.exists():
        raise PluginError(f"{page.relative_to(ROOT)} links to {link}, which is not there")
    todo.append(target)
    return os.path.relpath(place(target), os.path.dirname(place(page))) + hash_sign + heading


def convert(page, todo):
    """A page, for Python-Markdown, which wants four columns for what is in a list, no fence there, and no \\ before | in code."""
    fence, lines = None, []
    for line in page.read_text().split("\n"):
        mark = re.match(r"( *)```", line)
        if fence is not None and not (mark and mark[1] == fence):
            lines.append(" " * 8 + line[len(fence):] if fence else line)
        elif mark:
            lines.append("" if mark[1] else line)
            fence = mark[1] if fence is None else None
        else:
            line = LINK.sub(lambda link: follow(link[0], page, todo), line)
            line = re.sub("`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
            if re.match(r"\d+\. ", line):
                lines.append("")
            is_inside = re.match("  [-*] ", line) or (re.match(r"   \S", line) and not lines[-1])
            lines.append("    " + line.lstrip() if is_inside else line)
    return "\n".join(lines)


def gather(folder):
    todo = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("results/*/README.md")]
    done = set()
    while todo:
        file = todo.pop()
        if file in done:
            continue
        done.add(file)
        to = folder / place(file)
        to.parent.mkdir(parents=True, exist_ok=True)
        heading = f"# {file.relative_to(ROOT)}\n\n"
        if file.is_dir() and (file / "README.md").exists():
            todo.append(file / "README.md")
        elif file.is_dir():
            inside = sorted(each for each in file.iterdir() if each.is_file())
            todo += inside
            to.write_text(heading + "".join(f"- [{each.name}]({os.path.basename(place(each))})\n" for each in inside))
        elif file.suffix == ".md":
            to.write_text(convert(file, todo))
        elif file.suffix in AS_THEY_ARE:
            shutil.copy(file, to)
        else:
            to.write_text(f"{heading}~~~~~~~~\n{file.read_text()}\n~~~~~~~~\n")


def heading_id(text, separator):
    """As GitHub makes it."""
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", separator)


def on_config(config):
    gather(Path(gathered.name))
    shutil.copy(ROOT / "scripts/plot/page/page.css", gathered.name)  # the page of results and the site look alike
    config["docs_dir"] = gathered.name
    config["mdx_configs"]["toc"] = {"slugify": heading_id}
    config["theme"].static_templates.clear()  # a map for search engines, of addresses that nobody knows


def on_post_build(config):
    """What was opened from a disk may fetch nothing, but load a script. A page's words are in its sections' entries, too."""
    path = Path(config["site_dir"], "search/search_index.json")
    entries = json.loads(path.read_text())["docs"]
    pages = {entry["location"]: entry["title"] for entry in entries if "#" not in entry["location"]}
    sections = [{"page": pages[entry["location"].partition("#")[0]]} | entry for entry in entries if "#" in entry["location"]]
    path.with_suffix(".js").write_text(f"const sections = {json.dumps(sections)};\n")
    path.unlink()

#!/usr/bin/env bash
# What the documents point at is there: the target of every relative link, its heading, every path of the repository in backquotes
# or in a command.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
cd "$2"
PYTHONUTF8=1 python3 - <<'END' || fail 'documents point at what is not there'
import pathlib
import re
import sys

# Those with <op> or * in them name several, and what is ignored by git comes and goes.
PATH = re.compile(r"(bench|cpu|kernels|scripts|tests|docs|results(?!/local/)|\.ci|\.github)/[\w./-]*", re.A)


def parts(file):
    """Its lines outside of ``` ... ```, and within"""
    pieces = re.split("^ *```.*$", file.read_text(), flags=re.M)
    return "\n".join(pieces[::2]), "\n".join(pieces[1::2])


def headings(file):
    """What a link may name behind its #, as GitHub makes it"""
    return [re.sub("[^a-z0-9 _-]", "", line.lower()).replace(" ", "-") for line in re.findall("^#+ (.*)", parts(file)[0], re.M)]


count, wrong = 0, []
for file in pathlib.Path().rglob("*.md"):
    if re.match("build|tests/golden/|results/local/", str(file)):
        continue
    text, code = parts(file)
    for link in map("".join, re.findall(r'\]\(([^) ]+)|src(?:set)?="([^"]+)', text)):  # of Markdown, and of the <picture> of a chart
        path, _, heading = link.partition("#")
        target = file.parent / path if path else file
        if not re.match("[a-z]+:", link):
            count += 1
            if not target.exists() or heading and heading not in headings(target):
                wrong.append(f"{file} links to {link}")
    text = re.sub("^ *New file .*", "", text, flags=re.M)  # what a recipe makes is not there yet
    for path in re.findall("`([^`\n]+)`", text) + [word for word in code.split() if re.fullmatch(r"(scripts|tests)/.*\.(sh|py)", word)]:
        if PATH.fullmatch(path):
            count += 1
            if not pathlib.Path(path).exists():
                wrong.append(f"{file} names {path}")
if count < 200:
    wrong.append(f"only {count} things to look for were found: a pattern above is off")
sys.exit("\n".join(wrong) or 0)
END
end_test

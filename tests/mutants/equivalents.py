"""The list of mutants that cannot be told from the original, each with its proof."""
import re
from pathlib import Path
from typing import NamedTuple

LISTED_MAX = 0.05  # of all mutants: a longer list would excuse weak tests
LINE = re.compile(r"((\S+):\d+ [\w-]+#\d+) \| (\S.* -> .*\S) \| (\S.*\S)")


class Broken(Exception):
    """Nothing can be said of any mutant."""


class Equivalent(NamedTuple):
    file: str
    change: str
    proof: str


def read_equivalents(path):
    """The listed mutants by name."""
    listed = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if not match:
            raise Broken(f"{path}:{number}: expected: file:line operator#ordinal | original -> replacement | proof")
        if match[1] in listed:
            raise Broken(f"{path}:{number}: {match[1]} is listed twice")
        listed[match[1]] = Equivalent(*match.groups()[1:])
    return listed

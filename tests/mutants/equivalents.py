"""The list of mutants that cannot be told from the original, each with its proof: four lines a mutant.

    kernels/matmul/mine.cu
    - if (row < m)
    + if (true)
    = Why no input can tell them apart.

The second and third are the line of the file and of the mutant, however indented and wherever it stands. Of several
such lines in a file the name says which: `kernels/matmul/mine.cu #2`.
"""
import re
from pathlib import Path

LISTED_MAX = 0.08  # of all mutants: a longer list would excuse weak tests
ENTRY = re.compile(r"(\S+)(?: #([2-9]|[1-9]\d+))?\n- (\S.*)\n\+ (\S.*)\n= \S.*\S")


class Broken(Exception):
    """Nothing can be said of any mutant."""


def entry(key, proof):
    """What stands in the list for the mutant of that key."""
    file, before, after, ordinal = key
    return f"{file}{f' #{ordinal}' * (ordinal > 1)}\n- {before}\n+ {after}\n= {proof}"


def read_equivalents(path):
    """The keys of the listed mutants."""
    lines = (line for line in Path(path).read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    listed = []
    for block in filter(None, "\n".join(line.strip() for line in lines).strip().split("\n\n")):
        match = ENTRY.fullmatch(block.strip())
        if not match:
            raise Broken(f"{path}: expected 'file', '- line', '+ line', '= proof':\n{block}")
        key = match[1], match[3], match[4], int(match[2] or 1)
        if key in listed:
            raise Broken(f"{path}: listed twice:\n{block}")
        listed.append(key)
    return listed

"""The list of mutants that cannot be told from the original, with a proof for each or for several.

    kernels/matmul/mine.cu
    - if (row < m)
    + if (true)
    + if (row <= m)
    = Why no input can tell them apart.

Above the proof stand lines of one or more files, each with one or more mutants of it, however indented and wherever the
line stands. Of several such lines in a file the name says which: `kernels/matmul/mine.cu #2`.
"""
import re
from pathlib import Path

LISTED_MAX = 0.08  # of all mutants: a longer list would excuse weak tests
FILE = r"(\S+)(?: #([2-9]|[1-9]\d+))?\n"
LINE = r"- (\S.*)\n((?:\+ \S.*\n)+)"
ENTRY = re.compile(rf"(?:{FILE}(?:{LINE})+)+= \S.*\S")


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
    for block in re.findall(r"(?:.+\n?)+", "\n".join(line.strip() for line in lines)):
        block = block.strip()
        if not ENTRY.fullmatch(block):
            raise Broken(f"{path}: expected 'file', '- line', '+ line', '= proof':\n{block}")
        file, ordinal = None, 1
        for name, number, before, mutants in re.findall(f"{FILE}|{LINE}", block):
            if name:
                file, ordinal = name, int(number or 1)
            for after in re.findall(r"\+ (.*)", mutants):
                if (file, before, after, ordinal) in listed:
                    raise Broken(f"{path}: listed twice:\n{block}")
                listed.append((file, before, after, ordinal))
    return listed

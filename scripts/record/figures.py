"""Usage: figures.py [--update] FILE...
Says which figures of these texts are not those of the results that they name; --update writes them again, with as many digits.
In Markdown a figure is a link to its file, whose title says what of it; in a comment it stands in a block, below the file:
    [1.234 ms](../results/h200-x1/squares.csv.gz "matmul/square-4096/cuda_async/cold")
    Measured, results/h200-x1/squares.csv.gz:
      matmul/square-4096/cuda_async/cold 1.234 ms
A row is named, or is the last that has these cells (variant=cuda_fused,epoch=5). Of it the median is meant, or the column or
counter after it; A over B is how many times as fast as B it is. Of a text file a regular expression finds the figure. A block of
text below a link to a text file has lines of that file; "..." stands for others.
Exit status: 0 all are right; 1 some are not, or what looks measured names no file; 2 anything else.
"""
import re
import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "plot"))
import staging
import summary
import table
from failure import Failure, end_with, parse

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r'\[(?P<text>[^\][]*)\]\((?P<file>[^ ()]*results/[^ ()#]+\.(?:csv|csv\.gz|txt))\s+"(?P<what>[^"]+)"\)')
BLOCK = re.compile(r"Measured, (?P<file>results/\S+):\n(?P<lines>(?:(?! \*\n).*\n)*?.*)(?= \*/| \*\n)")
LINE = re.compile(r"(?P<before> \*   (?P<what>\S+(?: \S+| over \S+)?) )(?P<text>[0-9][0-9.,]* [%a-zA-Z/]+)")
PRINTED = re.compile(r"\]\((?P<file>[^ ()]*results/[^ ()#]+\.txt)\):\n\n```text\n(?P<lines>.*?)^```", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
SCALES = {"us": 1e6, "ms": 1e3, "TFLOP/s": 1e-3, "TB/s": 1e-3, "million": 1e-6, "MB": 1e-6, "GB": 1e-9}
# What no setting of ours is as exact as: three figures and a unit.
LOOSE = re.compile(r"(?<![\w.,^-])(?:(?:[1-9]\d*\.\d{2,}|0\.[1-9]\d+|\d{2,}\.\d)\s?(?:us|ms|s|[GTM]B/s|[GT]FLOP/s|%|times|×)|"
                   r"(?:\d\d[1-9]|\d,\d\d[1-9])\s(?:us|ms|[GTM]B/s|[GT]FLOP/s|%))(?!\w)")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


@cache
def rows_of(path):
    """Of results, the medians over the rounds."""
    rows = [cells for _, cells in table.rows(path, "a file of results", ())]
    return summary.load(path)["rows"] if rows and "git_rev" in rows[0] and path.name != "record.csv" else rows


def row_of(path, which):
    cells = dict(pair.split("=", 1) for pair in which.split(",")) if "=" in which else {"name": which}
    found = [row for row in rows_of(path) if all(row.get(key) == value for key, value in cells.items())]
    if not found:
        raise KeyError(f"no row {which}")
    return found[-1]


def cell_of(path, which, column="time_median_s"):
    row = row_of(path, which)
    counters = dict(pair.split("=") for pair in row.get("counters", "").split(",") if pair)
    value = {**counters, **row}.get(column)
    if not value:
        raise KeyError(f"{which} has no {column}")
    return float(value)


def value_of(path, what):
    if path.suffix == ".txt":
        found = re.search(what, path.read_text(encoding="utf-8"))
        if not found:
            raise KeyError(f"nothing matches {what}")
        return float(found[1])
    words = what.split()
    if "over" in words:
        return cell_of(path, words[2]) / cell_of(path, words[0])
    return cell_of(path, *words)


def written(value, like, scales=SCALES):
    """With the unit and as many digits as in `like`. Where there are no scales, the value has that unit already."""
    number = NUMBER.search(like)
    if not number:
        raise KeyError(f"'{like}' has no number")
    unit = like[number.end():].split()
    digits = max(1, len(number[0].replace(",", "").replace(".", "").lstrip("0")))
    scaled = value * scales.get(unit[0] if unit else "", 1)
    places = max(0, digits - 1 - int(f"{scaled:.{digits - 1}e}".split("e")[1])) if scaled else len(number[0].partition(".")[2])
    return like[:number.start()] + f"{scaled:,.{places}f}" + like[number.end():]


class Reader:
    """Of one text: its figures, and what is wrong about them."""

    def __init__(self, path):
        self.path, self.count, self.wrong = path, 0, []

    def right(self, file, what, text):
        self.count += 1
        path = (self.path.parent if self.path.suffix == ".md" else ROOT) / file
        try:
            right = written(value_of(path, " ".join(what.split())), text, {} if path.suffix == ".txt" else SCALES)
        except (Failure, LookupError, TypeError, ValueError, ArithmeticError, re.error) as error:
            self.wrong.append(f"{text}: {file}: {what}: {error.args[0]}")
            return text
        if right != text:
            self.wrong.append(f"{text}: {what}: {file} says {right}")
        return right

    def link(self, found):
        start, end = found.span("text")
        return found[0][:start - found.start()] + self.right(found["file"], found["what"], found["text"]) + found[0][end - found.start():]

    def block(self, found):
        """Up to the end of the comment or an empty line, and each line is a figure."""
        lines = found["lines"].split("\n")
        for i, said in enumerate(lines):
            line = LINE.fullmatch(said)
            if line:
                lines[i] = line["before"] + self.right(found["file"], line["what"], line["text"])
            else:
                self.wrong.append(f"'{said}': expected a row of {found['file']}, a number and its unit")
        return found[0][:found.start("lines") - found.start()] + "\n".join(lines)

    def printed(self, found):
        file = self.path.parent / found["file"]
        text = "\n" + (file.read_text(encoding="utf-8") if file.is_file() else "")
        self.wrong += [f"'{lines}': {found['file']} has no such lines" for lines in re.split(r"^\.\.\.\n", found["lines"], flags=re.MULTILINE)
                       if "\n" + lines not in text]

    def read(self):
        with open(self.path, newline="", encoding="utf-8") as file:
            text = file.read()
        parts = CODE.split(text) if self.path.suffix == ".md" else [text]  # every second one is code
        quote, renew = (LINK, self.link) if self.path.suffix == ".md" else (BLOCK, self.block)
        for part in parts[::2]:
            rest = quote.sub("", part)
            self.wrong += [f"{figure}: expected the file that it comes from" for figure in LOOSE.findall(rest)]
            if re.search(r"\bMeasured[:,(]", rest):
                self.wrong.append("Measured: expected a file and its figures")
        for found in PRINTED.finditer(text):
            self.printed(found)
        return text, "".join(part if i % 2 else quote.sub(renew, part) for i, part in enumerate(parts))


def main(arguments):
    flags, files = parse(arguments, ("--update",), 1, sys.maxsize, "files")
    count = failures = 0
    for file in map(Path, files):
        reader = Reader(file)
        text, renewed = reader.read()
        if flags and renewed != text:
            with staging.beside(file.resolve().parent) as stage:
                (stage / file.resolve().name).write_text(renewed, encoding="utf-8", newline="")
        count += reader.count
        failures += len(reader.wrong)
        for what in reader.wrong:
            print(f"{file}: {what}")
    print(f"{count} figures")
    return 1 if failures else 0


if __name__ == "__main__":
    end_with("figures.py", main)

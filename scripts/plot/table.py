"""Reading CSV files, gzipped or not, whose figures nobody has to decide anything about: samples, and verdicts of the gate."""
import codecs
import contextlib
import csv
import gzip
import os
import re
import zlib

import text
from failure import Failure
from summary import check_file

NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


@contextlib.contextmanager
def unpack(path, *arguments, **named):
    try:
        with (gzip.open if os.fspath(path).endswith(".gz") else open)(path, *arguments, **named) as file:
            yield file
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise Failure(f"{path}: corrupt or truncated gzip data") from None


def first_line(path):
    """Its bytes, without a byte order mark."""
    with unpack(path, "rb") as file:
        return file.readline(1 << 16).removeprefix(codecs.BOM_UTF8)


def rows(path, what, needed):
    """(line, cells by name) of each row of a CSV file which has these columns at least."""
    check_file(path, what)
    with unpack(path, "rt", newline="", encoding="utf-8-sig", errors="replace") as file:
        reader = csv.reader(file, strict=True)
        try:
            header = next(reader, None)
            if header is None:
                raise Failure(f"{path}: is empty; expected {what}")
            missing = [name for name in needed if name not in header]
            if missing:
                raise Failure(f"{path}: no column '{missing[0]}'; expected {what}")
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(header):
                    raise Failure(f"{path}: line {reader.line_num}: {text.count(len(cells), 'cell')}; expected {len(header)} as in the "
                                  "header (is the file whole?)")
                yield reader.line_num, dict(zip(header, cells))
        except csv.Error as error:
            raise Failure(f"{path}: line {reader.line_num}: {error}; expected CSV (is the file whole?)") from None


def number(path, line, name, cell, least=0.0, most=1.0, expected="a share from 0 to 1"):
    value = float(cell) if NUMBER.fullmatch(cell) else -1
    if not least <= value <= most:
        raise Failure(f"{path}: line {line}: {name} is '{cell[:60]}'; expected {expected}")
    return value


def positive(path, line, name, cell):
    return number(path, line, name, cell, 1e-15, 1e15, "a number above 0")

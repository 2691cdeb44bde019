"""The table of resources, from what ptxas reported of each kernel: behind scripts/resources.sh.

reports.py REPORT... prints it. A report is what kernels/resources/report.sh keeps: nvcc's version and the output of nvcc -Xptxas -v.
Its path ends in the path of the rung, as in kernels/matmul/tiled.cu.o.report."""
import csv
import re
import subprocess
import sys

from failure import Failure, end_with
from resources import COLUMNS

RUNG = re.compile(r"(?:.*/)?(\w+)/(\w+)\.cu\.o\.report")
VERSION = re.compile(r"Cuda compilation tools, release \S+ V([0-9.]+)")
ENTRY = re.compile(r"ptxas info +: Compiling entry function '(\S+)' for '(sm_\w+)'\n")
# Where a function is not inlined, its stack and its spills are reported after those of the kernel.
STACK = re.compile(r": Function properties for .*\n *(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n")
REGISTERS = re.compile(r"ptxas info +: Used (\d+) registers")
SHARED = re.compile(r"ptxas info +: Used .* (\d+) bytes smem")


def read(path):
    """Rows of the table, with the mangled names of the kernels."""
    rung = RUNG.fullmatch(path)
    if not rung:
        raise Failure(f"{path}: expected the report of a rung, such as kernels/matmul/tiled.cu.o.report")
    with open(path, encoding="utf-8", errors="replace") as file:
        head, *kernels = ENTRY.split(file.read())
    version = VERSION.search(head)
    if not version or not kernels:
        raise Failure(f"{path}: no version or no kernel; expected the output of nvcc --version and of nvcc -Xptxas -v")
    for symbol, arch, said in zip(*[iter(kernels)] * 3):
        registers, shared, stacks = REGISTERS.search(said), SHARED.search(said), STACK.findall(said)
        if not registers or not stacks:
            raise Failure(f"{path}: {symbol} for {arch}: no registers or no spills; expected the whole report of nvcc -Xptxas -v")
        spills = (sum(map(int, figures)) for figures in zip(*stacks))
        yield [f"{rung[1]}/cuda_{rung[2]}", symbol, arch, registers[1], shared[1] if shared else 0, *spills, version[1]]


def main(paths):
    table = [row for path in paths for row in read(path)]
    symbols = "\n".join(row[1] for row in table)
    names = subprocess.run(["c++filt", "-p"], input=symbols, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([rung, name, *rest] for (rung, _, *rest), name in zip(table, names))
    return 0


if __name__ == "__main__":
    end_with("resources.sh", main)

"""Usage: do_bench.py FILE.csv
What Triton's do_bench says of the rows of Python's functions in results of rungbench: CSV, the row, its median there and here. It
is another program: inputs are random numbers of its own, and it queues further samples while one runs. Its buffers lie as those of
rungbench do, or Triton's kernel would differ by what the memory makes of other addresses; the last column is its median where PyTorch
allocates them.
"""
import csv
import importlib.util
import sys
from pathlib import Path

import torch
import triton.testing

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples" / "python"
FUNCTIONS = {"kernel_torch_rows": "softmax_torch", "kernel_triton_rows": "softmax_triton"}


def function_of(variant):
    spec = importlib.util.spec_from_file_location(variant, EXAMPLES / f"{variant.removeprefix('kernel_')}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, FUNCTIONS[variant])


def laid_out(m, n):
    """x and y in one block, a page before and after each"""
    page, size = 4096, 4 * m * n
    block = torch.empty(2 * size + 4 * page, dtype=torch.uint8, device="cuda")
    return (block[at : at + size].view(torch.float32).view(m, n) for at in (page, size + 3 * page))


def median_s(row, x, y):
    m, n = x.shape
    given = {"x": x.normal_(), "y": y} | ({"m": m, "n": n} if "triton" in row["variant"] else {})
    function = function_of(row["variant"])
    return triton.testing.do_bench(lambda: function(**given), warmup=200, rep=500, return_mode="median") / 1e3


with open(sys.argv[1], newline="", encoding="utf-8") as file:
    found = [row for row in csv.DictReader(file) if row["variant"] in FUNCTIONS and row["mode"] == "cold" and row["status"] == "ok"]
print("row,time_median_s,do_bench_s,ratio,elsewhere_s")
for row in found:
    shape = tuple(map(int, row["shape"].split("x")))
    seconds = median_s(row, *laid_out(*shape))
    elsewhere = median_s(row, *(torch.empty(shape, device="cuda") for _ in range(2)))
    print(f"{row['name']},{row['time_median_s']},{seconds:.9g},{float(row['time_median_s']) / seconds:.4f},{elsewhere:.9g}")

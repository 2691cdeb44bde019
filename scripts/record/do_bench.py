"""Usage: do_bench.py FILE.csv
What Triton's do_bench says of the rows of Python's functions in results of rungbench: CSV, the row, its median there and here. It
is another program: inputs are random numbers of its own, and it queues further samples while one runs. The last column is its
median when each sample is awaited before the next one is queued.
"""
import csv
import importlib.util
import statistics
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


def awaited(function, samples=300):
    driver = triton.runtime.driver.active
    cache = driver.get_empty_cache_for_benchmark()
    times = []
    for _ in range(samples):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        driver.clear_cache(cache)
        start.record()
        function()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)


def times_of(row):
    m, n = map(int, row["shape"].split("x"))
    x, y = torch.randn(m, n, device="cuda"), torch.empty(m, n, device="cuda")
    given = {"x": x, "y": y} | ({"m": m, "n": n} if "triton" in row["variant"] else {})
    function = function_of(row["variant"])
    call = lambda: function(**given)
    return triton.testing.do_bench(call, warmup=200, rep=500, return_mode="median") / 1e3, awaited(call) / 1e3


with open(sys.argv[1], newline="", encoding="utf-8") as file:
    found = [row for row in csv.DictReader(file) if row["variant"] in FUNCTIONS and row["mode"] == "cold" and row["status"] == "ok"]
print("row,time_median_s,do_bench_s,ratio,awaited_s")
for each in found:
    seconds, one_by_one = times_of(each)
    print(f"{each['name']},{each['time_median_s']},{seconds:.9g},{float(each['time_median_s']) / seconds:.4f},{one_by_one:.9g}")

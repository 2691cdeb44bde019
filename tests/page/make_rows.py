# Prints a results file with rows of every kind: make_rows.py RESULTS.csv (whose columns it takes) [VARIANTS]
# With a number it prints so many rungs, whose names have 60 letters, in one mode.
import csv
import sys

WORK = {"op": "matmul", "workload": "mnist", "shape": "2x3x4", "precision": "fp32", "status": "ok", "bytes": 100, "flops": 48}
CPU = {**WORK, "backend": "cpu", "device": "A CPU", "threads": 4}
GPU = {**WORK, "backend": "cuda", "device": "A GPU"}
GRAY = {**GPU, "op": "grayscale", "precision": "u8", "flops": "", "gflops": "", "baseline": "", "max_abs_err": 0, "err_bound": 0}
TIMED = "variant,mode,median,spread,marks,launch_bound,transfer,runs_as,precision,slowdown_pct".split(",")
ROWS = (({**CPU, "err_bound": ""}, "cpu_scalar,cold,8"), (CPU, "cpu_scalar,hot,7,0.2"), (CPU, "openblas,cold,2,0.1,preempted"),
        (CPU, "openblas,hot,1,0.1"), (GPU, "cuda_naive,cold,0.0042,0.0001,other-work throttled"), (GPU, "cuda_tiled,cold,0.002,0.0005"),
        (GPU, "cublas,cold,0.0022,0.0005"), (GPU, "cuda_vector,cold,0.001,0.00001,,,,,tf32"),
        (GPU, "cuda_skinny_tensor,cold,0.001,0.00001,,,,cuda_tiled"), (GPU, "cuda_tiled,hot,0.003,,,yes"), (GPU, "cuda_coalesced,hot,0.2"),
        (GPU, "cuda_tiled,e2e,4,0.1,,,pinned"), (GPU, "cublas,e2e,5,0.1,,,pinned"), (GPU, "cuda_naive,hot,0.1,,,,,,,50"),
        (GRAY, "cuda_1d,cold,0.01,0.001"),
        # the fastest is what it would be compared with; as fast or not, nobody knows; faster than what has no interval
        ({**CPU, "op": "dot"}, "openblas,cold,1,0.1"), ({**CPU, "op": "dot"}, "cpu_scalar,cold,9,0.1"),
        ({**GPU, "op": "zip"}, "cuda_1d,e2e,1,0.2,,,pinned"), ({**CPU, "op": "zip"}, "cpu_scalar,hot,1.05,0.2"),
        ({**GPU, "op": "map"}, "cuda_1d,cold,1,0.01"), ({**CPU, "op": "map"}, "cpu_scalar,cold,5"))
ENDED = (("cuda_split", "failed", "wrong: C[1,2] is 7, expected 8"), ("cuda_cluster", "failed", "could not be | launched"),
         ("cuda_async", "skipped", "built without CUDA"), ("cuda_fitted", "ok", ""))


def timed(base, text):
    cells = dict(zip(TIMED, text.split(",")))
    median, spread = float(cells.pop("median")), float(cells.pop("spread", "") or 0)
    row = {"launch_bound": "no", "time_median_s": median, "time_min_s": median - spread, "samples": 9, "gflops": 48e-9 / median,
           "bandwidth_gbs": 100e-9 / median, "baseline": "cpu_scalar", "max_abs_err": 1e-6, "err_bound": 1e-4, **base,
           **{name: text for name, text in cells.items() if text}}
    if spread:
        row |= {"time_q1_s": median - spread, "time_ci_low_s": median - spread}
        row |= {"time_q3_s": median + spread, "time_ci_high_s": median + spread}
    return row


def main(example, variants=0):
    columns = next(csv.reader(open(example, encoding="utf-8")))
    rows = [timed(base, text) for base, text in ROWS]
    rows += [{**GPU, "variant": variant, "mode": "cold", "status": status, "reason": reason,
              "failure": "wrong" if "wrong" in reason else ""} for variant, status, reason in ENDED]
    if variants:
        rows = [timed(CPU, f"{'x' * 55}_{n:04},hot,{n + 1}") for n in range(int(variants))]
    out = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    out.writeheader()
    for row in rows:
        out.writerow({"schema": 1, "name": "/".join(row[part] for part in ("op", "workload", "variant", "mode")), "host": "h", "round": 0,
                      "seed": 1, "git_rev": "0123456789ab", "timestamp": "2026-01-02T03:04:05Z", "sitting": "s", **row})


main(*sys.argv[1:])

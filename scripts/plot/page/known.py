"""All that is known of a row, in lines, for those who point at it."""
import text

from .figures import durations, factor, percent

WHOLE = "{:.0f}".format
# In each line, separated by semicolons: words, how values are written in them, and the columns of the values.
LINES = (
    (("{}", "{}/{}/{}/{}".format, "op", "workload", "variant", "mode"), ("{}", str, "shape"), ("{}", str, "summary")),
    (("{}", lambda state: state.removeprefix("ok"), "state"), ("{}", str, "reason"), ("never the best: {}", str, "unfair")),
    (("median {}", text.duration, "time_median_s"), ("95 % interval {}", durations, "time_ci_low_s", "time_ci_high_s"),
     ("spread {}", durations, "low_s", "high_s"), ("{} samples", str, "samples")),
    (("upload {}", text.duration, "upload_s"), ("kernel {}", text.duration, "kernel_s"), ("download {}", text.duration, "download_s")),
    (("{} GFLOP/s", factor, "gflops"), ("{} GB/s", factor, "bandwidth_gbs"), ("{} of the ceiling", percent, "ceiling_pct"),
     ("ceiling: {}", str, "ceiling")),
    (("error {}", "{:.3g} of {:.3g}".format, "max_abs_err", "err_bound"), ("root mean square {} roundoffs", "{:.3g}".format, "rms_err")),
    (("clock {} MHz", WHOLE, "sm_clock_mhz"), ("clock {} MHz", WHOLE, "cpu_clock_mhz"), ("memory {} MHz", WHOLE, "memory_clock_mhz"),
     ("{} °C", WHOLE, "temperature_c"), ("{} W", WHOLE, "power_w"), ("{}", " ".join, "marks")),
    (("{}", str, "source"), ("revision {}", str, "git_rev")),
)


def everything(row):
    lines = ([words.format(write(*(row[column] for column in columns))) for words, write, *columns in line
              if all(row.get(column) is not None for column in columns)] for line in LINES)
    return "\n".join("; ".join(filter(None, line)) for line in lines if any(line))

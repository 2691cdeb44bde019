"""Prints how far the medians of a row's rounds lie apart, for each row of a results file that has several; see scripts/spread.sh."""
import statistics

import results
import summary
import table
from failure import Failure, end_with

LONG = 10e-6  # seconds; shorter rows may spread more


def main(arguments):
    path, = arguments
    found = summary.load(path)
    times = {}
    for line, cells in table.rows(path, "a results file of rungbench", ("name", "time_median_s")):
        seconds = table.positive(path, line, "time_median_s", cells["time_median_s"])
        if seconds and not cells.get("slowdown_pct"):
            times.setdefault(cells["name"], []).append(seconds)
    near = {True: [], False: []}
    for row in found["rows"]:
        rounds = times.get(row["name"], [])
        if not results.is_timed(row) or len(rounds) < 2 or not row.get("tick_s"):
            continue
        if not any(near.values()):
            print(f"{'row':<44} {'rounds':>6} {'median us':>13} {'sd %':>8} {'sd ticks':>8}")
        median, deviation = row["time_median_s"], statistics.stdev(rounds)
        print(f"{row['name']:<44} {len(rounds):6} {median * 1e6:13.3f} {100 * deviation / statistics.mean(rounds):8.2f} "
              f"{deviation / row['tick_s']:8.2f}")
        is_long = median >= LONG
        near[is_long].append(deviation <= max((0.005 if is_long else 0.015) * median, 2 * row["tick_s"]))
    if not any(near.values()):
        raise Failure(f"{path}: no row has two rounds; expected the results of --rounds=N", 77)
    print(f"\nStandard deviation of the rounds' medians at most 0.5 % or two ticks: {sum(near[True])} of {len(near[True])} rows of 10 us "
          f"and more;\nat most 1.5 % or two ticks: {sum(near[False])} of {len(near[False])} below 10 us.")
    return 0


if __name__ == "__main__":
    end_with("spread.sh", main)

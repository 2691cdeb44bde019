"""Prints a results file like another, with so many rungs of long names and near times beside each of the GPU: many_rungs.py FILE.csv N"""
import csv
import sys


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    out = csv.DictWriter(sys.stdout, rows[0].keys(), lineterminator="\n")
    out.writeheader()
    for row in rows:
        out.writerow(row)
        if row["variant"] != "cuda_tiled" or row["status"] != "ok":
            continue
        for i in range(int(sys.argv[2])):
            more = dict(row, variant=f"cuda_register_blocked_{i + 1}")
            more["name"] = "/".join((row["op"], row["workload"], more["variant"], row["mode"]))
            for column in row:
                if column.startswith("time_") and row[column]:
                    more[column] = f"{float(row[column]) * (1 - 0.03 * i):.9g}"
            out.writerow(more)


main()

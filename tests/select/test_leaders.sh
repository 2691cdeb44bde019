#!/usr/bin/env bash
# Where suite gate times few rungs, our fastest one of the committed results is among them, in the mode of the suite.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
"$1" --suite=gate --list 2>/dev/null | python3 -c '
import collections, csv, gzip, sys

rows = [line.split() for line in sys.stdin.read().replace("/", " ").splitlines()]
timed = collections.defaultdict(list)
for op, workload, variant, mode in rows:
    if variant.startswith("cuda_"):
        timed[op, workload, mode].append(variant)
fastest = {}
for row in csv.DictReader(gzip.open(sys.argv[1], "rt", newline="")):
    key = row["op"], row["workload"], row["mode"]
    if row["status"] == "ok" and row["variant"].startswith("cuda_") and not row.get("runs_as") and not row.get("choice"):
        fastest[key] = min(fastest.get(key, (9e9, "")), (float(row["time_median_s"]), row["variant"]))
wrong = [key for key, variants in timed.items() if key in fastest and fastest[key][1] not in variants]
known = [key for key in timed if key in fastest]
sys.exit(f"{wrong}: the fastest rung is not timed" if wrong or not known else 0)' "$2/results/h200-x1/default.csv.gz" ||
    fail 'a fastest rung is not timed'
if "$1" --suite=gate --list 2>/dev/null | grep '/cublaslt/'; then fail 'what chooses anew in each process is gated'; fi
end_test

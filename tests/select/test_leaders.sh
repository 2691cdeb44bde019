#!/usr/bin/env bash
# Where suite gate times the leader alone, that is our fastest rung in the committed results, in the mode of the suite.
# Usage: test_leaders.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
command -v python3 >/dev/null || skip 'python3 is not on the PATH'
"$1" --suite=gate --list 2>/dev/null | python3 -c '
import collections, csv, sys

rows = [line.split() for line in sys.stdin.read().replace("/", " ").splitlines()]
timed = collections.defaultdict(list)
for op, workload, variant, mode in rows:
    if variant.startswith("cuda_"):
        timed[op, workload, mode].append(variant)
fastest = {}
for row in csv.DictReader(open(sys.argv[1], newline="")):
    key = row["op"], row["workload"], row["mode"]
    if row["status"] == "ok" and row["variant"].startswith("cuda_"):
        fastest[key] = min(fastest.get(key, (9e9, "")), (float(row["time_median_s"]), row["variant"]))
alone = {key: variants[0] for key, variants in timed.items() if len(variants) == 1}
wrong = [key for key, variant in alone.items() if fastest[key][1] != variant]
sys.exit(f"{wrong}: the leader is not the fastest" if wrong or not alone else 0)' "$2/results/h200/mnist.csv" ||
    fail 'a leader is not the fastest'
end_test

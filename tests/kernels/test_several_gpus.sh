#!/usr/bin/env bash
# Rungs of several GPUs: their answers, on each of them. Usage: test_several_gpus.sh RUNGBENCH SOURCE_DIR; exit status 77 where
# there are not two GPUs that work together.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
make_folder
cd "$here"

status=0
"$rungbench" --require=gpus --backend=gpus --suite=smoke --verify >verified 2>err || status=$?
if [[ $status -eq 77 ]]; then
    skip "$(cat err)"
fi
[[ $status -eq 0 ]] || fail "--verify: status $status: $(cat verified err)"

# What times no rung, or copies too, has all GPUs as well. What --calibrate finds is the clock's.
for command in --info --calibrate '--size=allreduce:cards=2,n=1000 --modes=e2e --backend=gpus --suite=none' \
    '--size=allreduce:cards=2,n=1000 --modes=hot --backend=gpus --suite=none --slowdown=nccl:50'; do
    # shellcheck disable=SC2086  # flags
    "$rungbench" $command --min-time=0.01 >said 2>err || [[ $? -eq 1 && $command == --calibrate ]] || fail "$command: $(cat said err)"
done

# A wait of one GPU for another takes time, and is no launch that the host made too slowly.
"$rungbench" --backend=gpus --suite=scaling --filter='allreduce/(4-b|8-mib)/.*/(cold|hot|graph)$' --modes=cold,hot,graph --min-time=0.01 \
    --out=rows.csv >table 2>err || fail "allreduce: $(cat table err)"
python3 -S -c 'import csv
rows = [row for row in csv.DictReader(open("rows.csv")) if row["status"] == "ok"]
assert len(rows) >= 30, len(rows)
for row in rows:
    assert row["launch_bound"] == "no" or "copy" in row["name"] or "host" in row["name"], row["name"]
    assert int(row["cards"]) >= 2 and row["device_uuid"].count("+") == int(row["cards"]) - 1, row["device_uuid"]
    bus = float(row["passed_bytes"]) / float(row["time_median_s"]) / 1e9
    assert abs(bus / float(row["bus_gbs"]) - 1) < 1e-6, row["name"]' || fail 'rows of allreduce are not as they should be'
end_test

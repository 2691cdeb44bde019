#!/usr/bin/env bash
# Usage: tests/gate/planted/planted.sh [CAUSE...]
# Plants the causes of causes.txt, all or these, in two kernels, and prints which of them rungbench-gate names. It needs a GPU,
# nvcc and git, cuobjdump for what only the code shows, and ncu for what only a launch shows; no network. By hand: a cause takes
# half a minute, and the first build, which stays in build-planted/, a minute or two. Exit status: 0 all but two named, and none
# wrongly.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$(cd "$here/../../.." && pwd)/build-planted
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
tree=$place/tree
rounds=8

# A copy of the tree, with the two kernels in place of others, as a repository of its own.
mkdir -p "$tree"
rm -rf "$tree/.git"
tar -C "$here/../../.." --exclude=.git --exclude='./build*' --exclude=./results --exclude=./shared -cf - . | tar -C "$tree" -xf -
cp "$here/map.cu" "$tree/kernels/map/naive.cu"
cp "$here/matmul.cu" "$tree/kernels/matmul/tiled.cu"
cd "$tree"
git init -q .
git add -A
git commit -qm 'What causes are planted in'
start=$(git rev-parse HEAD)

quietly() { "$@" >"$place/log" 2>&1 || { tail -n 20 "$place/log"; exit 2; }; } # COMMAND...

build() { # PROGRAM: of the tree as it is
    quietly cmake --build build --target rungbench --parallel "$(nproc)"
    cp build/rungbench "$1"
}

# choose ROW: `flags` select it
choose() {
    flags=(--suite=none --backend=cuda)
    case $1 in
    map) flags+=(--size=map:n=33554432 '--filter=^map/.*/cuda_naive/cold$') ;;
    wide) flags+=(--shape=512x4096x512 '--filter=^matmul/.*/cuda_tiled/cold$') ;;
    full) flags+=(--shape=2048x2048x2048 '--filter=^matmul/.*/cuda_tiled/cold$') ;;
    esac
}

# record PROGRAM FILE: rounds of the chosen row
record() {
    quietly "$1" "${flags[@]}" --min-time=0.02 --rounds=$rounds --out="$2"
}

# same_sitting FILE [COLUMN=VALUE]: calls it one sitting with the base, and plants a longer time, with a column that says why:
# times a number, or another text
same_sitting() {
    python3 - "$@" <<'END'
import csv, sys
with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
for row in rows:
    row["sitting"] = "planted"
    if len(sys.argv) < 3:
        continue
    column, _, value = sys.argv[2].partition("=")
    slower = 1.2
    if column == "sm_clock_mhz":
        slower = 1 / float(value)
        row[column] = str(float(row[column]) * float(value))
    elif column:
        row[column] = value
    for name in row:
        if name.startswith("time_") and name.endswith("_s") and row[name]:
            row[name] = repr(float(row[name]) * slower)
with open(sys.argv[1], "w", newline="") as file:
    writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
END
}

if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
quietly cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DRUNGBENCH_CUDA=ON
quietly cmake --build build --target rungbench-gate --parallel "$(nproc)"
build "$place/base"
for row in map wide full; do
    choose $row
    record "$place/base" "$place/$row.csv"
    same_sitting "$place/$row.csv"
done

named=0 wrong=0 all=0
while IFS='|' read -r cause row edit sentence; do
    [[ $cause != '#'* && ($# -eq 0 || " $* " == *" $cause "*) ]] || continue
    all=$((all + 1))
    choose "$row"
    program=$place/base
    new=$place/$cause.csv
    file=kernels/matmul/tiled.cu
    [[ $row != map ]] || file=kernels/map/naive.cu
    if [[ $edit == s/* ]]; then
        program=$place/$cause
        git checkout -q "$start"
        sed -i "$edit" "$file"
        git commit -qam "Plant $cause"
        build "$program"
        record "$program" "$new"
        same_sitting "$new"
    else
        record "$program" "$new"
        same_sitting "$new" "$edit"
    fi
    scripts/gate/commits.sh "$start" HEAD >"$place/commits"
    build/rungbench-gate --why --base-program="$place/base" --new-program="$program" --commits="$place/commits" \
        --json="$place/verdict.json" "$place/$row.csv" "$new" -- "${flags[@]}" >"$place/out" 2>&1 || true
    said=$(python3 -c 'import json, sys; print(*((json.load(open(sys.argv[1]))["rows"] or [{}])[0].get("why") or ["no verdict"])[:1])' \
        "$place/verdict.json" 2>/dev/null || tail -n 1 "$place/out")
    case $said in
    "$sentence"*)
        named=$((named + 1))
        result=named
        ;;
    'No single cause'* | 'Only the machine code'* | 'no verdict') result=open ;;
    *)
        wrong=$((wrong + 1))
        result=WRONG
        ;;
    esac
    printf '%-6s %-10s %s\n' "$result" "$cause" "$said"
    sed 's/^/       | /' "$place/out"
done <"$here/causes.txt"
printf '%d of %d named, %d wrongly\n' "$named" "$all" "$wrong"
[[ $wrong -eq 0 && $((named + 2)) -ge $all ]]

#!/usr/bin/env bash
# Rungs that cheat are rejected, and honest ones are not: each of cheats.def, verified and timed, among the others.
# Usage: test_cheats.sh RUNGBENCH_CHEATS SOURCE_DIR [BACKEND...]; the backends are cpu and sim, unless they are named. Of cheats a
# third is tried, which has all classes, as they stand together; on a GPU, and with RUNGBENCH_TEST_ALL=1, all are.
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
# shellcheck source=tests/run/cli.sh
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1 table=$2/tests/cheats/cheats.def
shift 2
backends=" ${*:-cpu sim} "
make_folder
cd "$here"

# The table: OP VARIANT CAUGHT REASON, where honest rungs are caught `never`. A kernel is two rungs.
declare -A caught expected still_open=()
names=()
cheats=0
add() { # OP VARIANT CAUGHT REASON
    [[ $backends == *" ${2%%_*} "* ]] || return 0
    [[ $3 == never || $backends == ' cuda ' || ${RUNGBENCH_TEST_ALL-} == 1 || $((cheats++ % 3)) -eq 0 ]] || return 0
    names+=("$1/$2")
    caught[$1/$2]=$3 expected[$1/$2]=$4
}
quoted='"([^"]*)"'
while read -r line; do
    if [[ $line =~ ^CHEAT\(([a-z]+),\ ([a-z0-9_]+),\ [a-z]+,\ [a-z]+,\ [a-z]+,\ ([a-z]+),\ $quoted, ]]; then
        add "${BASH_REMATCH[@]:1:4}"
    elif [[ $line =~ ^CHEAT_KERNEL\(([a-z]+),\ ([a-z0-9_]+),\ [a-z]+,\ ([a-z]+),\ $quoted, ]]; then
        for backend in cuda sim; do
            add "${BASH_REMATCH[1]}" "${backend}_${BASH_REMATCH[2]}" "${BASH_REMATCH[@]:3:2}"
        done
    elif [[ $line =~ ^HONEST\(([a-z]+),\ ([a-z0-9_]+), ]]; then
        add "${BASH_REMATCH[@]:1:2}" never ''
    elif [[ $line =~ ^HONEST_KERNEL\(([a-z]+),\ ([a-z0-9_]+), ]]; then
        for backend in cuda sim; do add "${BASH_REMATCH[1]}" "${backend}_${BASH_REMATCH[2]}" never ''; done
    elif [[ $line == CHEAT* || $line == HONEST* ]]; then
        fail "cheats.def: cannot read the line '$line'"
    fi
done <"$table"

# filter PATTERN: the regular expression of the rungs that are caught as PATTERN says
filter() {
    local name found=
    for name in "${names[@]}"; do
        [[ ${caught[$name]} =~ ^($1)$ ]] && found+="|${name#*/}"
    done
    echo "/(${found#|})/"
}

# count PATTERN: how many rungs are caught as PATTERN says
count() {
    local name n=0
    for name in "${names[@]}"; do [[ ! ${caught[$name]} =~ ^($1)$ ]] || n=$((n + 1)); done
    echo "$n"
}
# look FILE HOW PATTERN: the rungs that are caught as PATTERN says have rows. Those of honest rungs are ok, and those of cheats
# have failed for the reason expected, unless they are contained. Nobody has printed a row of cpu_scalar, which did not run.
look() {
    local file=$1 how=$2 pattern=$3 op variant mode calls status reason name
    declare -A seen=()
    while IFS=$'\t' read -r op variant mode calls status reason; do
        name=$op/$variant
        seen[$name]=1
        case ${caught[$name]:-unknown}/$status/$calls/$mode in
        open/ok/*) still_open[$name]=1 ;;
        open/failed/*) ;;
        never/ok/* | contained/* | batched/ok/alone/* | queued/ok/*/e2e*) ;;
        never/*) fail "$how: $name is honest, but $status ($mode): $reason" ;;
        */failed/*)
            grep -qE "^not run: the rung ended its process|${expected[$name]:-}" <<<"$reason" ||
                fail "$how: $name failed ($mode) as '$reason', expected '${expected[$name]:-}'"
            ;;
        *) fail "$how: $name cheats, but is $status ($mode)" ;;
        esac
    done < <(rows "$file")
    ! grep -q cpu_scalar out "$file" || fail "$how: the results have what a rung has printed"
    for name in "${names[@]}"; do
        [[ -v seen[$name] || ! ${caught[$name]} =~ ^($pattern)$ ]] || fail "$how: $name has no row"
    done
}

# The columns by name, and whether each sample was one call; a reason may have commas, and comes last.
rows() { # FILE
    python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    calls = "alone" if row["samples"] == row["iterations"] else "batched"
    print(row["op"], row["variant"], row["mode"], calls, row["status"], row["reason"], sep="\t")' "$1"
}

# Each row of the rung that hands over, and no other, says whose kernel it ran: that of its own backend.
look_for_hand_overs() { # FILE
    local found
    found=$(python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    hands_over = row["variant"].endswith("_honest_hand_over")
    if row["runs_as"] != (row["backend"] + "_tiled" if hands_over else ""):
        print(row["name"], "says", repr(row["runs_as"]))' "$1")
    [[ -z $found ]] || fail "$1: whose kernel it ran: $found"
}

# A line per row, with its reason in quotes.
write_table() { # FILE...
    python3 -c '
import csv, sys
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(("row", "status", "reason"))
for file in sys.argv[1:]:
    for row in csv.DictReader(open(file, newline="")):
        out.writerow(row[name] for name in ("name", "status", "reason"))' "$@"
}

# Sizes at which a rung takes long enough for its times to be told apart.
sizes=(--suite=none --shape=40x300x28 --image-size=33x65)
[[ $backends != ' cuda ' ]] || sizes=(--suite=none --shape=4000x784x100 --shape=4096x1024x4096)
flags=(--progress=off --threads=$(($(nproc) > 1 ? 2 : 1)))
# Those that hang are waited for beside the others.
RUNGBENCH_CHEATS_ROW_S=5 "$rungbench" --verify --suite=smoke "${flags[@]}" --filter="$(filter hung)" --out=hung.csv >hung.out 2>&1 &
run 1 --verify --suite=smoke "${flags[@]}" --filter="$(filter 'verified|checked|contained|never')" --out=verified.csv
look verified.csv --verify 'verified|checked|contained|never'
look_for_hand_overs verified.csv
# What --verify rejects is rejected in the same way before it is timed: that is tried with --all, and on a GPU.
timed='timed|batched|queued|contained|never|open'
[[ ${RUNGBENCH_TEST_ALL-} != 1 && $backends != ' cuda ' ]] || timed+='|verified'
run 1 "${sizes[@]}" --min-time=0.005 "${flags[@]}" --filter="$(filter "$timed")" --out=timed.csv
look timed.csv timed "$timed"
look_for_hand_overs timed.csv
for name in "${names[@]}"; do
    [[ ${caught[$name]} != open || -v still_open[$name] ]] || fail "timed: $name is caught: it is open no longer"
done
wait
[[ $(count hung) -eq 0 ]] || look hung.csv --verify hung
if [[ ${RUNGBENCH_CHEATS_TABLE:-} ]]; then
    write_table verified.csv timed.csv >"$RUNGBENCH_CHEATS_TABLE"
fi

end_test
echo "$(count 'verified|checked|timed|batched|queued|hung') cheats rejected, $(count contained) contained, $(count never) honest rungs accepted; $(count open) cheats are left uncaught"

#!/usr/bin/env bash
# Usage: scripts/gate.sh [flags of rungbench-gate] BASE_REF [HEAD_REF] [-- flags of rungbench]
# Says whether a revision is slower than another: builds both (HEAD_REF: HEAD) in worktrees of their own, which are gone
# afterwards, and lets them take turns on this machine. Of rungbench-gate's flags it takes --cpu-only, --threshold=PERCENT,
# --markdown=FILE, --junit=FILE, --json=FILE, --csv=FILE and --keep=DIR; docs/gate.md says more. The exit status is
# rungbench-gate's: 0 cleared, 1 slower, 2 bad input, 3 inconclusive, 77 all skipped.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
help_if_asked "$@"

usage='gate.sh [flags of rungbench-gate] BASE_REF [HEAD_REF] [-- flags of rungbench]'
flags=()
refs=()
switches=(-DCMAKE_BUILD_TYPE=Release)
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --sitting | --selftest | --rates) die "$1: gate.sh compares two revisions; expected it with rungbench-gate" ;;
    --cpu-only)
        flags+=("$1")
        switches+=(-DRUNGBENCH_CUDA=OFF)
        ;;
    -*) flags+=("$1") ;;
    *) refs+=("$1") ;;
    esac
    shift
done
[[ ${#refs[@]} -ge 1 && ${#refs[@]} -le 2 ]] || die "${#refs[@]} revisions; expected one or two: $usage"
head_ref=${refs[1]-HEAD}

revision_of() { # REF: its commit
    local hint=
    if [[ $(git -C "$root" rev-parse --is-shallow-repository 2>/dev/null) == true ]]; then
        hint=' (this clone is shallow: fetch the whole history)'
    fi
    git -C "$root" rev-parse --verify --quiet "$1^{commit}" || die "$1: no such revision$hint"
}
"$root/scripts/setup.sh" gate
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 ||
    die "$root: git knows no repository there: $(git -C "$root" rev-parse --git-dir 2>&1 | head -n 1)"
base=$(revision_of "${refs[0]}")
head=$(revision_of "$head_ref")
if [[ $head_ref == HEAD ]] && ! git -C "$root" diff --quiet HEAD --; then
    say 'what is compared is HEAD, without the changes that are not committed'
fi

# Each step in a process group of its own, so that all of it can be ended.
set -m
place=
child=
signal=
# shellcheck disable=SC2317  # a trap calls it
clean_up() {
    local side
    trap '' INT TERM HUP
    [[ -n $place ]] || return 0
    for side in base head; do
        if [[ -d $place/$side ]]; then
            git -C "$root" worktree remove --force "$place/$side" >/dev/null 2>&1 || true
        fi
    done
    rm -rf "$place"
    git -C "$root" worktree prune >/dev/null 2>&1 || true
}
trap clean_up EXIT
# shellcheck disable=SC2317  # a trap calls it
hear() { # SIGNAL
    signal=$1
    [[ -z $child ]] || kill -s "$1" -- "-$child" 2>/dev/null || true
}
trap 'hear INT' INT
trap 'hear TERM' TERM
trap 'hear HUP' HUP

leave_if_told() {
    case $signal in
    INT) exit 130 ;;
    TERM) exit 143 ;;
    HUP) exit 129 ;;
    esac
}

# run COMMAND...: waits for it through signals; its exit status
run() {
    local status=0
    leave_if_told
    "$@" &
    child=$!
    wait "$child" || status=$?
    while kill -0 "$child" 2>/dev/null; do
        status=0
        wait "$child" || status=$?
    done
    child=
    leave_if_told
    return "$status"
}

# build_side SIDE REF COMMIT
build_side() {
    local folder=$place/$1 log=$place/$1.log
    say "building $2 ($(git -C "$root" rev-parse --short "$3"))"
    if ! run git -C "$root" worktree add --detach --force --quiet "$folder" "$3" >"$log" 2>&1 </dev/null; then
        die "$2: no worktree can be made of it: $(tail -n 1 "$log")"
    fi
    if ! run configure "$folder" "$folder/build" "${switches[@]}" >"$log" 2>&1 ||
        ! run cmake --build "$folder/build" --parallel "$jobs" --target rungbench >"$log" 2>&1 </dev/null; then
        die "$2 does not build: $(grep -m 1 -iE 'error' "$log" || tail -n 1 "$log")"
    fi
}

place=$(mktemp -d 2>/dev/null) || die "${TMPDIR:-/tmp}: no temporary folder can be made there"
run "$root/scripts/setup.sh" build
run set_up build-gate -DRUNGBENCH_CUDA=OFF
run compile build-gate rungbench-gate
gate=$root/build-gate/rungbench-gate
run "$gate" "${flags[@]}" --help >/dev/null # which looks at the flags first
build_side base "${refs[0]}" "$base"
if [[ $head == "$base" ]]; then
    say "$head_ref is the same commit as ${refs[0]}: whatever differs is chance"
    new=$place/base/build/rungbench
else
    build_side head "$head_ref" "$head"
    new=$place/head/build/rungbench
fi

# The program sets this itself; revisions from before it did are to be measured on the same terms.
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}
status=0
run "$gate" "${flags[@]}" --sitting "$place/base/build/rungbench" "$new" "$@" || status=$?
exit "$status"

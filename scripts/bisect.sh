#!/usr/bin/env bash
# Usage: scripts/bisect.sh GOOD BAD [flags of gate.sh] [-- flags of rungbench]
# Finds the first commit after GOOD, up to BAD, that is slower than GOOD: git bisect, with scripts/gate.sh between GOOD and each
# commit that git picks. It first makes sure that BAD is slower. Commits that do not build, or of which the gate is not sure, are
# skipped. Your checkout, and a bisection of your own in it, stay as they are. Exit status: 0 found; 2 bad input; 3 not found:
# BAD is not slower, or all that is left was skipped; 130, 143 interrupted.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -ge 2 && $1 != -* && $2 != -* ]] || die "expected two revisions first: bisect.sh GOOD BAD [flags of gate.sh] [-- flags of rungbench]"
run "$root/scripts/setup.sh" gate
good=$(git -C "$root" rev-parse --verify --quiet "$1^{commit}") || die "$1: no such revision"
bad=$(git -C "$root" rev-parse --verify --quiet "$2^{commit}") || die "$2: no such revision"
git -C "$root" merge-base --is-ancestor "$good" "$bad" || die "$1 is no ancestor of $2; expected GOOD first, then BAD"
[[ $good != "$bad" ]] || die "$1 and $2 are the same commit"
flags=("${@:3}")

say "is $2 slower than $1?"
status=0
run "$root/scripts/gate.sh" "$good" "$bad" "${flags[@]}" || status=$?
case $status in
1) ;;
2) exit 2 ;;
0 | 3 | 77)
    say "$2 was not found to be slower than $1 (the gate's exit status is $status), so there is nothing to look for"
    exit 3
    ;;
*) exit "$status" ;;
esac

# The state of a bisection belongs to a worktree: here to one without files.
make_place
run git -C "$root" worktree add --no-checkout --detach --force --quiet "$place/tree" "$bad" </dev/null ||
    die "no worktree can be made in $place"
run git -C "$place/tree" bisect start --no-checkout "$bad" "$good" </dev/null >&2 || die 'git bisect cannot begin'
# shellcheck disable=SC2016  # the inner shell's
step='commit=$(git rev-parse BISECT_HEAD) || exit 255
unset GIT_DIR GIT_WORK_TREE
status=0
"$0" "$1" "$commit" "${@:2}" || status=$?
case $status in 2 | 3 | 77) exit 125 ;; esac
exit "$status"'
status=0
if [[ $(git -C "$root" rev-list --count "$good..$bad") -gt 1 ]]; then
    run git -C "$place/tree" bisect run bash -c "$step" "$root/scripts/gate.sh" "$good" "${flags[@]}" </dev/null || status=$?
    case $status in
    0) ;;
    2)
        say 'not found: the gate decides none of the commits that are left'
        exit 3
        ;;
    *) die "git bisect ended with status $status" ;;
    esac
fi
say "the first commit that does not pass against $1: $(git -C "$place/tree" log -1 --format='%h %s' refs/bisect/bad)"

#!/usr/bin/env bash
# scripts/bisect.sh on a repository whose gate is a script: each commit says what the gate's exit status is.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/repository.sh"
cat >scripts/gate.sh <<'END'
#!/bin/sh
cd "$(dirname "$0")/.."
echo "$(git log -1 --format=%s "$1") $(git log -1 --format=%s "$2") $3" >>../calls
verdict=$(git show "$2:verdict" | head -n 1)
if [ "$verdict" = hang ]; then
    exec 9>../held
    echo >&9
    exec sleep 120
fi
exit "$verdict"
END
chmod +x scripts/*.sh
# history BRANCH STATUS...: commits BRANCH.1, BRANCH.2 ... of which the gate says so
history() {
    local branch=$1 n=0 verdict
    git checkout -q --orphan "$branch"
    for verdict in "${@:2}"; do
        n=$((n + 1))
        printf '%s\n' "$verdict" "$branch.$n" >verdict
        git add -A
        git commit -qm "$branch.$n"
        git tag "$branch.$n"
    done
}
history found 0 2 0 1 3 1 77 1
history lost 0 0 3 1 1
history fast 0 0 0 3
history next 0 1
history stuck 0 hang hang 1
git checkout -q found

# expect STATUS WHAT ARGUMENT...
expect() {
    local status=0 before
    rm -f "$here/calls"
    before=$(git rev-parse HEAD; git bisect log 2>&1; git for-each-ref)
    scripts/bisect.sh "${@:3}" >"$here/out" 2>"$here/err" </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status instead of $1: $(tail -n 5 "$here/err")"
    clean "$2"
    [[ $(git rev-parse HEAD; git bisect log 2>&1; git for-each-ref) == "$before" ]] ||
        fail "$2: the checkout or a bisection in it has changed: $before"
}

says() { # WHAT PATTERN: the last line of stderr
    tail -n 1 "$here/err" | grep -qE -- "$2" || fail "$1: the last line does not match $2: $(tail -n 5 "$here/err")"
}

expect 0 'a slower commit' found.1 found.8 --cpu-only
says 'a slower commit' "^bisect.sh: the first commit that does not pass against found.1: $(git rev-parse --short found.4) found.4\$"
[[ $(head -n 1 "$here/calls") == 'found.1 found.8 --cpu-only' ]] || fail "BAD is not compared first: $(cat "$here/calls")"
grep -q '^found.1 found.4 --cpu-only$' "$here/calls" || fail "commits are not compared with GOOD: $(cat "$here/calls")"
git bisect start found.8 found.1 >"$here/out" 2>&1
expect 0 'a bisection of the user' found.1 found.8
git bisect reset >/dev/null 2>&1
expect 0 'the next commit' next.1 next.2
says 'the next commit' 'next.2$'
[[ $(wc -l <"$here/calls") -eq 1 ]] || fail "the next commit is compared more than once: $(cat "$here/calls")"
expect 3 'only undecided commits are left' lost.1 lost.5
says 'only undecided commits are left' 'not found: the gate decides none of the commits that are left'
expect 3 'a BAD that is not slower' fast.1 fast.3
says 'a BAD that is not slower' "fast.3 was not found to be slower than fast.1 .the gate's exit status is 0."
expect 3 'a BAD that is undecided' fast.1 fast.4
expect 2 'a BAD that does not build' found.1 found.2
for arguments in '' found.1 'found.8 found.1' 'found.1 nowhere' 'nowhere found.1' 'found.1 found.1' 'found.1 --cpu-only' 'fast.1 found.8'; do
    # shellcheck disable=SC2086  # several words
    expect 2 "bad arguments: $arguments" $arguments
    [[ ! -e $here/calls ]] || fail "$arguments: the gate was called"
done

# Interrupted: nothing stays.
mkfifo "$here/held"
for signal in 'INT 130' 'TERM 143' 'HUP 129'; do
    read -r signal wanted <<<"$signal"
    interrupted "$signal" "$wanted" bisecting scripts/bisect.sh stuck.1 stuck.4
    clean "$signal"
done
end_test

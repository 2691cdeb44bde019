#!/usr/bin/env bash
# scripts/gate.sh on a repository whose program is a script: what it builds and compares, its exit statuses, and that nothing
# is left behind, however it ends.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/repository.sh"
gate=$(dirname "$1")/rungbench-gate
source=$2

# Its programs are the file `program` as it is committed, and the true gate.
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(fake NONE)
add_custom_command(OUTPUT made COMMAND \${CMAKE_COMMAND} -E copy \${PROJECT_SOURCE_DIR}/program made DEPENDS program)
add_custom_target(rungbench ALL COMMAND \${CMAKE_COMMAND} -E copy made \${PROJECT_BINARY_DIR}/rungbench DEPENDS made)
add_custom_target(rungbench-gate ALL COMMAND \${CMAKE_COMMAND} -E copy "$gate" \${PROJECT_BINARY_DIR}/rungbench-gate)
END
printf '/build-gate/\n' >.gitignore
# commit TAG [VARIABLE=VALUE...]
commit() {
    printf '#!/bin/sh\nNAME=%s %s\n. "%s/tests/gate/fake_rungbench.sh"\n' "$1" "${*:2}" "$source" >program
    chmod +x program
    git add -A
    git commit -qm "$1"
    git tag "$1"
}
# The files of three rungs: matmul/x, whose rows the program has, one that shares its code, and one that does not.
mkdir -p bench/table cpu/matmul kernels/matmul
printf '%s\n' 'RUNG(matmul, x, cpu, host, "a")' 'RUNG(matmul, cpu_y, cpu, host, "b")' 'KERNEL(matmul, z, "c")' >bench/table/rungs.def
echo '#include "shared.h"' >cpu/matmul/x.c
echo '#include "cpu/matmul/shared.h"' >cpu/matmul/y.c
: >cpu/matmul/shared.h
: >cpu/matmul/shared.c
: >kernels/matmul/z.cu
commit base SEED=1
echo '/* */' >cpu/matmul/shared.c
commit slower SEED=2 FACTOR=1.05
commit hanging SEED=2 TROUBLE=hang TROUBLE_ROUND=1 "HELD=$here/held"
sed -i 's/project(fake NONE)/project(fake NONE)\nmessage(FATAL_ERROR "no such luck")/' CMakeLists.txt
commit broken SEED=2
git checkout -q base -- CMakeLists.txt
# builds_with NAME TARGET SCRIPT: a commit in which that makes the target
builds_with() {
    sed -i "s/($2 ALL COMMAND.*/($2 ALL COMMAND sh \${PROJECT_SOURCE_DIR}\/compiler)/" CMakeLists.txt
    echo "$3" >compiler
    commit "$1" SEED=2
    rm compiler
    git checkout -q base -- CMakeLists.txt
}
builds_with building rungbench "exec 9>'$here/held'; echo >&9; exec sleep 120"
# shellcheck disable=SC2016  # the script's own
builds_with uncompilable rungbench 'echo "Building C object error.c.o"
echo "   12 |     puts(\"error: this is a warning of a line of the source\");" >&2
echo "$(dirname "$0")/error.c:5:1: error: unknown type name '"'flaot'"'" >&2
echo "other.c:6:1: error: a later one" >&2
exit 1'
builds_with gateless rungbench-gate 'echo "gate.c:1:2: error: no gate" >&2; exit 1'
commit same SEED=3

# expect STATUS WHAT ARGUMENT...
expect() {
    gives "$1" "$2" scripts/gate.sh "${@:3}"
    clean "$2"
}

gives() { # STATUS WHAT COMMAND...
    local status=0
    "${@:3}" >"$here/out" 2>"$here/err" </dev/null || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status instead of $1: $(tail -n 5 "$here/err")"
}

says() { # WHAT PATTERN FILE
    grep -qE -- "$2" "$here/$3" || fail "$1: no line of $3 matches $2: $(cat "$here/$3")"
}

# ends STATUS FILE PATTERN ARGUMENT...: so, and a line of the file matches
ends() {
    expect "$1" "${*:4}" "${@:4}"
    says "${*:4}" "$3" "$2"
}

ends 0 out '^gate passed' base
# The second side is built in the tree of the first, also where the clock has gone back since.
hook=$(git rev-parse --git-path hooks)/post-checkout
mkdir -p "${hook%/*}"
printf '#!/bin/sh\ngit ls-files -z | xargs -0 touch -d yesterday\n' >"$hook"
chmod +x "$hook"
ends 1 out '^  slower .*matmul/a.1/x/graph' --no-cache base slower
rm "$hook"
# Reports name revisions, not the folders that they were built in.
short() { git rev-parse --short "$1"; }
expect 1 'reports' --markdown="$here/r.md" --json="$here/r.json" base "$(git rev-parse slower)"
says 'reports' '^  slower .*matmul/a.1/x/graph' out
says 'reports' "^base base \\($(short base)\\)(, |\$)" out
says 'reports' "^new  $(short slower)(, |\$)" out
says 'reports' "Base: <code>base \\($(short base)\\)</code>.*; new: <code>$(short slower)</code>" r.md
# Why: no machine code is known, but commits are.
[[ $(scripts/gate/commits.sh base slower) == "matmul/x	$(short slower) slower (cpu/matmul/shared.c)
matmul/cpu_y	$(short slower) slower (cpu/matmul/shared.c)" ]] || fail "commits.sh: $(scripts/gate/commits.sh base slower)"
says 'reports' '^  Nothing that is known differs, but the machine code is not known\.$' out
says 'reports' "^  Commit $(short slower) slower \\(cpu/matmul/shared.c\\)\$" out
says 'reports' "^- Commit $(short slower) slower \\(cpu/matmul/shared.c\\)\$" r.md
says 'reports' "\"Commit $(short slower) slower \\(cpu/matmul/shared.c\\)\"" r.json
says 'reports' "\"name\": \"base \\($(short base)\\)\"" r.json
for file in out r.md r.json; do
    if grep -F "$TMPDIR" "$here/$file"; then fail "a temporary folder in $file"; fi
done
# What is intended is said by the commits, or in a file.
git checkout -q slower
git commit -q --allow-empty -m 'a trailer' -m 'Gate: accept-slower matmul/a.1/.* it is simpler
Gate: accept-missing ( a bad expression
Gate: ignore grayscale/.* not ours'
accepting=$(git rev-parse --short HEAD)
expect 0 'a loss that its commits accept' base HEAD
says 'a loss that its commits accept' "^  accepted .*matmul/a.1/x/graph \\(slower: it is simpler \\($accepting\\)\\)\$" out
says 'a loss that its commits accept' '^  cleared .*grayscale/c/yy/cold$' out
says 'a loss that its commits accept' "commit $accepting: 'Gate: accept-missing \\( a bad expression' does not count" err
says 'a loss that its commits accept' "commit $accepting: 'Gate: ignore .*' does not count: expected accept-slower or" err
git checkout -q slower
echo 'accept-slower .* it is intended' >"$here/exceptions"
expect 0 'a loss that a file accepts' --exceptions="$here/exceptions" base HEAD
echo 'allow everything' >"$here/exceptions"
expect 2 'an exception that is none' --json="$here/r.json" --exceptions="$here/exceptions" base HEAD
says 'an exception that is none' 'line 1 is no exception: expected accept-slower' err
says 'an exception that is none' 'line 1 is no exception' r.json
expect 2 'no such exceptions' --exceptions=nowhere base same
git checkout -q same
ends 0 out '^  faster ' slower base
ends 0 err 'is the same commit' same HEAD
ends 0 out '^gate passed: 2 rows' base same -- --filter=matmul
echo '# more' >>program
gives 0 'changes that are not committed' scripts/gate.sh base
says 'changes that are not committed' 'without the changes that are not committed' err
git checkout -q program

# A program is built once: the cache has it then, whole, under its commit and what else it is made of.
kept=build-gate/programs
built() { # WHAT REF... what the last run built
    local seen
    seen=$(sed -n 's/^gate.sh: building \([^ ]*\) ([0-9a-f]*)$/\1/p' "$here/err" | paste -sd ' ')
    [[ $seen == "${*:2}" ]] || fail "$1: it built '$seen' instead of '${*:2}': $(cat "$here/err")"
}
rm -rf "$kept"
expect 0 'the first run' base same
built 'the first run' base same
expect 0 'the second run' base same
built 'the second run'
says 'the second run' '^gate.sh: base .* was built before; ' err
expect 1 'another new revision' base slower
built 'another new revision' slower
CFLAGS=-O1 expect 0 'other flags of the compiler' base same
built 'other flags of the compiler' base same
expect 0 'other switches' --cpu-only base same
built 'other switches' base same
[[ $(find "$kept" -type f | wc -l) -eq 5 ]] || fail "the cache holds other than five programs: $(ls "$kept")"
expect 0 'a cache elsewhere' --cache="$here/elsewhere" base same
built 'a cache elsewhere' base same
touch -d yesterday "$here/elsewhere/"{1..6}.txt
expect 1 'a cache beside other files' --cache="$here/elsewhere" base slower
[[ $(find "$here/elsewhere" -name '*.txt' | wc -l) -eq 6 ]] || fail "the cache deletes what is not its own: $(ls "$here/elsewhere")"
program=$(find "$here/elsewhere" -name "$(git rev-parse same)-*")
mv "$program" "$program.partial.1"
printf 'half' >"$program.partial.2"
expect 0 'a program that was half copied' --cache="$here/elsewhere" base same
built 'a program that was half copied' same
printf '#!/bin/sh\nexit 2\n' >"$program"
expect 2 'the program of the cache is what runs' --cache="$here/elsewhere" base same
expect 0 'without a cache' --no-cache base same
built 'without a cache' base same
rm -rf "$kept"
: >"$kept"
ends 0 err 'cannot be written' base same
rm "$kept"
mkdir "$here/full"
printf '#!/bin/sh\ncase $* in */base) exit 1 ;; esac\nexec %q "$@"\n' "$(command -v mkdir)" >"$here/full/mkdir"
chmod +x "$here/full/mkdir"
PATH=$here/full:$PATH ends 2 err ': cannot be written$' base same

ends 2 err '^gate.sh: nowhere: no such revision$' nowhere
expect 2 'no revision' --cpu-only
expect 2 'three revisions' base same slower
expect 2 'a flag of another task' --selftest base
expect 2 'a base that does not build' broken same
says 'a base that does not build' '^gate.sh: broken does not build: CMake Error at CMakeLists.txt:3 \(message\): no such luck ' err
says 'a base that does not build' ' \(all of it is in build-gate/base-build.log\)$' err
grep -q 'no such luck' build-gate/base-build.log || fail 'the log of a base that does not build is not kept'

# A new revision that does not compile: its error, its log, and all the reports.
error="error.c:5:1: error: unknown type name 'flaot'"
export GITHUB_STEP_SUMMARY=$here/summary
expect 2 'a new revision that does not build' --keep="$here/kept" --markdown="$here/n.md" --junit="$here/n.xml" --json="$here/n.json" \
    --csv="$here/n.csv" base uncompilable
unset GITHUB_STEP_SUMMARY
says 'a new revision that does not build' "^gate.sh: uncompilable does not build: $error \(all of it is in $here/kept/new-build.log\)$" err
grep -q 'a later one' "$here/kept/new-build.log" || fail 'the log of a revision that does not build is not kept'
for report in n.md n.xml n.json n.csv summary; do
    says "the report of a revision that does not build ($report)" "uncompilable does not build: ${error% *}" "$report"
done
cmp -s "$here/n.md" "$here/summary" || fail 'the job summary of a revision that does not build is not the Markdown report'
git checkout -q gateless
expect 2 'a checkout whose gate does not build' --json="$here/none.json" base HEAD
says 'a checkout whose gate does not build' '^gate.sh: rungbench-gate of this checkout does not build: gate.c:1:2: error: no gate' err
[[ ! -e $here/none.json ]] || fail 'a report without a gate'
git checkout -q trunk
ends 2 n.json '"error": "nowhere: no such revision"' --json="$here/n.json" nowhere
ends 2 err '^rungbench-gate: unknown flag --nonsense' --nonsense base
if grep -q 'building base' "$here/err"; then fail 'an unknown flag is found after building'; fi
TMPDIR=$here/nowhere gives 2 'no place for temporary files' scripts/gate.sh base same

# A clone without history says so.
git clone -q --depth 1 "file://$PWD" "$here/shallow"
gives 2 'a shallow clone' env -C "$here/shallow" scripts/gate.sh base
says 'a shallow clone' 'no such revision .this clone is shallow' err

# Interrupted while it builds, and while it measures: nothing stays, no process either.
mkfifo "$here/held"
interrupt() { # SIGNAL STATUS WHAT ARGUMENT...: once something hangs
    interrupted "${@:1:3}" scripts/gate.sh "${@:4}"
    clean "SIG$1 while $3"
    if grep -q '^gate' "$here/out"; then fail "SIG$1 while $3: a verdict all the same"; fi
}
interrupt INT 130 building base building
interrupt TERM 143 measuring base hanging
interrupt HUP 129 measuring base hanging

[[ -z $(find "$kept" -name "$(git rev-parse building)*") ]] || fail 'an interrupted build is in the cache'
end_test

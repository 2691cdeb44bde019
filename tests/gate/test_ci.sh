#!/usr/bin/env bash
# What scripts/ci/ does in somebody's project: its steps, as GitHub and GitLab run them. Nothing is built: the gate's program lies there.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/fake_checkout.sh"
rungbench=$1
make_folder
make_checkout "$2"
mkdir "$here/project"
cd "$here/project"

# script_of KEY FILE: the lines of that block, or list, without what YAML has around them
script_of() {
    awk -v key="$1" '$1 == key ":" { at = match($0, /[^ ]/); inside = 1; next }
        inside && match($0, /[^ ]/) <= at { exit }
        inside { sub(/^ *(- )?/, ""); print }' "$2"
}

# step STATUS [NAME=VALUE...]: GitHub's, with these inputs as the action hands them on
step() {
    local expected=$1 status=0
    rm -rf gate
    script_of run "$here/checkout/scripts/ci/action.yml" >"$here/step.sh"
    env GITHUB_ACTION_PATH="$here/checkout/scripts/ci" GITHUB_STEP_SUMMARY="$here/summary" BASE= NEW= BASE_COMMAND= NEW_COMMAND= \
        FLAGS= "${@:2}" bash --noprofile --norc -e -o pipefail "$here/step.sh" >"$here/out" 2>"$here/err" || status=$?
    [[ $status -eq $expected ]] || fail "${*:2}: status $status, expected $expected: $(<"$here/err")"
}

# Each input reaches the script under the name that it reads.
[[ $(awk '/inputs\./ { gsub("-", "_"); if (toupper($3) == "INPUTS." substr($1, 1, length($1) - 1)) found++ } END { print found }' \
    "$here/checkout/scripts/ci/action.yml") -eq 5 ]] || fail 'action.yml: an input has another name in env'

program rungbench-gate <<'END'
printf '%s\n' "$@" >"$HERE/asked"
exit "${GATE_STATUS-0}"
END
reports=(--junit=gate/junit.xml --json=gate/gate.json --markdown=gate/gate.md)
# shellcheck disable=SC2016  # the gate's shell expands it
step 0 BASE_COMMAND="./b 'x y'" NEW_COMMAND='./n "$HOME"' FLAGS=$'--strict\n\n--threshold=3 '
# shellcheck disable=SC2016
[[ $(<"$here/asked") == "$(printf '%s\n' "${reports[@]}" --strict '--threshold=3 ' "--base=./b 'x y'" '--new=./n "$HOME"')" ]] ||
    fail "commands: the gate was asked for: $(<"$here/asked")"
step 0 BASE='a b.json' NEW=c.json
[[ $(<"$here/asked") == "$(printf '%s\n' "${reports[@]}" 'a b.json' c.json)" ]] || fail "files: the gate was asked for: $(<"$here/asked")"
for status in 1 2 130; do step "$status" BASE=a NEW=b GATE_STATUS="$status"; done
for status in 3 77; do
    step 0 BASE=a NEW=b GATE_STATUS="$status"
    grep -q '^::warning title=gate::' "$here/out" || fail "status $status is no warning"
done
rm -rf "$here/asked" gate
: >gate
status=0
BASE=a NEW=b "$here/checkout/scripts/ci/run.sh" >"$here/out" 2>"$here/err" || status=$?
[[ $status -eq 2 && $(tail -n 1 "$here/err") == 'run.sh: gate: cannot be written to'* ]] || fail "no folder: status $status: $(<"$here/err")"
for inputs in BASE=a NEW=b BASE_COMMAND=a 'BASE=a NEW=b NEW_COMMAND=c' 'BASE=a NEW_COMMAND=c' 'BASE=a BASE_COMMAND=b NEW_COMMAND=c' ''; do
    # shellcheck disable=SC2086  # several
    step 2 $inputs
    [[ $(wc -l <"$here/err") -eq 1 && ! -e $here/asked ]] || fail "$inputs: $(<"$here/err")"
done

# The gate itself, on files.
program rungbench-gate <<END
exec '${rungbench%/*}/rungbench-gate' "\$@"
END
"$rungbench" --suite=none --size=dot:n=5 --filter=/cpu_scalar/hot --min-time=0.001 --rounds=6 --out=base.csv >/dev/null 2>&1
awk -F, -v OFS=, 'NR == 2 { $10 = "failed"; $11 = "wrong"; for (i = 23; i <= 34; i++) $i = "" } 1' base.csv >new.csv
step 1 BASE=base.csv NEW=new.csv FLAGS=--cpu-only
for report in junit.xml gate.json gate.md; do [[ -s gate/$report ]] || fail "there is no gate/$report"; done
grep -q 'dot/5/cpu_scalar/hot' "$here/summary" || fail 'nothing was added to the summary of the job'

# GitLab: the checkout is fetched by its commit, and the status is the gate's.
git -C "$here/checkout" init -q
git -C "$here/checkout" add -A
git -C "$here/checkout" -c user.name=a -c user.email=a commit -qm a
git -C "$here/checkout" config uploadpack.allowAnySHA1InWant true
for key in before_script script; do script_of "$key" "$2/scripts/ci/gitlab.yml"; done >"$here/job.sh"
status=0
env RUNGBENCH="$here/checkout" RUNGBENCH_COMMIT="$(git -C "$here/checkout" rev-parse HEAD)" BASE=base.csv NEW=new.csv FLAGS=--cpu-only \
    bash -eo pipefail "$here/job.sh" >"$here/out" 2>&1 || status=$?
[[ $status -eq 1 && -s gate/junit.xml ]] || fail "GitLab: status $status, expected 1: $(<"$here/out")"
end_test

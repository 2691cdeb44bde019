#!/usr/bin/env bash
# The workflows here and in docs/examples/ci/ are safe to copy: actions are pinned by commit, tokens only read and do not
# stay in the checkout, and no script is put together from what a pull request says.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
make_folder
cp "$2"/.github/workflows/*.yml "$2"/docs/examples/ci/github-*.yml "$here"

for workflow in "$here"/*.yml; do
    name=${workflow##*/}
    grep -q 'uses: actions/checkout@' "$workflow" || fail "$name: no checkout: is it a workflow?"
    while read -r line; do
        [[ $line =~ uses:\ [a-z-]+/[a-z-]+@[0-9a-f]{40}\ \#\ v[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
            fail "$name: '$line' is not pinned by commit, with the version behind it"
    done < <(grep 'uses:' "$workflow")
    unsafe=$(awk '/uses:/ { if (open) bad++; open = /actions\/checkout@/ } /persist-credentials: false/ { open = 0 }
        END { print bad + open }' "$workflow")
    [[ $unsafe -eq 0 ]] || fail "$name: $unsafe checkouts leave the token behind"
    [[ $(grep -A 1 '^permissions:' "$workflow" | tail -n 1) == '  contents: read' ]] || fail "$name: no permissions, or too many"
    [[ $(grep -c 'permissions:\|: write' "$workflow") -eq 1 ]] || fail "$name: a job has permissions of its own"
    ! grep -q pull_request_target "$workflow" || fail "$name: pull_request_target runs code of forks with secrets"
    if awk '/run:/ { at = match($0, /[^ ]/); script = 1; if (/\$\{\{/) bad = 1; next }
        match($0, /[^ ]/) <= at && NF { script = 0 } script && /\$\{\{/ { bad = 1 } END { exit !bad }' "$workflow"; then
        fail "$name: an expression in a script; expected an environment variable"
    fi
done
end_test

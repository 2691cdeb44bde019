# For tests of scripts that compare revisions; they source it with their own arguments. They go to a repository with blanks in its
# path, whose scripts/setup.sh does nothing.
# shellcheck shell=bash

source "$2/tests/gate/held.sh"
command -v git >/dev/null || skip 'git is not on the PATH'
make_folder
export TMPDIR="${here:?}/temporary folder" GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a \
    GIT_COMMITTER_EMAIL=a@b
unset GITHUB_STEP_SUMMARY
mkdir -p "$TMPDIR" "$here/a repository/scripts"
cd "$here/a repository" || exit
cp -r "$2"/scripts/{gate.sh,bisect.sh,gate,common.sh,common} scripts/
printf '#!/bin/sh\n' >scripts/setup.sh
chmod +x scripts/setup.sh
git init -q -b trunk

clean() { # WHAT: nothing is left of it
    [[ $(git worktree list | wc -l) -eq 1 ]] || fail "$1: worktrees are left: $(git worktree list)"
    [[ -z $(ls -A "$TMPDIR") ]] || fail "$1: left in the temporary folder: $(ls -A "$TMPDIR")"
    [[ -z $(git status --short) ]] || fail "$1: the checkout has changed: $(git status --short)"
}

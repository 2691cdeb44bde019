#!/usr/bin/env bash
# What the build says of its git revision, and that it says why where there is none. GIT_TEST_ASSUME_DIFFERENT_OWNER makes git
# take a clone for another user's.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
command -v git >/dev/null || skip 'git is not on the PATH'
script=$2/scripts/cmake/GitRevision.cmake
enter_folder
export GIT_CONFIG_GLOBAL=/dev/null GIT_CEILING_DIRECTORIES=$here GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a \
    GIT_COMMITTER_EMAIL=a@b
mkdir clone folder no-tools
cd clone
git init -q
echo one >file
git add file
git commit -qm one
commit=$(git rev-parse --short=12 HEAD)
cd ..

# expect WHAT FOLDER REVISION MESSAGE [SETTING...]: what the header holds, and the one line that is said, or none
expect() {
    local said
    said=$(env "${@:5}" "$(command -v cmake)" -DSOURCE_DIR="$2" -DHEADER="$here/revision.h" -P "$script" 2>&1) ||
        fail "$1: it fails: $said"
    [[ $(<revision.h) == "#define RUNGBENCH_GIT_REVISION \"$3\"" ]] || fail "$1: $(<revision.h)"
    [[ $said == "$4" ]] || fail "$1: it says '$said' instead of '$4'"
}

unknown='-- Left out: the git revision, which is unknown'
expect 'a commit' "$here/clone" "$commit" ''
echo two >clone/file
expect 'a changed file' "$here/clone" "$commit-dirty" ''
expect 'no repository' "$here/folder" unknown \
    "$unknown (git: not a git repository (or any of the parent directories): .git)"
expect "another user's clone" "$here/clone" unknown \
    "$unknown (git: detected dubious ownership in repository at '$here/clone')" GIT_TEST_ASSUME_DIFFERENT_OWNER=1
expect 'no git' "$here/clone" unknown "$unknown (git was not found)" PATH="$here/no-tools"

end_test

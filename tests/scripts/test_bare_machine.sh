#!/usr/bin/env bash
# The README's commands on a machine that has nothing: a minimal Debian 12, and in it a clone of what is committed. Where one
# develops, what the scripts forget to install is there already; here it is missing.
# Usage: test_bare_machine.sh RUNGBENCH SOURCE_DIR [REVISION]; exit status 77 without root, debootstrap, memory or a mirror, and
# unless all tests are asked for.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bare_machine.sh"
at_length || [[ $# -gt 2 ]] || skip 'a bare machine takes minutes (scripts/test.sh --all)'
commit=$(git -C "$2" rev-parse --verify "${3-HEAD}^{commit}" 2>&1) || skip "no commit for a bare machine: $commit"
be_apart 6000 "$@"
bare=/media/bare where=rungbench
# What is built there is tried for a moment, so it is not optimised: that takes longer than it saves.
with=(CMAKE_BUILD_TYPE=None)
make_bare bookworm $bare
start $bare
printf 'path-exclude=/usr/share/%s/*\n' doc man info locale >$bare/etc/dpkg/dpkg.cfg.d/lean
clone "$2" "$commit" $bare

# Other rungs need no other packages.
works scripts/bench.sh --suite=smoke --filter='^(matmul|grayscale)/.*/(cpu_|openblas)' --min-time=0.01
said 'without git' 'Left out: the git revision, which is unknown .git was not found'
inside build/rungbench --version || true
said 'without git' '^rungbench [0-9.]+ unknown$'
works scripts/gate.sh --cpu-only HEAD HEAD --threshold=1000 -- --filter=grayscale/thumb/cpu_tuned/hot
works scripts/test.sh -R '^test_(statistics|error)$'
said 'the tests' '^[1-9][0-9]* passed, 0 failed'

end_test

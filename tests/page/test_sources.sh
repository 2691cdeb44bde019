#!/usr/bin/env bash
# Tests that the page links to a rung's source only where it is known to be: test_sources.sh RUNGBENCH ROOT (of the checkout)
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"

python3 -c 'import jinja2' 2>/dev/null || skip 'no Python with Jinja (Debian: python3-jinja2)'
root=$(cd "$2" && pwd)
enter_folder
export HOME=$here GIT_CONFIG_NOSYSTEM=1
git -c init.defaultBranch=main init -q .
commit() {
    git add .
    git -c user.name=a -c user.email=b commit -q -m "$1"
    git rev-parse HEAD
}
mkdir kernels
echo 1 >kernels/one.cu
pushed=$(commit one)
git update-ref refs/remotes/origin/main "$pushed"
echo 2 >kernels/two.cu
own=$(commit two)

# links REMOTE REVISION PATH ADDRESS: what the page links to; nothing if ADDRESS is empty
links() {
    git config remote.origin.url "$1"
    python3 -B -c 'import sys
sys.path.insert(0, sys.argv[1])
from page import sources
print(*sources.links(".", [{"git_rev": sys.argv[2], "source": sys.argv[3]}]).values())' "$root/scripts/plot" "$2" "$3" >out 2>&1 || true
    [[ $(<out) == "$4" ]] || fail "$1, $2, $3: links to '$(<out)'; expected '$4'"
}
there=https://github.com/a/b.c/blob/$pushed/kernels/one.cu
for remote in https://github.com/a/b.c.git https://github.com/a/b.c/ https://user:secret@github.com/a/b.c git@github.com:a/b.c.git \
    ssh://git@github.com/a/b.c.git; do
    links "$remote" "$pushed" kernels/one.cu "$there"
done
links https://gitlab.com/a/b/c.git "$pushed" kernels/one.cu "https://gitlab.com/a/b/c/-/blob/$pushed/kernels/one.cu"
links git@codeberg.org:a/b.git "${pushed:0:12}" kernels/one.cu "https://codeberg.org/a/b/src/commit/${pushed:0:12}/kernels/one.cu"
for remote in /a/folder https://example.org/a/b https://github.com.example.org/a/b https://example.org/github.com/a/b \
    'https://github.com/a/b" onclick="x' javascript://github.com/a/b; do
    links "$remote" "$pushed" kernels/one.cu ''
done
links "$there" "$own" kernels/two.cu ''         # not pushed
links https://github.com/a/b "$pushed" kernels/two.cu '' # not there yet
links https://github.com/a/b "$pushed-dirty" kernels/one.cu ''
links https://github.com/a/b "$pushed^0" kernels/one.cu ''
links https://github.com/a/b unknown kernels/one.cu ''
links https://github.com/a/b 0123456789ab kernels/one.cu ''

end_test

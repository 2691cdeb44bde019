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

PYTHONPATH=$root/scripts/plot python3 -B - "$pushed" "$own" <<'END' || fail 'other links'
import subprocess
import sys

from page import sources

pushed, own = sys.argv[1:]
there = f"https://github.com/a/b.c/blob/{pushed}/kernels/one.cu"
wrong = []


def links(remote, address, revision=pushed, path="kernels/one.cu"):
    subprocess.run(["git", "config", "remote.origin.url", remote], check=True)
    found = [*sources.links(".", [{"git_rev": revision, "source": path}]).values()]
    if found != [address] * bool(address):
        wrong.append(f"{remote}, {revision}, {path}: links to {found}; expected '{address}'")


for remote in ("https://github.com/a/b.c.git", "https://github.com/a/b.c/", "https://user:secret@github.com/a/b.c", "git@github.com:a/b.c.git",
               "ssh://git@github.com/a/b.c.git"):
    links(remote, there)
links("https://gitlab.com/a/b/c.git", f"https://gitlab.com/a/b/c/-/blob/{pushed}/kernels/one.cu")
links("git@codeberg.org:a/b.git", f"https://codeberg.org/a/b/src/commit/{pushed[:12]}/kernels/one.cu", pushed[:12])
for remote in ("/a/folder", "https://example.org/a/b", "https://github.com.example.org/a/b", "https://example.org/github.com/a/b",
               'https://github.com/a/b" onclick="x', "javascript://github.com/a/b"):
    links(remote, "")
for revision, path in (own, "kernels/two.cu"), (pushed, "kernels/two.cu"):  # not pushed; not there yet
    links("https://github.com/a/b", "", revision, path)
for revision in f"{pushed}-dirty", f"{pushed}^0", "unknown", "0123456789ab":
    links("https://github.com/a/b", "", revision)
sys.exit("\n".join(wrong) or 0)
END
end_test

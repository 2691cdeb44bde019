#!/usr/bin/env bash
# What the documents point at is there: the target of every relative link, its heading, every path of the repository in backquotes
# or in a command.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
cd "$2"

# outside_code, within_code FILE: its lines outside of ``` ... ```, or within
outside_code() { awk '/^ *```/ { code = !code; next } !code' "$1"; }
within_code() { awk '/^ *```/ { code = !code; next } code' "$1"; }

# headings FILE: what a link may name behind its #, as GitHub makes it
headings() {
    outside_code "$1" | sed -n 's/^##* //p' | tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

# Of Markdown, and of the <picture> of a chart.
links() { # FILE
    outside_code "$1" | grep -oE '\]\([^) ]+|(src|srcset)="[^"]+' | sed -E 's/^(]\(|(src|srcset)=")//' |
        grep -vE '^[a-z]+:' || true
}

# Words that name a file or a folder here; those with <op> or * in them name several, what is ignored by git comes and goes, and
# what a recipe makes is not there yet.
# shellcheck disable=SC2016  # backquotes of Markdown
paths() { # FILE
    {
        outside_code "$1" | grep -v '^ *New file ' | grep -oE '`[^`]+`' | tr -d '`'
        within_code "$1" | tr -s ' ' '\n' | grep -E '^(scripts|tests)/.*\.(sh|py)$'
    } | grep -E '^(bench|cpu|kernels|scripts|tests|docs|results|\.ci|\.github)/[A-Za-z0-9_./-]*$' | grep -v '^results/local/' || true
}

count=0
while read -r file; do
    while read -r link; do
        count=$((count + 1))
        target=${link%%#*}
        target=${target:+$(dirname "$file")/$target}
        target=${target:-$file}
        [[ -e $target ]] || { fail "$file links to $link, which is not there"; continue; }
        [[ $link != *'#'* ]] || headings "$target" | grep -qxF -- "${link#*#}" || fail "$file links to $link: $target has no such heading"
    done < <(links "$file")
    while read -r path; do
        count=$((count + 1))
        [[ -e $path ]] || fail "$file names $path, which is not there"
    done < <(paths "$file")
done < <(find . -name '*.md' -not -path './build*' -not -path './tests/golden/*' -not -path './results/local/*' | sed 's|^\./||' | sort)

[[ $count -ge 200 ]] || fail "only $count things to look for were found: a pattern above is off"
end_test
echo "$count links and paths are there"

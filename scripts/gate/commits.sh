#!/usr/bin/env bash
# Usage: scripts/gate/commits.sh BASE HEAD
# Prints a line for each rung and each commit after BASE, up to HEAD, that touched a file which the rung is made of: op/variant,
# a tab, and "1a2b3c4 Subject (files)". These are its own file, what that includes, and the code beside a header of kernels/ or
# cpu/, or beside a table, as they are at HEAD; and CMakeLists.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Of each kind of line the first word says which: commit, with the names of its files after it, rung, file, include.
{
    git log --format=$'\tcommit %h %s' --name-only --no-renames "$1..$2" --
    git show "$2:bench/table/rungs.def" 2>/dev/null | sed -n 's/^\(RUNG\|KERNEL\)(/\trung \1 /p' | tr -d , || true
    git ls-tree -r --name-only "$2" -- bench cpu kernels | sed 's/^/\tfile /'
    git grep -E '^#include "' "$2" -- bench cpu kernels |
        sed -E 's/^[^:]*:([^:]*):#include "([^"]*)".*/\tinclude \1 \2/' || true
} | awk '
    function reach(file,    i, names, beside) {
        if (file in reached || !(file in is_file))
            return
        reached[file] = 1
        for (i = split(includes[file], names, " "); i > 0; i--)
            reach(names[i] in is_file ? names[i] : directory(file) names[i])
        beside = file
        if ((sub(/\.h$/, "", beside) && file !~ /^bench\//) || sub(/\.def$/, "", beside)) {
            reach(beside ".c")
            reach(beside ".cu")
        }
    }
    function directory(file) {
        sub(/[^\/]*$/, "", file)
        return file
    }
    function say(name, file,    i, j, count, files, touched) {
        split("", reached)
        reach(file)
        for (i = 1; i <= commits; i++) {
            touched = ""
            count = split(changed[i], files, "\n")
            for (j = 1; j <= count; j++)
                if (files[j] in reached || files[j] == "CMakeLists.txt")
                    touched = touched (touched == "" ? "" : ", ") files[j]
            if (touched != "")
                print name "\t" commit[i] " (" touched ")"
        }
    }
    $1 == "commit" && /^\t/ { commit[++commits] = substr($0, 9); next }
    $1 == "rung" && /^\t/ { rung[++rungs] = $0; next }
    $1 == "file" && /^\t/ { is_file[$2] = 1; next }
    $1 == "include" && /^\t/ { includes[$2] = includes[$2] " " $3; next }
    NF { changed[commits] = changed[commits] $0 "\n" }
    END {
        for (r = 1; r <= rungs; r++) {
            split(rung[r], words, " ")
            op = words[3]
            if (words[2] == "KERNEL") {
                file = "kernels/" op "/" words[4] ".cu"
                say(op "/cuda_" words[4], file in is_file ? file : substr(file, 1, length(file) - 1))
                continue
            }
            folder = words[5] == "cuda" ? "kernels" : words[5]
            stem = words[4]
            sub("^" words[5] "_", "", stem)
            file = folder "/" op "/" stem ".c"
            say(op "/" words[4], file in is_file ? file : file "u")
        }
    }'

#!/usr/bin/env bash
# Ten commits of this repository, and what scripts/gate.sh --cpu-only says of each: a comment, a function elsewhere, +12 %,
# +3 %, one that does not compile, a wrong one, a rung removed, renamed and added, and a loss that its commit accepts.
# Usage: ten_commits.sh [NUMBER...]; of the committed tree, in a clone of its own. Takes up to four minutes for each.
set -euo pipefail
source_dir=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
git clone -q "$source_dir" "$here/clone"
cd "$here/clone"
git config user.name a
git config user.email a@b
base=$(git rev-parse HEAD)
rung=cpu/matmul/reordered.c
table=bench/table/rungs.def
failures=0

# more_rows OF: the rung computes one row in OF twice
more_rows() { sed -i "s|i < p->m; ++i) {|i < p->m + p->m / $1; ++i) {|; s|p->c + i \* p->n;|p->c + i % p->m * p->n;|; s|p->a\[i \* p->k|p->a[i % p->m * p->k|" "$rung"; }

change() { # NUMBER: changes the tree; sets `what`, the expected `status` and a `pattern` of what is said
    case $1 in
    1) what='a comment' status=0 pattern='^gate passed' && sed -i 's|^/\* c\[n\]|/* Another word. c[n]|' "$rung" ;;
    2) what='a function elsewhere' status=0 pattern='^gate passed'
        printf '\nint matmul_unused(int n);\nint matmul_unused(int n)\n{\n    return n * n;\n}\n' >>cpu/matmul/openblas.c
        ;;
    3) what='+12 %' status=1 pattern='^  slower .*/cpu_reordered/' && more_rows 8 ;;
    4) what='+3 %, less than the threshold' status=0 pattern='^gate passed' && more_rows 32 ;;
    5) what='it does not compile' status=2 pattern='does not build: .*error' && echo 'flaot x;' >>"$rung" ;;
    6) what='a wrong rung' status=1 pattern='^  failed .*/cpu_reordered/' && sed -i 's|c\[j\] += a \* b\[j\]|c[j] += a + b[j]|' "$rung" ;;
    7) what='a rung removed' status=1 pattern='^  missing .*/cpu_reordered/' && git rm -q "$rung" && sed -i '/matmul, cpu_reordered,/d' "$table" ;;
    8) what='a rung renamed' status=1 pattern='^  missing .*/cpu_reordered/'
        git mv "$rung" cpu/matmul/swapped.c
        sed -i 's/matmul_cpu_reordered/matmul_cpu_swapped/' cpu/matmul/swapped.c
        sed -i 's/matmul, cpu_reordered, /matmul, cpu_swapped, /' "$table"
        ;;
    9) what='a rung added' status=0 pattern='^  new .*/cpu_again/'
        sed 's/matmul_cpu_reordered/matmul_cpu_again/' "$rung" >cpu/matmul/again.c
        sed -i '/matmul, cpu_reordered,/{p;s/cpu_reordered, /cpu_again, /}' "$table"
        ;;
    10) what='a loss that its commit accepts' status=0 pattern='^  accepted .*/cpu_reordered/' && more_rows 8 ;;
    esac
}

[[ $# -gt 0 ]] || set -- 1 2 3 4 5 6 7 8 9 10
for number in "$@"; do
    git checkout -qf "$base"
    change "$number"
    git add -A
    git commit -qm "$what" -m "$([[ $number -ne 10 ]] || echo 'Gate: accept-slower .*/cpu_reordered/.* it teaches better this way')"
    seen=0 start=$SECONDS
    scripts/gate.sh --cpu-only --cache="$here/programs" "$base" HEAD -- --filter='batch64/cpu_(reordered|swapped|again)/|thumb/cpu_tuned/' \
        >"$here/out" 2>&1 </dev/null || seen=$?
    verdict=right
    [[ $seen -eq $status ]] && grep -qE -- "$pattern" "$here/out" || verdict=WRONG
    printf '%-5s %2s. %-32s exit status %s, expected %s, %4d s\n' "$verdict" "$number" "$what" "$seen" "$status" "$((SECONDS - start))"
    if [[ $verdict == WRONG ]]; then
        failures=$((failures + 1))
        tail -n 20 "$here/out" >&2
    fi
done
[[ $failures -eq 0 ]]

#!/usr/bin/env bash
# The rules of the layout that keep the harness, the rungs and the backends apart.
# Usage: test_layers.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
cd "$2"

# refuse WHAT PATTERN FILE...: no line of the files matches.
refuse() {
    local what=$1 pattern=$2 found
    shift 2
    if found=$(grep -nE "$pattern" "$@"); then
        fail "$what:"$'\n'"$found"
    fi
}

refuse 'bench/ includes a file of cpu/ or kernels/' '#include "(\.\./)?(cpu|kernels)/' bench/*.[ch] bench/gate/*.[ch]
refuse 'bench/ knows CUDA, BLAS or OpenMP' 'cuda_runtime|cublas|cblas|<omp\.h>|#pragma omp' bench/*.[ch] bench/gate/*.[ch]
names=$(sed -nE -e 's/^(BACKEND\(|RUNG\([a-z0-9_]+, *)([a-z0-9_]+),.*/\2/p' -e 's/^KERNEL\([a-z0-9_]+, *([a-z0-9_]+),.*/(cuda|sim)_\1/p' bench/table/rungs.def |
    sort -u | paste -sd '|')
refuse 'bench/ names a rung or a backend outside the table' "\"($names)\"" bench/*.[ch] bench/gate/*.[ch]
refuse 'the harness switches on an operation' 'strcmp\([^)]*"(matmul|grayscale)"' bench/*.[ch] bench/gate/*.[ch]
refuse 'a rung looks at how it is built' '^ *# *(if|ifdef|ifndef|elif)' kernels/*_cuda_*.cu

# cpu/ and kernels/ take the vocabulary and the operations' problems from bench/, and nothing else.
allowed=" rung.h backend.h $(sed -nE 's/^OP\(([a-z0-9_]+)\).*/\1.h/p' bench/table/rungs.def | tr '\n' ' ')"
for file in cpu/*.[ch] cpu/simulator/cuda/*.h kernels/*.c kernels/*.cu kernels/*.h; do
    while read -r header; do
        [[ -e $(dirname "$file")/$header || ( $file == cpu/simulator/cuda/* && -e cpu/$header ) || $allowed == *" $header "* ]] || fail "$file includes $header"
    done < <(sed -nE 's/^#include "([^"]+)".*/\1/p' "$file")
done
# What finds out what kernels take runs them on an operation's workloads: it takes those, and the table, too.
for file in kernels/resources/*.[ch]; do
    while read -r header; do
        [[ -e kernels/resources/$header || "$allowed op.h error.h rungs.def " == *" $header "* ]] || fail "$file includes $header"
    done < <(sed -nE 's/^#include "([^"]+)".*/\1/p' "$file")
done

# What is tested without a machine needs the standard library only.
for file in statistics stopping seeded matmul_check matmul_reference \
    gate/{permutation,holm,wilson,rule,csv_table,recording,identity,comparison}; do
    refuse "bench/$file.c needs more than libc and libm" '#include <(unistd|sys/|pthread|zlib|stb|fcntl|omp)' "bench/$file.c"
done

# Host code in C, device code alone in .cu.
for file in kernels/*.cu; do
    grep -q '__global__' "$file" || fail "$file has no device code, so it belongs in a .c file"
done

# No number drifts: each rung of the table has its rows, in every build, under its own name.
list=$("$rungbench" --list --suite=all)
has_rows() { # OP VARIANT
    grep -q "^$1/[^/]*/$2/" <<<"$list" || fail "$1 $2 has a line in the table but no row"
}
has_file() { # OP VARIANT
    local files=({cpu,kernels}/"$1_$2".{c,cu}) file present=0
    for file in "${files[@]}"; do
        [[ ! -e $file ]] || present=$((present + 1))
    done
    [[ $present -eq 1 ]] || fail "$1 $2 has $present files, expected 1"
}
while read -r op variant; do
    has_rows "$op" "$variant"
    has_file "$op" "$variant"
done < <(sed -nE 's/^RUNG\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1 \2/p' bench/table/rungs.def)
while read -r op kernel; do
    has_rows "$op" "cuda_$kernel"
    has_rows "$op" "sim_$kernel"
    has_file "$op" "cuda_$kernel"
done < <(sed -nE 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1 \2/p' bench/table/rungs.def)

# README's table of the ladder is the table.
# shellcheck disable=SC2016  # backquotes of Markdown
diff <(sed -nE -e 's/^RUNG\(([a-z0-9_]+), *([a-z0-9_]+),.*"(.*)"\)$/| \1 | `\2` | \3 |/p' \
    -e 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*"(.*)"\)$/| \1 | `cuda_\2` | \3 |/p' bench/table/rungs.def) \
    <(grep -E '^\| [a-z0-9_]+ \| `' README.md) || fail 'the ladder in README.md is not that of bench/table/rungs.def'
[[ -z $(sort <<<"$list" | uniq -d) ]] || fail 'two rows share a name'

end_test
echo 'the layers are as they should be'

#!/usr/bin/env bash
# The rules of the layout: which room may use which, and what must not be known where.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1
cd "$2"
table=bench/table/rungs.def

# refuse WHAT PATTERN FILE...: no line of the files matches.
refuse() {
    local what=$1 pattern=$2 found
    shift 2
    if found=$(grep -nE "$pattern" "$@"); then
        fail "$what:"$'\n'"$found"
    fi
}

# A backend and its rungs lie in the folder of its name, those of CUDA and of several GPUs in kernels/, the simulator in
# cpu/.
backends=$(sed -nE 's/^BACKEND\(([a-z0-9_]+),.*/\1/p' $table | grep -vxE 'cpu|cuda|gpus|sim' || true)
ops=$(sed -nE 's/^OP\(([a-z0-9_]+)\).*/\1/p' $table)

# What the files of each room may include, besides their own room: rooms and single headers.
declare -A may_use
below=
for room in base data table ops own place measure player verify select report run; do
    may_use[bench/$room]=$below
    below+=" bench/$room"
done
may_use[bench/gate]="$below bench/gate/read"
may_use[bench/gate/read]="$below bench/gate"
may_use[bench]="$below bench/gate" # main.c
vocabulary='bench/base/ceil_div.h bench/table/model.h bench/table/model.def bench/table/rung.h bench/table/backend.h bench/table/cards.h bench/data/made.h'
for op in $ops; do vocabulary+=" bench/table/$op.h"; done
may_use[cpu/backend]="$vocabulary bench/base/host.h bench/base/parallel.h"
may_use[cpu/simulator]="$vocabulary bench/base/error.h bench/base/memory.h bench/base/plain_text.h bench/base/seeded.h bench/base/symbol_name.h cpu/backend cpu/simulator/cuda"
may_use[cpu/simulator/cuda]='cpu/simulator'
for folder in cooperative_groups cub cub/block cub/warp; do may_use[cpu/simulator/cuda/$folder]=cpu/simulator/cuda; done
may_use[cpu]="$vocabulary cpu/backend"
may_use[kernels]=$vocabulary
may_use[kernels/backend]="$vocabulary bench/base/symbol_name.h kernels"
may_use[kernels/torch]=kernels
for folder in ATen ATen/cuda c10/cuda torch; do may_use[kernels/torch/$folder]=kernels/torch; done
for op in $ops; do
    may_use[cpu/$op]="$vocabulary cpu cpu/backend"
    may_use[kernels/$op]="$vocabulary kernels"
    for backend in $backends; do may_use[$backend/$op]="$vocabulary $backend"; done
done
for backend in $backends; do may_use[$backend/backend]="$vocabulary cpu/backend"; done
may_use[bench/mpi]=bench/run/ranks.h
may_use[bench/train]="bench/base bench/table bench/data bench/ops"

# shellcheck disable=SC2086  # folders
mapfile -t files < <(find bench cpu kernels $backends -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.def' | sort)
for file in "${files[@]}"; do
    [[ -v may_use[${file%/*}] ]] || fail "$file is in no room that this test knows"
done

# FILE HEADER of each include of ours, as paths from the root. A module is a .c or .cu file and its header.
arrows=
while IFS=: read -r file header; do
    header=${header#*\"} header=${header%\"} room=${file%/*}
    [[ $header == */* ]] || header=$room/$header
    [[ $header != */@(git_revision|code_digests|compiler|rung_sources).h ]] || continue # which the build makes
    [[ -e $header ]] || fail "$file includes $header, which is not there: another room's header is named from the root"
    [[ " $room ${may_use[$room]} " == *" ${header%/*} "* || " ${may_use[$room]} " == *" $header "* ]] ||
        fail "$file includes $header: $room/ may not use it"
    [[ ${header%.*} == "${file%.*}" ]] || arrows+="${file%.*} ${header%.*}"$'\n'
done < <(grep -HoE '^#(include|define ISA_TEMPLATE) "[^"]+"' "${files[@]}")
if ! circle=$(tsort <<<"$arrows" 2>&1 >/dev/null); then
    fail "modules that use each other in a circle:"$'\n'"$circle"
fi

mapfile -t harness < <(find bench -name '*.[ch]' -o -name '*.cpp')
refuse 'bench/ knows CUDA, BLAS or OpenMP' 'cuda_runtime|cublas|cblas|<omp\.h>|#pragma omp' "${harness[@]}"
names=$(sed -nE -e 's/^(BACKEND\(|RUNG\([a-z0-9_]+, *)([a-z0-9_]+),.*/\2/p' -e 's/^KERNEL\([a-z0-9_]+, *([a-z0-9_]+),.*/(cuda|sim)_\1/p' $table |
    sort -u | paste -sd '|')
refuse 'bench/ names a rung or a backend outside the table' "\"($names)\"" "${harness[@]}"
refuse 'the harness switches on an operation' "strcmp\([^)]*\"($(paste -sd '|' <<<"$ops"))\"" "${harness[@]}"
rungs=$(sed -nE -e 's/^RUNG\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1_\2/p' \
    -e 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1_cuda_\2/p' $table | paste -sd '|')
refuse 'a rung calls another, and not by rung_hand_over()' "(^|[^*a-z0-9_])($rungs)\(" kernels/*/*.cu kernels/*/*.c cpu/*/*.c
refuse 'a rung looks at how it is built' '^ *# *(if|ifdef|ifndef|elif)' kernels/*/*.cu

# What is tested without a machine needs the standard library only.
for file in base/csv_text base/statistics measure/measure ops/sums ops/op gate/{rule,recording,comparison}; do
    refuse "bench/$file.c needs more than libc and libm" '#include <(unistd|sys/|pthread|zlib|jpeglib|png|fcntl|omp)' "bench/$file.c"
done

# Host code in C, device code alone in .cu: its own, or what it instantiates of a header beside it.
for file in kernels/*/*.cu; do
    mapfile -t beside < <(sed -nE "s:^#include \"([^/]*)\":${file%/*}/\\1:p" "$file")
    grep -qE '__global__|<cub/' "$file" "${beside[@]}" || fail "$file has no device code, so it belongs in a .c file"
done

# Each rung of the table has its rows, in every build, under its own name, and one file.
list=$("$rungbench" --list --suite=all 2>/dev/null)
has_rows() { # OP VARIANT
    grep -q "^$1/[^/]*/$2/" <<<"$list" || fail "$1 $2 has a line in the table but no row"
}
while read -r op variant backend; do
    has_rows "$op" "$variant"
    file=${backend/cuda/kernels}/$op/${variant#"${backend}_"}
    [[ $backend != gpus ]] || file=kernels/$op/$variant
    [[ -e $file.c || -e $file.cu ]] || fail "$op $variant has no file"
done < <(sed -nE 's/^RUNG\(([a-z0-9_]+), *([a-z0-9_]+), *([a-z0-9_]+),.*/\1 \2 \3/p' $table)
while read -r op kernel; do
    has_rows "$op" "cuda_$kernel"
    has_rows "$op" "sim_$kernel"
    [[ -e kernels/$op/$kernel.cu || -e kernels/$op/$kernel.c ]] || fail "$op $kernel has no file"
done < <(sed -nE 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1 \2/p' $table)

[[ -z $(sort <<<"$list" | uniq -d) ]] || fail 'two rows share a name'

end_test
echo 'the layers are as they should be'

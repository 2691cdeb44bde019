#!/usr/bin/env bash
# The operations of docs/examples/ops: their descriptions are sound, their kernels right, and wrong twins of these are
# found, by an element that is wrong.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1 ops=$2/docs/examples/ops
enter_folder
export XDG_CACHE_HOME=$here/cache

# is_tried OP: with all kernels and twins; in short, one for the simulator and one for the CPU are, of others one kernel at one size
is_tried() { at_length || [[ $1 == sum || $1 == gemm_half ]]; }

# verify STATUS OP KERNEL...: at the workload `small`, and what is right, where it is tried in full, on ragged sizes; gemm, which
# changes its output, has no hot rows
verify() {
    local kernels=() kernel how=(--modes=hot --min-time=1e-9 --sitting=later:1)
    if at_length || [[ $2 == gemm ]] || { [[ $1 -eq 0 ]] && is_tried "$2"; }; then how=(--verify); fi
    for kernel in "${@:3}"; do kernels+=("--kernel=$kernel"); done
    run "$1" --progress=off --op="$ops/$2.c" "${kernels[@]}" --simulate "${how[@]}" --filter='/small/kernel_' --out=rows.csv
}

# Kernels for the CPU are .c files, too: descriptions are those that say so. Those in half precision have one of
# each kind and name, and stand apart.
mapfile -t descriptions < <(grep -l rungbench_op "$ops"/*.c)
[[ ${#descriptions[@]} -ge 13 ]] || fail "$ops: ${#descriptions[@]} descriptions, expected 13 at least"
for description in "${descriptions[@]}"; do
    op=$(basename "$description" .c)
    ! is_tried "$op" || run 0 --op="$description" --check # else a run tries it, too
    kernels=()
    for kernel in "$ops/${op}"_*; do
        [[ $op != gemm || $kernel != */gemm_half* && $kernel != */gemm_int8* ]] || continue
        grep -q rungbench_op "$kernel" || grep -q cuda_fp16 "$kernel" || kernels+=("$kernel")
    done
    [[ ${#kernels[@]} -ge 2 ]] || fail "$op: ${#kernels[@]} kernels, expected a naive and a faster one"
    at_length || [[ $op == sum ]] || kernels=("${kernels[0]}")
    verify 0 "$op" "${kernels[@]}"
    [[ $(columns rows.csv status | grep -cx ok) -eq ${#kernels[@]} ]] || fail "$op: $(head -c 600 err)"
done

halves=("$ops"/gemm_half_*.cu)
at_length || halves=("$ops/gemm_half_naive.cu")
verify 0 gemm_half "${halves[@]}"

# twin OP KERNEL SED...: the kernel with that change is wrong, and said to be
twins=0
twin() {
    local op=$1 kernel=$2 name=twin_$1_$((++twins)).${2##*.}
    sed "${@:3}" "$ops/$kernel" >"$name"
    ! cmp -s "$name" "$ops/$kernel" || fail "$kernel: the fault '${*:3}' changes nothing"
    covered[$op]=1
    is_tried "$op" || return 0
    verify 1 "$op" "$name"
    [[ $(columns rows.csv reason) =~ 'wrong answer: '[A-Za-z]+\[[0-9,]*\]' is ' ]] || fail "$kernel with '${*:3}': $(columns rows.csv name status reason)"
}
declare -A covered

twin add add_vector.cu 's/i < n % 4/i + 1 < n % 4/'
twin gemv gemv_warp.cu 's/distance > 0/distance > 1/'
twin sum sum_shuffle.cu 's/gridDim.x \* THREADS/n/'
twin softmax_vector softmax_vector_online.cu 's/sum = sum \* expf(largest - larger) +/sum = sum +/'
twin convolution convolution_registers.cu 's|pixel\[i\] = pixel\[i + 1\]|pixel[i] = pixel[PLACES - 1]|'
twin grey_bytes grey_bytes_naive.cu 's|) / 256|+ 128) / 256|'
twin grey_floats grey_floats_naive.cu 's/0\.299f/0.2989f/'
twin gemm gemm_tiled.cu 's/0.75f \* c/0.75f + c/'
twin gemm_half gemm_half_naive.c 's/float sum/_Float16 sum/'
twin gemm_half gemm_half_naive.cu 's/float sum = 0/__half sum = 0.0f/'
twin gemm_half gemm_half_reordered.c 's/int p = 0/int p = k > 40/'
twin gemm_int8 gemm_int8_naive.cu 's/= sum;/= (int16_t)sum;/'
twin scan scan_blocks.cu 's/before += all/before = all/'
twin histogram histogram_shared.cu 's|bin < bins; bin += THREADS)$|bin < bins - 1; bin += THREADS)|'
twin csr csr_warp.cu 's/x\[column\[e\]\]/x[column[e] ^ (e == 40)]/'
twin best best_naive.cu 's/column\[i\] = best/column[i] = best + (n > 40 \&\& i == 3)/'
twin best best_naive.cu 's/value\[i\] = row\[best\]/value[i] = row[best] + (n > 40 \&\& i == 3)/'
twin best best_warp.cu 's/ || (other == largest && there < best)//'
twin attention attention_online.cu 's/weighted\[c\] \* before + added/weighted[c] + added/'

for description in "${descriptions[@]}"; do
    op=$(basename "$description" .c)
    [[ -v covered[$op] ]] || fail "$op has no wrong twin here"
done
end_test
echo "${#descriptions[@]} example operations are sound, and $twins wrong kernels are found ($checks runs)"

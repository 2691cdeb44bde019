#!/usr/bin/env bash
# aarch64: the programs, cross-built, do under qemu-user what they do here: the same rows, right answers on the CPU, the same
# verdict. Vectors of the compiler's are NEON's. How fast that is, qemu cannot tell.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
at_length || skip 'building for aarch64 takes minutes (scripts/test.sh --all)'
[[ $(uname -m) != aarch64 ]] || skip 'this machine is aarch64: the other tests run on it'
native=$(dirname "$(realpath "$1")") source=$(realpath "$2") cross=aarch64-linux-gnu
build=$native/aarch64 # is kept: the next time only what has changed is built
for tool in "$cross-gcc" "$cross-g++"; do
    command -v "$tool" >/dev/null || skip "no $tool (scripts/setup.sh aarch64)"
done
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || skip 'no qemu-aarch64 (scripts/setup.sh aarch64)'
enter_folder

# Players are started as /proc/self/exe, which qemu leaves to the kernel. Where binfmt_misc does not know aarch64, the 183 of an
# ELF file's header, one in a namespace of our own does, and goes with it.
echo 'int main(void) { return 0; }' | $cross-gcc -x c -o nothing - 2>err || skip "$cross-gcc cannot link: $(head -n 1 err)"
aarch64=()
if ! ./nothing 2>err; then
    # shellcheck disable=SC2016  # of that shell
    aarch64=(unshare --user --map-root-user --mount sh -c
        'to=/proc/sys/fs/binfmt_misc; mount -t binfmt_misc none $to && printf %s "$0" >$to/register && exec "$@"'
        ":aarch64:M:18:\xb7\x00::$qemu:")
    "${aarch64[@]}" ./nothing 2>err || skip "binfmt_misc does not know aarch64, and none of our own can be had (Linux 6.7): $(tail -n 1 err)"
fi

# Debian's other half of a cross-compiler: nm and objcopy by their plain names, and what pkg-config is to find.
export PATH=/usr/$cross/bin:$PATH PKG_CONFIG_LIBDIR=/usr/lib/$cross/pkgconfig
rm -f "$build/CMakeCache.txt"
if ! cmake -S "$source" -B "$build" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=$cross-gcc \
    -DCMAKE_CXX_COMPILER=$cross-g++ -DRUNGBENCH_CUDA=OFF -DRUNGBENCH_MPI=OFF -DRUNGBENCH_WERROR=ON >log 2>&1; then
    missing=$(sed -n "s/^-- Missing, by Debian's names: //p" log)
    [[ -z $missing ]] || skip "for arm64 there is no $missing (scripts/setup.sh aarch64)"
    fail "CMake: $(tail -n 5 log)"
    end_test
fi
cmake --build "$build" --parallel "$(nproc)" --target rungbench rungbench-gate >log 2>&1 || { fail "building: $(tail -n 5 log)"; end_test; }

# there STATUS PROGRAM FLAG...: under qemu it ends so, and leaves out and err
there() {
    local status=0
    "${aarch64[@]}" "$build/$2" "${@:3}" >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "${*:2}: status $status, expected $1; stderr: $(head -c 500 err)"
}

# agrees STATUS PROGRAM FLAG...: it ends so here and there, with the same words
agrees() {
    local status=0
    there "$@"
    "$native/$2" "${@:3}" >expected 2>err || status=$?
    [[ $status -eq $1 ]] || fail "${*:2}, here: status $status, expected $1"
    cmp -s out expected || fail "${*:2} is another on aarch64: $(diff expected out | head -n 4)"
}

there 0 rungbench --version
grep -q '^rungbench [0-9]' out || fail "--version says $(<out)"
agrees 0 rungbench --list --suite=smoke

there 0 rungbench --verify --suite=smoke --backend=cpu --out=rows.csv
there 0 rungbench --suite=none --size=map:n=100 --filter=/sim_naive/hot --min-time=0.001 --out=simulated.csv
right=0
while IFS='|' read -r name status code reason; do
    case $status/$name in
    ok/*/cpu_*)
        right=$((right + 1))
        [[ -n $code ]] || fail "$name: no digest of its code"
        ;;
    skipped/*/mkl/*) [[ $reason == *x86-64* ]] || fail "$name is skipped because $reason, expected a word of x86-64" ;;
    skipped/*/cpu_* | failed/*) fail "$name: $status: $reason" ;;
    esac
done < <(for file in rows simulated; do columns $file.csv name status code reason; done | tr '\t' '|')
[[ $right -gt 0 ]] || fail 'nothing was right'

rounds() { for round in {1..12}; do sh "$source/tests/gate/fake_rungbench.sh" --sitting="1:$round"; done | awk 'NR == 1 || !/^schema,/'; }
SEED=1 rounds >base.csv
SEED=2 FACTOR=1.1 rounds >slow.csv
agrees 0 rungbench-gate base.csv base.csv
agrees 1 rungbench-gate base.csv slow.csv

# What a rung does most, by vectors.
while read -r file instruction; do
    $cross-objdump -d "$build/CMakeFiles/rungbench_rungs.dir/cpu/$file.c.o" | grep -cE "\s$instruction\s+v[0-9]+\.(4s|8h|16b)," >/dev/null ||
        fail "cpu/$file.c: no $instruction of NEON's"
done <<'RUNGS'
microkernels fmla
matmul/blocked fmla
matmul_batched/tuned fmla
matmul_grad_b/tuned fmla
conv2d/tuned fmla
dot/tuned fmla
grayscale/tuned umull2?
map/tuned fcmle
reduce_columns/tuned fadd
reduce_rows/tuned fadd
softmax/tuned fmul
transpose/tuned zip1
zip/tuned zip1
RUNGS
end_test

#!/usr/bin/env bash
# Changes of kernels, in a copy of the sources with two of them, and what the gate says of each. Needs nvcc, but no GPU.
# A minute of compiling, so it is run by scripts/test.sh --all alone. Usage: test_resources_tree.sh RUNGBENCH SOURCE_DIR
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source=$2
nvcc=${CUDACXX:-nvcc}
[[ ${RUNGBENCH_TEST_ALL-} == 1 ]] || skip 'a minute of nvcc (scripts/test.sh --all)'
command -v "$nvcc" >/dev/null || skip "$nvcc: not found"
make_folder
cd "$here"
checks=0

cp -r "$source"/{CMakeLists.txt,CHANGELOG.md,LICENSE,README.md,bench,cpu,kernels,scripts} .
mkdir tests results && : >tests/CMakeLists.txt
tiled=kernels/grayscale/tiled.cu
vector=kernels/grayscale/vector.cu
find kernels/*/ cpu/*/ \( -name '*.cu' -o -name '*.c' \) ! -path '*/backend/*' ! -path 'cpu/simulator/*' ! -path "$tiled" ! -path "$vector" -delete
sed -i -E '/^(KERNEL|RUNG)\(/{/^KERNEL\(grayscale, (tiled|vector),/!d}' bench/table/rungs.def
sed -i -E 's/^set\(architectures .*/set(architectures 80 90a)/' kernels/resources/CMakeLists.txt

# gate STATUS TEXT [FLAG...]: resources.sh ends so; TEXT, a pattern, is a whole line of it.
gate() {
    local status=0
    checks=$((checks + 1))
    scripts/resources.sh "${@:3}" >out 2>&1 || status=$?
    [[ $status -eq $1 ]] || fail "status $status, expected $1: $(cat out)"
    grep -qxE -e "$2" out || fail "expected '$2', seen: $(cat out)"
}

gate 0 'resources.sh: .*/results/resources.csv: 8 rows recorded, of nvcc .*' --record
gate 0 'resources.sh: 8 rows compared with .*' --build
gate 0 'resources.sh: 8 rows of .* are of these very sources, and of nvcc .*'
! grep -q -e FAILED -e changed -e new out || fail "nothing was changed, but: $(cat out)"
[[ ! -e results/resources.csv.partial ]] || fail 'half a file is left'
grep -qE '^grayscale/cuda_tiled,grayscale_tiled_kernel,sm_90a,[0-9]+,3072,0,0,0,[0-9.]+$' results/resources.csv ||
    fail "the figures of grayscale_tiled_kernel are off: $(cat results/resources.csv)"
[[ $(grep -cE '^grayscale/cuda_vector,grayscale_vector_kernel<[a-z0-9 ]+>,sm_(80|90a),' results/resources.csv) -eq 6 ]] ||
    fail "a kernel is missing: $(cat results/resources.csv)"

id='FAILED: grayscale/cuda_vector grayscale_vector_kernel<uint4> sm_90a'
cp $vector kept
sed -i 's/__global__ void grayscale/__global__ void __maxnreg__(16) grayscale/' $vector
gate 1 "$id: stack_bytes was 0, is [1-9][0-9]* \(limit 0\); spill_store_bytes was 0, is [1-9][0-9]* \(limit 0\); spill_load_bytes was 0, is [1-9][0-9]* \(limit 0\);.*"
cp kept $vector
grep -q 'to accept an intended change: scripts/resources.sh --record' out || fail "how to accept it is not said: $(cat out)"

# What does not compile is an error, and leaves what was recorded.
cp results/resources.csv kept
echo 'not CUDA' >>$tiled
gate 2 'resources.sh: building failed; .*' --record
cmp -s kept results/resources.csv || fail 'a failed build changed what was recorded'

printf '%d checks, %d failures\n' "$checks" "$failures"
[[ $failures -eq 0 ]]

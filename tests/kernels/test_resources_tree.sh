#!/usr/bin/env bash
# Changes of kernels, in a copy of the sources with two of them, and what the gate says of each. Needs nvcc, but no GPU.
# A minute of compiling, so it is run by scripts/test.sh --all alone. Usage: test_resources_tree.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source=$2
nvcc=${CUDACXX:-nvcc}
[[ ${RUNGBENCH_TEST_ALL-} == 1 ]] || skip 'a minute of nvcc (scripts/test.sh --all)'
command -v "$nvcc" >/dev/null || skip "$nvcc: not found"
make_folder
cd "$here"
checks=0

cp -r "$source"/{CMakeLists.txt,LICENSE,README.md,bench,cpu,kernels,scripts} .
mkdir tests results && : >tests/CMakeLists.txt
tiled=kernels/grayscale/tiled.cu
vector=kernels/grayscale/vector.cu
find kernels/*/ -name '*.cu' ! -path 'kernels/backend/*' ! -path "$tiled" ! -path "$vector" -delete
sed -i -E '/^KERNEL\(/{/^KERNEL\(grayscale, (tiled|vector),/!d}' bench/table/rungs.def
sed -i -E 's/^set\(architectures .*/set(architectures 80 90a)/' kernels/resources/CMakeLists.txt

# gate STATUS TEXT [FLAG...]: resources.sh ends so; TEXT, a pattern, is a whole line of it.
gate() {
    local status=0
    checks=$((checks + 1))
    scripts/resources.sh "${@:3}" >out 2>&1 || status=$?
    [[ $status -eq $1 ]] || fail "status $status, expected $1: $(cat out)"
    grep -qxE -e "$2" out || fail "expected '$2', seen: $(cat out)"
}

# change FILE SED-SCRIPT STATUS TEXT: what the gate says of FILE changed so, which is then as it was.
change() {
    cp "$1" kept
    sed -i -E "$2" "$1"
    ! cmp -s "$1" kept || fail "$1: nothing to change with '$2'"
    gate "$3" "$4"
    cp kept "$1"
}

gate 0 'resources.sh: .*/results/resources.csv: 8 rows recorded, of nvcc .*' --record
gate 0 'resources.sh: 8 rows compared with .*' --build
gate 0 'resources.sh: 8 rows of .* are of these very sources, and of nvcc .*'
! grep -q -e FAILED -e changed -e new out || fail "nothing was changed, but: $(cat out)"
[[ ! -e results/resources.csv.partial ]] || fail 'half a file is left'
grep -qE '^grayscale/cuda_tiled,grayscale_tiled_kernel,sm_90a,256x1x1,0,[0-9]+,3072,0,0,0,[0-9.]+,[0-9.]+$' results/resources.csv ||
    fail "the figures of grayscale_tiled_kernel are off: $(cat results/resources.csv)"
# Vectors of 16, of 4 and of 1: those that only odd sizes and addresses need have their launches too.
[[ $(grep -cE '^grayscale/cuda_vector,grayscale_vector_kernel<[a-z0-9 ]+>,sm_(80|90a),256x1x1,' results/resources.csv) -eq 6 ]] ||
    fail "a launch was not seen: $(cat results/resources.csv)"

id='FAILED: grayscale/cuda_vector grayscale_vector_kernel<uint4> sm_90a'
change $vector 's/__global__ void grayscale/__global__ void __maxnreg__(16) grayscale/' 1 \
    "$id: spill_store_bytes was 0, is [1-9][0-9]* \(limit 0\); spill_load_bytes was 0, is [1-9][0-9]* \(limit 0\);.*"
grep -q 'to accept an intended change: scripts/resources.sh --record' out || fail "how to accept it is not said: $(cat out)"
id='FAILED: grayscale/cuda_tiled grayscale_tiled_kernel sm_80'
change $tiled 's/, Rs, PIXELS/, Rs, 40 * PIXELS/' 1 "$id: occupancy_pct was 75.0, is 37.5 \(limit 75.0\); static_shared_bytes was 3072, is 43008"
# Dynamic shared memory that a launcher has to ask for.
ask='cudaFuncSetAttribute(grayscale_tiled_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 102400)'
change $tiled "s/^    return TRY_LAUNCH\((.*), THREADS, 0,/    if ($ask != cudaSuccess) return \"refused\";\n    return TRY_LAUNCH(\1, THREADS, 102400,/" 1 \
    "$id: occupancy_pct was 75.0, is 12.5 \(limit 75.0\); dynamic_shared_bytes was 0, is 102400.*"
change kernels/resources/CMakeLists.txt 's/architectures 80 /architectures /' 1 \
    'FAILED: architecture sm_80: was there for 4 kernels, has vanished'

# A kernel that nobody launches: its registers are known, and it can be recorded. And one that is launched in two ways: the
# one with the lower occupancy, at odd addresses here, is what counts.
cp $tiled kept
sed -i -E -e 's/^const char \*grayscale_cuda_tiled/__global__ void forgotten_kernel(int *p) { *p = 1; }\ntemplate <int I, int J> __global__ void odd_kernel(uint8_t *p) { *p = I; }\n&/' \
    -e 's/^    return TRY_LAUNCH\(/    LAUNCH((odd_kernel<1, 2>), 1, (uintptr_t)p->rgb % 2 == 0 ? 256 : 32, 0, (cudaStream_t)stream, p->gray);\n&/' $tiled
gate 0 'new: grayscale/cuda_tiled forgotten_kernel sm_80: occupancy_pct unknown, spill_store_bytes 0, registers [0-9]+'
gate 0 'resources.sh: .* 12 rows recorded, .*' --record
grep -qE '^grayscale/cuda_tiled,"odd_kernel<1, 2>",sm_90a,32x1x1,0,[0-9]+,0,0,0,0,50.0,' results/resources.csv ||
    fail "of two launches the better one counts, or the other was not seen: $(cat results/resources.csv)"
gate 0 'resources.sh: 12 rows compared .*' --build
cp kept $tiled
gate 1 'FAILED: grayscale/cuda_tiled forgotten_kernel sm_90a: was there, has vanished'

# A rung that goes, with its line in the table.
rm $vector
sed -i '/^KERNEL(grayscale, vector,/d' bench/table/rungs.def
gate 1 'FAILED: grayscale/cuda_vector grayscale_vector_kernel<unsigned char> sm_80: was there, has vanished'
gate 0 'resources.sh: .* 2 rows recorded, .*' --record

# The program by itself: reports that it cannot take.
program=$(echo build-resources/*/kernels/resources/rungbench_resources)
while IFS='|' read -r report text; do
    checks=$((checks + 1))
    status=0
    "$program" "$report" >out 2>err || status=$?
    [[ $status -eq 2 && $(wc -l <err) -eq 1 && $(<err) == *"$text"* ]] || fail "$report: status $status, expected 2 and '$text': $(cat err)"
done <<'REPORTS'
kernels/grayscale/mine.cu.o.report|kernels/grayscale/mine.cu.o.report: named after no rung
folder/grayscale_cpu_scalar.report|named after no rung
kernels/grayscale/tiled.cu.o.report|kernels/grayscale/tiled.cu.o.report: cannot be read
REPORTS

# What does not compile is an error, and leaves what was recorded.
cp results/resources.csv kept
echo 'not CUDA' >>$tiled
gate 2 'resources.sh: building failed; .*' --record
cmp -s kept results/resources.csv || fail 'a failed build changed what was recorded'

printf '%d checks, %d failures\n' "$checks" "$failures"
[[ $failures -eq 0 ]]

#!/usr/bin/env bash
# What is said of two tables of resources, and of files that are none; needs no nvcc.
# Usage: test_resources_verdict.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source=$2
make_folder
cd "$here"
checks=0

table() { # FILE [FILE]
    PYTHONUTF8=1 PYTHONPATH=$source/scripts/plot python3 -Bs "$source/scripts/resources/resources.py" "$@"
}

# verdict STATUS TEXT: how recorded.csv and present.csv compare; TEXT is one whole line of it, or '' for none at all.
verdict() {
    local status=0
    checks=$((checks + 1))
    table recorded.csv present.csv >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "$2: status $status, expected $1: $(cat out err)"
    if [[ -z $2 ]]; then
        [[ ! -s out ]] || fail "nothing differs, but it says: $(cat out)"
    else
        grep -qxF -e "$2" out || fail "expected '$2', seen: $(cat out err)"
    fi
}

# change SED-SCRIPT: present.csv is recorded.csv, but for that.
change() { sed -E "$1" recorded.csv >present.csv; }

cat >recorded.csv <<'CSV'
rung,kernel,arch,block,dynamic_shared_bytes,registers,static_shared_bytes,stack_bytes,spill_store_bytes,spill_load_bytes,occupancy_pct,compiler
matmul/cuda_tiled,matmul_tiled_kernel,sm_80,32x32x1,0,32,8192,0,0,0,100.0,13.0.88
matmul/cuda_tiled,matmul_tiled_kernel,sm_90a,32x32x1,0,32,8192,0,4,8,66.7,13.0.88
matmul/cuda_warp,"warp_kernel<64, 32>",sm_80,256x1x1,65536,90,0,0,0,0,9.5,13.0.88
matmul/cuda_warp,"warp_kernel<64, 32>",sm_90a,,,90,0,16,0,0,,13.0.88
CSV

change ''
verdict 0 ''
[[ $(table recorded.csv) == '4 13.0.88' ]] || fail "a table of four rows of nvcc 13.0.88 is: $(table recorded.csv)"
change '2s/,0,0,0,100/,0,24,0,100/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_80: spill_store_bytes was 0, is 24 (limit 0)'
change '3s/,4,8,/,4,12,/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_90a: spill_load_bytes was 8, is 12 (limit 8)'
change '2s/,8192,0,0,0,100.0/,8192,1024,0,0,100.0/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_80: stack_bytes was 0, is 1024 (limit 0)'
change '4s/,9.5,/,9.4,/'
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_80: occupancy_pct was 9.5, is 9.4 (limit 9.5)'
change '2s/,32,8192,0,0,0,100.0/,40,8192,0,8,16,50.0/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_80: spill_store_bytes was 0, is 8 (limit 0); spill_load_bytes was 0, is 16 (limit 0); occupancy_pct was 100.0, is 50.0 (limit 100.0); registers was 32, is 40'
change '2s/32x32x1,0,(.*),100.0/,,\1,/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_80: occupancy_pct was 100.0, is unknown (limit 100.0); block was 32x32x1, is unknown; dynamic_shared_bytes was 0, is unknown'
change '2s/,0,0,100/,0,24,100/; 5s/,90,/,91,/'
verdict 1 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_90a: registers was 90, is 91'
change 4d
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_80: was there, has vanished'
change '/sm_80/d'
verdict 1 'FAILED: architecture sm_80: was there for 2 kernels, has vanished'
[[ $(wc -l <out) -eq 1 ]] || fail "an architecture that vanished takes more than a line: $(cat out)"
change '/cuda_warp/s/warp_kernel/other_kernel/'
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_90a: was there, has vanished'

# Better, new, or neither: said, and no failure.
change '3s/,4,8,66.7/,0,0,100.0/'
verdict 0 'changed: matmul/cuda_tiled matmul_tiled_kernel sm_90a: spill_store_bytes was 4, is 0; spill_load_bytes was 8, is 0; occupancy_pct was 66.7, is 100.0'
change '4s/,9.5,/,12.5,/'
verdict 0 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_80: occupancy_pct was 9.5, is 12.5'
change '4s/,90,0,0,/,96,16,0,/'
verdict 0 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_80: registers was 90, is 96; static_shared_bytes was 0, is 16'
change '5s/,90,0,16,/,90,0,8,/'
verdict 0 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_90a: stack_bytes was 16, is 8'
change '5s/,,,(.*),,/,8x8x8,0,\1,0.0,/'
verdict 0 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_90a: block was unknown, is 8x8x8; dynamic_shared_bytes was unknown, is 0; occupancy_pct was unknown, is 0.0'
change '4{p;s/cuda_warp/cuda_new/}'
verdict 0 'new: matmul/cuda_new warp_kernel<64, 32> sm_80: occupancy_pct 9.5, spill_store_bytes 0, registers 90'
change '/sm_80/{p;s/sm_80/sm_120/}'
verdict 0 'new: architecture sm_120'
[[ $(wc -l <out) -eq 1 ]] || fail "a new architecture takes more than a line: $(cat out)"

# refuse TEXT: present.csv is no such file, which is said in one line.
refuse() {
    local status=0
    checks=$((checks + 1))
    table present.csv >out 2>err || status=$?
    [[ $status -eq 2 && $(wc -l <err) -eq 1 ]] || fail "$1: status $status, expected 2 and one line: $(cat err)"
    grep -qF -e "present.csv: $1" err || fail "expected '$1', seen: $(cat err)"
}

change 's/occupancy_pct/occupancy/'
refuse "no column 'occupancy_pct'"
head -c -30 recorded.csv >present.csv
refuse 'line 5: 3 cells; expected 12 as in the header (is the file whole?)'
head -c -2 recorded.csv >present.csv
refuse "line 5: is nvcc 13.0.8's, above it are those of 13.0.88"
head -1 recorded.csv >present.csv
refuse 'a header, but no row'
: >present.csv
refuse 'is empty'
head -c 3000 /dev/urandom | tr -d '\n\r' >present.csv
table present.csv >out 2>err && fail 'random bytes are taken for a table'
change '3s/,4,8,/,-4,8,/'
refuse "line 3: spill_store_bytes is '-4'; expected a number"
change '2s/,32,/,many,/'
refuse "line 2: registers is 'many'"
change '2s/,100.0,/,most,/'
refuse "line 2: occupancy_pct is 'most'"
change '2p'
refuse 'line 3: matmul/cuda_tiled matmul_tiled_kernel sm_80 stands there twice'

# The script, up to where it would build: nvcc is one that only says who it is, of the version in the file or not.
mkdir -p tree/results tree/bin
cp -r "$source/scripts" tree
cp recorded.csv tree/results/resources.csv
cat >tree/bin/nvcc <<'NVCC'
#!/bin/sh
[ "$1" = --version ] || exit 1
echo 'Cuda compilation tools, release 12.9, V12.9.86'
NVCC
chmod +x tree/bin/nvcc

# script STATUS TEXT [FLAG...]: it ends so, and says TEXT.
script() {
    local status=0
    checks=$((checks + 1))
    tree/scripts/resources.sh "${@:3}" >out 2>&1 || status=$?
    [[ $status -eq $1 ]] || fail "resources.sh ${*:3}: status $status, expected $1: $(cat out)"
    grep -qF -e "$2" out || fail "expected '$2', seen: $(cat out)"
}
export CUDACXX=$here/tree/bin/nvcc
record='scripts/resources.sh --record, and commit results/resources.*'
script 3 "resources.csv is of nvcc 13.0.88, this is nvcc 12.9.86; to record its figures: $record"
[[ ! -e tree/build-resources ]] || fail 'another compiler was put to work'
script 2 "'--recrod': expected nothing, --record or --build" --recrod
script 2 "'--record now': expected nothing, --record or --build" --record now
# Sources that are still those of the record are not built; here the build ends at once.
printf '#!/bin/sh\nexit 1\n' >tree/bin/cmake
printf '#!/bin/sh\n' >tree/scripts/setup.sh
chmod +x tree/bin/cmake
sed -i s/V12.9.86/V13.0.88/ tree/bin/nvcc
mkdir -p tree/kernels/matmul tree/bench/table
echo 'int a;' | tee tree/CMakeLists.txt tree/bench/table/rung.h >tree/kernels/matmul/mine.cu
built='build-resources/13.0.88'
tree/scripts/resources/digest.sh tree >tree/results/resources.sources
PATH=$here/tree/bin:$PATH script 0 'resources.csv are of these very sources, and of nvcc 13.0.88'
PATH=$here/tree/bin:$PATH script 2 "$built" --build
for file in CMakeLists.txt bench/table/rung.h kernels/matmul/mine.cu scripts/cmake/FindCuda.cmake results/resources.csv; do
    cp "tree/$file" kept
    sed -i '1s/$/ /' "tree/$file"
    [[ $file != results/* ]] || sed '3s/,66.7/,66.8/' kept >"tree/$file"
    PATH=$here/tree/bin:$PATH script 2 "$built"
    cp kept "tree/$file"
done
sed -i s/V13.0.88/V12.9.86/ tree/bin/nvcc
sed -i 4d tree/results/resources.csv && echo 'half a li' >>tree/results/resources.csv
script 2 'resources.csv: line 5: 1 cell; expected 12'
rm tree/results/resources.csv
script 2 "resources.csv: no file that can be read; to record it: $record"
sed -i s/V12.9.86// tree/bin/nvcc
script 2 'nvcc --version: no version'
CUDACXX=no-such-nvcc script 77 'no-such-nvcc: not found, so nothing is compared'

printf '%d checks, %d failures\n' "$checks" "$failures"
[[ $failures -eq 0 ]]

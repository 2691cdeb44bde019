#!/usr/bin/env bash
# What is said of two tables of resources, and of files that are none; needs no nvcc.
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
rung,kernel,arch,registers,static_shared_bytes,stack_bytes,spill_store_bytes,spill_load_bytes,compiler
matmul/cuda_tiled,matmul_tiled_kernel,sm_80,32,8192,0,0,0,13.0.88
matmul/cuda_tiled,matmul_tiled_kernel,sm_90a,32,8192,0,4,8,13.0.88
matmul/cuda_warp,"warp_kernel<64, 32>",sm_80,90,0,0,0,0,13.0.88
matmul/cuda_warp,"warp_kernel<64, 32>",sm_90a,90,0,16,0,0,13.0.88
CSV

change ''
verdict 0 ''
[[ $(table recorded.csv) == '4 13.0.88' ]] || fail "a table of four rows of nvcc 13.0.88 is: $(table recorded.csv)"
change '2s/,0,0,0,13/,0,24,0,13/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_80: spill_store_bytes was 0, is 24 (limit 0)'
change '3s/,4,8,/,4,12,/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_90a: spill_load_bytes was 8, is 12 (limit 8)'
change '2s/,8192,0,/,8192,1024,/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_80: stack_bytes was 0, is 1024 (limit 0)'
change '5s/,90,0,/,90,100,/'
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_90a: static_shared_bytes was 0, is 100 (limit 0)'
change '5s/,90,/,100,/'
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_90a: registers was 90, is 100 (limit 90)'
change '3s/,32,8192,0,4,8,/,40,8192,0,0,16,/'
verdict 1 'FAILED: matmul/cuda_tiled matmul_tiled_kernel sm_90a: registers was 32, is 40 (limit 32); spill_load_bytes was 8, is 16 (limit 8); spill_store_bytes was 4, is 0'
change '2s/,0,0,0,13/,0,24,0,13/; 5s/,90,/,89,/'
verdict 1 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_90a: registers was 90, is 89'
change 4d
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_80: was there, has vanished'
change '/sm_80/d'
verdict 1 'FAILED: architecture sm_80: was there for 2 kernels, has vanished'
[[ $(wc -l <out) -eq 1 ]] || fail "an architecture that vanished takes more than a line: $(cat out)"
change '/cuda_warp/s/warp_kernel/other_kernel/'
verdict 1 'FAILED: matmul/cuda_warp warp_kernel<64, 32> sm_90a: was there, has vanished'

# Better or new: said, and no failure.
change '3s/,4,8,/,0,0,/'
verdict 0 'changed: matmul/cuda_tiled matmul_tiled_kernel sm_90a: spill_store_bytes was 4, is 0; spill_load_bytes was 8, is 0'
change '5s/,90,0,16,/,90,0,8,/'
verdict 0 'changed: matmul/cuda_warp warp_kernel<64, 32> sm_90a: stack_bytes was 16, is 8'
change '4{p;s/cuda_warp/cuda_new/}'
verdict 0 'new: matmul/cuda_new warp_kernel<64, 32> sm_80: registers 90, spill_store_bytes 0'
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

change 's/registers/register/'
refuse "no column 'registers'"
head -c -20 recorded.csv >present.csv
refuse 'line 5: 4 cells; expected 9 as in the header (is the file whole?)'
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
for value in many 1.5; do
    change "2s/,32,/,$value,/"
    refuse "line 2: registers is '$value'"
done
change '2p'
refuse 'line 3: matmul/cuda_tiled matmul_tiled_kernel sm_80 stands there twice'

# The table that is made of reports: ptxas names no shared memory where there is none, reports a function that is not inlined
# after the kernel that calls it, and stands among other lines.
report=kernels/matmul/tiled.cu.o.report
mkdir -p "${report%/*}"
cat >$report <<'REPORT'
nvcc: NVIDIA (R) Cuda compiler driver
Cuda compilation tools, release 13.0, V13.0.88
k.cu(3): warning #177-D: Used 99 registers, 5 bytes smem
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5tiledILi1EEvPf' for 'sm_90a'
ptxas info    : Function properties for _Z5tiledILi1EEvPf
    16 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads
ptxas info    : Used 43 registers, used 1 barriers, 16 bytes cumulative stack size, 8192 bytes smem, 408 bytes cmem[0]
ptxas info    : Compile time = 44.254 ms
ptxas info    : Function properties for _Z1ffi
    8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads
ptxas info    : Compiling entry function 'plain' for 'sm_80'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0], 8 bytes cmem[2]
REPORT
of_reports() { PYTHONUTF8=1 PYTHONPATH=$source/scripts/plot python3 -Bs "$source/scripts/resources/reports.py" "$@"; }
checks=$((checks + 1))
diff <(of_reports "$report") - <<CSV || fail 'a report is misread'
$(head -1 recorded.csv)
matmul/cuda_tiled,tiled<1>,sm_90a,43,8192,24,25,42,13.0.88
matmul/cuda_tiled,plain,sm_80,8,0,0,0,0,13.0.88
CSV

# misreport SED-SCRIPT TEXT: of the report changed so, TEXT is said in one line, and there is no table.
cp $report report
misreport() {
    local status=0
    checks=$((checks + 1))
    sed -E "$1" report >$report
    of_reports "${3-$report}" >out 2>err || status=$?
    [[ $status -eq 2 && ! -s out && $(wc -l <err) -eq 1 && $(<err) == *"$2"* ]] || fail "$1: status $status, expected '$2': $(cat out err)"
}
misreport /release/d 'tiled.cu.o.report: no version or no kernel'
misreport /Compiling/d 'no version or no kernel'
misreport '/Used 8/d' 'plain for sm_80: no registers or no spills'
misreport '/ 0 bytes stack/d' 'plain for sm_80: no registers or no spills'
misreport '' 'mine.o: expected the report of a rung' mine.o
misreport '' 'kernels/matmul/mine.cu.o.report: No such file' kernels/matmul/mine.cu.o.report

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
    [[ $file != results/* ]] || sed '3s/,32,/,33,/' kept >"tree/$file"
    PATH=$here/tree/bin:$PATH script 2 "$built"
    cp kept "tree/$file"
done
sed -i s/V13.0.88/V12.9.86/ tree/bin/nvcc
sed -i 4d tree/results/resources.csv && echo 'half a li' >>tree/results/resources.csv
script 2 'resources.csv: line 5: 1 cell; expected 9'
rm tree/results/resources.csv
script 2 "resources.csv: no file that can be read; to record it: $record"
sed -i s/V12.9.86// tree/bin/nvcc
script 2 'nvcc --version: no version'
CUDACXX=no-such-nvcc script 77 'no-such-nvcc: not found, so nothing is compared'

printf '%d checks, %d failures\n' "$checks" "$failures"
[[ $failures -eq 0 ]]

#!/usr/bin/env bash
# Kernels of the user's own: compiled once, judged as rungs are, and unable to harm the rows of others.
# Usage: test_own_kernel.sh RUNGBENCH SOURCE_DIR IMPATIENT, which ends rows that hang sooner
# shellcheck disable=SC2016  # what is in single quotes is meant as it stands
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1 source_dir=$2 impatient=$3
enter_folder
export XDG_CACHE_HOME=$here/cache TMPDIR=$here/tmp
mkdir tmp hung-tmp tools
printf '#!/bin/sh\necho >>"%s/compiled"\nexec %q "$@"\n' "$here" "$(command -v cc)" >tools/cc
chmod +x tools/cc
: >compiled
PATH=$here/tools:$PATH
quick=(--progress=off --suite=none --shape=40x300x28 --modes=hot --min-time=0.002)
later=("${quick[@]}" --sitting=own:1) # other sizes are tried in the first round

# kernel FILE STATEMENT: a right kernel that does something else first
kernel() {
    cat >"$1" <<END
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include <stdio.h>
#include <stdlib.h>

const char *matmul_own(const void *problem, void *stream)
{
    $2
    return matmul_cpu_reordered(problem, stream);
}
END
}
# expect FILE VARIANT STATUS REASON: the row of that rung
expect() {
    local status reason
    IFS=$'\t' read -r status reason < <(columns "$1" variant status reason | grep -P "^$2\t" | cut -f 2-)
    [[ $status == "$3" && $reason == *"$4"* ]] || fail "$2: $status '$reason', expected $3 '$4'"
}
# without_compiler STATUS FLAGS...
without_compiler() { PATH=/nowhere run "$@"; }
# compiles TIMES STATUS FLAGS...: so often a compiler runs meanwhile
compiles() {
    local before
    before=$(wc -l <compiled)
    run "${@:2}"
    [[ $(($(wc -l <compiled) - before)) -eq $1 ]] || fail "${*:3}: compiled $(($(wc -l <compiled) - before)) times, expected $1"
}
# What a compilation needs is gone, whatever became of it.
leaves_nothing() { [[ -z $(ls tmp) ]] || fail "$1 leaves something behind"; }
says() { grep -qF -- "$1" err || fail "stderr does not say '$1': $(head -c 400 err)"; }

# One that hangs is waited for beside the others.
kernel hangs.c 'extern int pause(void); pause();'
kernel after.c ''
PATH=${PATH#*:} XDG_CACHE_HOME=$here/hung-cache TMPDIR=$here/hung-tmp RUNGBENCH_ROW_S=10 "$impatient" "${later[@]}" --kernel=hangs.c --kernel=after.c --filter=/kernel_ --out=hung.csv >hung.out 2>&1 &
hung=$!

# Whatever a kernel does to its process, the other rows are measured.
kernel right.c ''
kernel exits.c 'exit(0);'
kernel crashes.c '*(volatile int *)8 = 1;'
kernel prints.c 'puts("matmul/40x300x28/kernel_right/hot");'
kernel leaks.c 'static void *last; void **next = malloc(24); *next = last; last = next;' # which no sanitizer minds
kernel parts.c 'return rung_run_part(matmul_cpu_reordered, problem, stream);'
kernel undefined.c 'extern void nowhere(void); nowhere();'
{ cat right.c; echo '__attribute__((constructor)) static void begin(void) { exit(0); }'; } >begins.c
cc -shared -fPIC -I "$source_dir" right.c -o object.so
cat >plain.c <<'END'
void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = sum;
        }
}
END
all=()
for file in exits.c crashes.c prints.c undefined.c begins.c right.c parts.c object.so plain.c; do all+=("--kernel=$file"); done
run 1 "${later[@]}" "${all[@]}" --filter='/(kernel_|cpu_auto)' --out=all.csv --json=all.json
expect all.csv kernel_exits failed 'ended the process with exit status 0'
expect all.csv kernel_crashes failed 'SIGSEGV at address 0x8'
expect all.csv kernel_prints ok ''
says matmul/40x300x28/kernel_right/hot
expect all.csv kernel_undefined failed 'undefined symbol: nowhere'
expect all.csv kernel_begins failed 'ended the process with exit status 0'
for right in kernel_right kernel_parts kernel_object kernel_plain cpu_auto; do expect all.csv $right ok ''; done
run 1 "${quick[@]}" --kernel=leaks.c --filter=/kernel_ --out=leaks.csv
expect leaks.csv kernel_leaks failed 'leaks memory: '
grep -q '"matmul/40x300x28/kernel_right/hot"' all.json || fail 'the JSON lacks an own kernel'
run 0 --summarize=all.csv
grep -q kernel_plain out || fail 'the summary lacks an own kernel'

# What is in the cache needs no compiler, unless it was spoilt; what is included belongs to it.
for object in cache/rungbench/*.so; do cp /bin/true "$object"; done
compiles 1 0 "${later[@]}" --kernel=right.c --filter=/kernel_
compiles 0 0 "${later[@]}" --kernel=right.c --filter=/kernel_
echo '#define FACTOR 1' >factor.h
{ echo '#include "factor.h"'; cat plain.c; } >includes.c
compiles 1 0 "${later[@]}" --kernel=includes.c --filter=/kernel_
touch factor.h
compiles 0 0 "${later[@]}" --kernel=includes.c --filter=/kernel_
echo '#define FACTOR 2' >factor.h
compiles 1 0 "${later[@]}" --kernel=includes.c --filter=/kernel_
without_compiler 2 "${later[@]}" --kernel=includes.c --filter=/kernel_
says '--kernel=includes.c: no compiler for .c files, expected one of cc, gcc, clang'

# --list compiles nothing. Beside a kernel stands what it is measured by, unless a filter says what.
kernel listed.c ''
without_compiler 0 --list --kernel=listed.c
cut -d / -f 3 out | sort -u >beside
for variant in kernel_listed cpu_auto; do grep -qx $variant beside || fail "--list: $(paste -sd ' ' beside)"; done
! grep -qxE 'cpu_scalar|cpu_reordered|cuda_.*|sim_.*|cublas' beside || fail "--list: $(paste -sd ' ' beside)"
without_compiler 0 --list --kernel=listed.c --filter='/(kernel|cpu_scalar)'
grep -q cpu_scalar out || fail '--filter does not apply'
without_compiler 2 --list --kernel=listed.c --filter='/cpu_'
says 'kernel_listed (your own: listed.c): nothing selected'
without_compiler 2 --list --kernel="$source_dir/docs/examples/tiled.cu" --simulate --modes=cold

# A compiler's message has the user's lines, and the run ends.
sed 's/sum = 0;/sum = ;/' "$source_dir/docs/examples/tiled.cu" >bad.cu
run 2 "${later[@]}" --kernel=bad.cu --simulate
says 'bad.cu:10:17: error:'
says '--kernel=bad.cu: does not compile'
sed 's/sum = 0;/sum = ;/' plain.c >bad.c
run 2 "${later[@]}" --kernel=bad.c
says 'bad.c:5:25: error:'
leaves_nothing 'a compile error'

# A file name of any form.
cp plain.c 'a "b" $(c)\d.c'
run 0 "${later[@]}" --kernel='a "b" $(c)\d.c' --filter=/kernel_a__b____c__d/

# An interrupted compilation.
mkdir signals
printf '#!/bin/sh\nkill -INT $PPID\nexec sleep 100\n' >signals/cc
chmod +x signals/cc
kernel stopped.c ''
PATH=$here/signals:$PATH run 130 "${later[@]}" --kernel=stopped.c --filter=/kernel_
leaves_nothing 'an interruption'

# Without a cache: compiled for this run only. Without room, nobody says that the kernel is wrong.
touch file
XDG_CACHE_HOME=$here/file compiles 2 0 "${later[@]}" --kernel=stopped.c --kernel=right.c --filter=/kernel_
[[ $(grep -c 'compiled for this run only' err) -eq 1 ]] || fail "one note was expected: $(cat err)"
mkdir full
printf '#!/bin/sh\necho "as: a.o: No space left on device" >&2\nexit 1\n' >full/cc
chmod +x full/cc
kernel roomless.c ''
PATH=$here/full:$PATH run 2 "${later[@]}" --kernel=roomless.c --filter=/kernel_
says '--kernel=roomless.c: was not compiled for lack of room'

# A byte order mark before the source, which moves no line.
for file in plain.c "$source_dir/docs/examples/missing_barrier.cu"; do
    { printf '\357\273\277'; cat "$file"; } >"marked.${file##*.}"
done
run 0 "${later[@]}" --kernel=marked.c --filter=/kernel_
for file in marked.c:5:25 marked.cu:10:17; do
    sed -i 's/sum = 0;/sum = ;/' "${file%%:*}"
    run 2 "${later[@]}" --kernel="${file%%:*}" --simulate
    says "$file: error:"
done

# A plain kernel has int sizes: larger problems are skipped, and nothing is computed for them.
run 77 --progress=off --suite=none --shape=65536x32769x1 --kernel=plain.c --filter=/kernel_ --out=int.csv
expect int.csv kernel_plain skipped 'takes sizes as int'

# --watch: each version is compared with the one before, until a signal.
cp plain.c watched.c
coproc env OMP_DISPLAY_ENV=true "$rungbench" "${quick[@]}" --kernel=watched.c --watch 2>watched.err
watcher=$COPROC_PID
IFS= read -r -t 60 first <&"${COPROC[0]}" || fail "--watch says nothing: $(cat watched.err)"
echo '/* */' >>watched.c
IFS= read -r -t 60 second <&"${COPROC[0]}" || fail "--watch does not see a change: $(cat watched.err)"
sed 's/] = sum/] = 0/' plain.c >watched.c
IFS= read -r -t 60 third <&"${COPROC[0]}" || fail "--watch does not see a change: $(cat watched.err)"
kill -INT "$watcher"
status=0
wait "$watcher" || status=$?
[[ $status -eq 130 ]] || fail "--watch ends with $status after SIGINT"
[[ $first == matmul/40x300x28/kernel_watched/hot*correct && $first != *last* ]] || fail "--watch: $first"
[[ $second == *'x the last version'*'% of the ceiling'*correct ]] || fail "--watch: $second"
[[ $third == *'failed: '*'wrong answer'* ]] || fail "--watch: $third"
starts=$(grep -c 'OPENMP DISPLAY ENVIRONMENT BEGIN' watched.err || true) # itself, a player for ceilings, one for each version
[[ $starts -eq 0 || $starts -eq 5 ]] || fail "--watch starts $starts programs for three versions, expected 5"

# On the simulator: the examples. Faults are named by kernel, block, thread and line.
examples=$source_dir/docs/examples
right=()
if at_length; then right+=(tiled registers); fi
flags=("${right[@]/#/--kernel=$examples/}")
flags=("${flags[@]/%/.cu}")
run 1 --progress=off --simulate --verify --suite=none --shape=17x18x19 "${flags[@]}" --kernel="$examples/missing_barrier.cu" --filter=/kernel_ --out=simulated.csv
for name in "${right[@]}"; do expect simulated.csv "kernel_$name" ok ''; done
expect simulated.csv kernel_missing_barrier failed 'kernel missing_barrier, block (0,0,0): thread (15,15,0) writes at examples/missing_barrier.cu:12 what thread (14,15,0) reads at examples/missing_barrier.cu:16, with no barrier between'

# There, memory of the GPU is counted.
cat >leaks.cu <<'END'
__global__ void relu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] < 0 ? 0 : x[i];
}

extern "C" void solution(const float *x, float *y, int n)
{
    void *kept;
    cudaMalloc(&kept, 4);
    relu<<<(n + 255) / 256, 256>>>(x, y, n);
}
END
sed '/kept/d' leaks.cu >frees.cu
run 1 --progress=off --simulate --suite=none --op=map --size=map:n=1000 --kernel=leaks.cu --kernel=frees.cu --filter=/kernel_ --out=leaks.csv --explain
expect leaks.csv kernel_leaks failed 'leaks memory: 64 bytes more are allocated after 16 calls'
expect leaks.csv kernel_frees ok ''
[[ $(tail -n 2 out) == *loaded\ 1.00\ times,*frees.cu:*. ]] || fail "--explain: $(tail -n 2 out)"

# Of real images, questions have the labels, too.
mkdir mnist
{ printf '\0\0\x08\x03\0\0\0\x14\0\0\0\x1c\0\0\0\x1c' && head -c $((20 * 784)) /dev/urandom; } >mnist/train-images-idx3-ubyte
{ printf '\0\0\x08\x01\0\0\0\x14' && printf '\\x%02x' {0..9} {0..9} | xargs -0 printf; } >mnist/train-labels-idx1-ubyte
run 0 --progress=off --suite=none --size=mnist_step:batch=8,inputs=784,hidden=5,classes=10 --mnist=mnist --modes=cold \
    --kernel="$source_dir/cpu/mnist_step/scalar.c" --filter=/kernel_ --min-time=0.002 --out=labels.csv
expect labels.csv kernel_scalar ok ''

status=0
wait "$hung" || status=$?
[[ $status -eq 1 ]] || fail "a kernel that hangs: status $status: $(cat hung.out)"
expect hung.csv kernel_hangs failed 'hung: '
expect hung.csv kernel_after ok ''

rmdir hung-tmp || fail "a kernel that hangs leaves $(ls hung-tmp)"
leaves_nothing 'a run'
end_test
echo "own kernels are judged as rungs are ($checks runs)"

#!/usr/bin/env bash
# An operation of the user's own that is not sound: exit status 2, and one line that names the file and what was expected.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../run/cli.sh"
rungbench=$1
enter_folder
export XDG_CACHE_HOME=$here/cache

# says LABEL TEXT: the only line of rungbench names the file, and says TEXT
says() {
    local line
    line=$(grep '^rungbench: ' err | grep -v '^rungbench: note: ' || true)
    [[ $line == "rungbench: $1: "*"$2"* && $(wc -l <<<"$line") -eq 1 ]] || fail "expected '$1: ...$2', saw '$line'"
}

# operation FILE MEMBERS [COMPUTE] [MAKE]: a description with these members; COMPUTE are the first statements of
# compute(), MAKE those of make()
operation() {
    cat >"$1" <<END
#include "bench/table/op.h"

#include <math.h>
#include <stdlib.h>

static bool compute(const struct op_piece *piece)
{
    ${3:-}
    for (int64_t i = 0; i < piece->count; i++) {
        piece->value[i] = sqrt(fabs(op_read(&piece->inputs[0], piece->first + i)));
        piece->bound[i] = 0x1p-20 * piece->value[i];
    }
    return true;
}

static void make(const int64_t *size, uint64_t seed, int64_t count, void *to)
{
    (void)size;
    ${4:-}
    for (int64_t i = 0; i < count; i++)
        ((float *)to)[i] = 1 + (float)(made_bits(seed, (uint64_t)i) % 1000);
}

static const void *const used[] = {compute, make};
static const struct workload workloads[] = {{"small", {100}}};

const struct op rungbench_op = {
    .name = (void)used, "own", .sizes = "n", .args = {{"x", "n"}, {"y", "n", .is_output = true}}, .compute = compute,
    .workloads = workloads, .workload_count = 1, $2};
END
    sed -i 's/(void)used, //' "$1"
}

# refuse FILE TEXT
refuse() {
    run 2 --op="$1" --check
    says "--op=$1" "$2"
}

# refuse_op NAME TEXT MEMBERS [COMPUTE] [MAKE]: the description with these members instead
refuse_op() {
    operation "$1.c" "${@:3}"
    refuse "$1.c" "$2"
}

operation right.c ''
run 0 --op=right.c --check
[[ $(tail -n 1 out) == 'own/'*'elements as an honest FP32 answer has them' ]] || fail "--check: $(tail -n 1 out)"

# An input that the host makes: sorted, say, as a kernel may then expect. Its questions are new ones of that kind.
made='.args = {{"x", "n", .make = make}, {"y", "n", .is_output = true}}'
in_order='float last = 0; for (int64_t i = 0; i < count; i++) ((float *)to)[i] = last += (float)(made_bits(seed, (uint64_t)i) % 100); return;'
operation made.c "$made" '' "$in_order"
run 0 --op=made.c --check
cat >root.c <<'END'
#include <math.h>
#include <stdlib.h>
void solution(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++) {
        if (x[i] < (i > 0 ? x[i - 1] : 0) || x[i] != truncf(x[i]))
            abort();
        y[i] = sqrtf(x[i]);
    }
}
END
run 0 --op=made.c --kernel=root.c --modes=cold,hot --min-time=0.001 --progress=off --out=made.csv
[[ $(columns made.csv mode status | sort | tr -s '\n\t' '  ') == 'cold ok hot ok ' ]] ||
    fail "an input that the host makes: $(columns made.csv mode status reason)"
sed 's/sqrtf(x\[i\])/i == 7 ? 3 : sqrtf(x[i])/' root.c >wrong_root.c
run 1 --op=made.c --kernel=wrong_root.c --modes=cold --progress=off --out=made.csv

# judge OP KERNEL FAULT: the kernel is right, and with that change it is wrong
judge() {
    echo "$2" >kernel.c
    sed "$3" kernel.c >faulty.c
    run 1 --op="$1" --kernel=kernel.c --kernel=faulty.c --modes=cold --min-time=0.001 --progress=off --out=judged.csv
    [[ $(columns judged.csv status | paste -sd ' ') == 'ok failed' ]] || fail "$1: $(columns judged.csv name status reason)"
}
operation gram.c '.compute = NULL, .sizes = "n k", .formula = "C[i,j] = A[i,p] A[j,p]", .args = {{"A", "n,k"}, {"C", "n,n", .is_output = true}}, .workloads = (const struct workload[]){{"small", {9, 70}}}'
judge gram.c 'void solution(const float *a, float *c, int n, int k)
{
    for (int i = 0; i < n * n; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++)
            sum += a[i / n * k + p] * a[i % n * k + p];
        c[i] = sum;
    }
}' 's/c\[i\] = sum/c[i] = i == n - 1 ? 0 : sum/'
# Sums of positive numbers that the host makes may be off by more than those of numbers of both signs.
operation positive.c '.compute = NULL, .sizes = "m k n", .formula = "C[i,j] = A[i,p] B[p,j]", .args = {{"A", "m,k", .make = make}, {"B", "k,n", .make = make}, {"C", "m,n", .is_output = true}}, .workloads = (const struct workload[]){{"small", {5, 2000, 7}}}'
judge positive.c 'void solution(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int i = 0; i < m * n; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++)
            sum += a[i / n * k + p] * b[p * n + i % n];
        c[i] = sum;
    }
}' 's/c\[i\] = sum/c[i] = sum * (i == 3 ? 1.001f : 1)/'
# Rounding may fall to either side: a bound holds for integers, too.
operation rounded_to.c '.args = {{"x", "n"}, {"y", "n", .type = ELEMENT_INT32, .is_output = true}}' \
    'for (int64_t i = 0; i < piece->count; i++) { piece->value[i] = floor(100 * op_read(&piece->inputs[0], piece->first + i)); piece->bound[i] = 1; } return true;'
judge rounded_to.c 'void solution(const float *x, int *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = (int)(100 * x[i]);
}' 's/100 \* x\[i\]/100 * x[i] + 2 * (i == 0)/'
operation nan.c '.takes_any = true' \
    'for (int64_t i = 0; i < piece->count; i++) { piece->value[i] = sqrt(op_read(&piece->inputs[0], piece->first + i)); piece->bound[i] = 0x1p-24 * piece->value[i]; } return true;'
judge nan.c '#include <math.h>
void solution(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = sqrtf(x[i]);
}' 's/sqrtf(x/sqrtf(x[i] < 0 ? 0 : x/'
# --watch: another description is read from the start; one that is not sound is waited for.
cp made.c watched.c
cp root.c root_watched.c
coproc "$rungbench" --op=watched.c --kernel=root_watched.c --modes=hot --min-time=0.001 --progress=off --watch 2>watched.err
watcher=$COPROC_PID
watched=()
look() {
    IFS= read -r -t 60 line <&"${COPROC[0]}" || fail "--watch: $(cat watched.err)"
    watched+=("$line")
}
look
sed -i 's/.name = /.nam = /' watched.c
for _ in {1..600}; do
    ! grep -q 'does not compile' watched.err || break
    sleep 0.1
done
sed 's/{"small", {100}}/{"large", {1000}}/' made.c >watched.c
look
kill -INT "$watcher"
status=0
wait "$watcher" || status=$?
[[ $status -eq 130 && ${watched[0]} == own/small/*correct && ${watched[1]} == own/large/*correct ]] ||
    fail "--watch ends with $status: ${watched[*]}"

# Arrays go by their names, in any order, whatever letters those have.
operation named.c '.args = {{"in_X", "n"}, {"Out_y", "n", .is_output = true}}'
cat >named_mine.c <<'END'
#include <math.h>
void solution(float *out_y, int n, const float *in_x)
{
    for (int i = 0; i < n; i++)
        out_y[i] = sqrtf(fabsf(in_x[i]));
}
END
run 0 --op=named.c --kernel=named_mine.c --verify
run 0 --op=named.c --kernel=named_mine.c --verify --launch='solution(Out_y, n, in_X)'

# What is no description.
refuse missing.c 'No such file'
mkdir folder.c
refuse folder.c 'expected'
echo 'int x' >syntax.c
refuse syntax.c 'does not compile'
echo 'int x;' >nothing.c
refuse nothing.c 'expected const struct op rungbench_op'
: >empty.c
refuse empty.c 'expected const struct op rungbench_op'

# tests/own/test_sound.c has what is not sound; this is how it is said, and what would end a process.
refuse_op existing 'expected another' '.name = "matmul"'
refuse_op crashes 'computing small answers was ended by signal 11' '' 'volatile int *nowhere = NULL; piece->value[0] = *nowhere;'
refuse_op exits 'computing small answers' '' 'exit(3);'
refuse_op fails '.compute failed' '' 'return false;'

# What lacks its other half.
run 2 --op=right.c
says --op "expected --kernel=FILE"
run 2 --check
says --check 'expected'

end_test
echo "operations that are not sound are refused ($checks runs)"

#!/usr/bin/env bash
# Functions of Python as kernels: run in Python's own process, and judged as others are.
# Usage: test_python_kernel.sh RUNGBENCH SOURCE_DIR
set -euo pipefail
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1 examples=$2/docs/examples/python
enter_folder
export TMPDIR=$here/tmp CUDA_VISIBLE_DEVICES='' RUNGBENCH_PYTHON=/usr/bin/python3
mkdir tmp

printf 'def map_one(x, y, n):\n    for i in range(n):\n        y[i] = 0 if x[i] <= 0 else x[i]\n' >relu.py
first=--progress=off later=--sitting=python:1 # other sizes are tried in the first round
# judge STATUS TEXT ARGUMENT...: what the program ends with, and says
judge() {
    local status=0
    "$rungbench" --progress=off "${round:-$later}" --suite=none --modes="${modes:-hot}" --min-time=0.001 --filter='/kernel_' "${@:3}" >out 2>&1 || status=$?
    [[ $status -eq $1 ]] || fail "${*:3}: status $status, expected $1: $(tail -n 3 out)"
    tr -s '\n ' ' ' <out | grep -qF -e "$2" || fail "${*:3}: no '$2' in: $(cat out)"
}

# product NAME STATEMENT: a right matmul that does something else first
product() {
    cat >"$1.py" <<END
import ctypes, os, sys


def product(c, b, a, n, m, k):
    $2
    for i in range(m):
        for j in range(n):
            c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))
END
}

round=$first judge 0 'A general kernel.' --size=map:n=100 --kernel=relu.py
judge 0 '2 measured' --shape=5x30x7 --image-size=20x30 --kernel="$examples/loops.py"
printf 'def gemv(a, x, y, m, n):\n    for i in range(m):\n        y[i] = sum(a[i, j] * x[j] for j in range(n))\n' >gemv.py
judge 0 '1 measured and verified' --op="$2/docs/examples/ops/gemv.c" --size=gemv:m=20,n=30 --kernel=gemv.py

product right 'pass'
judge 0 '1 measured and verified' --shape=4x5x6 --kernel=right.py
product adds 'c[0, 0] += 1; return'
judge 1 'wrong answer' --shape=4x5x6 --kernel=adds.py
product raises 'raise ValueError("of its own")'
judge 1 'ValueError: of its own' --shape=4x5x6 --kernel=raises.py
product ends 'os._exit(3)'
judge 1 'exit status 3' --shape=4x5x6 --kernel=ends.py
product crashes 'ctypes.string_at(16)'
judge 1 'SIGSEGV' --shape=4x5x6 --kernel=crashes.py
product changes 'os.chdir("/")'
judge 1 'the working folder' --shape=4x5x6 --kernel=changes.py
product leaves 'os.fork() or os.execvp("sleep", ["sleep", "100"])'
judge 1 'leaves' --shape=4x5x6 --kernel=leaves.py
product inputs 'a[0, 0] = 1'
judge 1 'input' --shape=4x5x6 --kernel=inputs.py
product remembers 'global kept; kept = globals().get("kept") or [list(row) for row in a.tolist()]; a = dict(((i, p), kept[i][p]) for i in range(len(kept)) for p in range(len(kept[0])))'
modes=cold judge 1 'wrong answer to a new question' --shape=4x5x6 --kernel=remembers.py
if [[ -e /sys/kernel/security/lsm ]] && grep -q landlock /sys/kernel/security/lsm; then
    product writes "open('$here/written', 'w')"
    judge 1 'PermissionError' --shape=4x5x6 --kernel=writes.py
    [[ ! -e written ]] || fail 'a function has written a file'
fi

# What stands in the way is said, and is no wrong answer where it is not the function's.
printf 'import not_there\n\n\ndef product(a, b, c):\n    pass\n' >lacks.py
judge 77 "No module named 'not_there'" --shape=4x5x6 --kernel=lacks.py
printf 'import torch\n\n\ndef product(a, b, c):\n    pass\n' >gpu.py
judge 77 'kernel_gpu' --shape=4x5x6 --kernel=gpu.py
judge 2 'expected a file of CUDA' --shape=4x5x6 --kernel=gpu.py --simulate
printf 'def product(a, b, c:\n' >broken.py
judge 2 'no function for matmul' --shape=4x5x6 --kernel=broken.py
printf 'def product(a, b, c):\n    pass\n    this is no Python\n' >syntax.py
judge 1 'SyntaxError' --shape=4x5x6 --kernel=syntax.py
printf 'def product(a, b, out):\n    pass\n' >names.py
judge 2 'no function for matmul' --shape=4x5x6 --kernel=names.py
judge 1 'parameter out' --shape=4x5x6 --kernel=names.py --launch=product
judge 2 'defines no other' --shape=4x5x6 --kernel=names.py --launch=other
RUNGBENCH_PYTHON=/nowhere/python3 judge 1 '/nowhere/python3' --shape=4x5x6 --kernel=right.py
end_test

#!/usr/bin/env bash
# Functions of Python as kernels: run in Python's own process, and judged as others are.
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
    "$rungbench" --progress=off "${round:-$later}" --suite=none --modes="${modes:-hot}" --min-time=0.001 --filter="${filter:-/kernel_}" "${@:3}" >out 2>&1 || status=$?
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
for op in matmul grayscale; do # one of each, and a verdict on each
    printf 'def %s_right(%s):\n    pass\n' $op "$([[ $op == matmul ]] && echo 'a, b, c' || echo 'rgb, gray')"
done >both.py
round=$first judge 1 'wrong at 2x3x4' --shape=2x3x4 --image-size=2x3 --kernel=both.py
tr -s '\n ' ' ' <out | grep -q 'kernel_both: wrong at 2x3[ .,]' || fail "no verdict on greyscale: $(tail -n 5 out)"
[[ $(grep -c "where it can reach" out) -eq 2 ]] || fail "a note for each function, once: $(cat out)"
printf 'def one(a, b, c):\n    pass\n\n\ndef two(a, b, c):\n    pass\n' >pair.py
judge 1 'kernel_pair_one' --shape=2x3x4 --kernel=pair.py
grep -q kernel_pair_two out || fail "the second of two: $(cat out)"
judge 0 '2 measured' --shape=5x30x7 --image-size=20x30 --kernel="$examples/loops.py"
printf 'def gemv(a, x, y, m, n):\n    for i in range(m):\n        y[i] = sum(a[i, j] * x[j] for j in range(n))\n' >gemv.py
judge 0 '1 measured and verified' --op="$2/docs/examples/ops/gemv.c" --size=gemv:m=20,n=30 --kernel=gemv.py

product right 'assert os.environ["NUMBA_CACHE_DIR"] == os.environ["TMPDIR"]'
NUMBA_CACHE_DIR=/nowhere judge 0 '1 measured and verified' --shape=4x5x6 --kernel=right.py
while IFS='|' read -r name text statement; do
    product "$name" "$statement"
    judge 1 "$text" --shape=4x5x6 --kernel="$name.py"
done <<'END'
adds|wrong answer|c[0, 0] += 1; return
exits|failed: SystemExit: 7|sys.exit(7)
raises|failed: ValueError: of its own|raise ValueError("of its own")
ends|exit status 3|os._exit(3)
crashes|SIGSEGV|ctypes.string_at(16)
changes|the working folder|os.chdir("/")
leaves|leaves|os.fork() or os.execvp("sleep", ["sleep", "100"])
inputs|input|a[0, 0] = 1
END
product remembers 'global kept; kept = globals().get("kept") or [list(row) for row in a.tolist()]; a = dict(((i, p), kept[i][p]) for i in range(len(kept)) for p in range(len(kept[0])))'
modes=cold judge 1 'wrong answer to a new question' --shape=4x5x6 --kernel=remembers.py
if [[ -e /sys/kernel/security/lsm ]] && grep -q landlock /sys/kernel/security/lsm; then
    product writes "open('$here/written', 'w')"
    judge 1 'PermissionError' --shape=4x5x6 --kernel=writes.py
    [[ ! -e written ]] || fail 'a function has written a file'
fi

# What a function may be: annotated, with defaults, beside others, in a file that is called as a package is, and has neighbours.
mkdir elsewhere
echo 'ZERO = 0' >elsewhere/neighbour.py
cat >elsewhere/json.py <<'END'
from __future__ import annotations
import json
import neighbour

json.dumps(neighbour.ZERO)


def log(*values):
    raise ValueError(values)


def main( ):
    raise ValueError


def map_relu(y, x, n: "a number", most=None):
    for i in range(n):
        y[i] = neighbour.ZERO if x[i] <= neighbour.ZERO else x[i]


def softmax_of_another(x, y, n):
    raise ValueError


class cuda:
    @staticmethod
    def jit(function):
        return None


@cuda.jit
def lines(x, y, n):
    raise ValueError
END
judge 0 '1 measured' --size=map:n=10 --op=map --kernel=elsewhere/json.py
if /usr/bin/python3 -c 'import numpy' 2>err; then
    judge 0 '2 measured' --shape=5x30x7 --image-size=20x30 --kernel="$examples/broadcast.py"
    printf 'import numpy as np\n\n\ndef gemm(a: np.ndarray, b: np.ndarray, c: np.ndarray):\n    c[:] = a.astype(np.float32) @ b\n' >half.py
    printf '%s\n' 'from __future__ import annotations' "$(<half.py)" >late.py
    judge 0 '1 measured' --size=gemm_half:m=4,k=5,n=6 --op="$2/docs/examples/ops/gemm_half.c" --kernel=late.py
fi

# What packages for GPUs are given, by stand-ins for them.
/usr/bin/python3 -B - "$2/scripts/python/rungbench" >out 2>&1 <<'END' || fail "stand-ins: $(cat out)"
import ctypes, sys, types
sys.path.insert(0, sys.argv[1])
import player

streams = []
torch = types.ModuleType("torch")
torch.as_tensor = lambda array, device: types.SimpleNamespace(data_ptr=lambda: array.__cuda_array_interface__["data"][0], given=array)
torch.Tensor = type("Tensor", (), {"__module__": "torch"})
torch.cuda = types.SimpleNamespace(ExternalStream=lambda stream: ("torch", stream), set_stream=streams.append)
cupy = types.ModuleType("cupy")
cupy.asarray = lambda array: ("cupy", array.__cuda_array_interface__["strides"])
cupy.ndarray = type("ndarray", (), {"__module__": "cupy"})
cupy.cuda = types.SimpleNamespace(Stream=types.SimpleNamespace(from_external=lambda of: types.SimpleNamespace(use=lambda: streams.append(of.__cuda_stream__()))))
sys.modules.update(torch=torch, cupy=cupy)
array = player.Array(b"x", 4096, (5, 7, 9, 0), 3, 0)
assert array.given(torch.Tensor, True).given is array
assert array.given(cupy.ndarray, True) == ("cupy", (252, 36, 4))
assert array.given(None, True) is array and array.__cuda_array_interface__["shape"] == (5, 7, 9)
player.use_stream(77)
assert streams == [("torch", 77), (0, 77)], streams
assert player.stream_for(77) == 77
sys.modules["numba.cuda"] = types.SimpleNamespace(external_stream=lambda stream: ("numba", stream), as_cuda_array=lambda of: ("numba", of))
assert player.stream_for(77) == ("numba", 77) and array.given(None, True) == ("numba", array)
try:
    array.given(type("ndarray", (), {"__module__": "numpy"}), True)
    raise AssertionError("a view of the device's memory")
except TypeError:
    pass
END

# What stands in the way is said, and is no wrong answer where it is not the function's.
printf 'import not_there\n\n\ndef product(a, b, c):\n    pass\n' >lacks.py
judge 77 "No module named 'not_there'" --shape=4x5x6 --kernel=lacks.py
for import in 'import torch' 'import os; import triton' 'from numba import njit, cuda'; do
    printf '%s\n\n\ndef product(a, b, c):\n    pass\n' "$import" >gpu.py
    judge 77 'kernel_gpu' --shape=4x5x6 --kernel=gpu.py
done
printf 'def zip_sum(x, y):\n    pass\n' >zips.py
judge 2 'does not have its sizes' --size=zip:m=2,n=3,view=1 --op=zip --kernel=zips.py
judge 2 'expected a file of CUDA' --shape=4x5x6 --kernel=gpu.py --simulate
printf 'import sys\nsys.exit(0)\n\n\ndef product(a, b, c):\n    pass\n' >leaves_early.py
judge 1 'SystemExit' --shape=4x5x6 --kernel=leaves_early.py
printf 'def decorate(function):\n    return None\n\n\n@decorate\ndef product(a, b, c):\n    pass\n' >none.py
round=$first modes=cold filter='/(kernel_none|openblas)/' judge 1 'TypeError' --shape=4x5x6 --kernel=none.py
! grep -q 'general kernel' out || fail "what was never called is not general: $(cat out)"
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

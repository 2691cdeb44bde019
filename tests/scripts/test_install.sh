#!/usr/bin/env bash
# What cmake --install puts somewhere works from there, wherever that is moved to: kernels of the user's own, operations, exercises, the
# scripts behind the program's commands, the library, manual pages and completion.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
build=$(dirname "$1")
CMAKE_GENERATOR=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
export CMAKE_GENERATOR # a machine may have no other
enter_folder
export XDG_CACHE_HOME=$here/cache CUDA_VISIBLE_DEVICES='' MANPATH=$here/moved/share/man
unset RUNGBENCH
cmake --install "$build" --prefix "$here/first" >/dev/null
mv first moved
home=$here/moved/share/rungbench
program=$here/moved/bin/rungbench
chmod -R a-w moved # nothing that it does is kept there

# expect STATUS TEXT ARGUMENT...: of the program, and of what it says
expect() {
    local status=0
    "$program" "${@:3}" >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "${*:3}: status $status, expected $1: $(tail -n 3 err)"
    tr -s '\n ' ' ' <out | cat - err | grep -qF -e "$2" || fail "${*:3}: no '$2' in: $(tail -n 3 out err)"
}

cp "$home/docs/examples/tiled.cu" mine.cu
later=(--modes=hot --min-time=1e-9 --sitting=install:1) # other sizes are tried in the first round
expect 0 '1 measured and verified, 0 wrong' --kernel=mine.cu --simulate --suite=none --shape=20x24x28 --filter=/kernel_ "${later[@]}"
expect 0 '1 measured and verified, 0 wrong' --op="$home/docs/examples/ops/sum.c" --kernel="$home/docs/examples/ops/sum_naive.cu" --simulate --filter=/small/kernel_ "${later[@]}"
expect 1 'exercises/01_missing_guard.cu:10' --exercise=1
expect 0 '2 measured' --suite=smoke --filter='matmul/mnist-valid5/cpu_(auto|reordered)/' "${later[@]}" --out=rows.csv
expect 0 '' plot --only=^ladder rows.csv drawn
[[ -s drawn/ladder-matmul-mnist-valid5.svg ]] || fail "plot has drawn: $(ls drawn)"
expect 0 'gate passed' gate rows.csv rows.csv
expect 2 'no such folder' train nowhere
expect 0 'all is in' record box --steps=info
[[ $(<results/box/info.txt) == *threads*read*GFLOP/s* ]] || fail "--info does not say what the machine can do: $(<results/box/info.txt)"
expect 0 'Usage:' history --help
expect 2 'unexpected argument' nonsense

# Each header that kernels, operations and programs of others include stands alone.
for header in "$home"/bench/*/*.h moved/include/*.h; do
    for compiler in 'cc -x c -std=c17 -Wpedantic' 'c++ -x c++ -std=c++17'; do
        # shellcheck disable=SC2086  # a command
        echo "#include \"${header#"$home/"}\"" | $compiler -Wall -Wextra -Werror -fsyntax-only -I "$home" - 2>err ||
            fail "${header##*/} by $compiler: $(head -n 3 err)"
    done
done

# Programs of others find the library.
make_programs() {
    if ! { cmake -S library -B made "-DCMAKE_PREFIX_PATH=$here/moved" '-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror' && cmake --build made; } >out 2>&1; then
        fail "docs/examples/library: $(tail -n 5 out)"
    fi
}
cp -r "$home/docs/examples/library" library && chmod -R u+w library
make_programs
program=$here/made/gemv_t
printf 'void solution(const float *a, const float *x, float *y, int m, int n)\n{\n    y[0] = m * n * a[0] * x[0];\n}\n' >first.c
expect 0 '4 measured and verified, 0 wrong' --modes=cold --min-time=0.001
expect 0 'kernel_first: correct' --kernel=first.c --size=gemv_t:m=1,n=1 --verify
expect 1 'kernel_first: wrong' --kernel=first.c --size=gemv_t:m=2,n=3 --verify
expect 2 'a table of its own' --kernel=first.py
expect 0 'by unknown' --version
sed -i 's/+= p->a\[i \* p->n + first/= p->a[i * p->n + first/' library/gemv_t.c
make_programs
expect 1 '1 verified, 1 wrong' --verify --filter=/square/
sed -i 's/"A", "m,n"/"A", "m,p"/' library/gemv_t.c
make_programs
expect 2 'gemv_t: the operation gemv_t: A: its extents' --list
program=$here/made/two_runs
seq 1.001 0.001 1.02 >base
seq 1.101 0.001 1.12 >slower
expect 1 'slower: ' base slower
expect 0 'cleared: ' base base
expect 0 'faster: ' slower base
expect 2 'expected a time' base out
printf '#include <rungbench.h>\nint main(int argc, char **argv) { return argc ? verdict_name(VERDICT_SLOWER)[0] : rungbench_main(argc, argv, nullptr); }\n' |
    c++ -x c++ -std=c++17 - -o of_cpp -I moved/include -I "$home" -L "$(dirname "$(find moved -name librungbench.so)")" -lrungbench 2>err ||
    fail "a program in C++: $(head -n 3 err)"
program=$here/moved/bin/rungbench

# Python's module, which a wheel has with an installation in it.
for tool in moved/bin/*; do
    grep -qx "${tool##*/} = \"rungbench:main\"" "$2/pyproject.toml" || fail "a wheel has no command ${tool##*/}"
done
mkdir module && cp -r "$2/scripts/python/rungbench" module/ && ln -s "$here/moved" module/rungbench/installed
PYTHONPATH=module python3 -B - >out 2>&1 <<'END' || fail "the module: $(tail -n 3 out)"
import rungbench

rows = rungbench.run("--suite=smoke", "--filter=matmul/mnist-valid5/cpu_(auto|scalar)/hot", "--min-time=0.001", "--sitting=module:1")
assert {row["variant"] for row in rows} == {"cpu_scalar", "cpu_auto"}, rows
assert all(isinstance(row["time_median_s"], float) and row["bytes"] == 47240 and row["transfer"] is None for row in rows), rows
assert rungbench.run("--suite=smoke", "--filter=/cuda_naive/")[0]["status"] == "skipped"
status, verdicts = rungbench.gate("rows.csv", "rows.csv")
assert status == 0 and len(verdicts) == 2, (status, verdicts)
with open("own.py", "w", encoding="utf-8") as file:
    file.write("def relu(x, y, n):\n    for i in range(n):\n        y[i] = x[i] if x[i] > 0 or x[i] != x[i] else 0\n")
import own

rows = rungbench.judge(own.relu, "map", [{"n": 10}, {"n": 100}], "--min-time=0.001", "--sitting=module:1")
assert [row["shape"] for row in rows] == ["10", "100"] and all(row["status"] == "ok" for row in rows), rows
with open("calls.py", "w", encoding="utf-8") as file:
    file.write("import rungbench\n\n\ndef relu(x, y, n):\n    pass\n\n\nROWS = rungbench.judge(relu, 'map', {'n': 10}, '--sitting=module:1')\n")
import calls

assert [row["status"] for row in calls.ROWS] == ["failed"] and "__main__" in calls.ROWS[0]["reason"], calls.ROWS
try:
    rungbench.run("--nonsense")
    raise AssertionError("no error")
except rungbench.Error as error:
    assert "--nonsense" in str(error), error
END

# The wheel's Python draws the charts: it has the packages that were installed with the wheel.
mkdir -p asking/rungbench/installed/bin
cp module/rungbench/__init__.py asking/rungbench/
printf '#!/bin/sh\nprintenv RUNGBENCH_PYTHON\n' >asking/rungbench/installed/bin/rungbench
printf '#!/bin/sh\n: >%q/asked\nexec /usr/bin/python3 "$@"\n' "$here" >own_python
chmod +x asking/rungbench/installed/bin/rungbench own_python
[[ $(PYTHONPATH=asking python3 -Bc 'import sys, rungbench; sys.argv = ["rungbench"]; rungbench.main()') == /*python3* ]] ||
    fail "a wheel's command does not say which Python it is of"
# A version, or a size, that looks like a number is none.
# shellcheck disable=SC2016  # of the stand-in
printf '#!/bin/sh\nprintf "shape,git_rev,cuda_version,samples\\n100,123456789012,12.10,3\\n" >"${1#*=}"\n' >asking/rungbench/installed/bin/rungbench
PYTHONPATH=asking python3 -Bc 'import rungbench
rows = rungbench.run()
assert rows == [{"shape": "100", "git_rev": "123456789012", "cuda_version": "12.10", "samples": 3}], rows' 2>out || fail "texts: $(tail -n 1 out)"
RUNGBENCH_PYTHON=$here/own_python expect 0 '' plot --only=^ladder rows.csv drawn
[[ -e asked ]] || fail 'plot has not asked the Python that was named'

# It needs nothing of the sources: what is missing is named by its place in the installation.
chmod -R u+w moved
rm -r "$home/bench" "$home/scripts"
expect 2 "$home" --kernel=mine.cu --simulate --verify --nvcc-flags=-DAGAIN
expect 2 "$home/scripts/plot.sh" plot rows.csv

if [[ -f /usr/share/bash-completion/bash_completion ]]; then
    # shellcheck disable=SC2016  # of the shell that completes
    bash -c 'source /usr/share/bash-completion/bash_completion; source moved/share/bash-completion/completions/rungbench
        PATH=$PWD/moved/bin:$PATH COMP_WORDS=(rungbench --mod) COMP_CWORD=1 COMP_LINE="rungbench --mod" COMP_POINT=15; _longopt rungbench --mod rungbench
        printf "%s\n" "${COMPREPLY[@]}"' >out 2>/dev/null
    [[ $(<out) == --modes= ]] || fail "bash completes --mod: $(<out)"
fi
if command -v fish >/dev/null; then
    # shellcheck disable=SC2016  # of fish
    fish -c 'set PATH moved/bin $PATH; source moved/share/fish/vendor_completions.d/rungbench.fish; complete -C "rungbench --mod"' >out
    [[ $(<out) == --modes=* ]] || fail "fish completes --mod: $(<out)"
fi
if command -v man >/dev/null && [[ -f moved/share/man/man1/rungbench.1.gz ]]; then
    man rungbench 2>/dev/null | grep -q -e '--modes=' || fail 'no manual page, or without --modes'
fi
end_test

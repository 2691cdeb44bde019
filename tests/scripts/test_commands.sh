#!/usr/bin/env bash
# What README.md and docs/ say to type runs, in a checkout that builds nothing: its programs are those that are tested. What cannot
# run here says in the document what it needs. Their flags, and CONTRIBUTING.md's, are those of the programs and scripts.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
for tool in cmake ctest git gdb gnuplot python3; do
    command -v $tool >/dev/null || skip "there is no $tool"
done
built=$(dirname "$(realpath "$1")") source=$(realpath "$2")
make_folder
export CUDA_VISIBLE_DEVICES='' XDG_CACHE_HOME=$here/cache PATH=$here/checkout/build:$source/tests/plot/svg_only:$PATH GIT_CONFIG_GLOBAL=/dev/null \
    GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset GITHUB_STEP_SUMMARY RUNGBENCH RUNGBENCH_GATE

mkdir -p "$here"/checkout/{bench,build,kernels/matmul,build-test/tests/simulator}
cd "$here/checkout"
cp -r "$source"/{.gitignore,README.md,CONTRIBUTING.md,docs,scripts} .
cp -r "$source/bench/table" bench/
cp "$source/kernels/matmul/tiled.cu" kernels/matmul/
printf '#!/bin/sh\n' >scripts/setup.sh
ln -s "$built"/rungbench{,-gate,-train} build/
ln -s "$built/tests/simulator/precision_errors" build-test/tests/simulator/
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(programs NONE)
include(CTest)
foreach(name rungbench rungbench-gate rungbench-train)
    add_custom_target(\${name} ALL COMMAND \${CMAKE_COMMAND} -E create_symlink "$built/\${name}" "\${PROJECT_BINARY_DIR}/\${name}")
endforeach()
add_custom_target(one)
add_test(NAME one COMMAND true)
END
git init -qb main
git add -A
git commit -qm one
git tag v1.2
git commit -qm two --allow-empty
git branch topic
git init -q --bare "$here/origin"
git remote add origin "$here/origin"

# What a reader has: results of a CPU and a GPU, and of a benchmark of others; data; kernels.
files=$here/files
mkdir -p "$files"/{old,new,DIR}
awk -F, -v OFS=, -v revision="$(git rev-parse HEAD)" 'NR == 1 { print; next } {
    sub("/hot", "/cold", $2)
    $9 = "cold"
    $19 = substr(revision, 1, 12)
    $24 = $23
    for (round = 0; round < 48; round++) {
        $22 = round
        $28 = 0.51 + round % 7 * 0.001
        print
    }
}' "$source/tests/plot/one-row.csv" >"$files/run.csv"
for name in A B old-cpu new-cpu node1; do cp "$files/run.csv" "$files/$name.csv"; done
sed 's/,example,/,another,/' "$files/run.csv" >"$files/node2.csv"
for name in BASE NEW old new; do sed -e 's/cpu_scalar/cuda_naive/; s/,cpu,/,cuda,/' -e 9q "$files/run.csv" >"$files/$name.csv"; done
printf '#!/bin/sh\necho name,round,seconds\necho one,0,1\n' | tee "$files/old/bench" >"$files/new/bench"
chmod +x "$files"/*/bench
echo "{\"results\": [{\"command\": \"one\", \"times\": [1$(printf ', 1.00%s' {0..19})]}]}" | tee "$files/before.json" >"$files/after.json"
printf 'P6 2 2 255\n............' >"$files/photo.jpg"
printf '\0\0\10\3\0\0\0\12\0\0\0\34\0\0\0\34%7840s' '' >"$files/DIR/t10k-images-idx3-ubyte"
cp docs/examples/ops/gemv_naive.cu "$files/gemv.cu"
cp docs/examples/python/triton_rows.py "$files/rows.py"
cp "$source/results/two-cores/simulated.csv" "$files/errors.csv"

/usr/bin/python3 -B "$source/tests/scripts/commands.py" "$files" || fail 'the documents say what is not so'
end_test

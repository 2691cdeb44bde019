#!/usr/bin/env bash
# The build's switches, what it leaves out, and its guard over the table of rungs: only configuring, which takes seconds.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source=$2
make_folder

# A folder of tools without nvcc, for the PATH.
mkdir "$here/bin"
for tool in cmake ninja make cc gcc g++ c++ as ld ar ranlib nm strip objdump git sh bash sed grep uname cat; do
    path=$(command -v "$tool") && ln -s "$path" "$here/bin/$tool"
done
source "$source/scripts/common.sh" # which generator there is
choose_generator
cp -r "$source"/{CMakeLists.txt,CHANGELOG.md,LICENSE,README.md,bench,cpu,kernels,scripts,tests} "$here"
mkdir -p "$here/build/CMakeFiles"
cp -r "$(dirname "$1")"/CMakeFiles/[0-9]* "$here/build/CMakeFiles/" # what CMake found out about the compilers, which takes seconds

# configure STATUS TEXT FLAGS...: cmake ends well (0) or not (1), and says TEXT.
configure() {
    local expected=$1 text=$2 status=0
    shift 2
    # Of what it has found and was told before, it keeps what no case is about.
    env PATH="$here/bin" CUDACXX= cmake -S "$here" -B "$here/build" -U 'RUNGBENCH_*' -U '*blas*' -U '*BLAS*' -U '*cmocka*' -U '*Python3*' \
        -U CMAKE_IGNORE_PATH -U BUILD_TESTING -U CMAKE_CUDA_COMPILER "$@" >"$here/log" 2>&1 || status=1
    [[ $status -eq $expected ]] || fail "$* ended with $status, expected $expected: $(tail -n 5 "$here/log")"
    says "$text"
}

says() { # TEXT; CMake breaks its errors into lines
    tr -s ' \n' ' ' <"$here/log" | grep -qF -e "$1" || fail "expected to read '$1' in: $(tail -n 8 "$here/log")"
}

# The tests only where they are asked for: nothing that they need is needed otherwise.
without_cmocka=(-Dcmocka_INCLUDE_DIR= -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON)
without_openblas=(-DCMAKE_IGNORE_PATH="/usr/include/$(cc -print-multiarch)")
configure 0 'Left out: the tests (-DBUILD_TESTING=ON builds them)' "${without_cmocka[@]}" "${without_openblas[@]}"
says 'Left out: the CUDA rungs (no CUDA compiler was found; put nvcc on the PATH)'
says 'Left out: the OpenBLAS rung (OpenBLAS was not found; Debian: libopenblas-dev)'
configure 1 'Missing: libcmocka-dev (Debian' -DRUNGBENCH_CUDA=OFF "${without_cmocka[@]}" "${without_openblas[@]}" -DBUILD_TESTING=ON
says "Missing, by Debian's names: libcmocka-dev libopenblas-dev" # what it can do without, too, for who gets them all at once
if [[ -e /usr/include/cmocka.h ]]; then
    configure 0 'Left out: the tests of mutants (Python was not found; Debian: python3)' -DRUNGBENCH_CUDA=OFF -DBUILD_TESTING=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON
fi

configure 1 'RUNGBENCH_CUDA is ON, but no CUDA compiler was found' -DRUNGBENCH_CUDA=ON
printf '#!/bin/sh\necho "nvcc fatal: your g++ is too new" >&2\nexit 1\n' >"$here/bin/nvcc"
chmod +x "$here/bin/nvcc"
configure 0 "Left out: the CUDA rungs ($here/bin/nvcc does not compile: nvcc fatal: your g++ is too new"
configure 1 "RUNGBENCH_CUDA is ON, but $here/bin/nvcc does not compile" -DRUNGBENCH_CUDA=ON
rm "$here/bin/nvcc"
configure 1 "RUNGBENCH_CUDA is 'MAYBE'; it takes AUTO, ON or OFF" -DRUNGBENCH_CUDA=MAYBE
configure 1 'RUNGBENCH_OPENBLAS is ON, but OpenBLAS was not found' -DRUNGBENCH_CUDA=OFF "${without_openblas[@]}" -DRUNGBENCH_OPENBLAS=ON

# The table and the files agree, or there is no build.
cp "$here/cpu/matmul/scalar.c" "$here/cpu/matmul/forgotten.c"
configure 1 'cpu/matmul/forgotten.c has no line in bench/table/rungs.def' -DRUNGBENCH_CUDA=OFF
mv "$here/cpu/matmul/forgotten.c" "$here/cpu/matmul/scalar.c"
mv "$here/cpu/matmul/reordered.c" "$here/kept.c"
configure 1 'bench/table/rungs.def names matmul cpu_reordered, but there is no cpu/matmul/reordered.c' -DRUNGBENCH_CUDA=OFF

end_test

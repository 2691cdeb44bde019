#!/usr/bin/env bash
# How scripts/common.sh configures, for every script: with Ninja or make, whichever there is, the tests only where they are asked
# for, and anew where CMake's memory of its tools is wrong. CMake is stood in for: it writes down what it is told.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$2/scripts/common.sh"
enter_folder
unset CMAKE_GENERATOR CUDACXX
mkdir tools tools/ninja tools/make tools/nvcc folder
for tool in ninja make nvcc; do
    printf '#!/bin/sh\n' >tools/$tool/$tool
    chmod +x tools/$tool/$tool
done
cat >tools/cmake <<'END'
#!/bin/sh
echo "$CMAKE_GENERATOR $*"
END
chmod +x tools/cmake
ln -s "$(command -v sed)" tools/sed

# cached MAKE-PROGRAM [NVCC]: what CMake remembers
cached() {
    printf 'CMAKE_MAKE_PROGRAM:FILEPATH=%s\n' "$1" >folder/CMakeCache.txt
    [[ $# -eq 1 ]] || printf 'CMAKE_CUDA_COMPILER:FILEPATH=%s\n' "$2" >>folder/CMakeCache.txt
}

# expect WHAT LINE TOOL...: with these tools on the PATH CMake is told that
expect() {
    local said path=$here/tools
    for tool in "${@:3}"; do path+=:$here/tools/$tool; done
    said=$(PATH=$path && configure source folder -DMORE=1)
    [[ $said == "$2" ]] || fail "$1: '$said' instead of '$2'"
}

plain='-S source -B folder -DBUILD_TESTING=OFF -DMORE=1'
anew='-S source -B folder --fresh -DBUILD_TESTING=OFF -DMORE=1'
expect 'with Ninja' "Ninja $plain" ninja make
expect 'without Ninja' " $plain" make
CMAKE_GENERATOR=other expect "a generator of the user's" "other $plain" ninja
cached "$here/tools/make/make"
expect 'as it was' " $plain" make
cached "$here/tools/make/gone"
expect 'make went' "Ninja $anew" ninja
cached "$here/tools/ninja/ninja" CMAKE_CUDA_COMPILER-NOTFOUND
expect 'still no nvcc' "Ninja $plain" ninja
expect 'nvcc came' "Ninja $anew" ninja nvcc
cached "$here/tools/ninja/ninja" "$here/tools/nvcc/nvcc"
expect 'nvcc as before' "Ninja $plain" ninja nvcc
expect 'nvcc went' "Ninja $anew" ninja
cached "$here/tools/ninja/ninja"
expect 'a build without CUDA' "Ninja $plain" ninja nvcc

end_test

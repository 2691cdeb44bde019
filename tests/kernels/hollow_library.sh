#!/usr/bin/env bash
# Usage: hollow_library.sh COMPILER LIBRARY FOLDER
# Makes in FOLDER a shared library with the name and the functions of LIBRARY: each fails with status 1, none needs loading.
set -euo pipefail
compiler=$1 library=$2 folder=$3
name=$(objdump -p "$library" | sed -n 's/^ *SONAME *//p')
nm -D --defined-only "$library" >"$folder/symbols"
version=$(sed -n 's/.* T .*@@//p' "$folder/symbols" | sort -u)
echo "$version { global: *; };" >"$folder/version"
sed -nE 's/.* T ([a-zA-Z0-9_]+).*/int \1(void) { return 1; }/p' "$folder/symbols" |
    "$compiler" -shared -fPIC -x c - -o "$folder/$name" "-Wl,-soname,$name" "-Wl,--version-script=$folder/version"

# Sourced by bench.sh and test.sh: where the checkout is, and how it is built.
# shellcheck shell=bash

unset CDPATH
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
    say "$@"
    exit 2
}

target=''

# build FOLDER [CMAKE-FLAG...]: configures and builds in a folder of the checkout: all, or the target that $target names.
# What the tools say is shown if they fail.
build() {
    local folder=$root/$1 log=$root/$1/build.log cache=$root/$1/CMakeCache.txt flags=() nvcc
    mkdir -p "$folder" 2>/dev/null || true
    [[ -w $folder ]] || die "$folder: cannot be written to; expected a checkout that can be"
    # CMake looks for nvcc once, and would neither see that it came nor that it went.
    if [[ -f $cache ]]; then
        nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$cache")
        if [[ -n ${CUDACXX-} ]] || command -v nvcc >/dev/null; then
            if [[ $nvcc == *NOTFOUND ]]; then flags=(--fresh); fi
        elif [[ -n $nvcc && $nvcc != *NOTFOUND ]]; then
            flags=(--fresh)
        fi
    fi
    if [[ ! -f $cache || ${#flags[@]} -gt 0 ]] && [[ -z ${CMAKE_GENERATOR-} ]] && command -v ninja >/dev/null; then
        flags+=(-G Ninja)
    fi
    say "building in $folder (the first time takes a minute or two)"
    if ! { cmake -S "$root" -B "$folder" "${flags[@]}" "${@:2}" &&
        cmake --build "$folder" --parallel "$jobs" ${target:+--target "$target"}; } \
        >"$log" 2>&1 </dev/null; then
        grep -v -e '^-- ' -e '^\[[0-9]*/[0-9]*\] ' -e '^\[ *[0-9]*%\] ' "$log" >&2 || true
        die "building failed; all of it is in $log"
    fi
    sed -n 's/^-- \(Left out: .*\)/\1/p' "$log" | while read -r line; do say "$line"; done
}

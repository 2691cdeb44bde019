#!/usr/bin/env bash
# Installs what the groups named need and Debian 12 lacks: setup.sh build|charts|debug|test ...
# Only what is missing, by apt-get, as root; all there: nothing is done. Exit status 2 if something stays missing.
set -euo pipefail

die() {
    printf 'setup.sh: %s\n' "$*" >&2
    exit 2
}

has_header() { compgen -G "/usr/include/$1" >/dev/null || compgen -G "/usr/include/*/$1" >/dev/null ||
    compgen -G "/usr/local/include/$1" >/dev/null; }
has_command() { command -v "$1" >/dev/null; }
has_cmake() { has_command cmake && cmake --version | sed -n '1s/[^0-9]*/3.25 /p' | tr ' ' '\n' | sort -VC; }

has_scipy() { /usr/bin/python3 -c 'import scipy' 2>/dev/null; } # Debian's Python, whatever the PATH has

need() { # PACKAGE TEST...
    "${@:2}" || missing+=("$1")
}

need_build() {
    need gcc has_command cc
    need libc6-dev has_header stdio.h
    need g++ has_command g++
    need cmake has_cmake
    if ! has_command make; then need ninja-build has_command ninja; fi
    need zlib1g-dev has_header zlib.h
    need libopenblas-dev has_header openblas_config.h
    need libstb-dev has_header stb/stb_image_write.h
    need libjansson-dev has_header jansson.h
}

need_charts() {
    need gnuplot-nox has_command gnuplot
}

need_debug() {
    need gdb has_command gdb
}

need_test() {
    need_debug
    need libcmocka-dev has_header cmocka.h
    need shellcheck has_command shellcheck
    need cppcheck has_command cppcheck
    need libbenchmark-tools test -e /usr/share/benchmark/compare.py
    need python3-scipy has_scipy
    need chromium has_command chromium
}

look() {
    missing=()
    local group
    for group in "${groups[@]}"; do "need_$group"; done
}

[[ $# -gt 0 ]] || die 'no group; expected some of build, charts, debug, test'
groups=("$@")
for group in "${groups[@]}"; do
    [[ $group == build || $group == charts || $group == debug || $group == test ]] ||
        die "$group: no such group; expected build, charts, debug or test"
done
look
[[ ${#missing[@]} -gt 0 ]] || exit 0

install="apt-get install ${missing[*]}"
has_command apt-get || die "missing: ${missing[*]} (Debian's names), and no apt-get here; on Debian: $install"
[[ $EUID -eq 0 ]] || die "missing: ${missing[*]}; as root: $install"

printf 'setup.sh: installing %s\n' "${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 "$@" >>"$log" 2>&1 </dev/null; }
{ apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
    die "apt-get could not install ${missing[*]}: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
look
[[ ${#missing[@]} -eq 0 ]] ||
    die "apt-get installed what it has, but this is missing or too old still: ${missing[*]} (cmake: 3.25)"

#!/usr/bin/env bash
# Usage: scripts/setup.sh GROUP...
#        scripts/setup.sh packages PACKAGE...
# Installs with apt-get what these groups need and Debian 12 lacks, or these packages; where nothing is missing it does nothing.
#   build    compilers and CMake, which says what libraries are missing
#   charts   gnuplot, and Python with Jinja, for scripts/plot.sh
#   docs     mkdocs (35 MB), for scripts/docs.sh
#   gate     git, for scripts/gate.sh
#   debug    gdb, for scripts/step.sh
#   test     what the tests run: Python, a browser, debootstrap, ...
#   others   benchmarks of others whose results one test reads, and is skipped without
#   aarch64  a cross-compiler, qemu-user and libraries of dpkg's architecture arm64, for one test, which is skipped without
#   lint     shellcheck, cppcheck, clang-format, clang-tidy
#   package  help2man and dpkg-dev, for scripts/package.sh
#   wheel    Python's venv, for scripts/package.sh wheel
# What it installs, and how much that is, it says before, and how far apt-get is meanwhile.
# Exit status: 0 all is there; 2 something is missing still, or only root may install it (in CI also who may use sudo).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

has_command() { command -v "$1" >/dev/null; }
has_cmake() { has_command cmake && cmake --version | sed -n '1s/[^0-9]*/3.25 /p' | tr ' ' '\n' | sort -VC; }

has_ninja_or_make() { has_command ninja || has_command make; }
compiles() { # LANGUAGE HEADER COMPILER [FLAG...]
    "${@:3}" -x "$1" -fsyntax-only - <<<"#include <$2>" 2>/dev/null
}

# need GROUP PACKAGE TEST...: the package is missing where the group is asked for and the test fails
need() {
    [[ " ${groups[*]} " != *" $1 "* ]] || "${@:3}" || missing+=("$2")
}

look() {
    local c cxx library
    read -ra c <<<"${CC:-cc}"
    read -ra cxx <<<"${CXX:-c++}"
    missing=()
    # Libraries are CMake's to find, and common.sh asks for those that it does not. Without a compiler it finds none: they come
    # with that one, or apt-get would run twice.
    need build gcc has_command "${c[0]}"
    need build libc6-dev compiles c stdio.h "${c[@]}"
    need build g++ compiles c++ string "${cxx[@]}"
    need build cmake has_cmake
    need build ninja-build has_ninja_or_make
    need charts gnuplot-nox has_command gnuplot
    need charts python3-jinja2 find_python jinja2
    need docs mkdocs has_command mkdocs
    need gate git has_command git
    need debug gdb has_command gdb
    need test python3 test -x /usr/bin/python3
    need test python3-jinja2 /usr/bin/python3 -sc 'import jinja2' # many run with no other Python on the PATH
    need test procps has_command pgrep
    need test libbenchmark-tools test -e /usr/share/benchmark/compare.py
    need test python3-scipy find_python scipy
    need test chromium has_command chromium
    need test libopenmpi-dev has_command mpicc
    need test openmpi-bin has_command mpirun
    if [[ $EUID -eq 0 ]]; then # the test that makes a bare machine is only for root
        need test debootstrap test -e /usr/sbin/debootstrap
        need test debian-archive-keyring test -e /usr/share/keyrings/debian-archive-keyring.gpg
    fi
    need others libbenchmark-dev compiles c++ benchmark/benchmark.h "${cxx[@]}"
    need others hyperfine has_command hyperfine
    need others python3-pytest-benchmark find_python pytest_benchmark
    need aarch64 g++-aarch64-linux-gnu has_command aarch64-linux-gnu-g++
    need aarch64 qemu-user-static has_command qemu-aarch64-static
    need aarch64 libgomp1:arm64 test -e /usr/lib/aarch64-linux-gnu/libgomp.so.1
    for library in zlib1g:z libjpeg:jpeg libpng:png libjansson:jansson libre2:re2 libssl:ssl libopenblas:openblas; do
        need build "${library%:*}-dev" has_command "${c[0]}"
        need aarch64 "${library%:*}-dev:arm64" test -e "/usr/lib/aarch64-linux-gnu/lib${library#*:}.so"
    done
    need lint shellcheck has_command shellcheck
    need lint cppcheck has_command cppcheck
    need lint clang-format has_command clang-format
    need lint clang-tidy has_command clang-tidy
    need wheel python3-venv find_python ensurepip
    need package help2man has_command help2man
    need package dpkg-dev has_command dpkg-shlibdeps
    need package file has_command file
}

known='build, charts, docs, gate, debug, test, others, aarch64, lint, package, wheel'
[[ $# -gt 0 ]] || die "no group; expected some of $known"
groups=("$@")
if [[ $1 == packages ]]; then
    missing=("${@:2}") # whoever says so looks again
else
    for group in "${groups[@]}"; do
        [[ ", $known," == *", $group,"* ]] || die "$group: no such group; expected some of $known"
        [[ $group != test ]] || groups+=(docs gate debug)
    done
    look
fi
[[ ${#missing[@]} -gt 0 ]] || exit 0

install="apt-get install ${missing[*]}"
[[ $install != *:arm64* ]] || install="dpkg --add-architecture arm64; apt-get update; $install"
has_command apt-get || die "missing: ${missing[*]} (Debian's names), and no apt-get here; on Debian: $install"
as_root=()
if [[ $EUID -ne 0 && -n ${CI-} ]] && sudo -n true 2>/dev/null; then as_root=(sudo -n); fi # a hosted runner is there for that
[[ $EUID -eq 0 || ${#as_root[@]} -gt 0 ]] || die "missing: ${missing[*]}; as root: $install"

say "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 "$@" 2>>"$log" </dev/null; }

# size_of PACKAGE...: "118 packages, 120 MB to download", with those that they need
size_of() { apt -qq --print-uris install -y --no-install-recommends "$@" | awk '{ bytes += $3 } END { printf "%d to download, %.0f MB\n", NR, bytes / 1e6 }'; }

# show_progress: of apt-get's status lines, each tenth
show_progress() {
    local line what tenth shown=''
    while IFS= read -r line; do
        [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]*)[0-9]\. ]] || continue
        what=$([[ ${BASH_REMATCH[1]} == dl ]] && echo downloaded || echo installed)
        tenth=${BASH_REMATCH[2]}
        [[ $shown == "$what$tenth" ]] || say "$what ${tenth}0 %"
        shown=$what$tenth
    done
}
if [[ $install == dpkg* ]]; then "${as_root[@]}" dpkg --add-architecture arm64; fi
# shellcheck disable=SC2015  # whichever fails
apt -qq update >>"$log" && say "$(size_of "${missing[@]}")" && apt -qq install -y --no-install-recommends -o APT::Status-Fd=1 "${missing[@]}" | show_progress ||
    die "apt-get could not install ${missing[*]}: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
[[ ${groups[0]} != packages ]] || exit 0
look
[[ ${#missing[@]} -eq 0 ]] ||
    die "apt-get installed what it has, but this is missing or too old still: ${missing[*]} (cmake: 3.25)"

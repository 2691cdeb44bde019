#!/usr/bin/env bash
# Usage: scripts/setup.sh GROUP...
#        scripts/setup.sh packages PACKAGE...
# Installs with apt-get what these groups need and Debian 12 lacks, or these packages; where nothing is missing it does nothing.
#   build    compilers and CMake, which says what libraries are missing
#   charts   gnuplot, and Python with Jinja, for scripts/plot.sh
#   gate     git, for scripts/gate.sh
#   debug    gdb, for scripts/step.sh
#   test     what the tests run: Python, a browser, debootstrap, ...
#   lint     shellcheck, cppcheck, clang-format, clang-tidy
# Exit status: 0 all is there; 2 something is missing, and only root may install it, or it cannot be had.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

has() { command -v "$1" >/dev/null; } # COMMAND
has_ninja_or_make() { has ninja || has make; }

# need GROUP PACKAGE TEST...: the package is missing where the group is asked for and the test fails
need() {
    [[ " ${groups[*]} " != *" $1 "* ]] || "${@:3}" || missing+=("$2")
}

[[ $# -gt 0 ]] || die 'no group; expected some of build, charts, gate, debug, test, lint'
groups=("$@")
missing=()
if [[ $1 == packages ]]; then
    missing=("${@:2}")
else
    for group in "${groups[@]}"; do
        [[ $group =~ ^(build|charts|gate|debug|test|lint)$ ]] ||
            die "$group: no such group; expected build, charts, gate, debug, test or lint"
        [[ $group != test ]] || groups+=(gate debug)
    done
    # Libraries are CMake's to find, and common.sh asks for those that it does not. That of C comes with g++.
    c=${CC:-cc} cxx=${CXX:-c++}
    need build gcc has "${c%% *}"
    need build g++ has "${cxx%% *}"
    need build cmake has cmake
    need build ninja-build has_ninja_or_make
    need charts gnuplot-nox has gnuplot
    need charts python3-jinja2 find_python jinja2
    need gate git has git
    need debug gdb has gdb
    need test python3 test -x /usr/bin/python3
    need test procps has pgrep
    need test libbenchmark-tools test -e /usr/share/benchmark/compare.py
    need test python3-scipy find_python scipy
    need test chromium has chromium
    if [[ $EUID -eq 0 ]]; then # the test that makes a bare machine is only for root
        need test debootstrap test -e /usr/sbin/debootstrap
        need test debian-archive-keyring test -e /usr/share/keyrings/debian-archive-keyring.gpg
    fi
    need lint shellcheck has shellcheck
    need lint cppcheck has cppcheck
    need lint clang-format has clang-format
    need lint clang-tidy has clang-tidy
fi
[[ ${#missing[@]} -gt 0 ]] || exit 0

[[ $EUID -eq 0 && -n $(command -v apt-get) ]] ||
    die "missing: ${missing[*]} (Debian's names); as root on Debian: apt-get install ${missing[*]}"
say "installing ${missing[*]}"
make_place
export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 "$@" >>"$place/log" 2>&1 </dev/null; }
{ apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
    die "apt-get could not install ${missing[*]}: $(grep -m 1 '^E:' "$place/log" || tail -n 1 "$place/log")"

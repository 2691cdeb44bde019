# Sourced by the other scripts: where the checkout is, the answer to --help, and the one way in which all of them build. What lasts
# is started by common/children.sh, and files are written by common/files.sh.
# shellcheck shell=bash

# The next file that is opened would take the place of a closed one of these. To a closed stdout nothing can be written.
stdout=open
[[ -e /dev/fd/0 ]] || exec </dev/null
[[ -e /dev/fd/1 ]] || { exec 1</dev/null && stdout=closed; }
[[ -e /dev/fd/2 ]] || exec 2>/dev/null
unset CDPATH
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$root # where results lie: of an installation, whose folder is not the user's, where the user is
[[ -f $root/CMakeLists.txt ]] || work=$PWD
jobs=$(nproc 2>/dev/null || echo 2)

# plain TEXT: as the programs print text from outside (bench/base/plain_text.h): one line, of which no terminal obeys a byte
plain() {
    local LC_ALL=C text=$1
    text=${text//$'\xc2'[$'\x80'-$'\x9f']/?}
    text=${text//$'\xe2\x80'[$'\x8e\x8f\xa8'-$'\xae']/?}
    text=${text//$'\xe2\x81'[$'\xa0'-$'\xa9']/?}
    printf '%s' "${text//[[:cntrl:]]/?}"
}

# say TEXT...: on stderr; where that cannot be written, nobody hears it, and all is done all the same
say() { printf '%s: %s\n' "${0##*/}" "$(plain "$*")" >&2 2>/dev/null || true; }

die() {
    say "$@"
    exit 2
}

# shellcheck source=scripts/common/children.sh
source "$root/scripts/common/children.sh"
# shellcheck source=scripts/common/files.sh
source "$root/scripts/common/files.sh"

# find_python MODULE [PYTHON]: `python` is the first that has it: this one, Debian's own, which has Debian's packages, or that on the PATH
find_python() {
    for python in ${2:+"$2"} /usr/bin/python3 "$(command -v python3)"; do
        if [[ -x $python ]] && "$python" -s -c "import importlib.util, sys; sys.exit(not importlib.util.find_spec('$1'))" 2>/dev/null; then return; fi
    done
    return 1
}

# run_python FILE.py ARGUMENT...: this script becomes that one
run_python() {
    [[ $stdout == open ]] || die "stdout is closed; expected one that can be written to"
    find_python jinja2 "$(command -v "${RUNGBENCH_PYTHON-}")" || find_python sys || die "python3: not found; install it (Debian: apt-get install python3)"
    RUNGBENCH_WORK=$work PYTHONUTF8=1 exec "$python" -Bs "$@"
}

# choose_generator: Ninja where it is installed, else what CMake takes by itself. Only a fresh folder asks for it.
choose_generator() {
    if [[ -z ${CMAKE_GENERATOR-} ]] && command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
}

# is_stale CACHE: CMake looks for its tools once, and would see neither that they went nor that nvcc came
is_stale() {
    local make nvcc
    [[ -f $1 ]] || return 1
    make=$(sed -n 's/^CMAKE_MAKE_PROGRAM:[A-Z]*=//p' "$1")
    nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$1")
    if [[ ! -x $make ]]; then return; fi
    if [[ -n ${CUDACXX-} ]] || command -v nvcc >/dev/null; then
        [[ $nvcc == *NOTFOUND ]]
    else
        [[ -n $nvcc && $nvcc != *NOTFOUND ]]
    fi
}

# configure SOURCE FOLDER [CMAKE-FLAG...]: the tests are left out unless a flag asks for them
configure() {
    local fresh=()
    choose_generator
    if is_stale "$2/CMakeCache.txt"; then fresh=(--fresh); fi
    cmake -S "$1" -B "$2" "${fresh[@]}" -DBUILD_TESTING=OFF "${@:3}" </dev/null
}

# quietly LOG COMMAND...: its exit status; what it says is in the log
quietly() { run "${@:2}" >"$1" 2>&1 </dev/null; }

say_left_out() { sed -n 's/^-- \(Left out: .*\)/\1/p' "$1" | while read -r line; do say "$line"; done; } # LOG

# fail_to_build LOG
fail_to_build() {
    grep -v -e '^-- ' -e '^\[[0-9]*/[0-9]*\] ' -e '^\[ *[0-9]*%\] ' "$1" >&2 || true
    die "building failed; all of it is in $1"
}

# set_up FOLDER [CMAKE-FLAG...]: configures in a folder of the checkout. What CMake does not find is installed; where it lacks only
# what it can do without, only by root and in a new folder.
set_up() {
    local folder=$root/$1 log=$root/$1/configure.log is_new=yes asked='' missing status
    prepare_folder "$folder"
    say "building in $folder (the first time takes a minute or two)"
    [[ ! -f $folder/CMakeCache.txt ]] || is_new=
    while true; do
        status=0
        quietly "$log" configure "$root" "$folder" "${@:2}" || status=$?
        missing=$(sed -n "s/^-- Missing, by Debian's names: //p" "$log")
        [[ -n $missing && $missing != "$asked" && ($status -ne 0 || ($EUID -eq 0 && -n $is_new)) ]] || break
        # shellcheck disable=SC2086  # several
        run "$root/scripts/setup.sh" packages $missing || [[ $status -eq 0 ]] || fail_to_build "$log"
        asked=$missing
    done
    [[ $status -eq 0 ]] || fail_to_build "$log"
    say_left_out "$log"
}

# compile FOLDER [TARGET...]: builds there: all, or these targets
compile() {
    quietly "$root/$1/build.log" cmake --build "$root/$1" --parallel "$jobs" ${2:+--target "${@:2}"} ||
        fail_to_build "$root/$1/build.log"
    say_left_out "$root/$1/build.log"
}

# build FOLDER [CMAKE-FLAG...]: who had to wait is told how long, with what was installed before
build() {
    set_up "$@"
    compile "$1"
    [[ $SECONDS -lt 10 ]] || say "built after $SECONDS s"
}

# --help or -h, before any --, ends the script: with the comment at its head, and what more_help says if it has that.
for argument in "$@"; do
    case $argument in
    --help | -h)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" | put ''
        if declare -F more_help >/dev/null; then more_help; fi
        exit 0
        ;;
    --) break ;;
    esac
done

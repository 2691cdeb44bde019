# Sourced by the other scripts: where the checkout is, what --help prints, and the one way in which all of them build. What lasts
# is started by common/children.sh, and files are written by common/files.sh.
# shellcheck shell=bash

# The next file that is opened would take the place of a closed one of these. To a closed stdout nothing can be written.
stdout=open
[[ -e /dev/fd/0 ]] || exec </dev/null
[[ -e /dev/fd/1 ]] || { exec 1</dev/null && stdout=closed; }
[[ -e /dev/fd/2 ]] || exec 2>/dev/null
unset CDPATH
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
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

# help_if_asked ARGUMENT...: for --help or -h prints the comment at the head of the script, and what more_help says if the
# script has that, and ends it
help_if_asked() {
    local argument
    for argument in "$@"; do
        case $argument in
        --help | -h)
            sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" | put ''
            if declare -F more_help >/dev/null; then more_help; fi
            exit 0
            ;;
        --) return ;;
        esac
    done
}

# run_python FILE.py ARGUMENT...: this script becomes that one, in Debian's own Python, which has Debian's packages
run_python() {
    local python=/usr/bin/python3
    [[ $stdout == open ]] || die "stdout is closed; expected one that can be written to"
    [[ -x $python ]] || python=$(command -v python3) || die "python3: not found; install it (Debian: apt-get install python3)"
    PYTHONUTF8=1 exec "$python" -Bs "$@"
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

# quietly LOG COMMAND...: of what it says only what was left out is shown, and more if it fails
quietly() {
    if ! run "${@:2}" >"$1" 2>&1 </dev/null; then
        grep -v -e '^-- ' -e '^\[[0-9]*/[0-9]*\] ' -e '^\[ *[0-9]*%\] ' "$1" >&2 || true
        die "building failed; all of it is in $1"
    fi
    sed -n 's/^-- \(Left out: .*\)/\1/p' "$1" | while read -r line; do say "$line"; done
}

# set_up FOLDER [CMAKE-FLAG...]: configures in a folder of the checkout
set_up() {
    local folder=$root/$1
    prepare_folder "$folder"
    say "building in $folder (the first time takes a minute or two)"
    quietly "$folder/configure.log" configure "$root" "$folder" "${@:2}"
}

# compile FOLDER [TARGET...]: builds there: all, or these targets
compile() {
    quietly "$root/$1/build.log" cmake --build "$root/$1" --parallel "$jobs" ${2:+--target "${@:2}"}
}

# build FOLDER [CMAKE-FLAG...]
build() {
    set_up "$@"
    compile "$1"
}

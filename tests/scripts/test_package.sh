#!/usr/bin/env bash
# A package for Debian has what a build has: stripped of what only a debugger reads, and not of what the simulator reads.
# Usage: test_package.sh RUNGBENCH SOURCE_DIR
# shellcheck source=tests/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
for tool in cpack dpkg-deb dpkg-shlibdeps file readelf strip; do
    command -v $tool >/dev/null || skip "no $tool, and so no package"
done
build=$(dirname "$1")
enter_folder

cpack --config "$build/CPackConfig.cmake" -G DEB -D CPACK_PACKAGING_INSTALL_PREFIX=/usr -B packed >log 2>&1 || fail "cpack: $(tail -n 5 log)"
dpkg-deb -R packed/*.deb unpacked
program=unpacked/usr/bin/rungbench
! readelf -SW $program | grep -q '\.debug_' || fail 'debugging information is packed'

# expect STATUS TEXT: of a simulated rung with arrays of shared memory
expect() {
    local status=0
    CUDA_VISIBLE_DEVICES='' $program --verify --suite=smoke --filter='^dot/.*/sim_fused/' >out 2>&1 || status=$?
    [[ $status -eq $1 ]] || fail "status $status, expected $1: $(tail -n 5 out)"
    tr -s '\n ' ' ' <out | grep -qF -e "$2" || fail "no '$2' in: $(<out)"
}
expect 0 '1 verified, 0 wrong'
strip $program
expect 77 'table of symbols'

end_test

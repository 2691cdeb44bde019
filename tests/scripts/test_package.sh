#!/usr/bin/env bash
# A package for Debian has what a build has: stripped of what only a debugger reads, and not of what the simulator reads. It runs
# nothing of its own as it is installed. What a later commit makes is a later version, under the same name.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
# shellcheck source=tests/scripts/fake_checkout.sh
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"
for tool in cpack dpkg dpkg-deb dpkg-shlibdeps file readelf strip; do
    command -v $tool >/dev/null || skip "no $tool, and so no package"
done
build=$(dirname "$1")
CMAKE_GENERATOR=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
export CMAKE_GENERATOR
enter_folder

cpack --config "$build/CPackConfig.cmake" -G DEB -D CPACK_PACKAGING_INSTALL_PREFIX=/usr -B packed >log 2>&1 || fail "cpack: $(tail -n 5 log)"
dpkg-deb -R packed/*.deb unpacked
[[ -z $(find unpacked/DEBIAN -perm -u+x -type f) ]] || fail "scripts: $(ls unpacked/DEBIAN)"
grep -qx 'activate-noawait ldconfig' unpacked/DEBIAN/triggers || fail 'nothing calls ldconfig'
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

source=$2
mkdir -p configured/CMakeFiles
cp -r "$build"/CMakeFiles/[0-9]* configured/CMakeFiles/ # what CMake found out about the compilers
# release EPOCH: Debian's part of the version, in a build that is configured at that time
release() {
    SOURCE_DATE_EPOCH=$1 cmake -S "$source" -B configured -DRUNGBENCH_CUDA=OFF >log 2>&1 || fail "cmake: $(tail -n 5 log)"
    sed -n 's/^set(CPACK_DEBIAN_PACKAGE_RELEASE "\(.*\)")$/\1/p' configured/CPackConfig.cmake
}
before=$(release 999999999) after=$(release 1000000000)
dpkg --compare-versions "1-$before" lt "1-$after" || fail "'$after' is no later version than '$before'"
changes=$(head -n 1 configured/package/changelog.Debian)
[[ $changes == *"-$after)"* ]] || fail "the changelog is of another version than $after: $changes"

# scripts/package.sh says what the time is: that of a commit, and now where something differs from it.
make_checkout "$2"
cat >fake/cpack <<'END'
#!/usr/bin/env bash
while [[ $1 != -B ]]; do shift; done
echo "$SOURCE_DATE_EPOCH" >"$2/rungbench_1.2.3-$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)_amd64.deb"
END
chmod +x fake/cpack
touch checkout/file
git -C checkout init -q
git -C checkout add .
GIT_COMMITTER_DATE='999999999 +0000' git -C checkout -c user.name=somebody -c user.email=somebody@example.org commit -q -m first

# packs TEST: by the time that the package was told
packs() {
    checkout/scripts/package.sh "$here/made" >log 2>&1 || fail "package.sh: $(tail -n 5 log)"
    [[ $(ls made) == rungbench_1.2.3_amd64.deb ]] || fail "made: $(ls made)"
    test "$(<made/rungbench_1.2.3_amd64.deb)" "$@" || fail "packed at $(<made/*.deb), expected $*"
}
packs -eq 999999999
echo changed >checkout/file
packs -gt 999999999
end_test

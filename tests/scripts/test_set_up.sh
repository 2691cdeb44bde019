#!/usr/bin/env bash
# CMake decides what is there, and scripts/setup.sh helps where it says no: what it misses is installed, what it can do without
# only by root and once, and a machine that has everything needs no apt. CMake and apt-get are stood in for.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
enter_folder
mkdir -p fake checkout
cp -r "$2/scripts" checkout/
cat >fake/cmake <<'END'
#!/usr/bin/env bash
if [[ $1 == --version ]]; then echo 'cmake version 3.31.0' && exit; fi
if [[ $1 == --build ]]; then echo '-- Left out: what a build leaves out' && exit; fi
echo >>"$HERE/configured"
for package in $NEEDS $WANTS; do grep -qxF "$package" "$HERE/has" || missing+=" $package"; done
[[ -z $missing ]] || echo "-- Missing, by Debian's names:$missing"
[[ -z $BROKEN ]] || { echo 'CMake Error: broken' >&2 && exit 1; }
for package in $NEEDS; do grep -qxF "$package" "$HERE/has" || exit 1; done
END
cat >fake/apt-get <<'END'
#!/usr/bin/env bash
[[ -z $FAILS && ($EUID -eq 0 || -n $AS_ROOT) ]] || { echo 'E: no network'; exit 100; }
[[ " $* " != *' --print-uris '* ]] || { echo "'http://x/a.deb' a.deb 81000000 MD5Sum:0" && exit; }
while [[ $# -gt 0 && $1 != install ]]; do shift; done
printf '%s\n' dlstatus:1:33.3333: dlstatus:1:34.0000: pmstatus:a-dev:60.0000:Installing
for word in "${@:2}"; do [[ $word == -* || $word == *=* || $word == "$USELESS" ]] || echo "$word" >>"$HERE/has"; done
END
cat >checkout/scripts/configure.sh <<'END'
#!/usr/bin/env bash
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
"$root/scripts/setup.sh" build
set_up build
compile build
END
chmod +x fake/* checkout/scripts/configure.sh
export HERE=$here PATH=$here/fake:$PATH NEEDS='' WANTS='' FAILS='' USELESS='' BROKEN=''

# expect STATUS CONFIGURED HAS WHAT: so often CMake runs, and that is installed then
expect() {
    local status=0
    [[ $4 == *again* ]] || rm -rf checkout/build
    : >configured
    checkout/scripts/configure.sh >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "$4: status $status, expected $1: $(<err)"
    [[ $(wc -l <configured) -eq $2 ]] || fail "$4: CMake ran $(wc -l <configured) times, expected $2"
    [[ $(tr '\n' ' ' <has) == "$3" ]] || fail "$4: there is '$(tr '\n' ' ' <has)', expected '$3'"
}

: >has
expect 0 1 '' 'all is there'
grep -qF 'Left out: what a build leaves out' err || fail "no word of what is left out: $(<err)"
status=0
CC=none checkout/scripts/setup.sh build >out 2>err || status=$?
[[ $status:$(<err) =~ ^2:.*(installing|missing:)\ gcc\ .*\ libjansson-dev ]] || fail "without a compiler libraries are not asked for with it: $(<err)"
: >has
if [[ $EUID -ne 0 ]]; then
    NEEDS=a-dev expect 2 1 '' 'what root could install'
    grep -qF 'missing: a-dev; as root: apt-get install a-dev' err || fail "no word of what is missing: $(<err)"
    WANTS=b-dev expect 0 1 '' 'what one can do without'
else
    NEEDS='a-dev b-dev' WANTS=c-dev expect 0 2 'a-dev b-dev c-dev ' 'all is installed'
    for word in '1 to download, 81 MB' 'downloaded 30 %' 'installed 60 %'; do
        [[ $(grep -cF "$word" err) -gt 0 ]] || fail "no '$word' while packages are installed: $(<err)"
    done
    : >has
    WANTS=c-dev FAILS=yes expect 0 2 '' 'what one can do without, and without a network'
    touch checkout/build/CMakeCache.txt
    WANTS=c-dev expect 0 1 '' 'the same again: it is not asked for twice'
    NEEDS=a-dev FAILS=yes expect 2 1 '' 'without a network'
    BROKEN=yes WANTS=c-dev FAILS=yes expect 2 1 '' 'what is broken, and a package that is missing, too'
    grep -qF 'CMake Error: broken' err || fail "no word of CMake's: $(<err)"
    NEEDS=a-dev USELESS=a-dev expect 2 2 '' 'what apt has, and CMake still does not find'
    # Who is not root may use sudo in CI alone.
    printf '#!/bin/sh\nshift\nexport AS_ROOT=yes\nexec "$@"\n' >fake/sudo
    chmod a+rwx . has fake/sudo
    for ci in '' true; do
        status=0
        : >has
        CI=$ci setpriv --reuid=65534 --clear-groups checkout/scripts/setup.sh packages a-dev >out 2>err || status=$?
        [[ "$status $(<has)" == "${ci:+0 a-dev}" || "$ci$status $(<has)" == '2 ' ]] || fail "sudo, CI='$ci': $status: $(<err)"
    done
fi

end_test

# A checkout whose scripts build and measure nothing, for tests of them; they source it. Programs that stand in for ours lie in
# $here/programs. With HANG=WHAT that one (setup.sh, cmake, ctest or a program) hangs, in a child of its own, and holds
# $here/held, as tests/gate/held.sh waits for.
# shellcheck shell=bash

# make_checkout SOURCE: $here/checkout, and tools of its own on the PATH
make_checkout() {
    mkdir -p "${here:?}"/{checkout/bench,programs,fake}
    cp -r "$1/scripts" "$here/checkout/"
    cp -r "$1/bench/table" "$here/checkout/bench/"
    cat >"$here/fake/hang" <<'END'
#!/usr/bin/env bash
[[ ${HANG-} == "$1" ]] || exit 0
exec 9>"$HERE/held"
bash -c 'echo >&9; sleep 120; :'
END
    printf '#!/bin/sh\nhang setup.sh\n' >"$here/checkout/scripts/setup.sh"
    printf '#!/bin/sh\nhang ctest\necho "  Test #1: test_one"\n' >"$here/fake/ctest"
    printf '#!/bin/sh\necho "Cuda compilation tools, release 12.9, V12.9.86"\n' >"$here/fake/nvcc"
    unset CUDACXX
    cat >"$here/fake/cmake" <<'END'
#!/usr/bin/env bash
if [[ $1 == --version ]]; then echo 'cmake version 3.31.0'; fi
[[ $1 == --build ]] || exit 0
touch "$HERE/built"
hang cmake
for program in "$HERE"/programs/*; do sed "2i # $RANDOM$RANDOM" "$program" >"$2/${program##*/}"; done
chmod +x "$2"/*
END
    chmod +x "$here"/fake/* "$here/checkout/scripts/setup.sh"
    export HERE=$here PATH=$here/fake:$PATH
}

# program NAME <SCRIPT: for bash; after its first line
program() { { echo '#!/usr/bin/env bash'; echo "hang $1"; cat; } >"$here/programs/$1"; }

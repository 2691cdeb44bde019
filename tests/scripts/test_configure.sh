#!/usr/bin/env bash
# How scripts/common.sh configures, for every script: with Ninja or make, whichever there is, and the tests only where they are
# asked for. CMake is stood in for: it writes down what it is told.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$2/scripts/common.sh"
enter_folder
unset CMAKE_GENERATOR
mkdir tools tools/ninja tools/make
for tool in ninja make; do
    printf '#!/bin/sh\n' >tools/$tool/$tool
    chmod +x tools/$tool/$tool
done
cat >tools/cmake <<'END'
#!/bin/sh
echo "$CMAKE_GENERATOR $*"
END
chmod +x tools/cmake

# expect WHAT LINE TOOL...: with these tools on the PATH CMake is told that
expect() {
    local said path=$here/tools
    for tool in "${@:3}"; do path+=:$here/tools/$tool; done
    said=$(PATH=$path && configure source folder -DMORE=1)
    [[ $said == "$2" ]] || fail "$1: '$said' instead of '$2'"
}

plain='-S source -B folder -DBUILD_TESTING=OFF -DMORE=1'
expect 'with Ninja' "Ninja $plain" ninja make
expect 'without Ninja' " $plain" make
CMAKE_GENERATOR=other expect "a generator of the user's" "other $plain" ninja

end_test

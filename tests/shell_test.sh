# What shell tests have in common; they source it. A test is called as test_NAME.sh RUNGBENCH SOURCE_DIR unless it says otherwise.
# shellcheck shell=bash
set -euo pipefail
failures=0
export OPENBLAS_THREAD_TIMEOUT=4 # OpenBLAS's threads rest at once: tests start many programs, on few processors

# Debian's own starts ten times as soon as one that is looked for behind a shim.
python3() { /usr/bin/python3 "$@"; }
export -f python3

fail() { # TEXT
    printf 'FAILED: %s\n' "$1"
    failures=$((failures + 1))
}

# skip REASON: ends the test; scripts/test.sh counts it as skipped and shows the reason
skip() {
    printf 'skipped: %s\n' "$1"
    exit 77
}

# at_length: whether what takes minutes is tested too, as scripts/test.sh --all does
at_length() { [[ ${RUNGBENCH_TEST_ALL-} == 1 ]]; }

# make_folder: `here` is an empty folder of the test's own, which goes when the test ends
make_folder() {
    here=$(mktemp -d)
    trap 'rm -rf "$here"' EXIT
}

# enter_folder: the same, and the test goes there
enter_folder() {
    make_folder
    cd "$here"
}

# end_test: the last line of a test; its exit status is 1 if something has failed
end_test() {
    [[ $failures -eq 0 ]] || { echo "${0##*/}: $failures failures"; exit 1; }
}

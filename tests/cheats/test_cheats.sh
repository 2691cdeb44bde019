#!/usr/bin/env bash
# Kernels of the user's own that cheat are rejected, or do honest work where it counts; honest ones are right.
# Usage: test_cheats.sh RUNGBENCH IMPATIENT SOURCE_DIR; IMPATIENT ends kernels that hang sooner.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
make_folder
backends=(cpu)
! at_length || backends+=(sim) # where what finds them is tested by the simulator's own tests
for backend in "${backends[@]}"; do
    mkdir "$here/$backend"
    (cd "$here/$backend" && python3 -B "$3/tests/cheats/cheats.py" "$@" "$backend") || failures=$((failures + 1))
done
end_test

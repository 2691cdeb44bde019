#!/usr/bin/env bash
# Usage: [FLAGS='FLAG LINES'] BASE=FILE NEW=FILE scripts/ci/run.sh
#        [FLAGS='FLAG LINES'] BASE_COMMAND=CMD NEW_COMMAND=CMD scripts/ci/run.sh
# What action.yml and gitlab.yml run in somebody's project: builds rungbench-gate in this checkout, and asks it about these
# files of results, or about what these commands print. FLAGS are more of its flags, one a line. The reports are in gate/. The exit
# status is rungbench-gate's.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

if [[ -n ${BASE_COMMAND-} && -n ${NEW_COMMAND-} && -z ${BASE-}${NEW-} ]]; then
    sides=("--base=$BASE_COMMAND" "--new=$NEW_COMMAND")
elif [[ -n ${BASE-} && -n ${NEW-} && -z ${BASE_COMMAND-}${NEW_COMMAND-} ]]; then
    sides=("$BASE" "$NEW")
else
    die 'expected BASE and NEW, files of results, or BASE_COMMAND and NEW_COMMAND'
fi
flags=()
while IFS= read -r flag; do
    [[ -z $flag ]] || flags+=("$flag")
done <<<"${FLAGS-}"

run "$root/scripts/setup.sh" build
set_up build-gate -DRUNGBENCH_CUDA=OFF
compile build-gate rungbench-gate
prepare_folder gate
run "$root/build-gate/rungbench-gate" --junit=gate/junit.xml --json=gate/gate.json --markdown=gate/gate.md \
    "${flags[@]}" "${sides[@]}"

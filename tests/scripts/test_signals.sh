#!/usr/bin/env bash
# INT, TERM and HUP to a script alone, or to it and what is in its process group, end all that it has started, whatever it is
# doing: with 130, 143 and 129, and nothing is left.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../gate/held.sh"
source "$(dirname "${BASH_SOURCE[0]}")/fake_checkout.sh"
make_folder
export TMPDIR=$here/temporary
mkdir "$TMPDIR"
make_checkout "$(cd "$2" && pwd)"
for name in rungbench rungbench-gate rungbench-train; do program $name </dev/null; done
mkdir -p "$here/checkout/kernels/matmul" "$here/checkout/results"
touch "$here/checkout/kernels/matmul/tiled.cu"
cp "$2/results/resources.csv" "$here/checkout/results/"
sed -i 's/,[0-9.]*$/,12.9.86/; 1s/,[^,]*$/,compiler/' "$here/checkout/results/resources.csv"
# shellcheck disable=SC2016  # one of two hangs
printf '#!/bin/sh\n[ "$2" != png.gp ] || hang gnuplot\n' >"$here/fake/gnuplot"
chmod +x "$here/fake/gnuplot"
cp "$2/tests/plot/verdicts.csv" "$here/checkout/"
mkfifo "$here/held"
cd "$here/checkout"

signals=('INT 130' 'TERM 143' 'HUP 129')
targets=('' -)
count=0
while read -r hangs script; do
    read -r signal wanted <<<"${signals[count % 3]}"
    group=${targets[count % 2]}
    count=$((count + 1))
    what="SIG$signal ${group:+to the group }of $script while $hangs runs"
    status=0
    # shellcheck disable=SC2086  # several words
    HANG=$hangs env --default-signal=INT setsid scripts/$script >"$here/out" 2>"$here/err" </dev/null &
    child=$!
    await_holder "$what"
    kill -s "$signal" -- "$group$child"
    await_end "$what"
    wait "$child" || status=$?
    [[ $status -eq $wanted ]] || fail "$what: status $status instead of $wanted: $(<"$here/err")"
    [[ -z $(ls -A "$TMPDIR") ]] || fail "$what: left in the temporary folder: $(ls -A "$TMPDIR")"
    [[ ! -s $here/out && ! -e drawn ]] || fail "$what: it says $(<"$here/out"), or leaves charts"
    ! grep -q Traceback "$here/err" || fail "$what: $(<"$here/err")"
done <<'END'
setup.sh bench.sh
cmake bench.sh
rungbench bench.sh
cmake train.sh .
rungbench-train train.sh .
cmake step.sh matmul tiled
cmake resources.sh --build
cmake test.sh
ctest test.sh
gnuplot plot.sh verdicts.csv drawn
gnuplot plot.sh verdicts.csv drawn
gnuplot plot.sh verdicts.csv drawn
END

end_test
echo "$count scripts ended with all that they had started"

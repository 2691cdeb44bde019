#!/usr/bin/env bash
# Libraries that are opened for their rows: each is served by its own file, and one that is none says why.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
rungbench=$1 fake=$2/tests/cpu/fakes/fake_blas.c
enter_folder

# make NAME FLAGS...
make() { "${CC:-cc}" -shared -fPIC -O1 "$fake" -o "$1.so" "${@:2}"; }

make mkl -DWHO=1
make blis -DWHO=2
make onednn -DOPENMP -Wl,--no-as-needed -lgomp
make serial
make old -DBLIS_VERSION='"0.9.0"'
make ragged -DWHO=3 '-DWRONG(m)=((m)%8==5)'
make foreign -DFOREIGN -Wl,--no-as-needed "$PWD/blis.so"
echo 'no library' >text.so
head -c 3000 mkl.so >short.so
echo 'int other;' | "${CC:-cc}" -shared -fPIC -x c - -o other.so

# run STATUS MKL BLIS ONEDNN: of each the row is "status|reason|choice" in the array `row`
run() {
    local status=0
    RUNGBENCH_MKL_LIBRARY=$PWD/$2.so RUNGBENCH_BLIS_LIBRARY=$PWD/$3.so RUNGBENCH_ONEDNN_LIBRARY=$PWD/$4.so "$rungbench" --verify --suite=none --shape=8x16x24 \
        --threads=3 --filter='/(mkl|blis|onednn)/' --progress=off --out=rows.csv >out 2>err || status=$?
    [[ $status -eq $1 ]] || fail "$2, $3, $4: status $status: $(cat out err)"
    mapfile -t row < <(python3 -c '
import csv
for row in csv.DictReader(open("rows.csv")): print(row["status"], row["reason"], row["choice"], sep="|")')
}

# is PLACE PATTERN
# shellcheck disable=SC2053  # it is a pattern
is() { [[ ${row[$1]} == $2 ]] || fail "row $1 is '${row[$1]}', expected $2"; }

run 0 mkl blis onednn
is 0 'ok||MKL 1.0.3.0.3 (mkl.so)' # the version tells interface, layer, dynamic and threads
is 1 'ok||BLIS 1.2 with 3 threads (blis.so)'
is 2 'ok||oneDNN 9.8.3 (onednn.so)'

run 77 missing text short
is 0 "skipped|$PWD/missing.so not found (RUNGBENCH_MKL_LIBRARY names its file)|"
is 1 "skipped|$PWD/text.so: * (RUNGBENCH_BLIS_LIBRARY names its file)|"
is 2 "skipped|$PWD/short.so: it ends the process that opens it|"

run 77 other foreign serial
is 0 "skipped|$PWD/other.so: it has no cblas_sgemm|"
is 1 "skipped|$PWD/foreign.so: it has no cblas_sgemm of its own|"
is 2 "skipped|$PWD/serial.so: its threads are not those of our OpenMP|"

run 77 missing old missing
is 1 "skipped|$PWD/old.so: BLIS 0.9.0 * reads beyond its arrays*|"

run 1 ragged blis missing
is 0 'failed|at size *: wrong answer: *|'
is 1 'ok||BLIS*'
is 2 'skipped|*'

end_test

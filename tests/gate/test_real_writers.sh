#!/usr/bin/env bash
# What Google Benchmark, pytest-benchmark and hyperfine write is read, of the real programs, as far as they are here. The first two are
# told what time it takes (in binary fractions), so that the verdicts are known; of hyperfine's times only that they are its own.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
source "$(dirname "${BASH_SOURCE[0]}")/ask_gate.sh"
export TMPDIR=$here
here_are=0

# compares STATUS ROWS FLAG...: the gate ends so, and says this of the rows: verdict, ratio, base time, rounds, name, reason
compares() {
    expect "$1" "${*:3}" "$gate" --csv=rows.csv "${@:3}"
    awk -F, 'NR > 1 { print $2, $3, $6, $9, $1, $20 }' rows.csv | sed 's/  *$//' >rows
    diff <(printf '%s\n' "$2") rows >&2 || fail "${*:3}: other rows"
}

read -ra cxx <<<"${CXX:-c++}"
if "${cxx[@]}" -x c++ -fsyntax-only - <<<'#include <benchmark/benchmark.h>' 2>/dev/null; then
    here_are=1
    cat >made.cc <<'END'
#include <benchmark/benchmark.h>
#include <cstdlib>

static void made(benchmark::State &state)
{
    const char *factor = std::getenv("FACTOR");
    for (auto _ : state)
        state.SetIterationTime(state.range(0) / 1024. * (factor && state.range(0) == 1 ? std::atof(factor) : 1));
}
BENCHMARK(made)->Arg(1)->UseManualTime()->Iterations(4)->Unit(benchmark::kMillisecond);
BENCHMARK(made)->Arg(2)->UseManualTime()->Iterations(4);

static void refused(benchmark::State &state)
{
    state.SkipWithError("no device");
    for (auto _ : state) {
    }
}
BENCHMARK(refused);
BENCHMARK_MAIN();
END
    "${cxx[@]}" -std=c++17 made.cc -o made -lbenchmark -lpthread
    flags='--benchmark_format=json --benchmark_repetitions=3 --benchmark_filter={filter}'
    compares 1 'slower 1.25 0.0009765625 14 made/1/iterations:4/manual_time
cleared 1 0.001953125 8 made/2/iterations:4/manual_time
not gated    refused no device' --base="./made $flags" --new="FACTOR=1.25 ./made $flags"
fi

if python3 -c 'import pytest_benchmark' 2>/dev/null; then
    here_are=1
    cat >test_made.py <<'END'
import os
import pytest

now = step = 0


def timer():
    global now
    now += step
    return now


@pytest.mark.parametrize("iterations", [1, 2])
@pytest.mark.benchmark(timer=timer)
def test_made(benchmark, iterations):
    global step
    step = 2**-10 * (float(os.environ["FACTOR"]) if iterations == 1 else 1)
    benchmark.pedantic(lambda: None, rounds=8, iterations=iterations)
END
    for factor in 1 1.25; do
        FACTOR=$factor python3 -B -m pytest -q -p no:cacheprovider --benchmark-json=pytest-$factor.json test_made.py >out 2>&1 ||
            fail "pytest: $(<out)"
    done
    compares 3 'suspected 1.25 0.0009765625 8 test_made.py::test_made[1]
cleared 1 0.00048828125 8 test_made.py::test_made[2]' pytest-1.json pytest-1.25.json
fi

if command -v hyperfine >/dev/null; then
    here_are=1
    hyperfine --shell=none --runs=8 --export-json=hyperfine.json true 'echo a' >/dev/null 2>&1
    "$gate" --csv=rows.csv hyperfine.json hyperfine.json >out 2>err || [[ $? -eq 3 ]] || fail "hyperfine: $(<err)"
    python3 - <<'END' || fail "hyperfine: other times: $(<rows.csv)"
import csv, json
rows = {row["name"]: row for row in csv.DictReader(open("rows.csv"))}
results = json.load(open("hyperfine.json"))["results"]
assert set(rows) == {"true", "echo a"} == {result["command"] for result in results}
for result in results:
    row, times = rows[result["command"]], result["times"]
    assert row["ratio"] == "1" and row["base_rounds"] == "8" == str(len(times))
    assert min(times) * 0.999 <= float(row["base_s"]) <= max(times) * 1.001
END
fi

[[ $here_are -eq 1 ]] ||
    skip 'neither Google Benchmark (Debian: libbenchmark-dev) nor pytest-benchmark (python3-pytest-benchmark) nor hyperfine'
end_test

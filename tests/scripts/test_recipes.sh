#!/usr/bin/env bash
# The recipes of CONTRIBUTING.md for an operation, a backend and a mode, followed to the letter in a copy of the tree: what they
# say is all that it takes. At length, that copy is built. Of the rungs that are there the copy has the plain ones of the CPU, or it would compile for minutes.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
for tool in cmake ninja python3; do
    command -v $tool >/dev/null || skip "there is no $tool"
done
source=$(realpath "$2")
page=$source/CONTRIBUTING.md
make_folder
tree=$here/tree
mkdir "$tree"
cp -r "$source"/{CMakeLists.txt,CHANGELOG.md,bench,cpu,kernels,scripts,tests} "$tree"
cd "$tree"

sed -i -E -e '/^KERNEL\(/d' -e '/^RUNG\([a-z0-9_]+, *cpu_scalar,/!{/^RUNG\(/d}' bench/table/rungs.def
find cpu kernels -mindepth 2 -type f \( -name '*.c' -o -name '*.cu' \) -not -path '*/backend/*' -not -path 'cpu/simulator/*' \
    -not -path 'kernels/resources/*' -not -name scalar.c -delete
echo 'extern int nothing;' >cpu/microkernels.c # of the tuned rungs, and long to compile

# follow HEADING: does what the section says; prints each file and how many lines it got
follow() {
    python3 -B - "$page" "$1" <<'END'
import pathlib, re, sys
page = pathlib.Path(sys.argv[1]).read_text()
section = re.search(rf"^## {re.escape(sys.argv[2])}\n(.*?)^## ", page, re.M | re.S)[1]
block = r"^( *)(?:[^\n]*\. )?(New file|In) `([^`]+)`(?:, (above|below) `([^`]+)`)?:\n\n *```\w*\n(.*?)^ *```$"
blocks = re.findall(block, section, re.M | re.S)
if len(blocks) != section.count("```") // 2:
    sys.exit("a block of the page does not say where it goes")
for indent, what, name, side, mark, text in blocks:
    text = "".join(line.removeprefix(indent) for line in text.splitlines(True))
    path = pathlib.Path(name)
    if what == "New file":
        if path.exists():
            sys.exit(f"{name} is there already")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    else:
        lines = path.read_text().splitlines(True)
        places = [i for i, line in enumerate(lines) if line.startswith(mark)]
        if len(places) != 1:
            sys.exit(f"{len(places)} lines of {name} begin with {mark}")
        lines.insert(places[0] + (side == "below"), text)
        path.write_text("".join(lines))
    print(name, text.count("\n"))
END
}

# costs RECIPE FILES LINES: it takes no more than that besides rungs
costs() {
    local files lines
    grep -vE '^(cpu|kernels|pretend)/(matvec|dot)/' "$here/$1" >"$here/besides"
    files=$(cut -d ' ' -f 1 "$here/besides" | sort -u | wc -l)
    lines=$(awk '{ sum += $2 } END { print sum }' "$here/besides")
    echo "$1: $files files, $lines lines besides rungs"
    [[ $files -le $2 && $lines -le $3 ]] || fail "the recipe for $1 takes $files files and $lines lines besides rungs"
}

for what in operation backend mode; do
    article=a
    [[ $what != operation ]] || article=an
    follow "Add $article $what" >"$here/$what" || fail "the recipe for $what cannot be followed"
done
end_test
costs operation 3 120
costs backend 2 120
costs mode 2 120
cmake -S . -B configured -G Ninja -DRUNGBENCH_{CUDA,OPENBLAS,ONEDNN}=OFF >"$here/log" 2>&1 ||
    fail "cmake refuses the tree: $(tail -n 40 "$here/log")"
end_test
at_length || exit 0

# compile TARGET...
compile() {
    if ! cmake --build build --target "$@" >"$here/log" 2>&1; then
        fail "does not build: $*: $(tail -n 40 "$here/log")"
        end_test
    fi
}

# good ROWS ARGUMENT...: so many rows are verified or measured, and right
good() {
    local status=0
    build/rungbench --progress=off --suite=smoke "${@:2}" --out="$here/rows.csv" >"$here/said" 2>&1 || status=$?
    [[ $status -eq 0 && $(grep -c ',ok,' "$here/rows.csv") -eq $1 ]] ||
        fail "${*:2}: status $status, expected $1 good rows: $(cat "$here/said" "$here/rows.csv")"
}

launcher=()
if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
fi
cmake -S . -B build -G Ninja -DBUILD_TESTING=ON -DRUNGBENCH_WERROR=ON -DRUNGBENCH_{CUDA,OPENBLAS,ONEDNN}=OFF \
    -DCMAKE_C_FLAGS_RELEASE=-O0 "${launcher[@]}" >"$here/log" 2>&1 || fail "cmake refuses the tree: $(tail -n 40 "$here/log")"
end_test
compile rungbench test_operations test_modes

good 2 --verify --filter='^matvec/.*/(cpu_scalar|sim_naive)/'
good 1 --filter='^matvec/mnist-layer/cpu_scalar/hot' --min-time=0.01 --modes=hot
good 1 --verify --filter='^dot/.*/pretend_scalar/'
good 2 --filter='^dot/.*/pretend_scalar/' --min-time=0.01 --modes=cold,e2e
good 2 --filter='^dot/.*/(cpu|pretend)_scalar/' --min-time=0.01 --modes=waited

# What tests ask of all operations, modes and rooms holds of the new ones.
for test in test_operations test_modes; do
    build/tests/$test >"$here/said" 2>&1 || fail "$test: $(grep -E 'ERROR|FAILED' "$here/said")"
done
bash tests/table/test_layers.sh build/rungbench . >"$here/said" 2>&1 || fail "test_layers: $(<"$here/said")"

# Wrong variants of the new rungs are refused.
sed -i 's/j = 0; j < /j = 1; j < /' kernels/matvec/naive.cu cpu/matvec/scalar.c
compile rungbench
for variant in sim_naive cpu_scalar; do
    status=0
    build/rungbench --progress=off --suite=smoke --verify --filter="^matvec/.*/$variant/" >"$here/said" 2>&1 || status=$?
    [[ $status -eq 1 && $(<"$here/said") == *'wrong answer: y['* ]] || fail "a wrong $variant: status $status: $(<"$here/said")"
done

end_test

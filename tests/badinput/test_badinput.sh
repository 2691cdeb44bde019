#!/usr/bin/env bash
# Bad input of all kinds, from cases.txt: each ends with its status and one line that says why, and changes no file.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
export program=$1 programs source_dir=$2
programs=$(dirname "$1")
make_folder
cd "$here"
unset GITHUB_STEP_SUMMARY

# What cases call.
rungbench() { timeout 20 "$program" --progress=off "$@"; }
gate() { timeout 20 "$programs/rungbench-gate" --progress=off "$@"; }
gate.sh() { timeout 20 "$BASH" "$source_dir/scripts/gate.sh" "$@"; }
deep() { # FILE ARGUMENT...: with a copy of the file, in a folder whose path is longer than a path may be
    python3 -c 'import os, shutil, subprocess, sys
top, content = os.open(".", os.O_RDONLY), open(sys.argv[1], "rb").read()
for _ in range(20):
    os.mkdir("x" * 250)
    os.chdir("x" * 250)
with open(sys.argv[1], "wb") as file:
    file.write(content)
status = subprocess.run(sys.argv[2:]).returncode
os.fchdir(top)
shutil.rmtree("x" * 250)
sys.exit(status)' "$1" timeout 20 "$program" --progress=off "${@:2}"
}
export -f rungbench gate gate.sh deep
# shellcheck disable=SC2016  # nothing is to be expanded
export hostile=$'<b>&"\'$(touch pwned)`touch pwned`;|\\|,{\e[31m\nred' # a name

# Good input, for what is to be refused for another reason, and files that are none.
make_files() {
    printf 'P6\n2 2\n255\nabcdefghijkl' >photo.ppm
    cp photo.ppm old.partial
    ln -s photo.ppm link.ppm
    ln -s x nowhere
    mkdir folder digits kept without_git
    cp photo.ppm digits/train-images-idx3-ubyte
    mkfifo pipe
    touch log
    echo '# nothing' >accepted.txt
    echo 'void solution(const float *a, const float *b, float *c, int m, int k, int n) { }' >right.c
    echo 'void solution(const float *a, const float *b, float *c, int q, int r, int s) { }' >unclear.c
    echo 'int x;' >none.c
    echo 'const char *matmul_one(const void *p, void *s) { return 0; }' >one.c
    sed 'p; s/one/two/' one.c >two.c
    printf 'void solution(void) { }\0' >zero.c
    echo text >text.so
    head -c 20 "$program" >short.so
    echo 'def matmul_one(a, b, c, m, k, n): pass' >one.py
    cc -shared -x c none.c -o other.so
    cc -shared -x c one.c -o one.so
    printf '#!/bin/sh\nexit 3\n' >same
    chmod +x same
    # Made-up results: two rounds of a row of the processor, whose times have one unit on any machine.
    sed -e '2s/Z-1,1,100,1,/Z-1,1,100,100,/' -e '2{p; s/Z-1,1,/Z-1,2,/}' "$source_dir/tests/plot/one-row.csv" >base.csv
    cp base.csv new.csv
    cp base.csv few.csv
    cp base.csv base.partial
    ln -sf /bin/* without_git
    ln -sf /usr/bin/* without_git
    rm -f without_git/{git,apt-get}
    export without_git=$here/without_git
}
sums() { find . -type f ! -name bad.csv ! -name out ! -name err -exec md5sum {} + | sort -k 2; }

# try STATUS WORDS COMMAND
try() {
    local status=0 lines word
    bash -c "$3" >out 2>err </dev/null || status=$?
    lines=$(grep -cvE '^rungbench(-gate)?: note: ' err || true)
    [[ $status -eq $1 ]] || fail "$3: status $status, expected $1: $(head -c 300 err)"
    [[ $lines -eq 1 ]] || fail "$3: $lines lines on stderr, expected one: $(head -c 600 err)"
    ! LC_ALL=C grep -q '[[:cntrl:]]' err || fail "$3: it says what a terminal would obey: $(cat -v err)"
    while IFS= read -r -d ';' word; do
        grep -qF -- "${word# }" err || fail "$3: no '${word# }' in: $(head -c 600 err)"
    done <<<"$2;"
}

make_files
before=$(sums)
count=0
while IFS='|' read -r status words command; do
    [[ -n $status && $status != '#'* ]] || continue
    words=${words# }
    count=$((count + 1))
    try "${status% }" "${words% }" "${command# }"
done <"$source_dir/tests/badinput/cases.txt"
echo "$count cases"
[[ $count -gt 0 ]] || fail 'no cases'
[[ $(sums) == "$before" ]] || fail "files have changed: $(diff <(echo "$before") <(sums))"

end_test

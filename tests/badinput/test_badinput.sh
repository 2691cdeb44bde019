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
repeat() { yes "$2" 2>/dev/null | head -n "$1" | tr -d '\n'; } # COUNT TEXT
spoil() { # COLUMN VALUE: new.csv with that value in its third line
    python3 -c 'import csv, sys
rows = list(csv.reader(open("new.csv")))
rows[2][rows[0].index(sys.argv[1])] = sys.argv[2]
csv.writer(sys.stdout, lineterminator="\n").writerows(rows)' "$@"
}
hold() { # FILE COMMAND...: while another process has the file locked
    python3 -c 'import fcntl, subprocess, sys
with open(sys.argv[1], "w") as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    sys.exit(subprocess.run(sys.argv[2:]).returncode)' "$1" timeout 20 "$program" --progress=off "${@:3}"
}
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
export -f rungbench gate gate.sh repeat spoil hold deep

# Good input, for what is to be refused for another reason, and files that are none.
make_files() {
    local tool
    printf 'P6\n2 2\n255\nabcdefghijkl' >photo.ppm
    cp photo.ppm old.partial
    ln -s photo.ppm link.ppm
    ln -s loop loop
    ln -s x nowhere
    mkdir folder digits kept blocked.partial without_git
    cp photo.ppm digits/train-images-idx3-ubyte
    mkfifo pipe
    touch empty log held.partial
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
    for tool in /usr/bin/* /bin/*; do
        [[ ${tool##*/} == @(git|apt-get) || -L without_git/${tool##*/} ]] || ln -s "$tool" without_git
    done
    export without_git=$here/without_git
}
sums() { find . -type f ! -name bad.csv ! -name deep.txt ! -name out ! -name err -exec md5sum {} + | sort -k 2; }

# try STATUS WORDS COMMAND
try() {
    local status=0 lines word
    bash -c "$3" >out 2>err </dev/null || status=$?
    lines=$(grep -cvE '^rungbench(-gate)?: note: ' err || true)
    [[ $status -eq $1 ]] || fail "$3: status $status, expected $1: $(head -c 300 err)"
    [[ $lines -eq 1 ]] || fail "$3: $lines lines on stderr, expected one: $(head -c 600 err)"
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

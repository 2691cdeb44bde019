#!/usr/bin/env bash
# Each row has a digest of its rung's machine code, which another folder or order of linking does not change, and each
# change of what the rung can call does.
source "$(dirname "${BASH_SOURCE[0]}")/../shell_test.sh"
program=$1
build=$(dirname "$program")
source_dir=$2
make_folder
for tool in nm objcopy readelf; do
    command -v $tool >/dev/null || skip "$tool was not found (Debian: binutils)"
done
cc=$(sed -nE 's/^CMAKE_C_COMPILER:[A-Z]+=(.*)/\1/p' "$build/CMakeCache.txt")

# digests TABLE OBJECT...: a line "rung digest" for each
digests() {
    bash "$source_dir/scripts/cmake/code_digests.sh" "$1" "$here/header" "${@:2}" >"$here/said"
    grep -oE '"[a-z0-9_]+", "[0-9a-f]{16}"' "$here/header" | tr -d '",' || true
}

# Two rungs of a table. The first calls a helper, and that another.
printf 'RUNG(op, cpu_calls, cpu)\nRUNG(op, cpu_alone, cpu)\n' >"$here/table"
write() { # FOLDER
    mkdir -p "$1"
    echo 'int helper(int); const char *file = __FILE__; int op_cpu_calls(void) { return helper(3); }' >"$1/calls.c"
    echo 'static int local(int x) { return x * 5; } int deeper(int); int helper(int x) { return deeper(x) + local(x); }' >"$1/helper.c"
    echo 'const int constant = 7; int deeper(int x) { return x + constant; }' >"$1/deeper.c"
    echo 'int op_cpu_alone(void) { return 1; }' >"$1/alone.c"
}
compile() { # FOLDER NAME...
    local folder=$1 name
    for name in "${@:2}"; do
        "$cc" -g -O1 "-fmacro-prefix-map=$folder/=" -c "$folder/$name.c" -o "$folder/$name.o"
    done
}
write "$here/one"
write "$here/another/folder"
echo '/* One line more. */' | cat - "$here/one/calls.c" >"$here/another/folder/calls.c"
compile "$here/one" calls helper deeper alone
compile "$here/another/folder" calls helper deeper alone
one=("$here"/one/{calls,helper,deeper,alone}.o)
digests "$here/table" "${one[@]}" >"$here/before"
[[ $(wc -l <"$here/before") -eq 2 && $(cut -d ' ' -f 2 "$here/before" | sort -u | wc -l) -eq 2 ]] ||
    fail "two rungs have the digests '$(<"$here/before")'"
digests "$here/table" "$here"/another/folder/{alone,deeper,helper,calls}.o >"$here/after"
cmp -s "$here/before" "$here/after" || fail 'another folder, order and line made another digest'

# changed WHAT: the digest of the rung that calls, and of no other
changed() {
    digests "$here/table" "${one[@]}" >"$here/after"
    [[ $(sed -n 1p "$here/before") != "$(sed -n 1p "$here/after")" ]] || fail "$1 did not change the digest"
    [[ $(sed -n 2p "$here/before") == "$(sed -n 2p "$here/after")" ]] || fail "$1 changed the digest of another rung"
}
for change in 's/x \* 5/x * 6/ helper' 's/= 7/= 8/ deeper' 's/helper(3)/helper(4)/ calls' 's/x + constant/constant - x/ deeper'; do
    write "$here/one"
    sed -i "${change% *}" "$here/one/${change##* }.c"
    compile "$here/one" calls helper deeper
    changed "$change"
done
write "$here/one"
compile "$here/one" calls deeper
"$cc" -O0 -c "$here/one/helper.c" -o "$here/one/helper.o"
changed 'another flag for a helper'

# What cannot be read has no digest, and the others have.
echo 'no object' >"$here/one/helper.o"
mkdir "$here/bin"
printf '#!/bin/sh\ncase "$*" in *calls.o*) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v objcopy)" >"$here/bin/objcopy"
chmod +x "$here/bin/objcopy"
compile "$here/one" helper
left=$(PATH=$here/bin:$PATH digests "$here/table" "${one[@]}" | cut -d ' ' -f 1)
[[ $left == op_cpu_alone ]] || fail "objcopy fails for one rung, and these have digests: $left"

# The rungs of the build. Those of libraries that it lacks are skipped.
rows=$("$program" --suite=smoke --filter='^(map|dot|zip)/' --backend=cpu --modes=hot --min-time=0.001 --format=csv 2>/dev/null |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["status"] == "ok" { print $at["op"] "_" $at["variant"], $at["code"] }' | sort -u)
[[ -n $rows ]] || fail 'the program has no row'
while read -r rung digest; do
    [[ $digest =~ ^[0-9a-f]{16}$ ]] || fail "$rung: the column code is '$digest'"
done <<<"$rows"
[[ $(cut -d ' ' -f 2 <<<"$rows" | sort | uniq -d) == '' ]] || fail "two rungs have one digest: $rows"

objects=CMakeFiles/rungbench_rungs.dir
# as_built FILE FOLDER OBJECT [FLAG]: compiles FILE of a copy of the sources as the build does, and with FLAG
as_built() {
    local command
    command=$(grep -F "\"command\": " "$build/compile_commands.json" | grep -F -- "-o $objects/$1.o" |
        sed -E -e 's/^ *"command": "(.*)",$/\1/' -e "s: -o [^ ]+: ${4-} -o $3:")
    command=${command//"$source_dir"/"$2"}
    (cd "$here" && [[ -n $command ]] && eval "$command") || fail "$1 of a copy does not compile: '$command'"
}
table=$source_dir/bench/table/rungs.def
file=$(sed -nE 's/^RUNG\(([a-z0-9_]+), *cpu_([a-z0-9_]+),.*/cpu\/\1\/\2.c/p' "$table" | head -n 1)
for copy in here/a there/b; do
    mkdir -p "$here/$copy"
    cp -r "$source_dir"/{bench,cpu,kernels} "$here/$copy"
    echo 'const char *where(void); const char *where(void) { return __FILE__; }' >>"$here/$copy/$file"
    as_built "$file" "$here/$copy" "$here/$copy/rung.o"
    digests "$table" "$here/$copy/rung.o" >"$here/$copy/digest"
done
cmp "$here"/{here/a,there/b}/digest || fail "$file has other digests in other folders"

# A kernel: what is launched, and how.
file=$(sed -nE 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/kernels\/\1\/\2.cu/p' "$table" | head -n 1)
if grep -qF -- "-o $objects/$file.o" "$build/compile_commands.json"; then
    kernel() { # FOLDER [FLAG]
        as_built "$file" "$here/$1" "$here/$1/kernel.o" "${2-}"
        digests "$table" "$here/$1/kernel.o"
    }
    echo '/* One line more. */' | cat - "$source_dir/$file" >"$here/there/b/$file"
    before=$(kernel here/a)
    [[ -n $before ]] || fail "$file has no digest"
    [[ $(kernel there/b) == "$before" ]] || fail "$file has another digest in another folder"
    sed -i "s,dim3((unsigned)x,&+1," "$here/there/b/kernels/launch.h"
    [[ $(kernel there/b) != "$before" ]] || fail "$file: another launch did not change the digest"
    cp "$source_dir/kernels/launch.h" "$here/there/b/kernels/launch.h"
    [[ $(kernel there/b -Xptxas=-dlcm=cg) != "$before" ]] || fail "$file: other instructions did not change the digest"

    # flip SECTION: the digest with another byte in that section of the code for a GPU
    kernel here/a >/dev/null
    start=$(grep -aobF $'\x7fELF' "$here/here/a/kernel.o" | sed -n '2s/:.*//p')
    tail -c "+$((start + 1))" "$here/here/a/kernel.o" >"$here/cubin"
    flip() {
        local offset
        offset=$(readelf -SW "$here/cubin" 2>"$here/said" | sed -nE "s/^ *\[ *[0-9]+\] $1[^ ]* +PROGBITS +[0-9a-f]+ ([0-9a-f]+) .*/\1/p" | head -n 1)
        cp "$here/here/a/kernel.o" "$here/flipped.o"
        printf '\245' | dd of="$here/flipped.o" bs=1 seek=$((start + 0x$offset + 24)) conv=notrunc status=none
        cmp -s "$here/here/a/kernel.o" "$here/flipped.o" && fail "nothing was flipped in $1"
        digests "$table" "$here/flipped.o"
    }
    [[ $(flip .text) != "$before" ]] || fail "$file: another byte of an instruction did not change the digest"
    [[ $(flip .nv.constant0) != "$before" ]] || fail "$file: another constant did not change the digest"
    [[ $(flip .debug_line) == "$before" ]] || fail "$file: another line of source changed the digest"
fi
end_test
echo 'digests follow the machine code'

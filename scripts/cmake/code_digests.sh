#!/usr/bin/env bash
# Usage: code_digests.sh TABLE HEADER OBJECT...
# Writes HEADER with a digest of the machine code of each rung that TABLE (rungs.def) names and an OBJECT defines.
#
# A rung's code is its own object file and those of ours that it can reach: what defines a symbol that one of them needs.
# Two builds have the same digest if they run the same instructions on the same constants, in whatever folder they were
# built and in whatever order they were linked. Names of files and lines of source are no part of it. A rung gets no digest
# if its code cannot be read.
set -euo pipefail
export LC_ALL=C
table=$1 header=$2
shift 2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

finish() { # ENTRY...
    echo '/* Made by scripts/cmake/code_digests.sh: {rung, digest of its machine code}. */' >"$header"
    echo "#define RUNGBENCH_CODE_DIGESTS $* {NULL, NULL}" >>"$header"
    exit 0
}

for tool in nm objcopy readelf; do
    command -v $tool >/dev/null || { echo "-- Left out: digests of the rungs' machine code ($tool was not found)"; finish; }
done

number() { # FILE OFFSET BYTES
    od -A n -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

part() { # FILE OFFSET BYTES
    tail -c "+$(($2 + 1))" "$1" | head -c "$3" || true # tail is not waited for
}

# cubin FILE: its instructions, constants, and what a launch needs to know
cubin() {
    local wanted=() index
    readelf -SW "$1" 2>/dev/null |
        sed -nE 's/^ *\[ *([0-9]+)\] (\S+) +(\S+) +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) (.*)$/\1 \2 \3 \4 \5/p' |
        grep -vE '^[0-9]+ (\.rela?)?\.(debug|nv_debug|symtab|strtab|shstrtab|note)' >"$here/sections"
    while read -r index _; do
        wanted+=(-x "$index")
    done <"$here/sections"
    cat "$here/sections"
    readelf -sW "$1" 2>/dev/null | grep -v ' SECTION ' | sed 1,2d
    readelf -hW "$1" 2>/dev/null | grep 'Flags:'
    readelf "${wanted[@]}" "$1" 2>/dev/null
}

# ptx FILE: a newer GPU's driver compiles it
ptx() {
    tr -d '\0' <"$1" | sed -E -e 's://.*$::' -e '/^[[:space:]]*\.(loc|file)[[:space:]]/d' \
        -e '/^[[:space:]]*\.section[[:space:]]+\.debug/,/^[[:space:]]*\}/d' -e '/^[[:space:]]*[$]L__tmp[0-9]+:/d'
}

# device_code FILE: the entries of a section .nv_fatbin, in which nvcc keeps code for GPUs. Prints what it cannot read as it
# is: then the digest is different wherever something is.
device_code() {
    local at=0 end size kind head bytes
    size=$(stat -c %s "$1")
    while ((at + 16 <= size)) && [[ $(number "$1" "$at" 4) == $((0xba55ed50)) ]]; do
        end=$((at + $(number "$1" $((at + 6)) 2) + $(number "$1" $((at + 8)) 8)))
        at=$((at + $(number "$1" $((at + 6)) 2)))
        while ((at + 64 <= end)); do
            kind=$(number "$1" "$at" 2) head=$(number "$1" $((at + 4)) 4) bytes=$(number "$1" $((at + 8)) 8)
            part "$1" $((at + head)) "$bytes" >"$here/entry"
            echo "kind $kind architecture $(number "$1" $((at + 28)) 4)"
            if [[ $(number "$1" $((at + 16)) 4) != 0 ]]; then
                cat "$here/entry" # compressed
            elif [[ $kind == 2 ]]; then
                cubin "$here/entry"
            else
                ptx "$here/entry"
            fi
            at=$((at + head + bytes))
        done
        at=$end
    done
    part "$1" "$at" "$size"
}

# object FILE: all of an object but names of local things, which nvcc makes from paths and process numbers
object() {
    local changed=()
    if grep -qaF .nv_fatbin "$1"; then
        objcopy -O binary --only-section=.nv_fatbin "$1" "$here/fatbin"
        device_code "$here/fatbin" | sed -E 's/_[0-9a-f]{8}_/_/g'
        printf '\n' >"$here/nothing"
        changed=(--update-section ".nv_fatbin=$here/nothing")
    fi
    objcopy --strip-unneeded --remove-section=.comment "${changed[@]}" "$1" "$here/stripped"
    cat "$here/stripped"
}

digest() {
    sha256sum | cut -c 1-16
}

# Lines "OBJECT d|u SYMBOL", an object being its number among the arguments; then lines "OP_VARIANT OBJECT...".
for ((i = 1; i <= $#; i++)); do
    nm -g "${!i}" | awk -v object="$i" 'NF >= 2 { print object, ($(NF - 1) ~ /^[Uwv]$/ ? "u" : "d"), $NF }'
done >"$here/symbols"
sed -nE -e 's/^RUNG\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1_\2/p' -e 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1_cuda_\2/p' \
    "$table" >"$here/rungs"
awk '
    FNR == NR && $2 == "d" { defines[$3] = defines[$3] " " $1 }
    FNR == NR && $2 == "u" { needs[$1] = needs[$1] " " $3 }
    FNR == NR { next }
    {
        split("", reached)
        left = split(defines[$1], queue, " ")
        while (left > 0) {
            object = queue[left--]
            if (object in reached)
                continue
            reached[object] = 1
            count = split(needs[object], symbols, " ")
            for (s = 1; s <= count; s++) {
                more = split(defines[symbols[s]], definers, " ")
                for (d = 1; d <= more; d++)
                    queue[++left] = definers[d]
            }
        }
        line = ""
        for (object in reached)
            line = line " " object
        if (line != "")
            print $1 line
    }' "$here/symbols" "$here/rungs" >"$here/reached"

declare -A known
entries=()
while read -r rung numbers; do
    all=()
    for i in $numbers; do
        if [[ ! -v known[$i] ]]; then
            set +e # known is empty if any part fails
            known[$i]=$(
                set -e
                object "${!i}" 2>"$here/error" | digest
            )
            status=$?
            set -e
            [[ $status -eq 0 ]] || known[$i]=
        fi
        if [[ -z ${known[$i]} ]]; then
            echo "-- Left out: the digest of $rung's machine code ($(head -n 1 "$here/error"))"
            continue 2
        fi
        all+=("${known[$i]}")
    done
    entries+=("{\"$rung\", \"$(printf '%s\n' "${all[@]}" | sort | digest)\"},")
done <"$here/reached"
finish "${entries[@]}"

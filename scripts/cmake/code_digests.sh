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

# read_words FILE OFFSET: word is an array of the numbers of 32 bits there
read_words() {
    read -ra word < <(od -A n -t u4 -v -w64 -j "$2" -N 64 "$1") || true # a short file ends without a line
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
    local at=0 end size word kind head bytes
    size=$(stat -c %s "$1")
    read_words "$1" 0
    while ((at + 16 <= size && word[0] == 0xba55ed50)); do
        head=$((word[1] >> 16))
        end=$((at + head + word[2] + (word[3] << 32)))
        at=$((at + head))
        while ((at + 64 <= end)); do
            read_words "$1" "$at"
            kind=$((word[0] & 0xffff)) head=${word[1]} bytes=$((word[2] + (word[3] << 32)))
            part "$1" $((at + head)) "$bytes" >"$here/entry"
            echo "kind $kind architecture ${word[7]}"
            if [[ ${word[4]} != 0 ]]; then
                cat "$here/entry" # compressed
            elif [[ $kind == 2 ]]; then
                cubin "$here/entry"
            else
                ptx "$here/entry"
            fi
            at=$((at + head + bytes))
        done
        at=$end
        read_words "$1" "$at"
    done
    part "$1" "$at" "$size"
}

# object FILE: all of an object but names of local things, which nvcc makes from paths and process numbers
object() {
    local changed=()
    if [[ -v has_device_code[$1] ]]; then
        objcopy -O binary --only-section=.nv_fatbin "$1" "$here/fatbin"
        device_code "$here/fatbin" | sed -E 's/_[0-9a-f]{8}_/_/g'
        printf '\n' >"$here/nothing"
        changed=(--update-section ".nv_fatbin=$here/nothing")
    fi
    objcopy --strip-unneeded --remove-section=.comment "${changed[@]}" "$1" "$here/stripped"
    cat "$here/stripped"
}

digest() {
    local sum
    sum=$(sha256sum)
    echo "${sum:0:16}"
}

# Lines "OBJECT d|u SYMBOL", an object being its number among the arguments; then lines "OP_VARIANT OBJECT...".
printf '%s\n' "$@" >"$here/objects"
nm -gA "$@" | awk '
    FNR == NR { number[$0] = FNR; next }
    NF >= 2 {
        symbol = $NF
        kind = $(NF - 1)
        sub(/:[^:]*$/, "")
        print number[$0], (kind ~ /(^|:)[Uwv]$/ ? "u" : "d"), symbol
    }' "$here/objects" - >"$here/symbols"
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

declare -A known has_device_code
while read -r file; do has_device_code[$file]=1; done < <(grep -lF .nv_fatbin "$@")
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

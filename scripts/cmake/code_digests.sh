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

for tool in nm objcopy; do
    command -v $tool >/dev/null || { echo "-- Left out: digests of the rungs' machine code ($tool was not found)"; finish; }
done

# read_words FILE OFFSET: word is an array of the numbers of 32 bits there
read_words() {
    read -ra word < <(od -A n -t u4 -v -w64 -j "$2" -N 64 "$1") || true # a short file ends without a line
}

part() { # FILE OFFSET BYTES
    tail -c "+$(($2 + 1))" "$1" | head -c "$3" || true # tail is not waited for
}

# cubin FILE: its instructions, constants, and what a launch needs to know, without the lines of source; all of it where objcopy
# cannot read it
cubin() {
    objcopy -I elf64-little -O elf64-little --strip-unneeded -R '.debug*' -R '.nv_debug*' -R '.rel*.debug*' -R '.note*' "$1" 2>/dev/null || true
    cat "$1"
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
    if grep -qF .nv_fatbin "$1"; then
        objcopy -O binary --only-section=.nv_fatbin "$1" "$here/fatbin" || return
        device_code "$here/fatbin" | sed -E 's/_[0-9a-f]{8}_/_/g'
        printf '\n' >"$here/nothing"
        changed=(--update-section ".nv_fatbin=$here/nothing")
    fi
    objcopy --strip-unneeded --remove-section=.comment "${changed[@]}" "$1" "$here/stripped" && cat "$here/stripped"
}

digest() {
    local sum
    sum=$(sha256sum)
    echo "${sum:0:16}"
}

# Lines of a rung and the objects that it reaches, with tabs between them.
sed -nE -e 's/^RUNG\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1_\2/p' -e 's/^KERNEL\(([a-z0-9_]+), *([a-z0-9_]+),.*/\1_cuda_\2/p' \
    "$table" >"$here/rungs"
nm -gA "$@" | awk '
    function reach(symbol,    objects, symbols, i, j) {
        for (i = split(defines[symbol], objects, "\t"); i > 0; i--) {
            if (objects[i] in reached)
                continue
            reached[objects[i]] = 1
            for (j = split(needs[objects[i]], symbols, " "); j > 0; j--)
                reach(symbols[j])
        }
    }
    FNR == NR { rungs[FNR] = $1; next }
    NF >= 2 {
        object = $0
        sub(/:[^:]*$/, "", object)
        if ($(NF - 1) ~ /(^|:)[Uwv]$/)
            needs[object] = needs[object] " " $NF
        else
            defines[$NF] = defines[$NF] (defines[$NF] == "" ? "" : "\t") object
    }
    END {
        for (r = 1; r in rungs; r++) {
            split("", reached)
            reach(rungs[r])
            line = rungs[r]
            for (object in reached)
                line = line "\t" object
            if (line != rungs[r])
                print line
        }
    }' "$here/rungs" - >"$here/reached"

declare -A known
entries=()
while IFS=$'\t' read -ra reached; do
    sums=()
    for file in "${reached[@]:1}"; do
        [[ -v known[$file] ]] || known[$file]=$(object "$file" 2>"$here/error" | digest) || known[$file]=
        if [[ -z ${known[$file]} ]]; then
            echo "-- Left out: the digest of ${reached[0]}'s machine code ($(head -n 1 "$here/error"))"
            continue 2
        fi
        sums+=("${known[$file]}")
    done
    entries+=("{\"${reached[0]}\", \"$(printf '%s\n' "${sums[@]}" | sort | digest)\"},")
done <"$here/reached"
finish "${entries[@]}"

# Reads the JUnit XML of ctest and counts single tests: those of a cmocka program one by one, a script as one. Prints one line
# for each that was skipped, `skipped<TAB>REASON`, each note as `note<TAB>TEXT`, and at the end `counts<TAB>PASSED<TAB>FAILED`.
# Tests print why they skip as `skipped: REASON` and what is worth knowing otherwise as `note: TEXT`, each on a line.
BEGIN {
    OFS = "\t"
}

function plain(text) {
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "'", text)
    gsub(/&amp;/, "\\&", text)
    return text
}

/^\t<testcase / {
    status = $0
    sub(/.* status="/, "", status)
    sub(/".*/, "", status)
    right = wrong = counted = reasons = 0
}

/^\t\t<skipped / {
    skipped_whole = /"(SKIP_|Disabled)/
}

{
    sub(/^\t\t<system-out>/, "")
    sub(/<\/system-out>$/, "")
}

/^\[  PASSED  \] [0-9]+ test/ {
    right += $4
    counted = 1
}

/^\[  FAILED  \] [0-9]+ test/ {
    wrong += $4
}

/^skipped: / {
    reasons++
    print "skipped", plain(substr($0, 10))
}

/^note: / {
    print "note", plain(substr($0, 7))
}

/^\t<\/testcase>/ {
    if (status == "run") {
        passed += counted ? right : 1
    } else if (status == "fail") {
        passed += right
        failed += wrong ? wrong : 1
    } else if (!skipped_whole) {
        failed++
    } else if (!reasons) {
        print "skipped", "no reason given"
    }
}

END {
    print "counts", passed + 0, failed + 0
}

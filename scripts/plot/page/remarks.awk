# What has to be known before the figures are believed: rows that failed, marks, what was slowed; and what was skipped.

BEGIN {
    meaning["launch-bound"] = "the GPU waited for the host"
    meaning["preempted"] = "the process was made to leave a CPU"
    meaning["time-stolen"] = "a hypervisor or a quota took CPU time"
    meaning["throttled"] = "the clock was held down"
    meaning["over-ceiling"] = "faster than the ceiling that was measured in the same run"
    meaning["other-work"] = "other processes used the device"
    meaning["mig"] = "a part of a GPU"
    meaning["mps"] = "the GPU is shared through MPS"
    meaning["ecc-off"] = "memory without error correction"
    meaning["power-limit"] = "a power limit below the default"
    meaning["launch-blocking"] = "CUDA_LAUNCH_BLOCKING is set"
    meaning["cpu-quota"] = "less CPU time than the CPUs could give"
    meaning["governor"] = "a governor that lowers the CPU's clock"
    meaning["openblas-old"] = "OpenBLAS is older than the processor"
    meaning["slowed"] = "slowed on purpose"
}

function row_link(row) { return "<a href=\"#line-" line_of[row, 1] "\">" code(name_of(row)) "</a>" }

# What is said of `count` rows, and which they are; many of them are folded away.
function print_item(text, list, count) {
    text = text ": " count_of(count, "row")
    if (list == "")
        print "<li>" text "</li>"
    else
        print "<li>" (count <= 6 ? text ": " list : "<details><summary>" text "</summary>" list "</details>") "</li>"
}

function print_remarks(    i, j, row, mark, kinds, kind, count, text) {
    print "<section id=\"remarks\">\n<h2>To be read with</h2>\n<ul>"
    for (i = 1; i <= page_rows; i++) {
        row = page_row[i]
        if (status_of(row) == "failed")
            print "<li class=\"failed\"><strong>Failed:</strong> " row_link(row) ": " html(reason_of(row)) "</li>"
        for (j = 1; j <= marks_of_row[row] && status_of(row) != "skipped"; j++) {
            mark = mark_of_row[row, j]
            if (note("any mark", mark))
                kind[++kinds] = mark
            count[mark]++
            text[mark] = text[mark] (text[mark] == "" ? "" : ", ") row_link(row)
        }
    }
    for (i = 1; i <= kinds; i++) {
        mark = kind[i]
        print_item("<strong>" html(mark) "</strong>" (meaning_of(mark) == "" ? "" : " (" meaning_of(mark) ")") \
            (count[mark] == page_rows && page_rows > 6 ? ", all of them" : ""), \
            count[mark] == page_rows && page_rows > 6 ? "" : text[mark], count[mark])
    }
    if (slowed)
        print "<li>" count_of(slowed, "line") " of the file " (slowed == 1 ? "was" : "were") \
            " slowed on purpose (<code>--slowdown</code>): no result, and left out here.</li>"
    if (!status_total["failed"] && !kinds && !slowed)
        print "<li>No row failed, and none has a mark.</li>"
    print "</ul>\n</section>"
}

function meaning_of(mark) {
    return mark in meaning ? meaning[mark] : mark ~ /^[0-9]+-of-[0-9]+-rounds$/ ? "skipped in the others" : ""
}

# Reasons, each with its rungs: op/workload/rung and the modes.
function print_skipped(    i, row, why_not, reasons, reason, text, count, last, rung) {
    if (!status_total["skipped"])
        return
    for (i = 1; i <= page_rows; i++) {
        row = page_row[i]
        if (status_of(row) != "skipped")
            continue
        why_not = reason_of(row)
        if (note("skipped", why_not))
            reason[++reasons] = why_not
        rung = of_row[row, "op"] "/" of_row[row, "workload"] "/" of_row[row, "variant"]
        if (rung == last[why_not])
            text[why_not] = text[why_not] ", " html(of_row[row, "mode"])
        else
            text[why_not] = text[why_not] (text[why_not] == "" ? "" : "; ") code(rung) " " html(of_row[row, "mode"])
        last[why_not] = rung
        count[why_not]++
    }
    print "<section id=\"skipped\">\n<h2>Skipped</h2>\n<ul>"
    for (i = 1; i <= reasons; i++)
        print_item("<strong>" html(reason[i]) "</strong>", text[reason[i]], count[reason[i]])
    print "</ul>\n</section>"
}

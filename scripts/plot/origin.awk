# Which machine measured a chart of results, and when: lines for its head and its foot.

function machine_header(kind,    text) {
    text = (kind == "sim" ? "simulated on " : "") device_name(machine[kind])
    header(kind, text (threads[kind] == "" ? "" : ", " count_of(threads[kind], "thread")))
}

# The first line below a title, with the day.
function subtitle(text) { header("", text (start == "" ? "" : (text == "" ? "" : ", ") substr(start, 1, 10))) }

# What points or bars stand for, and the whiskers on them.
function measured_as(marks) {
    return rounds_most > 1 ? marks ": medians of " rounds_most " rounds; whiskers: the fastest and the slowest round." : \
                             marks ": medians; whiskers: quartiles of the samples."
}

function origin_footer(text) {
    text = text (text == "" ? "" : " ") "Host " (machine["host"] == "" ? "unknown" : machine["host"])
    if (start != "")
        text = text ", " moment(start)
    footer(text (revision == "" ? "" : ", rungbench at " revision) ".")
}

function chart_stem(kind, workload, mode) {
    sub(SUBSEP, "-", workload)
    return kind "-" workload (mode == "" ? "" : "-" mode)
}

# What was run, for the head: "50000x784x10, FP32, cold: cache emptied before each call".
function work_text(workload, mode,    text) {
    text = shape[workload] == part_after(workload) ? "" : shape[workload]
    if (precision[workload] != "")
        text = text (text == "" ? "" : ", ") precision[workload]
    if (mode != "")
        text = text (text == "" ? "" : ", ") mode (mode in about_mode ? ": " about_mode[mode] : "")
    return text
}

BEGIN {
    about_mode["cold"] = "cache emptied before each call"
    about_mode["hot"] = "call after call, cache kept"
    about_mode["graph"] = "many launches in a CUDA graph"
    about_mode["e2e"] = "upload, kernel and download"
    about_mode["e2e_pageable"] = "the same, memory not pinned"
}

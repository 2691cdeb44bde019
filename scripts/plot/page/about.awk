# What was run, and on what.

function page_title(    kind, i) {
    split("cuda cpu sim", backend_at, " ")
    for (i = 1; i in backend_at; i++)
        if (machine[backend_at[i]] != "")
            return "rungbench on " machine[backend_at[i]]
    return "rungbench"
}

function print_about(    i, w, ops, op, op_at, workloads_in) {
    print "<p>" about_in_words() "</p>"
    print "<dl>"
    for (i = 1; i <= workloads_ordered; i++) {
        w = ordered_workload[i]
        op = op_of(w)
        if (workloads_in[op] == "")
            op_at[++ops] = op
        else
            workloads_in[op] = workloads_in[op] ", "
        workloads_in[op] = workloads_in[op] "<span class=\"whole\">" code(part_after(w)) \
            (shape[w] == part_after(w) || shape[w] == "" ? "" : " " html(shape[w])) "</span>"
    }
    for (i = 1; i <= ops; i++)
        print_term(code(op_at[i]), workloads_in[op_at[i]])
    split("cpu cuda sim", backend_at, " ")
    for (i = 1; i in backend_at; i++)
        if (machine[backend_at[i]] != "")
            print_term("Backend " code(backend_at[i]), device_in_words(backend_at[i]))
    if (facts["", "input"] != "")
        print_term("Input", html(facts["", "input"]))
    if (machine["host"] != "")
        print_term("Host", html(machine["host"]))
    if (start != "")
        print_term("Date", html(moment(start)))
    if (facts["", "git_rev"] != "")
        print_term("Revision", code(facts["", "git_rev"]))
    print "</dl>"
}

function print_term(term, text) { print "<div><dt>" term "</dt><dd>" text "</dd></div>" }

function about_in_words(    i, j, w, list, n) {
    for (i = 1; i <= modes_known; i++)
        for (j = 1; j <= page_rows; j++)
            if (of_row[page_row[j], "mode"] == mode_at[i]) {
                list[++n] = code(mode_at[i])
                break
            }
    for (j = 1; j <= page_rows; j++)
        if (rank_of_mode(of_row[page_row[j], "mode"]) > modes_known && note("page mode", of_row[page_row[j], "mode"]))
            list[++n] = code(of_row[page_row[j], "mode"])
    w = counts_in_words()
    return toupper(substr(w, 1, 1)) substr(w, 2) (n ? ", in the " (n == 1 ? "mode " : "modes ") sentence_list(list, n) : "") \
        (rounds_most > 1 ? ". Each time is the median of " (rounds_vary() ? "up to " : "") rounds_most \
                           " rounds, each a fresh process" : "") "."
}

function rounds_vary(    row) {
    for (row in median)
        if (rounds[row] != rounds_most)
            return 1
    return 0
}

function device_in_words(kind,    text) {
    text = html(machine[kind])
    if (threads[kind] != "")
        text = text ", " html(count_of(threads[kind], "thread"))
    text = text named_fact(kind, "affinity", ", on CPUs ", "") named_fact(kind, "governor", ", governor ", "") \
        named_fact(kind, "driver_version", ", driver ", "") named_fact(kind, "cuda_version", ", CUDA ", "") \
        named_fact(kind, "blas_version", ", ", "") named_fact(kind, "power_limit_w", ", power limit ", " W") \
        named_fact(kind, "sm_clock_set_mhz", ", clock set to ", " MHz") range(kind, "sm_clock_mhz", ", clock measured ", " MHz") \
        range(kind, "memory_clock_mhz", ", memory clock ", " MHz") range(kind, "temperature_c", ", ", " °C") \
        named_fact(kind, "device_uuid", ", ", "")
    return text
}

function named_fact(kind, what, before, after) { return facts[kind, what] == "" ? "" : before html(facts[kind, what]) after }

function range(kind, what, before, after,    low, high) {
    if (!((kind, what) in lowest))
        return ""
    low = sprintf("%.0f", lowest[kind, what])
    high = sprintf("%.0f", highest[kind, what])
    return before low (low == high ? "" : " to " high) after
}

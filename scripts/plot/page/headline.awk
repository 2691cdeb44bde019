# The sentence at the top: how many times as fast the best rung of the most telling workload is.

# The mode that the sentence speaks of: the first in which a CUDA rung can be compared, else the first with a baseline.
function telling_mode(workload,    i, mode, hosts) {
    for (i = 1; i <= modes[workload]; i++) {
        mode = mode_of[workload, i]
        if (best_row(workload, mode, "cuda") != "" && (base_row(workload, mode) != "" || best_row(workload, mode, "cpu") != ""))
            return mode
        if (hosts == "" && base_row(workload, mode) != "" && best_row(workload, mode, "cpu") != "")
            hosts = mode
    }
    return hosts
}

# The row that speed-ups in `mode` divide by; "" if it has no time.
function base_row(workload, mode,    row) {
    if (!(workload in baseline))
        return ""
    row = row_in(workload, baseline[workload], mode)
    return is_ok(row) ? row : ""
}

# The workload named mnist, else the one that keeps its baseline busy for longest.
function telling_workload(    i, w, mode, base, size, best, best_size) {
    for (i = 1; i <= workloads_ordered; i++) {
        w = ordered_workload[i]
        if ((mode = telling_mode(w)) == "")
            continue
        base = base_row(w, mode)
        size = base == "" ? 0 : median[base]
        if (w ~ (SUBSEP "mnist$"))
            size = 1e99
        if (best == "" || size > best_size) {
            best = w
            best_size = size
        }
    }
    return best
}

function rung_code(row) { return code(of_row[row, "variant"]) }

function times_as_fast(divisor, row) { return "<strong>" figure(median[divisor] / median[row]) "</strong> times as fast as " }

function best_in_words(cpu, row) { return times_as_fast(cpu, row) "the best CPU rung, " rung_code(cpu) }

function headline(    w, mode, gpu, cpu, base, winner, text, op_workload) {
    w = telling_workload()
    if (w == "")
        return "No row has a speed-up: " counts_in_words() "."
    mode = telling_mode(w)
    gpu = best_row(w, mode, "cuda")
    cpu = best_row(w, mode, "cpu")
    base = base_row(w, mode)
    winner = gpu == "" ? cpu : gpu
    op_workload = code(name_of(w))
    if (shape[w] != part_after(w))
        op_workload = op_workload " (" html(shape[w]) ")"
    if (machine[backend[w, of_row[winner, "variant"]]] != "")
        text = "On " html(machine[backend[w, of_row[winner, "variant"]]]) ", "
    if (winner == base)
        return text rung_code(base) ", the baseline and best CPU rung, takes " duration(median[base]) " for " op_workload ", " \
            html(mode) "."
    text = text rung_code(winner) (gpu == "" ? ", the best CPU rung," : "") " runs " op_workload " "
    if (base != "")
        text = text times_as_fast(base, winner) rung_code(base)
    if (gpu != "" && cpu == base && cpu != "")
        text = text ", the baseline and best CPU rung"
    else if (gpu != "" && cpu != "")
        text = text (base == "" ? "" : " and ") best_in_words(cpu, winner)
    return text ", " html(mode) (gpu == "" ? "" : with_transfers(w, winner, cpu)) "."
}

# What is left of it once the data has to come and go: the same rung, over the best CPU rung (`named`: the one just named).
function with_transfers(workload, winner, named,    row, cpu, how) {
    row = workload SUBSEP of_row[winner, "variant"] SUBSEP "e2e"
    cpu = best_row(workload, "e2e", "cpu")
    if (row == winner || !is_ok(row) || cpu == "")
        return ""
    how = of_row[row, "transfer"] == "" ? "" : " from " html(of_row[row, "transfer"]) " memory"
    return "; with transfers" how " it is " (named != "" && of_row[cpu, "variant"] == of_row[named, "variant"] ? \
        times_as_fast(cpu, row) rung_code(cpu) : best_in_words(cpu, row)) ", hot"
}

# How many rows became what.
function counts_in_words(    list, n) {
    list[++n] = count_of(status_total["ok"] + 0, "row") (status_total["ok"] == 1 ? " was" : " were") " measured"
    if (status_total["right"])
        list[++n] = status_total["right"] " verified, not timed"
    if (status_total["skipped"])
        list[++n] = status_total["skipped"] " skipped"
    if (status_total["failed"])
        list[++n] = status_total["failed"] " failed"
    if (slowed)
        list[++n] = slowed " slowed on purpose"
    return sentence_list(list, n)
}

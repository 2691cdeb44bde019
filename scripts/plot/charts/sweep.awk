#chart sweep-OP | time against size, and where the GPU overtakes the CPU
#page 5 | sweep | 3 | From small to large | Each line is a rung over growing sizes, dashed with its transfers; where two cross, the better choice changes.
# For each operation, time against size: CPU rungs, GPU rungs alone, and GPU rungs with transfers; and where the GPU with its
# transfers overtakes the CPU.

END { draw_sweeps() }

function draw_sweeps(    i, op, seen) {
    for (i = 1; i <= workloads; i++) {
        op = op_of(workload_of[i])
        if (!(op in seen)) {
            seen[op] = 1
            draw_sweep(op)
        }
    }
}

# What a workload's size is on the axis: N of an NxN by NxN product, or the pixels of a picture; 0: it has none.
function size_of(workload,    n, part) {
    n = split(shape[workload], part, "x")
    if (workload ~ /^matmul/)
        return n == 3 && part[1] == part[2] && part[2] == part[3] ? part[1] + 0 : 0
    return n == 2 ? part[1] * part[2] : n == 3 ? part[1] * part[2] * part[3] : 0
}

# The workloads of an operation that have a size, from small to large.
function sort_sizes(op,    i, j, w) {
    sizes = distinct_sizes = 0
    for (i = 1; i <= workloads; i++) {
        w = workload_of[i]
        if (op_of(w) != op || !size_of(w))
            continue
        for (j = sizes++; j >= 1 && size_of(sized[j]) > size_of(w); j--)
            sized[j + 1] = sized[j]
        sized[j + 1] = w
    }
    for (i = 1; i <= sizes; i++)
        distinct_sizes += i == 1 || size_of(sized[i]) != size_of(sized[i - 1])
}

function draw_sweep(op,    stem, i, any, moved, right) {
    stem = "sweep-" op
    if (!is_wanted(stem))
        return
    sort_sizes(op)
    begin_plane()
    split("", has_kind)
    if (distinct_sizes >= 3) {
        moved = add_series("cuda", "e2e", 2, ", with transfers")
        any = moved + add_series("cpu", "hot", 1, "") + add_series("cuda", "hot", 1, "")
    }
    if (!any) {
        leave_out(stem, "fewer than three sizes of one kind")
        return
    }
    for (i = 1; i <= plane_texts; i++)
        right = most(right, width(text_of[i]) * 7.6 + 30)
    lay_out_plane(0.02, 0.04, right)
    subtitle("Time of one call, hot" (moved ? "; dashed: with upload and download, pinned memory" : ""))
    header("", crossover_text("hot", "the kernel alone"))
    header("", crossover_text("e2e", "the GPU with transfers"))
    if (has_kind["cpu"])
        machine_header("cpu")
    if (has_kind["cuda"])
        machine_header("cuda")
    origin_footer(measured_as("Points"))
    y_unit = "s"
    x_unit = ""
    end_plane(stem, op ": time against size", op == "matmul" ? "N of an NxN by NxN product" : "pixels", "time")
}

# A line for each rung with two sizes at least; returns how many.
function add_series(b, mode, dash, suffix,    i, j, k, v, seen, rung, names, row, n, line, last, added) {
    for (i = 1; i <= sizes; i++)
        for (j = 1; j <= rungs[sized[i]]; j++) {
            v = rung_of[sized[i], j]
            if (backend[sized[i], v] == b && !(v in seen)) {
                seen[v] = 1
                rung[++names] = v
            }
        }
    for (k = 1; k <= names; k++) {
        v = rung[k]
        n = 0
        for (i = 1; i <= sizes; i++)
            n += is_ok(sized[i] SUBSEP v SUBSEP mode)
        if (n < 2)
            continue
        line = add_line(b, dash, 2)
        for (i = 1; i <= sizes; i++) {
            row = sized[i] SUBSEP v SUBSEP mode
            if (!is_ok(row))
                continue
            last = sized[i]
            extend_line(line, size_of(sized[i]), median[row])
            add_dot(size_of(sized[i]), median[row], fast[row], slow[row], b)
        }
        add_text("", line_y[line, line_points[line]], rung_name(last, v) suffix, "right")
        has_kind[b] = 1
        added++
    }
    return added + 0
}

# The fastest time of a backend at a size; "" if there is none.
function best_time(workload, b, mode,    j, v, row, best) {
    for (j = 1; j <= rungs[workload]; j++) {
        v = rung_of[workload, j]
        row = workload SUBSEP v SUBSEP mode
        if (backend[workload, v] == b && !((workload, v) in is_tf32) && is_ok(row) && (best == "" || median[row] < best))
            best = median[row]
    }
    return best
}

# 176.3 -> 180
function two_digits(x) { return grouped(sprintf("%.0f", sprintf("%.2g", x))) }

# Where the GPU in `mode` overtakes the best CPU rung, between two sizes that were measured; drawn as a line, and told.
function crossover_text(mode, what,    i, cpu, gpu, ratio, last, last_size, at, line, text, first) {
    for (i = 1; i <= sizes; i++) {
        cpu = best_time(sized[i], "cpu", "hot")
        gpu = best_time(sized[i], "cuda", mode)
        if (cpu == "" || gpu == "")
            continue
        ratio = cpu / gpu
        if (last == "")
            first = ratio
        else if ((last < 1) != (ratio < 1)) {
            at = last_size * (size_of(sized[i]) / last_size) ^ (log(last) / (log(last) - log(ratio)))
            text = text (text == "" ? "" : "; ") (ratio >= 1 ? "faster" : "slower") " from about " two_digits(at) " on (" \
                   factor(last) " at " grouped(last_size "") ", " factor(ratio) " at " grouped(size_of(sized[i]) "") ")"
            line = add_line("limit", 3, 1.5)
            extend_line(line, at, 10 ^ plane_y_from)
            extend_line(line, at, 10 ^ plane_y_to)
            add_text(at, 10 ^ plane_y_from, "about " two_digits(at), "crossover")
        }
        last = ratio
        last_size = size_of(sized[i])
    }
    if (last == "")
        return ""
    if (text == "")
        text = first >= 1 ? "faster at every size, " factor(last) " at " grouped(last_size "") : \
                            "slower at every size, " factor(last) " as fast at " grouped(last_size "")
    return "Against the fastest CPU rung, " what " is " text
}

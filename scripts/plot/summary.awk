# Prints a results file row by row, rounds put together, for compare.awk: tab-separated lines
#   machine KIND NAME;  origin HOST START REVISION ROUNDS
#   row WORKLOAD SHAPE MODE RUNG BACKEND MEDIAN FAST SLOW WORK UNIT   WORK operations or bytes, UNIT what a rate of it is called

function plain(text) {
    gsub(/\t/, " ", text)
    return text
}

END {
    if (failed)
        exit failed
    OFS = "\t"
    for (key in machine)
        print "machine", key, plain(machine[key]) (threads[key] == "" ? "" : ", " count_of(threads[key], "thread"))
    print "origin", plain(machine["host"]), start, plain(revision), rounds_most + 0
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= modes[workload_of[i]]; j++)
            for (k = 1; k <= rungs[workload_of[i]]; k++) {
                rung = rung_of[workload_of[i], k]
                row = workload_of[i] SUBSEP rung SUBSEP mode_of[workload_of[i], j]
                if (is_ok(row)) {
                    work = flops[row] != "" ? flops[row] OFS "GFLOP/s" : bytes[row] OFS "GB/s"
                    print "row", plain(name_of(workload_of[i])), plain(shape[workload_of[i]]), \
                        plain(mode_of[workload_of[i], j]), plain(rung_name(workload_of[i], rung)), \
                        backend[workload_of[i], rung], median[row], fast[row], slow[row], work
                }
            }
}

# Prints, for each row of a file with several rounds, how far the medians of its rounds lie apart.
# Exit status 77: no row has two rounds.

function print_spread(row,    n, i, mean, squares, deviation, class) {
    if (!printed++)
        printf "%-44s %6s %13s %8s %8s\n", "row", "rounds", "median us", "sd %", "sd ticks"
    n = rounds[row]
    for (i = 1; i <= n; i++)
        mean += time[row, i] / n
    for (i = 1; i <= n; i++)
        squares += (time[row, i] - mean) ^ 2
    deviation = sqrt(squares / (n - 1))
    printf "%-44s %6d %13.3f %8.2f %8.2f\n", name_of(row), n, median[row] * 1e6, 100 * deviation / mean, \
        deviation / resolution[row]
    class = median[row] >= 10e-6 ? "long" : "short"
    all[class]++
    near[class] += deviation <= most((class == "long" ? 0.005 : 0.015) * median[row], 2 * resolution[row])
}

END {
    if (failed)
        exit failed
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= rungs[workload_of[i]]; j++)
            for (k = 1; k <= modes[workload_of[i]]; k++) {
                row = workload_of[i] SUBSEP rung_of[workload_of[i], j] SUBSEP mode_of[workload_of[i], k]
                if (rounds[row] > 1 && resolution[row] > 0)
                    print_spread(row)
            }
    if (!printed) {
        complain("no row has two rounds; expected the results of --rounds=N")
        exit 77
    }
    printf "\nStandard deviation of the rounds' medians at most 0.5 %% or two ticks: %d of %d rows of 10 us and more;\n" \
           "at most 1.5 %% or two ticks: %d of %d below 10 us.\n", near["long"], all["long"], near["short"], all["short"]
}

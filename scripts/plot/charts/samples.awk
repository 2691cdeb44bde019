#chart samples-OP-WORKLOAD-MODE | the samples (rungbench --samples), of --samples=FILE.csv or RESULTS-samples.csv
#page 7 | samples | 0 | The samples | Every sample of a row, from the first above to the last below: two modes stand side by side, drift leans.
# For each workload and mode, the samples of each rung in the order in which they were taken, DOTS_MOST at most and those picked
# by chance: two modes stand side by side, drift leans. PLOT_SAMPLES in the environment is the file of rungbench --samples;
# empty: there is none.

BEGIN { STRIP = 52; STRIP_WIDTH = 600; DOTS_MOST = 500 } # pixels; dots in a strip

# By name, over the rounds: sampled [name], sample [name, i] seconds, round_ends [name], round_end [name, r] the last sample of a
# round that another follows.
END { draw_samples() }

function read_samples(    file, line, cell, n, i, name, at, round_of) {
    file = ENVIRON["PLOT_SAMPLES"]
    if (file == "" || (getline line < file) <= 0)
        return 0
    sub(/\r$/, "", line)
    n = csv_split(line, cell)
    for (i = 1; i <= n; i++)
        at[cell[i]] = i
    if (!("name" in at) || !("round" in at) || !("seconds" in at))
        fail(2, "the file of samples has no columns name, round, seconds; expected one of rungbench --samples")
    while ((getline line < file) > 0) {
        sub(/\r$/, "", line)
        if (csv_split(line, cell) != n || cell[at["seconds"]] !~ /^[0-9.]+([eE][-+]?[0-9]+)?$/ || cell[at["seconds"]] + 0 <= 0)
            fail(2, "the file of samples: " shorten(line) ": expected " count_of(n, "cell") ", seconds a number above 0")
        name = cell[at["name"]]
        if ((name in round_of) && round_of[name] != cell[at["round"]])
            round_end[name, ++round_ends[name]] = sampled[name]
        round_of[name] = cell[at["round"]]
        sample[name, ++sampled[name]] = cell[at["seconds"]] + 0
    }
    close(file)
    return 1
}

function draw_samples(    i, j, known, before) {
    known = read_samples()
    if (!known && is_wanted("samples"))
        leave_out("samples", "no file of samples beside it; rungbench --samples writes one")
    before = charts + refused
    for (i = 1; known && i <= workloads; i++)
        for (j = 1; j <= modes[workload_of[i]]; j++)
            draw_strips(workload_of[i], mode_of[workload_of[i], j])
    if (known && charts + refused == before && only == "")
        leave_out("samples", "the file of samples has no row of these results")
}

function draw_strips(workload, mode,    stem, i, name, longest, thinned) {
    stem = chart_stem("samples", workload, mode)
    if (!is_wanted(stem))
        return
    begin_frame()
    begin_rungs()
    add_rungs(workload, mode, 0)
    strips = 0
    longest = 10
    for (i = 1; i <= drawn_rows; i++) {
        name = name_of(drawn_row[i])
        if ((name in sampled) && sampled[name] != sample_count[drawn_row[i]]) {
            leave_out(stem, "the samples are of another run")
            return
        }
        if (sampled[name] > 1) {
            strip_row[++strips] = drawn_row[i]
            strip_name[strips] = drawn_name[i]
            strip_kind[strips] = drawn_kind[i]
            longest = most(longest, width(drawn_name[i]))
            thinned = thinned || sampled[name] > DOTS_MOST
        }
    }
    if (!strips)
        return
    panels_at = beside_names(longest, 100)
    total = panels_at + STRIP_WIDTH + 196 + MARGIN
    subtitle(work_text(workload, mode))
    rung_headers()
    footer("Each dot is a sample, the first on top, the last below; from left to right how long it took, each rung on its own " \
           "scale. Line: the median. Dots at an edge lie there or beyond." \
           (thinned ? " Of more than " DOTS_MOST " so many are drawn, by chance." : ""))
    origin_footer(rounds_most > 1 ? "Rounds follow each other, lines between them." : "")
    begin_file(stem, name_of(workload) ", " mode ": samples")
    write_strips()
    end_file("samples")
}

# Sorts the samples of a name into sorted[1..n].
function sort_samples(name, sorted,    n, gap, i, j, x) {
    n = sampled[name]
    for (i = 1; i <= n; i++)
        sorted[i] = sample[name, i]
    for (gap = int(n / 2); gap >= 1; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            x = sorted[i]
            for (j = i - gap; j >= 1 && sorted[j] > x; j -= gap)
                sorted[j + gap] = sorted[j]
            sorted[j + gap] = x
        }
    return n
}

# 1.012 -> "+1.2 %"
function change_text(ratio,    x, size) {
    x = 100 * (ratio - 1)
    size = x < 0 ? -x : x
    return (x < 0 ? "−" : "+") (size >= 99.5 ? grouped(sprintf("%.0f", size)) : sprintf("%.2g", size)) " %"
}

# ", 3 up to +5,000 %" for those that are slower than what the strip shows.
function beyond(sorted, n, to, middle,    i) {
    for (i = n; i >= 1 && sorted[i] > to; i--)
        ;
    return i == n ? "" : ", " n - i " up to " change_text(sorted[n] / middle)
}

# A strip shows all, or but for the outer twentieth on a side where that reaches far beyond the rest; those stand at its edge.
function write_strips(    i, j, k, n, name, sorted, middle, from, to, x, edge, step, seam, seams) {
    printf "bars = %d\nrow = %d\npanels_at = %d\npanel_width = %d\n", strips, STRIP, panels_at, STRIP_WIDTH > out
    printf "array name[%d]\narray note[%d]\narray left_text[%d]\narray right_text[%d]\n", strips, strips, strips, strips > out
    for (i = 1; i <= strips; i++) {
        name = name_of(strip_row[i])
        n = sort_samples(name, sorted)
        middle = n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
        edge = int(n / 20)
        from = middle - sorted[1] < 4 * (middle - sorted[1 + edge]) ? sorted[1] : sorted[1 + edge]
        to = sorted[n] - middle < 4 * (sorted[n - edge] - middle) ? sorted[n] : sorted[n - edge]
        if (to <= from) {
            from = middle * 0.9999
            to = middle * 1.0001
        }
        printf "name[%d] = %s\nnote[%d] = %s\nleft_text[%d] = %s\nright_text[%d] = %s\n", i, quoted(strip_name[i]), \
            i, quoted(duration(middle)), i, quoted(change_text(from / middle)), \
            i, quoted(change_text(to / middle) beyond(sorted, n, to, middle)) > out
        step = n > DOTS_MOST ? n / DOTS_MOST : 1
        srand(1)
        printf "$strip%d << CHART_END\n", i > out
        for (k = 0; k < n - 1e-6; k += step) {
            # One of each so many, by chance: steps of one length would see one mode of two.
            j = int(k + rand() * step * (step > 1)) + 1
            j = least(j, n)
            x = (sample[name, j] - from) / (to - from)
            printf "%.5f\t%.5f\t%s\n", (x < 0 ? 0 : x > 1 ? 1 : x), i - 0.38 + 0.76 * (j - 1) / (n - 1), strip_kind[i] > out
        }
        printf "CHART_END\n$median%d << CHART_END\n%.5f\t%d\nCHART_END\n", i, (middle - from) / (to - from), i > out
        for (j = 1; j <= round_ends[name]; j++)
            seam[++seams] = i - 0.38 + 0.76 * (round_end[name, j] - 0.5) / (n - 1)
    }
    printf "seams = %d\narray seam[%d]\n", seams, seams + 1 > out
    for (i = 1; i <= seams; i++)
        printf "seam[%d] = %.5f\n", i, seam[i] > out
}

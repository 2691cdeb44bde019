#chart transfers | upload, kernel and download as shares of a call
#page 6 | transfers | 3 | What moving data costs | The time of a whole call in its parts: upload, kernel and download.
# For each workload, what share of a call with transfers is upload, kernel and download: of the rung that is fastest so.

BEGIN { SHARES_WIDTH = 560; SHARES_ROW = 30 } # pixels

END { draw_transfers() }

function draw_transfers(    i, j, mode) {
    if (!is_wanted("transfers"))
        return
    begin_frame()
    shares = 0
    for (i = 1; i <= workloads; i++)
        for (j = 1; j <= modes[workload_of[i]]; j++) {
            mode = mode_of[workload_of[i], j]
            if (mode ~ /^e2e/)
                add_shares(workload_of[i], mode)
        }
    if (!shares) {
        leave_out("transfers", "no row with transfers says what its parts took")
        return
    }
    lay_out_shares()
    subtitle("Each workload's fastest rung on " device_name(machine["cuda"]) "; memory pinned (e2e) or not (e2e_pageable)")
    header("upload", "upload")
    header("cuda", "kernel")
    header("download", "download")
    header("rest", "neither: the host's calls, and waiting")
    origin_footer("Medians of each part" (rounds_most > 1 ? ", means over " rounds_most " rounds" : "") \
                  ", as shares of the call, or of their sum where that is more.")
    begin_file("transfers", "Where the time of a call goes")
    write_shares()
    end_file("transfers")
}

function add_shares(workload, mode,    row, part) {
    row = best_row(workload, mode, "cuda")
    if (row == "" || !(upload[row] + kernel[row] + download[row] > 0))
        return
    split(row, part, SUBSEP)
    share_row[++shares] = row
    share_name[shares] = name_of(workload) ", " mode
    share_rung[shares] = part[3]
}

function lay_out_shares(    i, longest, rung) {
    longest = rung = 10
    for (i = 1; i <= shares; i++) {
        longest = most(longest, width(share_name[i]))
        rung = most(rung, width(share_rung[i]))
    }
    panels_at = beside_names(longest, 16)
    total = panels_at + SHARES_WIDTH + int(rung * 8.2) + 110 + MARGIN
}

# Each bar: place, and where upload, kernel, download and the rest end, in per cent.
function write_shares(    i, row, whole, up, kern, down) {
    printf "bars = %d\nrow = %d\npanels_at = %d\npanel_width = %d\n", shares, SHARES_ROW, panels_at, SHARES_WIDTH > out
    printf "array name[%d]\narray note[%d]\n$shares << CHART_END\n", shares, shares > out
    for (i = 1; i <= shares; i++) {
        row = share_row[i]
        whole = most(median[row], upload[row] + kernel[row] + download[row])
        up = 100 * upload[row] / whole
        kern = up + 100 * kernel[row] / whole
        down = kern + 100 * download[row] / whole
        printf "%d\t%.4f\t%.4f\t%.4f\t%s\t%s\t%s\n", i, up, kern, down, share_text(up), share_text(kern - up), \
            share_text(down - kern) > out
    }
    print "CHART_END" > out
    for (i = 1; i <= shares; i++)
        printf "name[%d] = %s\nnote[%d] = %s\n", i, quoted(share_name[i]), i, \
            quoted(duration(median[share_row[i]]) "  " share_rung[i]) > out
}

# Only where it has room.
function share_text(percent) { return percent >= 7 ? sprintf("%.0f %%", percent) : "" }

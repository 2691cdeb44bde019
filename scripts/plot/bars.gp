# Draws one chart of bars, which chart.awk has described in variables, as `stem`.`kind` (png or svg). Needs style.gp.
HEAD = 56; HEAD_LINE = 22; PANEL_HEAD = 66; AXIS = 30; FOOT_LINE = 19
BAR = 0.33 # half its thickness, in rows

top = HEAD + heads * HEAD_LINE + PANEL_HEAD
bottom = top + bars * row
height = bottom + AXIS + 12 + foots * FOOT_LINE + 8
X(pixel) = pixel / real(total)
Y(pixel) = 1 - pixel / real(height)
head_at(i) = Y(HEAD + (i - 0.5) * HEAD_LINE)
row_at(i) = Y(top + (i - 0.5) * row)
foot_at(i) = Y(bottom + AXIS + 12 + (i - 0.5) * FOOT_LINE)

set logscale x
set yrange [bars + 0.5 : 0.5]
set xtics scale 0 font SMALL textcolor rgb FAINT
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
set arrow from 1, graph 0 to 1, graph 1 nohead front linecolor rgb INK linewidth 1.2
set tmargin at screen Y(top)
set bmargin at screen Y(bottom)

if (kind eq 'png') {
    set terminal pngcairo size 2 * total, 2 * height fontscale 1.5 linewidth 2 pointscale 2 font TEXT background 'white'
} else {
    set terminal svg size total, height fixed font TEXT background 'white'
}
set output stem . '.' . kind

set label title at screen X(margin), Y(32) left noenhanced font TITLE textcolor rgb INK
do for [i = 1:heads] {
    indent = head_kind[i] eq '' ? 0 : 20
    if (indent > 0 && head_kind[i] ne 'continued') {
        set object rectangle center screen X(margin + 6), head_at(i) size screen X(12), 12.0 / height \
            fillcolor rgb color(head_kind[i]) fillstyle solid 1 noborder
    }
    set label head[i] at screen X(margin + indent), head_at(i) left noenhanced font TEXT textcolor rgb FAINT
}
set label note_head at screen X(panels_at - 12), Y(top - 16) right noenhanced font SMALL textcolor rgb FAINT
do for [i = 1:bars] {
    set label name[i] at screen X(margin), row_at(i) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(panels_at - 12), row_at(i) right noenhanced font TEXT textcolor rgb FAINT
}
do for [i = 1:foots] {
    set label foot[i] at screen X(margin), foot_at(i) left noenhanced font SMALL textcolor rgb FAINT
}

set multiplot
do for [p = 1:panels] {
    left = panels_at + (p - 1) * (panel_width + panel_gap)
    set lmargin at screen X(left)
    set rmargin at screen X(left + panel_width)
    set label panel_head[p] at screen X(left), Y(top - 36) left noenhanced font STRONG textcolor rgb INK
    set label panel_note[p] at screen X(left), Y(top - 16) left noenhanced font SMALL textcolor rgb FAINT
    eval panel_ticks[p]
    set xrange [panel_from[p] : panel_to[p]]
    data = sprintf("$bars%d", p)
    # The white boxes keep the grid out of the values. A loop to 0 draws nothing, which is how gnuplot wants an empty set.
    plot data using 7:1:7:8:($1 - BAR):($1 + BAR) with boxxyerror linecolor rgb 'white', \
        data using 2:1:(1):2:($1 - BAR):($1 + BAR):(color(strcol(5))) with boxxyerror linecolor rgb variable, \
        for [i = 1:panel_whiskers[p]] data using (strcol(3) eq 'NaN' ? NaN : $2):1:3:4 with xerrorbars pointtype 0 \
            linecolor rgb (i == 1 ? 'white' : INK) linewidth (i == 1 ? 3 : 1.3), \
        for [i = 1:panel_gains[p]] data using ($2 >= 1 ? $7 : NaN):1:6 with labels left offset char 0.8, 0 noenhanced \
            font TEXT textcolor rgb INK, \
        for [i = 1:panel_losses[p]] data using ($2 < 1 ? $7 : NaN):1:6 with labels right offset char -0.8, 0 noenhanced \
            font TEXT textcolor rgb INK
    unset label
    unset object
}
unset multiplot
unset output

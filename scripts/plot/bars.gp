# Draws one chart of bars, which bars.awk has described in variables. Needs style.gp.
PANEL_HEAD = 66
BAR = 0.33 # half its thickness, in rows

body = PANEL_HEAD + bars * row + AXIS
load 'frame.gp'
top = frame_top + PANEL_HEAD
bottom = top + bars * row
row_at(i) = Y(top + (i - 0.5) * row)

set logscale x
set yrange [bars + 0.5 : 0.5]
set xtics scale 0 font SMALL textcolor rgb FAINT
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
set arrow from 1, graph 0 to 1, graph 1 nohead front linecolor rgb INK linewidth 1.2
set tmargin at screen Y(top)
set bmargin at screen Y(bottom)

set label note_head at screen X(panels_at - 12), Y(top - 16) right noenhanced font SMALL textcolor rgb FAINT
do for [i = 1:bars] {
    set label name[i] at screen X(margin), row_at(i) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(panels_at - 12), row_at(i) right noenhanced font TEXT textcolor rgb FAINT
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

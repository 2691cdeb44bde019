# Draws one comparison of two files, which compare.awk has described in variables. Needs style.gp.
PANEL_HEAD = 30
BAR = 0.17 # half its thickness, in rows

body = PANEL_HEAD + bars * row + AXIS
load 'frame.gp'
top = frame_top + PANEL_HEAD

set logscale x
set xrange [panel_from : panel_to]
set yrange [bars + 0.5 : 0.5]
set xtics scale 0 font SMALL textcolor rgb FAINT
eval panel_ticks
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
set lmargin at screen X(panels_at)
set rmargin at screen X(panels_at + panel_width)
set tmargin at screen Y(top)
set bmargin at screen Y(top + bars * row)
set label 'B over A' at screen X(total - margin), Y(top - 14) right noenhanced font STRONG textcolor rgb INK
set label unit at screen X(panels_at), Y(top - 12) left noenhanced font SMALL textcolor rgb FAINT
do for [i = 1:bars] {
    set label name[i] at screen X(margin), Y(top + (i - 0.5) * row) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(total - margin), Y(top + (i - 0.5) * row) right noenhanced font STRONG textcolor rgb INK
}
plot $bars using 2:1:(panel_from):2:($1 - BAR):($1 + BAR):(color(strcol(5))) with boxxyerror linecolor rgb variable, \
    $bars using (strcol(3) eq 'NaN' || strcol(4) eq 'NaN' ? NaN : $2):1:3:4 \
        with xerrorbars pointtype 0 linecolor rgb INK linewidth 1.3, \
    $bars using 7:1:6 with labels left offset char 0.8, 0 noenhanced font SMALL textcolor rgb INK
unset output

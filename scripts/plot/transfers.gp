# Draws the shares of calls with transfers, which transfers.awk has described in variables. Needs style.gp.
BAR = 0.34 # half its thickness, in rows

body = bars * row + AXIS
load 'frame.gp'
top = frame_top

set xrange [0 : 100]
set yrange [bars + 0.5 : 0.5]
set xtics scale 0 font SMALL textcolor rgb FAINT
set xtics ('0' 0, '25 %%' 25, '50 %%' 50, '75 %%' 75, '100 %%' 100)
set grid xtics linetype 1 linecolor rgb GRID linewidth 1
set lmargin at screen X(panels_at)
set rmargin at screen X(panels_at + panel_width)
set tmargin at screen Y(top)
set bmargin at screen Y(top + bars * row)
do for [i = 1:bars] {
    set label name[i] at screen X(margin), Y(top + (i - 0.5) * row) left noenhanced font CODE textcolor rgb INK
    set label note[i] at screen X(panels_at + panel_width + 12), Y(top + (i - 0.5) * row) \
        left noenhanced font TEXT textcolor rgb INK
}
box(from, to) = (from + to) / 2
plot $shares using (50):1:(0):(100):($1 - BAR):($1 + BAR) with boxxyerror linecolor rgb color('rest'), \
    $shares using 2:1:(0):2:($1 - BAR):($1 + BAR) with boxxyerror linecolor rgb color('upload'), \
    $shares using 2:1:2:3:($1 - BAR):($1 + BAR) with boxxyerror linecolor rgb color('cuda'), \
    $shares using 3:1:3:4:($1 - BAR):($1 + BAR) with boxxyerror linecolor rgb color('download'), \
    $shares using (box(0, $2)):1:5 with labels noenhanced font SMALL textcolor rgb INK, \
    $shares using (box($2, $3)):1:6 with labels noenhanced font SMALL textcolor rgb 'white', \
    $shares using (box($3, $4)):1:7 with labels noenhanced font SMALL textcolor rgb INK
unset output

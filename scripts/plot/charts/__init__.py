"""One module for each kind of chart: HELP is its line in `plot.sh --help`; PAGE its place on the page, the heading there, and how
to read it; LACKING what the results lack where they can feed none; draw(data) yields those that they can feed, and tells
data.leave_out() of others."""

"""One module for each kind of chart: HELP is its line in `plot.sh --help`; PAGE its place on the page, the heading there, and how
to read it; draw(data) yields the charts that the results can feed, and tells data.leave_out() of the others."""

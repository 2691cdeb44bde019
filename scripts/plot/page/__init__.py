"""The page of a results file and its charts."""
import html


def write(summary, charts, kinds, folder, csv):
    """Writes report.html into `folder`, where the charts' files lie.

    summary: what `rungbench --summarize` says. charts: those that were drawn, each with stem, title, subtitle, caption, kind (the
    name of its module), workload ("op/workload") and mode (both empty if it shows several); their files are STEM.svg, STEM-dark.svg
    and STEM.png. kinds: the modules of charts/ in order, each with __name__ ("charts.KIND"), HELP and PAGE (place, heading, how
    to read it). csv: the path from the page to the results.
    """
    figures = "\n".join(f'<figure><img src="{chart.stem}.svg" alt="{html.escape(chart.title)}"></figure>' for chart in charts)
    (folder / "report.html").write_text(f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>rungbench</title>\n{figures}\n')

"""What is found, as a table."""

import text

STATES = "slower", "faster", "stable", "too few"


def per_cent(ratio):
    return f"{100 * (ratio - 1):+.1f} %" if ratio < 10 else text.factor(ratio)


def place(history, at):
    subject = text.clean(history.subjects[at])
    return history.label(at) + (f" ({subject[:40].strip()}{'...' if len(subject) > 40 else ''})" if subject else "")


def blame(history, row, change):
    """Whether the machine changed at the same commit."""
    if not history.controls or row.control:
        return "is one" if row.control else "there are none"
    moved = history.moved_with(change)
    count = f"{len(moved)} of {len(history.controls)} moved"
    return f"{count}: the machine changed, not the code" if moved else count


def table(history):
    """Lines of text: those rows first that changed, with a line per change."""
    head = ("row", "state", "by", "p", "since commit", "controls")
    lines = []
    for row in sorted(history.rows.values(), key=lambda row: STATES.index(row.state)):
        start = text.clean(row.name), row.state
        for change in row.changes:
            lines.append((*start, per_cent(change.ratio), f"{change.p:.3f}", place(history, change.place), blame(history, row, change)))
            start = "", ""
        if not row.changes:
            lines.append((*start, "", "", "", "is one" if row.control else ""))
    widths = [max(map(len, column)) for column in zip(head, *lines)]
    yield f"{text.clean(history.device)}: {text.count(len(history.commits), 'commit')}, {text.count(len(history.rows), 'row')}"
    for line in (head, *lines):
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
    for at, was, now in history.versions:
        yield text.clean(f"  changed at {place(history, at)}: {was} -> {now}")

"""Text in columns."""


def aligned(rows, left=2):
    """Rows of text in columns: the first `left` to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row):
        cells = [cell.ljust(width) if at < left else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))]
        return "  ".join(cells).rstrip()

    return "\n".join(line(row) for row in rows)


def seconds(value):
    """A time with three figures."""
    return f"{value:.3g} s" if value >= 1 else f"{1e3 * value:.3g} ms"

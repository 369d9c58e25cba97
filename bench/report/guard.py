"""Instruction counts of Axode beside the committed ones."""

LIMIT = 0.03  # of the committed count
MORE, LESS, NEW, GONE, SAME = "MORE", "less", "new", "GONE", ""


def rows(committed, counted):
    """[(model, function, committed, counted, change, verdict)], all functions of both.

    committed, counted: model -> function -> instructions per state.
    """
    found = []
    for model in dict.fromkeys([*counted, *committed]):
        before, now = committed.get(model, {}), counted.get(model, {})
        for function in dict.fromkeys([*now, *before]):
            found.append((model, function, *judged(before.get(function), now.get(function))))
    return found


def judged(before, now):
    """(before, now, change, verdict)"""
    if before is None or now is None:
        return before, now, None, NEW if before is None else GONE
    more, limit = now - before, LIMIT * before
    return before, now, more / before, MORE if more > limit else LESS if more < -limit else SAME


def failed(table):
    """Whether something takes more, or is no longer watched."""
    return any(row[-1] in (MORE, GONE) for row in table)


def advice(table):
    """What to do, as lines."""
    kinds = {row[-1] for row in table}
    lines = []
    if MORE in kinds:
        lines.append(f"MORE: more than {LIMIT:.0%} above the committed count. Mend it, or if it is worth"
                     " that: scripts/bench_guard --update")
    if GONE in kinds:
        lines.append("GONE: committed, but no longer counted. If that is meant:"
                     " scripts/bench_guard --update")
    if LESS in kinds or NEW in kinds:
        lines.append("less, new: so that it stays so: scripts/bench_guard --update, and commit"
                     " bench/guard.json")
    return lines


def conclusion(table, committed_by, counted_by):
    """(lines, exit status); counts of two compilers cannot be compared."""
    if not committed_by:
        return ["nothing is committed yet: scripts/bench_guard --update"], 1
    if committed_by != counted_by:
        return [f"not judged: committed with {committed_by}, this is {counted_by}"], 0
    return advice(table) or ["all as committed"], 1 if failed(table) else 0


def text(table):
    """The table as lines; models and functions in order."""
    def number(x):
        return "-" if x is None else f"{x:,.0f}"

    cells = [("model", "function", "committed", "counted", "change", "")]
    for model, function, before, now, change, verdict in table:
        share = "" if change is None else f"{change:+.1%}"
        cells.append((model, function, number(before), number(now), share, verdict))
    widths = [max(len(row[i]) for row in cells) for i in range(6)]
    return "\n".join("  ".join(cell.ljust(w) if i in (0, 1, 5) else cell.rjust(w)
                               for i, (cell, w) in enumerate(zip(row, widths))).rstrip()
                     for row in cells)

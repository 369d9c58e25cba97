"""Tables of a report, as plain text or Markdown."""

from functions import TITLES, order, split, title
from goals import OTHERS, PINOCCHIO, TUNED, family, fastest, ours, own, ratios, time_of
from report import spread

NONE = "-"


def number(x):
    """Three digits at least, thousands separated."""
    return NONE if x is None else f"{x:.1f}" if x < 100 else f"{x:,.0f}"


def compared(x, reference):
    """A number and its ratio to the reference."""
    if x is None:
        return NONE
    return f"{number(x)} ({x / reference:.2f})" if reference else number(x)


def layout(rows, markdown):
    """A table whose first row is its head; in plain text a head may have several lines."""
    if markdown:
        head = [cell.replace("\n", "<br>") for cell in rows[0]]
        lines = [head, [":--"] + ["--:"] * (len(head) - 1), *rows[1:]]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    tall = max(cell.count("\n") for cell in rows[0]) + 1
    heads = [cell.split("\n") for cell in rows[0]]
    heads = [[""] * (tall - len(cell)) + cell for cell in heads]
    lines = [list(line) for line in zip(*heads)] + rows[1:]
    widths = [max(len(line[i]) for line in lines) for i in range(len(rows[0]))]
    text = ["  ".join(cell.rjust(w) if i else cell.ljust(w)
                      for i, (cell, w) in enumerate(zip(line, widths))) for line in lines]
    return "\n".join([*text[:tall], "-" * len(text[0]), *text[tall:]])


def heading(text, markdown):
    return f"**{text}**" if markdown else text


def columns(report):
    """Libraries, Axode first."""
    mine = ours(report)
    return ([mine] if mine else []) + [n for n in report["libraries"] if n != mine]


def head_of(library):
    name, _, variant = library.partition("_")
    return name + ("\n" + variant.replace("_", " ") if variant else "")


def sizes(report, names):
    """Models in the order they were measured, with their degrees of freedom."""
    return [(n, f"{n} ({report['models'][n].get('nv', '?')})") for n in names]


def models_of(report, functions):
    return [m for m in report["models"] if any(m in report["functions"].get(f, {}) for f in functions)]


def of_function(report, function, markdown):
    """Times and ratios of one function in all libraries; other ways of it count if faster."""
    names = columns(report)
    mine, ways = ours(report), [f for f in report["functions"] if split(f)[:2] == (0, function)]
    rows, used = [["model (degrees of freedom)", *map(head_of, names)]], {}
    for model, label in sizes(report, models_of(report, ways)):
        reference, cells = time_of(report, function, model, mine), []
        for library in names:
            if family(library) == "axode":
                cells.append(compared(time_of(report, function, model, library),
                                      None if library == mine else reference))
                continue
            best = fastest(report, function, model, [library])
            cells.append(compared(best[0] if best else None, reference))
            if best and best[2] != function:
                used.setdefault((library, split(best[2])[2]), []).append(model)
        if any(cell != NONE for cell in cells):
            rows.append([label, *cells])
    if len(rows) == 1:
        return ""
    text = heading(f"{TITLES[function]}: ns (ratio to Axode)", markdown) + "\n\n" * markdown
    text += "\n" * (not markdown) + layout(rows, markdown)
    for (library, way), models in used.items():
        text += "\n" * (1 + markdown) + f"{library}: by {way.replace('_', ' ')} on {', '.join(models)}"
    return text


def count_of(report, function, model, library):
    """Instructions of Axode's function, of another library's fastest way; None if not counted."""
    if family(library) != "axode":
        best = fastest(report, function, model, [library])
        function = best[2] if best else function
    entries = report["functions"].get(function, {}).get(model, {})
    return entries.get(library, {}).get("instructions")


def of_instructions(report, function, markdown):
    """Instructions per state, and ratios."""
    names, mine = columns(report), ours(report)
    rows = [["model (degrees of freedom)", *map(head_of, names)]]
    for model, label in sizes(report, models_of(report, [function])):
        counts = {n: count_of(report, function, model, n) for n in names}
        if any(counts.values()):
            cells = [compared(counts[n], None if n == mine else counts.get(mine)) for n in names]
            rows.append([label, *cells])
    if len(rows) == 1:
        return ""
    text = heading(f"{title(function)}: instructions (ratio to Axode)", markdown)
    return text + "\n" * (1 + markdown) + layout(rows, markdown)


def of_axode(report, markdown):
    """What only Axode has: ways, batches; ns per state."""
    mine = ours(report)
    names = [f for f in report["functions"] if f not in TITLES
             and any(mine in entries for entries in report["functions"][f].values())]
    if not names:
        return ""
    models = models_of(report, names)
    rows = [["", *models]]
    for name in sorted(names, key=order):
        rows.append([title(name), *(number(time_of(report, name, m, mine)) for m in models)])
    text = heading("Axode alone: ns per state", markdown)
    return text + "\n" * (1 + markdown) + layout(rows, markdown)


def cells_of(goal):
    if goal["measured"] is None:
        return [f"{goal['wanted']:g}", NONE, goal["verdict"]]
    least, most = min(goal["robots"].values()), max(goal["robots"].values())
    measured = f"{goal['measured']:.2f} ({least:.2f} to {most:.2f})"
    if goal.get("by_least"):
        measured += f", {goal['by_least']:.2f}"
    return [f"{goal['wanted']:g}", measured, goal["verdict"]]


def summary(report, markdown):
    """Ratios wanted and measured, over the robots."""
    head = [cell for who in (PINOCCHIO, TUNED, OTHERS) for cell in (f"{who}:\nwanted", "measured", "")]
    rows = [["function", *head]]
    for row in ratios(report):
        rows.append([row["title"], *(cell for who in (PINOCCHIO, TUNED, OTHERS) for cell in cells_of(row[who]))])
    text = ("time of the fastest other library / time of Axode: median over the robots (range), and the same"
            " of the least times, which the load of the machine hardly touches")
    text = heading(text, markdown) + "\n" * (1 + markdown) + layout(rows, markdown)
    rows = [["Axode alone", "wanted", "measured", ""]]
    rows += [[r["title"], r["wanted"], r["measured"], r["verdict"]] for r in own(report)]
    return text + "\n\n" + layout(rows, markdown)


def origin(report, markdown):
    """Where and with what it was measured."""
    m = report["machine"]
    lines = [f"{report['date'][:10]}, {m['processor']}, {m['cores']} cores, {m['system']}, {m['libc']}"]
    rows = [["program", "library", "version", "compiler", "flags"]]
    for name in columns(report):
        facts = report["libraries"][name]
        rows.append([name, *(facts[key] or NONE for key in ("library", "version", "compiler", "flags"))])
    share = spread(report)
    if share is not None:
        lines.append(f"The quartiles of the samples are typically {share:.1%} of the median apart.")
    return "\n".join(lines) + "\n\n" + layout(rows, markdown)


def problems(report):
    """Loud lines: results that differ, programs that failed."""
    lines = [f"DIFFERENT RESULTS: {library}, {function} on {model}: by {error:.1e} of the largest"
             " number; not timed" for function, model, library, error in report["differing"]]
    return lines + [f"FAILED: {library} on {model}: {why}" for library, model, why in report["failed"]]


def lacking(report, markdown):
    """What libraries do not have, and why; models that are too large for them."""
    lines = []
    for library, reasons in report["unsupported"].items():
        functions = {}
        for function, reason in reasons.items():
            functions.setdefault(reason, []).append(title(function))
        lines += [f"{library}, {reason}: {'; '.join(names)}" for reason, names in functions.items()]
    lines += [f"{library}, {model}: {why}" for library, model, why in report["left_out"]]
    if not lines:
        return ""
    mark = "- " if markdown else "  "
    return heading("Not there", markdown) + "\n" * (1 + markdown) + "\n".join(mark + s for s in lines)


def everything(report, markdown=False):
    parts = [origin(report, markdown)]
    for function in TITLES:
        parts += [of_function(report, function, markdown), of_instructions(report, function, markdown)]
    parts += [of_axode(report, markdown), lacking(report, markdown), summary(report, markdown)]
    parts += ["\n".join(problems(report))]
    return "\n\n".join(part for part in parts if part)

"""Error against time of integration methods: diagrams as SVG and tables in Markdown, from the JSON of
bench_work_precision."""

import math
from html import escape

from plot import text

# A colour for each family; SUNDIALS red and dashed, with squares.
STYLES = {
    "mk1": ("#b7d3ee", 0), "mk2": ("#86b5e0", 0), "mk3": ("#4f93cd", 0), "mk4": ("#2170b5", 0),
    "mk5": ("#08306b", 0), "cf4": ("#00897b", 0), "semi-implicit": ("#8d8d8d", 0),
    "momentum-preserving": ("#7cb342", 0), "variational": ("#33691e", 0), "generalized-alpha": ("#8e44ad", 0),
    "cvode": ("#c62828", 1), "adams": ("#ef6c00", 1), "arkode": ("#e91e63", 1), "ida": ("#a1662f", 1),
}
SUNDIALS = {name for name, (_, theirs) in STYLES.items() if theirs}
WIDTH, HEIGHT, LEFT, RIGHT, ABOVE, BELOW = 860, 560, 66, 170, 58, 52


def points_of(problem, method):
    """[(CPU seconds, error, accelerations)] of runs that came to the end, from coarse to fine."""
    return [(r["cpu"], r["error"], r["rates"]) for r in problem["runs"]
            if r["method"] == method and r["error"] is not None and r["cpu"] > 0]


def setting(run):
    return run["method"], run.get("rtol"), run.get("step")


def merge(reports):
    """The first report with the least time of each run in all of them: they differ in nothing else."""
    first, *others = reports
    for k, problem in enumerate(first["problems"]):
        for other in others:
            same = {setting(r): r for r in other["problems"][k]["runs"]}
            problem["runs"] = [quicker(r, same.get(setting(r))) for r in problem["runs"]]
    for other in others:
        first["long_run"] = [quicker(*pair) for pair in zip(first["long_run"], other["long_run"])]
    return first


def quicker(run, other):
    """Of the same run twice; one that was stopped counts only if the other was, too."""
    if other is None or other.get("ending") != run.get("ending"):
        return other if other and run["ending"] == "stopped" else run
    return min(run, other, key=lambda r: r["cpu"])


def methods_of(problem):
    return list(dict.fromkeys(r["method"] for r in problem["runs"]))


def time_for(points, accuracy):
    """(least CPU seconds, its accelerations) of a setting from which on all finer ones are at least so
    accurate, or None."""
    best = None
    for cpu, error, rates in reversed(points):
        if error > accuracy:
            break
        best = min(best or (cpu, rates), (cpu, rates))
    return best


def fastest(problem, accuracy, methods):
    """(CPU seconds, accelerations, method), or None."""
    times = [(time_for(points_of(problem, m), accuracy), m) for m in methods]
    return min(((*t, m) for t, m in times if t is not None), default=None)


def decades(problem, step=2):
    """Accuracies 1e-2, 1e-4, ... down to the floor of the reference."""
    least = max(problem["floor"], 1e-12)
    return [10.0**-e for e in range(2, 13, step) if 10.0**-e >= least]


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g}"


def power(value):
    return f"1e{round(math.log10(value))}"


def cell(found):
    return "- | |" if found is None else f"{found[2]} | {milliseconds(found[0])} | {found[1]}"


def fastest_table(problem):
    """Rows of Markdown: the fastest of ours and of SUNDIALS for each accuracy."""
    lines = ["| error at most | fastest of Axode | ms | accelerations | fastest of SUNDIALS | ms | "
             "accelerations | SUNDIALS / Axode |", "|:--|:--|--:|--:|:--|--:|--:|--:|"]
    everyone = methods_of(problem)
    for accuracy in decades(problem):
        mine = fastest(problem, accuracy, [m for m in everyone if m not in SUNDIALS])
        theirs = fastest(problem, accuracy, [m for m in everyone if m in SUNDIALS])
        ratio = f"{theirs[0] / mine[0]:.2g}" if mine and theirs else "-"
        lines.append(f"| {power(accuracy)} | {cell(mine)} | {cell(theirs)} | {ratio} |")
    return lines


def methods_table(problem):
    """Time of every method for each accuracy, ms."""
    columns = decades(problem)
    lines = ["| method | " + " | ".join(power(a) for a in columns) + " | least error | failed runs |",
             "|:--|" + "--:|" * (len(columns) + 1) + ":--|"]
    for method in methods_of(problem):
        points = points_of(problem, method)
        times = [time_for(points, a) for a in columns]
        failed = [r for r in problem["runs"]
                  if r["method"] == method and r["ending"] not in ("finished", "stopped")]
        reasons = ", ".join(f"{sum(r['ending'] == e for r in failed)} {e}"
                            for e in dict.fromkeys(r["ending"] for r in failed))
        least = f"{min(p[1] for p in points):.0e}" if points else "none in time"
        cells = ["" if t is None else milliseconds(t[0]) for t in times]
        lines.append(f"| {method} | " + " | ".join(cells) + f" | {least} | {reasons} |")
    return lines


def reference_line(problem):
    others = {k: v for k, v in problem["reference"].items() if k in SUNDIALS}
    told = ", ".join(f"{k} {v:.1e}" for k, v in others.items())
    return (f"Reference: mk5 at rtol 1e-13; distance of others at 1e-12: {told}. "
            f"Floor of the error axis: {problem['floor']:.1e}.")


def long_run_table(report):
    lines = ["| method | CPU [s] | steps | rejected | accelerations | drift of energy [J] |",
             "|:--|--:|--:|--:|--:|--:|"]
    for r in report["long_run"]:
        lines.append(f"| {r['method']} | {r['cpu']:.3f} | {r['steps']} | {r['rejected']} | {r['rates']} | "
                     f"{r['energy_drift']:.1e} |")
    return lines


def parts(report):
    """name -> text of what the page is filled with."""
    found = {"long_run": "\n".join(long_run_table(report))}
    for problem in report["problems"]:
        found[problem["name"]] = "\n".join([reference_line(problem), "", *fastest_table(problem), "",
                                            "Milliseconds of every method:", "", *methods_table(problem)])
    return found


def fill(page, report):
    """The page with the text between <!-- name --> and <!-- end --> made anew."""
    for name, new in parts(report).items():
        mark = f"<!-- {name} -->\n"
        if mark not in page:
            raise ValueError(f"the page has no mark {mark.strip()}")
        before, rest = page.split(mark, 1)
        page = f"{before}{mark}{new}\n<!-- end -->{rest.split('<!-- end -->', 1)[1]}"
    return page


def line_of(method, points, x_of, y_of):
    colour, theirs = STYLES[method]
    spots = [(x_of(cpu), y_of(error)) for cpu, error in points]
    dashes = ' stroke-dasharray="6 3"' if theirs else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    found = [f'<g fill="{colour}"><title>{escape(method)}</title>',
             f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}/>']
    for x, y in spots:
        found.append(f'<rect x="{x - 2.6:.1f}" y="{y - 2.6:.1f}" width="5.2" height="5.2"/>' if theirs
                     else f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.8"/>')
    return "\n".join([*found, "</g>"])


def legend(problem, shown):
    """All methods at the right; those without a result say so."""
    found, y = [], ABOVE + 10
    x = WIDTH - RIGHT + 18
    for method in methods_of(problem):
        colour, theirs = STYLES[method]
        dashes = ' stroke-dasharray="6 3"' if theirs else ""
        found.append(f'<line x1="{x}" x2="{x + 24}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" '
                     f'stroke-width="2.4"{dashes}/>')
        found.append(text(x + 30, y, method + ("" if method in shown else " (none)"), 12, "start",
                          "#111" if method in shown else "#999"))
        y += 20
    found.append(text(x, y + 10, "dashed: SUNDIALS", 10, "start", "#666"))
    found.append(text(x, y + 24, "lower left is better", 10, "start", "#666"))
    return found


def grid(low, high, x_of, y_of):
    """Lines at powers of ten, with labels."""
    found, right, bottom = [], WIDTH - RIGHT, HEIGHT - BELOW
    for e in range(math.floor(low[0]), math.ceil(high[0]) + 1):
        x = x_of(10.0**e)
        found.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{ABOVE}" y2="{bottom}" stroke="#e3e3e3"/>')
        found.append(text(x, bottom + 16, f"1e{e}", 11))
        for m in (2, 5) if e < high[0] else ():
            x = x_of(m * 10.0**e)
            found.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{ABOVE}" y2="{bottom}" stroke="#f1f1f1"/>')
            found.append(text(x, bottom + 15, f"{m}", 8, colour="#999"))
    for e in range(math.floor(low[1]), math.ceil(high[1]) + 1):
        y = y_of(10.0**e)
        found.append(f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e3e3e3"/>')
        if e % 2 == 0:
            found.append(text(LEFT - 6, y + 4, f"1e{e}", 11, "end"))
    return found


def floor_line(y):
    return [f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#999" '
            f'stroke-dasharray="2 3"/>',
            text(LEFT + 4, y - 4, "the reference is no better", 10, "start", "#777")]


def svg(problem):
    """The diagram of a problem: CPU time across, error upwards, both logarithmic."""
    floor = problem["floor"]
    shown = {}
    for method in methods_of(problem):
        points = [(cpu, max(error, floor)) for cpu, error, _ in points_of(problem, method)
                  if error <= 10]
        if points:
            shown[method] = points
    every = [p for points in shown.values() for p in points]
    low = [math.floor(min(math.log10(p[k]) for p in every)) for k in (0, 1)]
    high = [math.ceil(max(math.log10(p[k]) for p in every)) for k in (0, 1)]

    def x_of(cpu):
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(cpu) - low[0]) / (high[0] - low[0])

    def y_of(error):
        return ABOVE + (HEIGHT - ABOVE - BELOW) * (high[1] - math.log10(error)) / (high[1] - low[1])

    middle = (ABOVE + HEIGHT - BELOW) / 2
    found = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} '
        f'{HEIGHT}" font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        text(LEFT, 26, problem["title"], 17, "start", "#111", ' font-weight="600"'),
        text(LEFT, 44, "error at the end against CPU time; each point a tolerance or a step", 11, "start",
             "#666"),
        *grid(low, high, x_of, y_of),
        *(floor_line(y_of(floor)) if math.log10(floor) >= low[1] else ()),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "CPU time [s]", 12),
        text(18, middle, "largest error of a joint [rad, m]", 12,
             more=f' transform="rotate(-90 18 {middle:.0f})"'),
        *(line_of(method, points, x_of, y_of) for method, points in shown.items()),
        *legend(problem, shown),
    ]
    return "\n".join([*found, "</svg>"]) + "\n"

"""The times of a report as an SVG: a panel per function, models side by side, a bar per library, the
height its time / Axode's on a logarithmic axis. Bars below the line at 1 are faster than Axode."""

import math
from html import escape

from functions import TITLES, title
from goals import RATIOS, family, fastest, ours, time_of
from tables import number

COLOURS = {
    "pinocchio": ("#0b4f8a", "#2f86c9", "#86bdea", "#bcdcf5"),
    "mujoco": ("#d1495b", "#e8909c"),
    "kdl": ("#edae49", "#f5d08f"),
    "dart": ("#66a182", "#a3ccb6"),
    "simbody": ("#8d6a9f", "#bfa5cc"),
    "bullet": ("#7a5c3e", "#b39674"),
    "rbdl": ("#3d3d3d", "#8a8a8a"),
    "idyntree": ("#00798c", "#66b5c0"),
    "drake": ("#5f7a1e", "#a9bf6f"),
    "axode": ("#9aa5ae", "#c8d0d6"),
}
SPARE = ("#a23b72", "#c06014", "#5b5ea6", "#444b6e")
PANEL, HEIGHT, LEFT, ABOVE, BELOW = 620, 212, 44, 34, 52
COLUMNS = 2
STEPS = [m * 10.0**e for e in range(-3, 6) for m in (1, 2, 5)]


def colours(libraries):
    """library -> colour; builds of one library are shades of one colour."""
    seen, spare, found = {}, iter(SPARE * 8), {}
    for name in libraries:
        shades = COLOURS.get(family(name))
        if shades is None:
            shades = seen.get(family(name), (None, [next(spare)]))[1]
        count = seen.get(family(name), (0, None))[0]
        found[name] = shades[count % len(shades)]
        seen[family(name)] = (count + 1, shades)
    return found


def text(x, y, words, size=11, anchor="middle", colour="#333", more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
            f"{more}>{escape(words)}</text>")


def bars_of(report, mine_function, function):
    """[(model, ns of Axode, {library: ratio})], without models that Axode or all others lack."""
    mine, found = ours(report), []
    for model in report["models"]:
        time, ratios = time_of(report, mine_function, model, mine), {}
        for name in report["libraries"]:
            if family(name) == "axode":
                other = time_of(report, mine_function, model, name) if name != mine else None
            else:
                other = (fastest(report, function, model, [name]) or [None])[0]
            if time and other:
                ratios[name] = other / time
        if ratios:
            found.append((model, time, ratios))
    return found


def panels_of(report):
    """[(title, bars, limits)] of all functions, and of batches beside one state of the others."""
    batches = {mine: theirs for mine, theirs, *_ in RATIOS if mine != theirs}
    found = []
    for names in ({f: f for f in TITLES}, batches):
        group = [(title(mine), bars_of(report, mine, theirs)) for mine, theirs in names.items()]
        limits = axis([r for _, bars in group for _, _, ratios in bars for r in ratios.values()])
        found += [(name, bars, limits) for name, bars in group if bars]
    return found


def axis(values):
    """(least, most), on STEPS."""
    least = max((s for s in STEPS if s <= min(values, default=1)), default=STEPS[0])
    most = min((s for s in STEPS if s >= max(values, default=2)), default=STEPS[-1])
    return min(least, 0.5), max(most, 2.0)


def duration(ns):
    return f"{number(ns)} ns" if ns < 1e4 else f"{number(ns / 1e3)} us"


def panel(x0, y0, name, groups, shade, limits):
    least, most = limits

    def height(value):
        share = math.log(value / least) / math.log(most / least)
        return y0 + ABOVE + (HEIGHT - ABOVE - BELOW) * (1 - share)

    right = x0 + PANEL - 12
    parts = [text(x0 + LEFT, y0 + 18, name, 14, "start", "#111", ' font-weight="600"')]
    for step in STEPS:
        if not least <= step <= most:
            continue
        y, one = height(step), step == 1
        parts.append(f'<line x1="{x0 + LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke='
                     f'"{"#111" if one else "#ddd"}" stroke-width="{1.4 if one else 1}"/>')
        parts.append(text(x0 + LEFT - 6, y + 4, f"{step:g}", 10, "end"))
    room = (right - x0 - LEFT) / len(groups)
    width = min(14.0, room * 0.84 / max(1, len(shade)))
    for i, (model, time, ratios) in enumerate(groups):
        names = [n for n in shade if n in ratios]
        middle = x0 + LEFT + room * (i + 0.5)
        for k, name in enumerate(names):
            top, foot = sorted((height(ratios[name]), height(1)))
            x = middle + width * (k - len(names) / 2)
            parts.append(f'<rect x="{x:.1f}" y="{top:.1f}" width="{width * 0.9:.1f}" '
                         f'height="{max(foot - top, 0.6):.1f}" fill="{shade[name]}"><title>'
                         f"{escape(f'{name}, {model}: {ratios[name]:.2f}')}</title></rect>")
        parts.append(text(middle, y0 + HEIGHT - BELOW + 16, model, 10))
        parts.append(text(middle, y0 + HEIGHT - BELOW + 29, duration(time), 9, colour="#777"))
    return "\n".join(parts)


def legend(shade, x0, y0, width):
    parts, x, y = [], x0, y0
    for name, colour in shade.items():
        label = name.replace("_", " ")
        room = 26 + 7.4 * len(label)
        if x + room > width:
            x, y = x0, y + 18
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        parts.append(text(x + 17, y, label, 12, "start"))
        x += room
    return "\n".join(parts), y + 14


def svg(report):
    """The whole picture."""
    mine = ours(report)
    shade = colours([n for n in report["libraries"] if n != mine])
    panels = panels_of(report)
    width = PANEL * COLUMNS + 16
    keys, top = legend(shade, LEFT, 66, width - 20)
    total = top + HEIGHT * math.ceil(len(panels) / COLUMNS) + 8
    m = report["machine"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" viewBox="0 0 {width} '
        f'{total}" font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{width}" height="{total}" fill="#fff"/>',
        text(LEFT, 24, "Time of each library / time of Axode", 17, "start", "#111",
             ' font-weight="600"'),
        text(LEFT, 43, f"above 1: Axode is faster; under each model the time of Axode ({mine}). "
             f"{m['processor']}, {report['date'][:10]}", 11, "start", "#666"),
        keys,
    ]
    for i, (name, bars, limits) in enumerate(panels):
        x, y = (i % COLUMNS) * PANEL, top + (i // COLUMNS) * HEIGHT
        parts.append(panel(x, y, name, bars, shade, limits))
    return "\n".join([*parts, "</svg>"]) + "\n"

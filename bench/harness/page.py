"""One self-contained HTML file: figures, plots as SVG, tables; light or dark by the browser's setting."""
import html
import math
import textwrap

STYLE = """
:root { color-scheme: light dark; --fg: #1c2430; --soft: #66707f; --bg: #fdfdfc; --card: #f3f4f2; --line: #d8dbd6;
  --c0: #1f6fb2; --c1: #c2571a; --c2: #2f8f5b; --c3: #8a4fa8; --c4: #b3304a; --c5: #6b6b2a; --c6: #3b7d8c; --c7: #7d5a3b; }
@media (prefers-color-scheme: dark) { :root { --fg: #e4e7ec; --soft: #9aa4b2; --bg: #14181e; --card: #1d232b; --line: #343c47;
  --c0: #6db3f2; --c1: #f2a06d; --c2: #7bd3a0; --c3: #c89be0; --c4: #f08aa0; --c5: #cfcf7a; --c6: #86cbd9; --c7: #d1ab85; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg); max-width: 70rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.soft { color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1.2rem 0; }
.figures div { background: var(--card); border-radius: .5rem; padding: .6rem .9rem; }
.figures b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(25rem, 1fr)); gap: 1.2rem; }
figure { margin: 0; background: var(--card); border-radius: .5rem; padding: .7rem; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font-size: 11px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; } th { color: var(--soft); font-weight: 500; }
.problems li { overflow-wrap: anywhere; }
"""
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 460, 230, 48, 34, 10, 12


def _escape(text):
    return html.escape(str(text))


def _steps(top):
    """Round numbers from 0 to `top`."""
    if top <= 0:
        return [0]
    unit = 10 ** math.floor(math.log10(top))
    step = next(unit * part for part in (0.1, 0.2, 0.5, 1, 2, 5) if top / (unit * part) <= 5)
    return [step * k for k in range(int(top / step + 1e-9) + 1)]


def _number(value):
    return f"{value:g}" if value < 10000 else f"{value / 1000:g}k"


def _axes(x_top, y_steps, x_label, y_label, place_y):
    parts = []
    for value in _steps(x_top):
        x = LEFT + value / x_top * (WIDTH - LEFT - RIGHT) if x_top else LEFT
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="var(--line)"/>'
                     f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">{_number(value)}</text>')
    for value, text in y_steps:
        parts.append(f'<text x="{LEFT - 5}" y="{place_y(value) + 4:.1f}" text-anchor="end">{_escape(text)}</text>')
    parts.append(f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">{_escape(x_label)}</text>')
    if y_label:
        parts.append(f'<text x="{LEFT + 4}" y="{TOP + 9}">{_escape(y_label)}</text>')
    return "".join(parts)


def _legend(names):
    return '<div class="soft">' + " &nbsp; ".join(f'<span style="color: var(--c{k % 8})">●</span> {_escape(name)}'
                                                  for k, name in enumerate(names)) + "</div>"


def _scatter(plot):
    return _lines(plot, points_only=True)


def _lines(plot, points_only=False):
    series = plot["series"]
    points = [point for line in series.values() for point in line]
    x_top, y_top = max((x for x, _ in points), default=1) or 1, max((y for _, y in points), default=1) or 1

    def place_x(value):
        return LEFT + value / x_top * (WIDTH - LEFT - RIGHT)

    def place_y(value):
        return HEIGHT - BOTTOM - value / y_top * (HEIGHT - BOTTOM - TOP - 12)
    parts = [_axes(x_top, [(value, _number(value)) for value in _steps(y_top)], plot["x"], plot["y"], place_y)]
    for k, line in enumerate(series.values() if points_only else ()):
        parts += [f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="3" fill="var(--c{k % 8})" opacity=".7"/>' for x, y in line]
    for k, line in enumerate(() if points_only else series.values()):
        path, last = "", None
        for x, y in sorted(line):
            path += f"M{place_x(x):.1f} {place_y(y):.1f}" if last is None else f"H{place_x(x):.1f}V{place_y(y):.1f}"
            last = y
        if last is not None:
            path += f"H{place_x(x_top):.1f}"
        parts.append(f'<path d="{path}" fill="none" stroke="var(--c{k % 8})" stroke-width="2"/>')
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{_escape(plot["title"])}">{"".join(parts)}</svg>{_legend(series)}'


def _bees(plot):
    """Moves points that would overlap up or down; targets that were not reached are hollow points at the right edge."""
    groups, limit = plot["groups"], plot["limit"]
    longest = max((len(name) for name in groups), default=0)
    left, row, radius = min(200, 20 + 6.5 * longest), 44, 4
    height = row * max(len(groups), 1) + 40
    top = limit or max((value for values in groups.values() for value in values if value is not None), default=1) or 1

    def place_x(value):
        return left + min(value, top) / top * (WIDTH - left - RIGHT - 16)
    beyond = "; hollow: not in time" if any(value is None for values in groups.values() for value in values) else ""
    parts = []
    for value in _steps(top):
        parts.append(f'<line x1="{place_x(value):.1f}" x2="{place_x(value):.1f}" y1="4" y2="{height - 32}" stroke="var(--line)"/>'
                     f'<text x="{place_x(value):.1f}" y="{height - 18}" text-anchor="middle">{_number(value)}</text>')
    for k, (name, values) in enumerate(groups.items()):
        middle, placed = row * k + row / 2 + 4, []
        parts.append(f'<text x="{left - 8}" y="{middle + 4}" text-anchor="end">{_escape(name)}</text>')
        for value in sorted(values, key=lambda v: (v is None, v or 0)):
            x = place_x(value) if value is not None else WIDTH - RIGHT
            shift = next((s for s in (0, 1, -1, 2, -2, 3, -3) if all(abs(x - px) >= 2 * radius or s != ps for px, ps in placed)), 4)
            placed.append((x, shift))
            look = f'fill="var(--c{k % 8})"' if value is not None else f'fill="none" stroke="var(--c{k % 8})"'
            parts.append(f'<circle cx="{x:.1f}" cy="{middle + shift * 5:.1f}" r="{radius}" {look} opacity=".85"/>')
    parts.append(f'<text x="{(WIDTH + left) / 2}" y="{height - 3}" text-anchor="middle">{_escape(plot["x"])}{beyond}</text>')
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{_escape(plot["title"])}">{"".join(parts)}</svg>'


def _bars(plot):
    """Groups of bars; None: not measured. The bars of the paper's numbers are hollow."""
    groups, series = plot["groups"], plot["series"]
    longest = max((len(name) for name in groups), default=0)
    left, thick = min(200, 20 + 6.5 * longest), 11
    row = thick * len(series) + 8
    height = row * max(len(groups), 1) + 40
    values = [value for line in series.values() for value in line if value is not None]
    top, low = max([*values, 0]) or 1, min([*values, 0])

    def place_x(value):
        return left + (value - low) / (top - low) * (WIDTH - left - RIGHT - 40)
    parts = [f'<line x1="{place_x(0):.1f}" x2="{place_x(0):.1f}" y1="2" y2="{height - 30}" stroke="var(--soft)"/>']
    for g, name in enumerate(groups):
        parts.append(f'<text x="{left - 8}" y="{row * g + row / 2 + 4:.1f}" text-anchor="end">{_escape(name)}</text>')
        for k, (who, line) in enumerate(series.items()):
            y = row * g + 4 + thick * k
            if line[g] is None:
                parts.append(f'<text x="{place_x(0) + 4:.1f}" y="{y + 9}">-</text>')
                continue
            look = f'fill="none" stroke="var(--c{k % 8})"' if "paper" in who or "thesis" in who else f'fill="var(--c{k % 8})"'
            x, end = sorted((place_x(0), place_x(line[g])))
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{max(end - x, 0.5):.1f}" height="{thick - 2}" {look}/>'
                         f'<text x="{end + 3:.1f}" y="{y + 9}">{_number(line[g])}</text>')
    parts.append(f'<text x="{(WIDTH + left) / 2}" y="{height - 8}" text-anchor="middle">{_escape(plot["x"])}</text>')
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{_escape(plot["title"])}">{"".join(parts)}</svg>{_legend(series)}'


def _heat(plot):
    """A square table of numbers; the darker, the larger."""
    names, cells = plot["names"], plot["cells"]
    longest = max((len(name) for name in names), default=0)
    left, size = min(170, 16 + 6.5 * longest), 38
    known = [value for line in cells for value in line if value is not None]
    low, top = min(known, default=0), max(known, default=1)
    parts, height = [], size * len(names) + 70
    for k, name in enumerate(names):
        parts.append(f'<text x="{left - 6}" y="{size * k + size / 2 + 4:.1f}" text-anchor="end">{_escape(name)}</text>'
                     f'<text x="0" y="0" transform="translate({left + size * k + size / 2 + 3:.1f} {size * len(names) + 8}) rotate(35)">{_escape(name)}</text>')
        for j, value in enumerate(cells[k]):
            if value is None:
                continue
            share = (value - low) / (top - low) if top > low else 0
            parts.append(f'<rect x="{left + size * j}" y="{size * k}" width="{size - 1}" height="{size - 1}" fill="var(--c0)" opacity="{0.08 + 0.8 * share:.2f}"/>'
                         f'<text x="{left + size * j + size / 2:.1f}" y="{size * k + size / 2 + 4:.1f}" text-anchor="middle" style="fill: var(--fg)">{_number(round(value, 1))}</text>')
    width = left + size * len(names) + 60
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{_escape(plot["title"])}">{"".join(parts)}</svg>'


FORMS = {"lines": _lines, "scatter": _scatter, "bees": _bees, "bars": _bars, "heat": _heat}


def standalone(plot):
    """An SVG file of one plot, with its title and legend."""
    drawn = FORMS[plot["form"]](plot)
    drawn = drawn[:drawn.index("</svg>")]
    width, height = map(float, drawn[drawn.index('viewBox="') + 9:].split('"')[0].split()[2:])
    names = list(plot.get("series", {}))
    columns = 3 if max(map(len, names), default=0) < 22 else 1
    rows = (len(names) + columns - 1) // columns
    titles, notes = (textwrap.wrap(plot.get(part) or "", int(width / per)) for part, per in (("title", 6.6), ("note", 5.8)))
    top = 8 + 14 * len(titles)
    title = "".join(f'<text x="4" y="{14 + 14 * k}" style="fill: var(--fg); font-weight: 600">{_escape(line)}</text>' for k, line in enumerate(titles))
    height += top - 22
    below = height + 36 + 14 * rows
    note = "".join(f'<text x="4" y="{below + 14 * k}">{_escape(line)}</text>' for k, line in enumerate(notes))
    legend = "".join(f'<circle cx="{8 + k % columns * width / columns:.1f}" cy="{height + 32 + 14 * (k // columns)}" r="4" fill="var(--c{k % 8})"/>'
                     f'<text x="{16 + k % columns * width / columns:.1f}" y="{height + 36 + 14 * (k // columns)}">{_escape(name)}</text>' for k, name in enumerate(names))
    whole = below - 6 + 14 * len(notes)
    style = STYLE[:STYLE.index("body {")].replace(":root", "svg") + "text { font: 11px system-ui, sans-serif; fill: var(--soft); } svg { background: var(--bg); }"
    body = drawn[drawn.index(">") + 1:]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {whole:g}" width="{1.4 * width:g}" role="img">'
            f'<title>{_escape(plot["title"])}</title><style>{style}</style><rect width="100%" height="100%" fill="var(--bg)"/>{title}'
            f'<g transform="translate(0 {top})">{body}</g>{legend}{note}</svg>\n')


def _table(table):
    head = "".join(f"<th>{_escape(cell)}</th>" for cell in table["header"])
    body = "".join("<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>" for row in table["rows"])
    return f'<h2>{_escape(table["title"])}</h2><div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def make(report):
    figures = "".join(f"<div>{_escape(name)}<b>{_escape(round(entry['value'], 2) if isinstance(entry['value'], float) else entry['value'])}</b>"
                      + (f'<span class="soft">aim: {_escape(entry["aim"])}</span>' if "aim" in entry else "") + "</div>"
                      for name, entry in report.figures.items())
    plots = "".join(f"<figure><figcaption>{_escape(plot['title'])}</figcaption>{FORMS[plot['form']](plot)}</figure>"
                    for plot in report.plots)
    problems = "".join(f"<li><b>{_escape(one['key'])}</b>: {_escape(one['text'])}</li>" for one in report.problems)
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>'
            f"{_escape(report.title)}</title><style>{STYLE}</style></head><body><h1>{_escape(report.title)}</h1>"
            f'<p class="soft">{_escape(report.measured())}</p><div class="figures">{figures}</div><div class="plots">{plots}</div>'
            f"{''.join(_table(table) for table in report.tables)}"
            + (f'<h2>Problems</h2><ul class="problems">{problems}</ul>' if problems else "") + "</body></html>\n")

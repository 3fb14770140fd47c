"""The report of a suite: headline figures, tables and plots; as text, as JSON and as a page."""
import json

from . import page
from .results import write_whole


class Report:
    def __init__(self, title, about):
        self.title, self.about = title, about
        self.figures, self.tables, self.plots, self.problems = {}, [], [], []

    def figure(self, name, value, aim=None):
        """A headline number; `aim` is a text such as `> 70`."""
        self.figures[name] = {"value": value, **({"aim": aim} if aim else {})}

    def table(self, title, header, rows):
        self.tables.append({"title": title, "header": header, "rows": [[str(cell) for cell in row] for row in rows]})

    def lines(self, title, x, y, series):
        """series: {name: [[x, y]...]}, drawn as steps."""
        self.plots.append({"form": "lines", "title": title, "x": x, "y": y, "series": series})

    def bees(self, title, x, groups, limit=None):
        """groups: {name: [number or None]}; None lies beyond the limit."""
        self.plots.append({"form": "bees", "title": title, "x": x, "groups": groups, "limit": limit})

    def bars(self, title, x, groups, series):
        """groups: names; series: {name: [a number or None for each group]}. The paper's series has "paper" in its name."""
        self.plots.append({"form": "bars", "title": title, "x": x, "groups": groups, "series": series})

    def scatter(self, title, x, y, series):
        """series: {name: [[x, y]...]}, drawn as points."""
        self.plots.append({"form": "scatter", "title": title, "x": x, "y": y, "series": series})

    def heat(self, title, names, cells):
        """cells: a list of numbers (or None) for each name."""
        self.plots.append({"form": "heat", "title": title, "names": names, "cells": cells})

    def collect_problems(self, records):
        self.problems = [{"key": record["key"], "text": text} for record in records for text in record.get("problems", [])]
        self.figure("measurements", len(records))
        self.figure("problems", len(self.problems), "0")

    def text(self):
        parts = [f"# {self.title}", self.measured()]
        parts += [f"{name}: {_shown(entry['value'])}" + (f" (aim: {entry['aim']})" if "aim" in entry else "")
                  for name, entry in self.figures.items()]
        for table in self.tables:
            parts += ["", f"## {table['title']}", "", _markdown(table)]
        if self.problems:
            parts += ["", "## Problems", "", *[f"- {problem['key']}: {problem['text']}" for problem in self.problems]]
        return "\n".join(parts) + "\n"

    def measured(self):
        about = self.about
        return (f"{about['date']}, {about['machine']}; {about['time']:g} processor seconds for each run, {about['repeat']} "
                f"repeat{'s' if about['repeat'] != 1 else ''}")

    def write(self, folder):
        summary = {"suite": self.about["suite"], "about": self.about, "figures": self.figures, "tables": self.tables,
                   "problems": self.problems}
        write_whole(folder / "summary.json", json.dumps(summary, indent=2) + "\n")
        write_whole(folder / "plots.json", json.dumps([{**plot, "note": self.measured()} for plot in self.plots], indent=1) + "\n")
        write_whole(folder / "report.md", self.text())
        write_whole(folder / "page.html", page.make(self))


def _shown(value):
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _markdown(table):
    rows = [table["header"], *table["rows"]]
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(table["header"]))]
    lines = ["| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "| " + " | ".join("-" * width for width in widths) + " |", *lines[1:]])

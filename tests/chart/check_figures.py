#!/usr/bin/env python3
"""Every mark and whisker of a figure stands where its CSV says, by the labels of its own axis.

usage: check_figures.py FOLDER...

Of each NAME.svg with NAME.csv beside it the labelled ticks of every panel give the axis its scale; marks, whiskers, bands and
dots have to stand where the values, low and high of the records belong. Tiles have to print their value. What no axis shows in
full (an interval that is cut) stands at its end. Nothing of how the program places a mark is used.
"""
import csv
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
PIXEL = 0.11  # positions have one digit


class Axis:
    """Positions of labelled ticks, linear or logarithmic, whichever they fit."""

    def __init__(self, ticks, log):
        self.ticks = sorted(ticks)
        if len({value for value, _ in self.ticks}) < 2:
            raise ValueError(f"an axis needs two labels that differ: {self.ticks}")
        linear = self.fault(False)
        self.log = log and self.ticks[0][0] > 0 and (len(ticks) == 2 or self.fault(True) < linear)
        self.near = 2 * PIXEL + self.fault(self.log)  # labels are rounded to what tells them apart
        ends = [at for _, at in self.ticks]
        self.low, self.high = min(ends), max(ends)

    def at(self, value, log=None):
        log = self.log if log is None else log
        (a, x), (b, y) = self.ticks[0], self.ticks[-1]
        if log and value <= 0:
            return math.copysign(math.inf, x - y)
        share = math.log(value / a) / math.log(b / a) if log else (value / 2 - a / 2) / (b / 2 - a / 2)
        return x + (y - x) * share

    def fault(self, log):
        return max(abs(self.at(value, log) - at) for value, at in self.ticks)

    def holds(self, value, position, cut=False):
        """Whether what has the value stands at the position; what may be cut, at the end of the axis."""
        at = self.at(value)
        return abs((min(max(at, self.low), self.high) if cut else at) - position) <= self.near


class Panel:
    def __init__(self):
        self.rules, self.labels, self.marks, self.whiskers, self.bands, self.dots, self.tiles = ([] for _ in range(7))
        self.beyond, self.log = 0, False  # arrows at the end of an axis; whether a logarithmic one is named

    def axis(self, across):
        """Rules with a number at their end: along x, or along y."""
        ticks = set()
        for x1, y1, x2, y2 in self.rules:
            for value, x, y in self.labels:
                if across and x1 == x2 == x and min(abs(y - y1), abs(y - y2)) < 25:
                    ticks.add((value, x))
                if not across and y1 == y2 and abs(y - 5 - y1) < PIXEL and abs(x - x1) < 12:
                    ticks.add((value, y1))
        return Axis(ticks, self.log)


def numbers(text, pattern=r"-?[\d.]+"):
    return [float(part) for part in re.findall(pattern, text)]


def read_panels(root):
    """In the order of drawing: what is no mark after marks begins the next."""
    panels = [Panel()]

    def visit(element, inside):
        tag, get, text = element.tag.replace(SVG, ""), element.get, element.text or ""
        style = (get("class") or "").split()
        if "key" in style:
            return
        panel = panels[-1]
        begins = tag == "line" and get("stroke-width") is None or tag == "text" and get("font-weight") == "bold"
        if begins and not inside and (panel.marks or panel.dots or panel.tiles):
            panel = Panel()
            panels.append(panel)
        if tag == "line" and get("stroke-width") is None:
            panel.rules.append([float(get(key)) for key in ("x1", "y1", "x2", "y2")])
        elif tag == "text" and re.fullmatch(r"-?[\d.]+(e[-+]\d+)?", text):
            panel.labels.append((float(text), float(get("x")), float(get("y"))))
        elif tag == "text" and text.endswith("(log scale)"):
            panel.log = True
        elif tag == "circle":
            panel.dots.append(float(get("cx")))
        elif tag == "path" and get("transform"):
            panel.marks.append(numbers(get("transform")))
        elif tag == "path" and get("d").endswith("v12"):  # a bar in the place of a mark
            panel.marks.append([numbers(get("d"))[0], numbers(get("d"))[1] + 6])
        elif tag == "path" and "fill" in style:
            panel.beyond += 1
        elif tag == "path" and "band" in style:
            panel.bands.append(numbers(get("d")))
        elif tag == "path" and "line" in style and len(numbers(get("d"))) == 4:
            panel.whiskers.append(numbers(get("d")))
        elif tag == "g" and "point" in style and any("tile" in (rect.get("class") or "") for rect in element.iter()):
            panel.tiles.append([child.text for child in element if child.tag == SVG + "text"])
        for child in element:
            visit(child, inside or "point" in style)

    visit(root, False)
    return [panel for panel in panels if panel.marks or panel.dots or panel.tiles]


def unmatched(axis, wanted, found):
    """What of the wanted tuples of values stands nowhere; found are tuples of positions, each taken once. Ends may be cut."""
    left, missing = list(found), []
    for values in wanted:
        cut = len(values) > 1
        hit = next((at for at in left if all(axis.holds(value, x, cut) for value, x in zip(values, at))), None)
        if hit is None:
            missing.append(values)
        else:
            left.remove(hit)
    return [f"no mark at {values}" for values in missing] + [f"a mark of nothing at {at}" for at in left]


def check_tiles(panel, values):
    """Of tiles in the order of records each prints its value, or its percent, unless it is cut for want of room."""
    faults = []
    for value, texts in zip(values, panel.tiles):
        for text in texts:
            for printed in numbers(text or "", r"-?\d+(?:\.\d+)?"):
                unit = 10.0 ** -len(text.partition(".")[2].strip(" %")) if "." in text else 1.0
                shown = 100 * value if "%" in text else value
                if "…" not in text and abs(printed - shown) > 0.51 * unit:
                    faults.append(f"a tile of {value} prints {text}")
    return faults


def check_panel(panel, kind, rows):
    if kind == "tiles":
        return check_tiles(panel, [row["value"] for row in rows])
    values = sorted(row["value"] for row in rows)
    axis = panel.axis(across=kind != "lines")
    rows = sorted(rows, key=lambda row: row["value"])[:len(rows) - panel.beyond]
    if any(axis.at(value) < axis.high for value in values[len(rows):]):
        return ["an arrow for a value that the axis has"]
    values = [row["value"] for row in rows]
    side = 1 if kind == "lines" else 0
    if kind == "strips":
        return unmatched(axis, [(value,) for value in values], [(x,) for x in panel.dots])
    faults = unmatched(axis, [(value,) for value in values], [(mark[side],) for mark in panel.marks])
    ends = [(row["low"], row["high"]) for row in rows if row["low"] is not None and row["high"] is not None]
    if kind == "intervals":
        faults += unmatched(axis, ends, [(line[0], line[2]) for line in panel.whiskers])
    if kind == "lines":
        drawn = [(band[2 * i + 1], band[len(band) - 2 * i - 1]) for band in panel.bands for i in range(len(band) // 4)]
        drawn += [(line[1], line[3]) for line in panel.whiskers if line[0] == line[2]]
        faults += unmatched(axis, ends, drawn) if drawn else []  # grey curves have no band
    return faults


def read_rows(path):
    """The records of each panel, numbers as such; without those that are not there."""
    panels = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for key in ("value", "low", "high", "x"):
                row[key] = float(row[key]) if row.get(key) else None
            if row["value"] is not None:
                panels.setdefault(row.get("panel", ""), []).append(row)
    return list(panels.values())


def kind_of(path, panels):
    with open(path, encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))
    if panels and panels[0].tiles:
        return "tiles"
    return ("lines" if "x" in columns else "ranks" if "row" not in columns else "intervals" if "low" in columns
            else "strips")


def check(path):
    panels, rows = read_panels(tree.parse(path).getroot()), read_rows(path.with_suffix(".csv"))
    if len(panels) != len(rows):
        return [f"{len(panels)} panels are drawn, {len(rows)} have records"]
    kind = kind_of(path.with_suffix(".csv"), panels)
    return [f"panel {i + 1}: {fault}" for i, (panel, of) in enumerate(zip(panels, rows))
            for fault in check_panel(panel, kind, of)]


def main():
    figures = [path for folder in sys.argv[1:] for path in sorted(pathlib.Path(folder).glob("*.svg"))
               if path.with_suffix(".csv").exists()]
    faults = 0
    for path in figures:
        try:
            found = check(path)
        except ValueError as error:
            found = [str(error)]
        for fault in found[:5]:
            print(f"{path}: {fault}")
        faults += len(found)
    print(f"{len(figures)} figures, {faults} faults")
    return 1 if faults or not figures else 0


if __name__ == "__main__":
    sys.exit(main())

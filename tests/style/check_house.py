#!/usr/bin/env python3
"""Holds the house to its budget and its order.

usage: check_house.py PROJECT [BUILD]      check_house.py PROJECT --lower (writes ceilings that are now lower)

* budget.csv beside this file has a line for each folder of src, for include and for tests: the lines of C it may have (a ceiling
  that only falls) and those it is meant to have. Data of tests count by their own line.
* A source has 150 to 700 lines, a header at most 700, unless the budget names the file.
* A header of src is for another folder, or for the tests, directly or through another header: what the sources of one folder
  alone share stands in its internal.h; a template (…_kernels.h) is none.
* Folders have no circle: neither by what they include nor, where BUILD has objects, by what they call.
* A tag is defined once: no struct, union or enum of a header has a namesake in another, nor that of a public header in a source.
* regret/regret.h includes every other public header.
"""
import collections
import csv
import pathlib
import re
import subprocess
import sys

LEAST, MOST = 150, 700  # lines of a file
HERE = pathlib.Path(__file__).parent
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def lines_of(path):
    return path.read_bytes().count(b"\n")


def measured(root):
    """Lines by the names of the budget."""
    found = collections.Counter()
    for path in sorted(root.glob("src/**/*.[ch]")):
        found["src/" + path.relative_to(root / "src").parts[0]] += lines_of(path)
    found["include"] = sum(map(lines_of, root.glob("include/**/*.h")))
    for path in root.glob("tests/**/*"):
        if path.is_file() and "__pycache__" not in path.parts:
            found["tests, C" if path.suffix in (".c", ".h") else "tests, the rest"] += lines_of(path)
    return found


def check_budget(root, budget):
    faults, found = [], measured(root)
    for name, lines in sorted(found.items()):
        if name not in budget:
            faults.append(f"budget.csv has no line for {name}, which has {lines} lines")
        elif lines > budget[name]:
            faults.append(f"{name} has {lines} lines; its ceiling is {budget[name]}. Take out as much as you bring in")
    return faults + [f"budget.csv names {name}, which is not there" for name in budget
                     if name not in found and not (root / name).is_file()]


def check_sizes(root, budget):
    faults = []
    for path in sorted(root.glob("src/**/*.[ch]")):
        name, lines = str(path.relative_to(root)), lines_of(path)
        if name in budget:
            if lines > max(budget[name], MOST):
                faults.append(f"{name} has {lines} lines; the budget gives it {budget[name]}")
        elif lines > MOST or (lines < LEAST and path.suffix == ".c"):
            faults.append(f"{name} has {lines} lines; a source has {LEAST} to {MOST}, a header at most {MOST}")
    return faults


def folder_of(path, root):
    """Its folder below src, or the first folder below the project."""
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def check_headers(root):
    """Headers that no other folder includes, and the includes between folders of src."""
    includes, folders, edges = {}, {}, collections.defaultdict(set)
    for top in ("src", "tests", "benchmarks"):
        for path in sorted((root / top).rglob("*.[ch]")):
            name = str(path.relative_to(root / "src")) if top == "src" else str(path)
            includes[name], folders[name] = INCLUDE.findall(path.read_text()), folder_of(path, root)
            if top == "src":
                edges[folders[name]] |= {other.split("/")[0] for other in includes[name]
                                         if (root / "src" / other).is_file()} - {folders[name]}
    reached = set()
    todo = [other for name, others in includes.items() for other in others if folders[name] != folders.get(other)]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += includes.get(name, [])
    return [f"src/{name} is for src/{folders[name]} alone; what its sources share is in internal.h"
            for name in includes if name.endswith(".h") and folders[name] in edges and name not in reached
            and not name.endswith(("/internal.h", "_kernels.h"))], edges


def call_edges(root, build):
    """Which folder calls which, by the symbols of the objects of a build."""
    owner, wanted = {}, collections.defaultdict(set)
    objects = [str(path) for path in sorted(pathlib.Path(build).glob("src/**/*.c.o"))]
    told = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout if objects else ""
    for line in told.splitlines():
        path, _, symbol = line.partition(".c.o:")
        found = re.search(r"/src/(?:(\w+)/)?CMakeFiles/[^/]*\.dir/(?:(\w+)/)?([^/]*)$", path)
        folder, fields = found and (found[2] or found[1]), symbol.split()
        if not folder or not (root / "src" / folder / f"{found[3]}.c").is_file():
            continue  # made by CMake, or left over from an earlier build
        if len(fields) == 2 and fields[0] == "U":
            wanted[folder].add(fields[1])
        elif len(fields) == 3 and fields[1] in "BCDRTVW":
            owner[fields[2]] = folder
    edges = collections.defaultdict(set)
    for folder, symbols in wanted.items():
        edges[folder] |= {owner[symbol] for symbol in symbols if symbol in owner} - {folder}
    return edges


def check_circles(edges, by):
    def reached(start):
        seen, todo = set(), [start]
        while todo:
            for other in edges.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen
    return [f"src/{one} {by} src/{other}, which leads back to it" for one in sorted(edges) for other in sorted(edges[one])
            if one in reached(other)]


def check_tags(root):
    """Of public headers against everything, of others against headers: a source may name its own."""
    places, faults = collections.defaultdict(list), []
    for path in sorted([*root.glob("include/**/*.h"), *root.glob("src/**/*.[ch]")]):
        for tag in re.findall(r"^(?:struct|union|enum) (\w+) \{", path.read_text(), re.M):
            places[tag].append(path.relative_to(root))
    for tag, where in places.items():
        public = [path for path in where if path.parts[0] == "include"]
        headers = [path for path in where if path.suffix == ".h"]
        if len(headers) > 1 or (public and len(where) > 1):
            faults.append(f"the tag {tag} is defined in " + ", ".join(map(str, where)))
    return faults


def check_umbrella(root):
    headers = sorted(path.name for path in root.glob("include/regret/*.h") if path.name != "regret.h")
    included = re.findall(r'#include "regret/(.*)"', (root / "include/regret/regret.h").read_text())
    return [f"include/regret/regret.h does not include {name}" for name in headers if name not in included]


def lower(root, rows):
    """Ceilings as they are measured now, where that is less."""
    now = measured(root)
    for row in rows[1:]:
        lines = now[row[0]] if row[0] in now else lines_of(root / row[0])
        row[1] = str(min(int(row[1]), lines))
    with open(HERE / "budget.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return 0


def main():
    root = pathlib.Path(sys.argv[1])
    with open(HERE / "budget.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if "--lower" in sys.argv:
        return lower(root, rows)
    budget = {row[0]: int(row[1]) for row in rows[1:]}
    faults, edges = check_headers(root)
    faults += check_budget(root, budget) + check_sizes(root, budget) + check_circles(edges, "include")
    if len(sys.argv) > 2:
        faults += check_circles(call_edges(root, sys.argv[2]), "call")
    faults += check_tags(root) + check_umbrella(root)
    print("\n".join(faults) if faults else "the house is in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

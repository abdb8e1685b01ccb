#!/usr/bin/env python3
"""Holds the sources against the order of rooms, and looks for what is written twice.

usage: check_rooms.py PROJECT

A file may include headers of its own room and of rooms before it, so that there is no circle between
folders; a public header belongs to the room that implements it. A tag is defined once: no struct, union
or enum of a header has a namesake in another, or in a source if the header is public.

No two places under src share six or more literal lines. Blank lines, includes and the members of a
declaration (".low = 0.0,") do not count: facts may be alike.
"""
import collections
import pathlib
import re
import sys

# Data flow from the first to the last. A new room gets its place here.
ROOMS = ["base", "linalg", "text", "pool", "import", "external", "task", "estimate", "value", "results",
         "experiment", "chart", "report", "rate", "synth", "cli"]

# The room of each public header.
HEADERS = {
    "base": "alloc buffer csv file hash json parallel quantile rng span status",
    "linalg": "blas design matrix pooled_ridge svd",
    "text": "patch text tfidf",
    "pool": "pool pool_stats",
    "import": "import",
    "task": "task world synth",
    "estimate": "estimate families proxy",
    "value": "bootstrap measure multiplicity power student value",
    "results": "results",
    "experiment": "config experiment run_cost",
    "report": "format report",
    "rate": "rate rate_inference rate_report rate_study",
}

LINES = 6  # that may not be the same


def room_of_headers():
    return {name: room for room, names in HEADERS.items() for name in names.split()}


def check_order(root):
    faults, rooms_of = [], room_of_headers()
    for path in sorted(root.glob("src/**/*.[ch]")):
        room = path.relative_to(root / "src").parts[0]
        if room not in ROOMS:
            faults.append(f"{path.relative_to(root)}: the room {room} has no place in the order")
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            found = re.match(r'#include "(\w+)/([^"]+)\.h"', line)
            if not found:
                continue
            other = found[1] if found[1] != "regret" else rooms_of.get(found[2])
            if other is None:
                faults.append(f"{path.relative_to(root)}:{number}: regret/{found[2]}.h is of no room")
            elif other not in ROOMS or ROOMS.index(other) > ROOMS.index(room):
                faults.append(f"{path.relative_to(root)}:{number}: {room} may not use {other} "
                              f"({found[1]}/{found[2]}.h)")
    return faults


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


def is_telling(window):
    """Closing braces, includes and blank lines are the same everywhere."""
    return sum(len(re.findall(r"\w+", line)) for line in window) > 2 * LINES


def lines_of(path):
    """(number, text) of the lines that say something."""
    for number, line in enumerate(path.read_text().split("\n"), 1):
        text = line.strip()
        if text and not re.match(r"#include|(\[\w+\] = \{)?\.\w+ = .*,$", text):
            yield number, text


def check_twice(root):
    places = collections.defaultdict(list)
    for path in sorted(root.glob("src/**/*.[ch]")):
        lines = list(lines_of(path))
        for i in range(len(lines) - LINES + 1):
            window = tuple(text for _, text in lines[i:i + LINES])
            if is_telling(window):
                places[window].append((path.relative_to(root), lines[i][0]))
    faults, told = [], set()
    for where in places.values():
        files = tuple(str(path) for path, _ in where)
        if len(where) > 1 and files not in told:
            told.add(files)
            faults.append(f"{LINES} lines or more are the same: " +
                          ", ".join(f"{path}:{number}" for path, number in where))
    return faults


def check_umbrella(root):
    """regret/regret.h has every other public header, and each of them is for C++ as well."""
    headers = sorted(path for path in root.glob("include/regret/*.h") if path.name != "regret.h")
    included = re.findall(r'#include "regret/(.*)"', (root / "include/regret/regret.h").read_text())
    faults = [f"include/regret/regret.h does not include {path.name}" for path in headers
              if path.name not in included]
    return faults + [f"include/regret/{path.name} lacks REGRET_BEGIN_DECLS" for path in headers
                     if "REGRET_API" in path.read_text().replace("#define REGRET_API", "")
                     and "\nREGRET_BEGIN_DECLS\n" not in path.read_text()]


def main():
    root = pathlib.Path(sys.argv[1])
    faults = check_order(root) + check_tags(root) + check_twice(root) + check_umbrella(root)
    print("\n".join(faults) if faults else "the rooms are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

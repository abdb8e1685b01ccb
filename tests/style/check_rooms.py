#!/usr/bin/env python3
"""Holds the sources against the rooms they stand in.

usage: check_rooms.py PROJECT [BUILD]

What a room is and says of itself: rooms.py beside this file. Here:
* a room has a room.h that says Offers, Way and Uses;
* a file includes headers of its own room, and of the rooms that its room uses those that they offer; a
  room uses what it says it uses, and rooms of its floor or of floors below;
* there is no circle: not between rooms, not between files by what they include nor, where BUILD has objects,
  by what they call;
* a record of a list (importers, families, reward maps) is named in its own file and has one line in one list;
* a tag is defined once: no struct, union or enum of a header has a namesake in another, or in a source if the
  header is public.
"""
import collections
import re
import sys

import rooms
from rooms import FLOORS, room_of

# What is listed once: the type of a record, and how its name begins. Its line in the list is X(name).
LISTED = {"importer": "importer_", "regret_family": "family_", "regret_reward_map": "map_"}


def check_room(house, room):
    """What one room says."""
    faults = []
    if f"{room}/room.h" not in house.text:
        return faults + [f"src/{room} has no room.h (what it is: docs/architecture.md)"]
    for word in ("Offers:", "Way:", "Uses:"):
        if word not in house.words(room):
            faults.append(f"src/{room}/room.h does not say {word}")
    for header in house.offers(room):
        if not header.startswith("regret/") and room_of(header) != room:
            faults.append(f"src/{room}/room.h offers {header}, which is of another room")
    for other in house.uses(room) or []:
        if other not in house.rooms:
            faults.append(f"src/{room}/room.h uses {other}, which is no room")
    return faults


def check_uses(house):
    """Every include against what the two rooms say."""
    faults = []
    for (room, other), places in sorted(house.edges().items()):
        path, header = places[0]
        if room and other not in (house.uses(room) or []):
            faults.append(f"src/{path} includes {header}, but src/{room}/room.h does not use {other}")
        for path, header in places:
            if room and header not in house.offers(other):
                faults.append(f"src/{path} includes {header}, which src/{other}/room.h does not offer")
    return faults


def is_list_of(house, unit, name):
    """Whether the unit holds the list, X(…), that the record of that name has its line in."""
    for prefix in LISTED.values():
        if name.startswith(prefix):
            return any(re.search(rf"^ +X\({name.removeprefix(prefix)}\)", house.text.get(unit + end, ""), re.M)
                       for end in (".c", ".h"))
    return False


def room_calls(house, calls):
    """(room, other room): the calls, as (unit, symbol, other unit), by which one uses the other."""
    found = collections.defaultdict(list)
    for (unit, other), symbols in calls.items():
        if room_of(unit) != room_of(other):
            found[room_of(unit), room_of(other)].append((unit, min(symbols), other))
    return found


def check_calls(house, calls, units):
    """Every call between rooms against what they say, and what they say against includes and calls.

    A list need not say that it uses the rooms of its records. Of a room whose objects are not all there nothing more than
    what is seen can be told.
    """
    faults, edges = [], house.edges()
    unlisted = {}
    for (unit, other), symbols in calls.items():
        others = {name for name in symbols if not (f"{unit}.c" in house.text and is_list_of(house, unit, name))}
        if others:
            unlisted[unit, other] = others
    found, every = room_calls(house, unlisted), room_calls(house, calls)
    sources = collections.defaultdict(set)
    for path in house.files:
        if path.endswith(".c"):
            sources[room_of(path)].add(path[:-2])
    for (room, other), places in sorted(found.items()):
        if room and other not in (house.uses(room) or []):
            unit, symbol, _ = min(places)
            faults.append(f"src/{unit}.c calls {symbol} of {other}, which src/{room}/room.h does not use")
    for room in house.rooms:
        for other in house.uses(room) or []:
            if other in house.rooms and (room, other) not in edges and (room, other) not in every \
                    and sources[room] <= units:
                faults.append(f"src/{room}/room.h says that it uses {other}, and neither includes nor calls anything of it")
    return faults


def check_floors(house):
    faults = []
    for room in house.rooms:
        if room.split("/")[0] not in FLOORS:
            faults.append(f"src/{room} is on no floor; tests/style/rooms.py lists them")
    for (room, other), places in sorted(house.edges().items()):
        floors = [name.split("/")[0] for name in (room, other)]
        if all(floor in FLOORS for floor in floors) and FLOORS.index(floors[1]) > FLOORS.index(floors[0]):
            faults.append(f"src/{places[0][0]}: {floors[0]} may not use {floors[1]} ({places[0][1]})")
    return faults


def check_public(house):
    """Every public header is of one room."""
    faults = []
    for path in sorted(house.root.glob("include/regret/*.h")):
        name = f"regret/{path.name}"
        owners = house.public.get(name, [])
        if len(owners) != 1 and path.name != "regret.h":
            faults.append(f"include/{name} is offered by " + (" and ".join(owners) or "no room.h"))
    return faults


def check_circles(house, build):
    """Between rooms and between files; and, where there are objects, what calls say of both."""
    faults, graph = [], collections.defaultdict(set)
    for room, other in house.edges():
        graph[room].add(other)
    faults += ["a circle of includes: " + " ".join(circle) for circle in rooms.circles(house.unit_graph())]
    if build is not None:
        units, calls, built = house.call_graph(build)
        if not built:
            faults.append(f"{build} has no objects of src")
        for circle in rooms.circles(units):
            told = [f"{one} calls {min(calls[one, other])} of {other}" for one in circle for other in circle
                    if calls.get((one, other))]
            faults.append("a circle of calls: " + "; ".join(told))
        faults += check_calls(house, calls, built)
        for room, other in room_calls(house, calls):
            graph[room].add(other)
    return faults + ["a circle of rooms: " + " ".join(circle) for circle in rooms.circles(graph)]


def check_lists(house):
    """A record is defined in one file and has one line in one list; no file of another room names it besides."""
    faults = []
    for path, text in house.text.items():
        for kind, prefix in LISTED.items():
            for name in re.findall(rf"^const struct {kind} {prefix}(\w+) = \{{", text, re.M):
                lists = [other for other, words in house.text.items() if f"X({name})" in words
                         for _ in re.findall(rf"^ +X\({name}\)", words, re.M)]
                if len(lists) != 1:
                    faults.append(f"{prefix}{name} of src/{path} has a line in " + (", ".join(lists) or "no list"))
                faults += [f"src/{other} names {prefix}{name}, which only a list should"
                           for other, words in house.text.items()
                           if prefix + name in words and other not in lists and room_of(other) != room_of(path)
                           and re.search(rf"\b{prefix}{name}\b", words)]
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


def check_umbrella(root):
    """regret/regret.h has every other public header."""
    headers = sorted(path for path in root.glob("include/regret/*.h") if path.name != "regret.h")
    included = re.findall(r'#include "regret/(.*)"', (root / "include/regret/regret.h").read_text())
    return [f"include/regret/regret.h does not include {path.name}" for path in headers if path.name not in included]


def main():
    house = rooms.House(sys.argv[1])
    root = house.root
    faults = [fault for room in house.rooms for fault in check_room(house, room)]
    faults += check_uses(house) + check_floors(house) + check_public(house) + check_lists(house)
    faults += check_circles(house, sys.argv[2] if len(sys.argv) > 2 else None)
    faults += check_tags(root) + check_umbrella(root)
    print("\n".join(faults) if faults else "the rooms are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

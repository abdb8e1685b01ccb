"""The rooms of src: what a file includes and calls, and what the room.h of each folder says.

A room is a folder of src that has sources of its own. Its room.h tells, in its first comment, what the room
offers, the way data take through it, and which rooms it uses ("Uses: base/core, linalg/dense."), and includes
the headers that others may include, among them the public headers that the room implements.
"""
import collections
import pathlib
import re
import subprocess
import sys

# Data flow from the first to the last: a room may use those of its own floor and of floors before it.
FLOORS = ["base", "stats", "linalg", "text", "pool", "import", "external", "task", "estimate", "value", "results",
          "experiment", "model", "log", "evaluate", "chart", "report", "rate", "synth", "cli"]

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def room_of(path):
    """The room of a file named by its path below src: its folder, or src for a file of no room."""
    return path.rsplit("/", 1)[0] if "/" in path else ""


def unit_of(path):
    """A source and its header are one."""
    return path[:-2]


class House:
    """Everything the sources say of one another."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.src = self.root / "src"
        self.files = sorted(str(path.relative_to(self.src)) for path in self.src.glob("**/*.[ch]"))
        self.text = {path: (self.src / path).read_text() for path in self.files}
        self.rooms = sorted({room_of(path) for path in self.files} - {""})
        self.includes = {path: INCLUDE.findall(text) for path, text in self.text.items()}
        self.public = collections.defaultdict(list)  # regret/x.h: the rooms whose room.h includes it
        for room in self.rooms:
            for header in self.offers(room):
                if header.startswith("regret/"):
                    self.public[header].append(room)

    def offers(self, room):
        return self.includes.get(f"{room}/room.h", [])

    def words(self, room):
        """The first comment of room.h, its lines joined."""
        found = re.match(r"/\*(.*?)\*/", self.text.get(f"{room}/room.h", ""), re.S)
        return re.sub(r"\s*\n \* ?", " ", found[1]).strip() if found else ""

    def uses(self, room):
        """The rooms that room.h says it uses; None where it does not say."""
        found = re.search(r"\bUses:(.*?)\.(?:\s|$)", self.words(room))
        return None if not found else [name.strip() for name in found[1].split(",") if name.strip() != "nothing"]

    def home(self, header):
        """The room an included header belongs to; None for a generated one or one of no room."""
        if header.startswith("regret/"):
            return (self.public.get(header) or [None])[0]
        return room_of(header) if header in self.text else None

    def edges(self):
        """(room, other room): the includes, as (file, header), by which one uses the other."""
        found = collections.defaultdict(list)
        for path, headers in self.includes.items():
            if path.endswith("/room.h"):
                continue
            for header in headers:
                other = self.home(header)
                if other and other != room_of(path):
                    found[room_of(path), other].append((path, header))
        return found

    def unit_graph(self):
        """Which unit (x.c with x.h) includes a header of which."""
        graph = collections.defaultdict(set)
        for path, headers in self.includes.items():
            for header in headers:
                if header in self.text and unit_of(header) != unit_of(path) and not path.endswith("/room.h"):
                    graph[unit_of(path)].add(unit_of(header))
        return graph

    def call_graph(self, build):
        """Which source uses a symbol that which defines, from the objects of a build; (graph, symbols, units built)."""
        defined, wanted, built = {}, collections.defaultdict(set), {}
        for path in sorted(pathlib.Path(build).glob("src/**/*.c.o")):
            found = re.search(r"/src/(.*?)/?CMakeFiles/[^/]*\.dir/(.*)\.c\.o$", "/" + str(path.relative_to(build)))
            unit = found and f"{found[1]}/{found[2]}".strip("/")
            if not unit or f"{unit}.c" not in self.text:
                continue
            if path.stat().st_mtime < (self.src / f"{unit}.c").stat().st_mtime:
                continue  # left over from an earlier build
            built[str(path)] = unit
        told = subprocess.run(["nm", "-A", *built], capture_output=True, text=True, check=True).stdout if built else ""
        for line in told.splitlines():
            path, _, symbol = line.partition(".c.o:")
            unit, fields = built[path + ".c.o"], symbol.split()
            if len(fields) == 2 and fields[0] == "U":
                wanted[unit].add(fields[1])
            elif len(fields) == 3 and fields[1] in "BCDRTVW":
                defined[fields[2]] = unit
        graph, symbols = collections.defaultdict(set), collections.defaultdict(set)
        for unit, names in wanted.items():
            for name in names:
                other = defined.get(name)
                if other and other != unit:
                    graph[unit].add(other)
                    symbols[unit, other].add(name)
        return graph, symbols, set(built.values())


def circles(graph):
    """The sets of nodes that can reach one another, by Tarjan's algorithm without recursion."""
    index, low, stack, inside, found = {}, {}, [], set(), []
    for start in sorted(graph):
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack.append(start)
        inside.add(start)
        work = [(start, iter(sorted(graph.get(start, ()))))]
        while work:
            node, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    inside.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in inside:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    circle = []
                    while not circle or circle[-1] != node:
                        circle.append(stack.pop())
                        inside.discard(circle[-1])
                    if len(circle) > 1:
                        found.append(sorted(circle))
    return found


def main():
    """usage: rooms.py PROJECT [ROOM...]: what the room.h of each room has to say of uses and offers, by its includes."""
    house = House(sys.argv[1])
    edges = house.edges()
    for room in sys.argv[2:] or house.rooms:
        print(f"{room}\n  Uses: " + (", ".join(sorted(other for one, other in edges if one == room)) or "nothing") + ".")
        for header in sorted({header for (_, other), places in edges.items() if other == room for _, header in places}):
            print(f'  #include "{header}"')


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Draws docs/architecture.svg: a box a floor of src, its rooms within, an arrow to each floor that it needs and does not
reach through another. What a room needs is what its files include and what its room.h says that it uses, which the
test rooms holds against includes and calls.

usage: docs/architecture.py          writes the picture
       docs/architecture.py --check  fails where the picture is not the one of the sources
"""
import collections
import functools
import html
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/style"))
import rooms  # noqa: E402

WIDTH, LINE, PAD, RISE = 1000, 20, 12, 46
CHARACTER = 7.6  # of 13 px type, generously


def needs_of(house):
    """room: the rooms it needs."""
    graph = collections.defaultdict(set)
    for room in house.rooms:
        graph[room].update(house.uses(room) or [])
    for room, other in house.edges():
        if room:
            graph[room].add(other)
    return graph


def floors_of(house, graph):
    """floor: its rooms, in the order in which they need each other; floor: the floors it needs itself."""
    needs, inside = collections.defaultdict(set), collections.defaultdict(set)
    for room, others in graph.items():
        for other in others:
            floor, below = room.split("/")[0], other.split("/")[0]
            (inside[room] if floor == below else needs[floor]).add(other if floor == below else below)

    @functools.cache
    def depth(room):
        return 1 + max((depth(other) for other in inside[room]), default=0)

    listed = collections.defaultdict(list)
    for room in sorted(house.rooms, key=lambda room: (-depth(room), room)):
        listed[room.split("/")[0]].append(room.partition("/")[2])
    return listed, needs


def reduced(needs):
    """Without the needs that another need brings along."""
    @functools.cache
    def reach(floor):
        return frozenset(needs.get(floor, ())).union(*(reach(other) for other in needs.get(floor, ())))

    return {floor: sorted(other for other in needs.get(floor, ())
                          if not any(other in reach(third) for third in needs[floor]))
            for floor in needs}


def columns_of(names):
    return 2 if len(names) > 4 else 1


def size_of(floor, names):
    columns = columns_of(names)
    wide = max([len(floor) + 4] + [len(name) for name in names])
    return 2 * PAD + columns * (wide * CHARACTER + PAD), LINE * (1.6 + -(-len(names) // columns)) + PAD


def chains(arrows, level):
    """Every arrow as the places it goes through: a floor, a gap (floor, floor, level) in each row between, a floor."""
    return [[floor, *((floor, other, row) for row in range(level(floor) - 1, level(other), -1)), other]
            for floor in sorted(arrows) for other in arrows[floor]]


def order(rows, paths):
    """The places of each row so that arrows cross little: by the mean place of their neighbours, down and up again."""
    near = collections.defaultdict(list)
    for path in paths:
        for one, other in zip(path, path[1:]):
            near[one].append(other)
            near[other].append(one)
    numbers = sorted(rows)
    for sweep in range(8):
        for number in numbers if sweep % 2 else reversed(numbers):
            beside = numbers[numbers.index(number) + (-1 if sweep % 2 else 1)] if number != (
                numbers[0] if sweep % 2 else numbers[-1]) else None
            if beside is None:
                continue
            at = {place: (i + 0.5) / len(rows[beside]) for i, place in enumerate(rows[beside])}
            own = {place: (i + 0.5) / len(rows[number]) for i, place in enumerate(rows[number])}

            def middle(place):
                found = [at[other] for other in near[place] if other in at]
                return sum(found) / len(found) if found else own[place]

            rows[number].sort(key=lambda place: (middle(place), str(place)))
    return rows


def place(listed, arrows):
    """place: (x, y, width, height) of floors and gaps; the arrows' paths; the height of all. The lowest is at the bottom."""
    @functools.cache
    def level(floor):
        return 1 + max((level(other) for other in arrows.get(floor, ())), default=-1)

    paths, rows = chains(arrows, level), collections.defaultdict(list)
    for floor in rooms.FLOORS:
        if floor in listed:
            rows[level(floor)].append(floor)
    for path in paths:
        for gap in path[1:-1]:
            rows[gap[2]].append(gap)
    boxes, y = {}, PAD
    order(rows, paths)
    for number in sorted(rows, reverse=True):
        sizes = {it: (1.0, 0.0) if isinstance(it, tuple) else size_of(it, [name for name in listed[it] if name])
                 for it in rows[number]}
        height = max(high for _, high in sizes.values())
        step = (WIDTH - sum(wide for wide, _ in sizes.values())) / (len(sizes) + 1)
        x = step
        for it in rows[number]:
            wide, high = sizes[it]
            boxes[it] = (x, y, wide, height if isinstance(it, tuple) else high)
            x += wide + step
        y += height + RISE
    return boxes, paths, y - RISE + PAD


def arrow(path, boxes, leaves, enters):
    """From the foot of its floor straight through each gap to the head of the other."""
    def share(floor, others, one):
        x, _, wide, _ = boxes[floor]
        others = sorted(others, key=lambda other: (boxes[other][0], str(other)))
        return x + wide * (others.index(one) + 1) / (len(others) + 1)

    floor, other = path[0], path[-1]
    x, y = share(floor, leaves[floor], path[1]), boxes[floor][1] + boxes[floor][3]
    text = f"M{x:.1f} {y:.1f}"
    for it in path[1:]:
        to = share(other, enters[other], path[-2]) if it == other else boxes[it][0]
        top = boxes[it][1]
        bend = (top - y) / 2
        text += f"C{x:.1f} {y + bend:.1f} {to:.1f} {top - bend:.1f} {to:.1f} {top:.1f}"
        x, y = to, top + (0 if it == other else boxes[it][3])
        if it != other:
            text += f"L{x:.1f} {y:.1f}"
    return f'<path class="arrow" marker-end="url(#to)" d="{text}"/>'


STYLE = """<style>.box{fill:#f6f8fa;stroke:#57606a}.name{font-weight:bold;fill:#0b3d6b}.room{fill:#24292f}
.arrow{fill:none;stroke:#57606a}.head{fill:#57606a}.ground{fill:#fff}
@media(prefers-color-scheme:dark){.ground{fill:#0d1117}.box{fill:#161b22;stroke:#8b949e}.name{fill:#79c0ff}
.room{fill:#e6edf3}.arrow{stroke:#8b949e}.head{fill:#8b949e}}</style>
<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>"""


def draw(listed, arrows):
    boxes, paths, height = place(listed, arrows)
    leaves, enters = collections.defaultdict(list), collections.defaultdict(list)
    for path in paths:
        leaves[path[0]].append(path[1])
        enters[path[-1]].append(path[-2])
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
           'aria-label="The floors of src, their rooms, and which floor needs which" font-family="sans-serif" font-size="13">',
           STYLE, f'<rect class="ground" width="{WIDTH}" height="{height:.0f}"/>',
           *(arrow(path, boxes, leaves, enters) for path in paths)]
    for floor in listed:
        x, y, wide, high = boxes[floor]
        out.append(f'<rect class="box" rx="6" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>')
        out.append(f'<text class="name" x="{x + PAD:.1f}" y="{y + LINE:.1f}">{html.escape(floor)}/</text>')
        names = [name for name in listed[floor] if name]
        rows = -(-len(names) // columns_of(names))
        for i, name in enumerate(names):
            left = x + PAD + (i // rows) * (wide - PAD) / 2
            out.append(f'<text class="room" x="{left:.1f}" y="{y + LINE * (2.1 + i % rows):.1f}">{html.escape(name)}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    house = rooms.House(ROOT)
    graph = needs_of(house)
    if rooms.circles(graph):
        print("the rooms go in circles, so that no floor is below another; the test rooms names them")
        return 1
    listed, needs = floors_of(house, graph)
    text, path = draw(listed, reduced(needs)), ROOT / "docs/architecture.svg"
    if "--check" in sys.argv[1:]:
        if not path.exists() or path.read_text() != text:
            print("docs/architecture.svg is not of these sources: python3 docs/architecture.py draws it")
            return 1
        print("the picture is of these sources")
        return 0
    path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

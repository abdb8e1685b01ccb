#!/usr/bin/env python3
"""Draws docs/architecture.svg from the includes of src: a box a floor, its rooms within, an arrow to each floor that it
needs and does not reach through another.

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

WIDTH, LINE, PAD, GAP, RISE = 1000, 20, 12, 34, 46
CHARACTER = 7.6  # of 13 px type, generously


def floors_of(house):
    """floor: its rooms, in the order in which they need each other; floor: the floors it needs itself."""
    needs, inside = collections.defaultdict(set), collections.defaultdict(set)
    for room, other in house.edges():
        floor, below = room.split("/")[0], other.split("/")[0]
        if not room:
            continue
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


def place(listed, arrows):
    """floor: (x, y, width, height); the height of all. The lowest floors are at the bottom."""
    @functools.cache
    def level(floor):
        return 1 + max((level(other) for other in arrows.get(floor, ())), default=-1)

    rows = collections.defaultdict(list)
    for floor in rooms.FLOORS:
        if floor in listed:
            rows[level(floor)].append(floor)
    boxes, y = {}, PAD
    for number in sorted(rows, reverse=True):
        sizes = {}
        for floor in rows[number]:
            names = [name for name in listed[floor] if name]
            columns = 2 if len(names) > 4 else 1
            wide = max([len(floor) + 4] + [len(name) for name in names])
            sizes[floor] = (2 * PAD + columns * (wide * CHARACTER + PAD), LINE * (1.6 + -(-len(names) // columns)) + PAD)
        free = WIDTH - sum(width for width, _ in sizes.values())
        step, height = free / (len(sizes) + 1), max(height for _, height in sizes.values())
        x = step
        for floor in rows[number]:
            boxes[floor] = (x, y, sizes[floor][0], sizes[floor][1])
            x += sizes[floor][0] + step
        y += height + RISE
    return boxes, y - RISE + PAD


def draw(listed, arrows):
    boxes, height = place(listed, arrows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
           'aria-label="The floors of src, their rooms, and which floor needs which" font-family="sans-serif" font-size="13">',
           '<style>.box{fill:#f6f8fa;stroke:#57606a}.name{font-weight:bold;fill:#0b3d6b}.room{fill:#24292f}'
           '.arrow{fill:none;stroke:#57606a}.head{fill:#57606a}.ground{fill:#fff}'
           '@media(prefers-color-scheme:dark){.ground{fill:#0d1117}.box{fill:#161b22;stroke:#8b949e}.name{fill:#79c0ff}'
           '.room{fill:#e6edf3}.arrow{stroke:#8b949e}.head{fill:#8b949e}}</style>',
           f'<rect class="ground" width="{WIDTH}" height="{height:.0f}"/>',
           '<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
           '<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>']
    into = collections.defaultdict(list)
    for floor in arrows:
        for other in arrows[floor]:
            into[other].append(floor)
    for floor, others in sorted(arrows.items()):
        x, y, wide, high = boxes[floor]
        others = sorted(others, key=lambda other: boxes[other][0])
        for i, other in enumerate(others):
            to = sorted(into[other], key=lambda one: boxes[one][0])
            a, b, w, _ = boxes[other]
            x1, x2 = x + wide * (i + 1) / (len(others) + 1), a + w * (to.index(floor) + 1) / (len(to) + 1)
            y1, bend = y + high, max(20.0, (b - y - high) / 2)
            out.append(f'<path class="arrow" marker-end="url(#to)" d="M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} '
                       f'{x2:.1f} {b - bend:.1f} {x2:.1f} {b:.1f}"/>')
    for floor, (x, y, wide, high) in boxes.items():
        out.append(f'<rect class="box" rx="6" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>')
        out.append(f'<text class="name" x="{x + PAD:.1f}" y="{y + LINE:.1f}">{html.escape(floor)}/</text>')
        names = [name for name in listed[floor] if name]
        rows = -(-len(names) // (2 if len(names) > 4 else 1))
        for i, name in enumerate(names):
            left = x + PAD + (i // rows) * (wide - PAD) / 2
            out.append(f'<text class="room" x="{left:.1f}" y="{y + LINE * (2.1 + i % rows):.1f}">{html.escape(name)}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    house = rooms.House(ROOT)
    graph = collections.defaultdict(set)
    for room, other in house.edges():
        graph[room].add(other)
    if rooms.circles(graph):
        print("the rooms go in circles, so that no floor is below another; the test rooms names them")
        return 1
    listed, needs = floors_of(house)
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

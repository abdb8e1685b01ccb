LOW = 3


def to_reorder(levels, minimum):
    """Positions of the shelves below the minimum."""
    found = []
    for i in range(len(levels)):
        if levels[i] < minimum:
            found.append(i)
    return found


def fill_boxes(items, size):
    """Number of boxes needed for the items."""
    if items <= 0:
        return 0
    boxes = items // size
    if items % size != 0:
        boxes += 1
    return boxes


def remaining(level, orders):
    """Serve orders in turn, skipping those that do not fit."""
    for order in orders:
        if order <= level:
            level -= order
    return level

def transpose(rows):
    if not rows:
        return []
    out = []
    for c in range(len(rows[0])):
        line = []
        for r in range(len(rows)):
            line.append(rows[r][c])
        out.append(line)
    return out


def diagonal(rows):
    """Sum along the main diagonal."""
    total = 0
    for i in range(min(len(rows), len(rows[0]))):
        total += rows[i][i]
    return total


def border(width, height):
    """Number of tiles on the border of a floor."""
    if width <= 0 or height <= 0:
        return 0
    if width == 1 or height == 1:
        return width * height
    return 2 * (width + height) - 4


def flip(rows):
    """Every row from right to left."""
    out = []
    for row in rows:
        out.append(list(reversed(row)))
    return out

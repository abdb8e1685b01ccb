def inside(rows, row, column):
    if row < 0 or row >= len(rows):
        return False
    return 0 <= column < len(rows[row])


def count_marked(rows):
    count = 0
    for row in rows:
        for cell in row:
            if cell == 1:
                count += 1
    return count


def neighbours(rows, row, column):
    """Marked cells among the eight around a cell."""
    count = 0
    for r in range(row - 1, row + 2):
        for c in range(column - 1, column + 2):
            if r == row and c == column:
                continue
            if inside(rows, r, c):
                count += rows[r][c]
    return count

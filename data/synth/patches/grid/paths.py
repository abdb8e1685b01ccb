from grid.cells import inside


def walk(rows, moves):
    """Follow R, L, U and D from the top left corner, staying inside."""
    row = 0
    column = 0
    for move in moves:
        r = row
        c = column
        if move == 'R':
            c += 1
        elif move == 'L':
            c -= 1
        elif move == 'D':
            r += 1
        elif move == 'U':
            r -= 1
        if inside(rows, r, c):
            row = r
            column = c
    return [row, column]


def column_sums(rows):
    if not rows:
        return []
    sums = []
    for c in range(len(rows[0])):
        total = 0
        for row in rows:
            total += row[c]
        sums.append(total)
    return sums


def path_cost(rows):
    """Cost along the top row, then down the last column."""
    cost = 0
    last = len(rows[0]) - 1
    for c in range(last):
        cost += rows[0][c]
    for row in rows:
        cost += row[last]
    return cost

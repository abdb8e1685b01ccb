from league.scores import points_for

WIN = 3


def season_points(results):
    """results holds [ours, theirs] of each match."""
    total = 0
    for match in results:
        total += points_for(match[0], match[1])
    return total


def goal_difference(results):
    diff = 0
    for match in results:
        diff += match[0] - match[1]
    return diff


def rank_of(points, team):
    """1 plus the number of teams that have more points."""
    rank = 1
    for other in points:
        if other > points[team]:
            rank += 1
    return rank


def winners(points):
    """Indices of all teams with the most points."""
    if not points:
        return []
    best = max(points)
    found = []
    for i in range(len(points)):
        if points[i] == best:
            found.append(i)
    return found

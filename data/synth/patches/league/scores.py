def points_for(ours, theirs):
    if ours > theirs:
        return 3
    if ours == theirs:
        return 1
    return 0


def best_of(scores, keep):
    """Sum of the best few scores."""
    ordered = sorted(scores)
    total = 0
    for i in range(max(0, len(ordered) - keep), len(ordered)):
        total += ordered[i]
    return total


def trimmed_mean(scores):
    """Mean without the lowest and the highest, rounded down."""
    if len(scores) < 3:
        return 0
    ordered = sorted(scores)
    inner = ordered[1:-1]
    return sum(inner) // len(inner)


def bowling(pins):
    """Pins plus a bonus of 5 for every pair of throws that makes 10."""
    total = sum(pins)
    i = 0
    while i + 1 < len(pins):
        if pins[i] + pins[i + 1] == 10:
            total += 5
        i += 2
    return total

def rounds_needed(teams):
    """Rounds of a knock-out until one team is left."""
    rounds = 0
    while teams > 1:
        teams = (teams + 1) // 2
        rounds += 1
    return rounds


def pairings(teams):
    """First plays last, second plays last but one, and so on."""
    pairs = []
    left = 0
    right = len(teams) - 1
    while left < right:
        pairs.append([teams[left], teams[right]])
        left += 1
        right -= 1
    return pairs


def rotate(items, by):
    if not items:
        return []
    by = by % len(items)
    return items[by:] + items[:by]

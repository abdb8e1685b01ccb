def to_minutes(hours, minutes):
    return hours * 60 + minutes


def clock_text(minutes):
    """Write 75 as '1:15'."""
    hours = minutes // 60 % 24
    rest = minutes % 60
    if rest < 10:
        return str(hours) + ':0' + str(rest)
    return str(hours) + ':' + str(rest)


def overlap(a, b, c, d):
    """Minutes that [a, b) and [c, d) share."""
    start = max(a, c)
    end = min(b, d)
    if end <= start:
        return 0
    return end - start

def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value


def clamp_all(values, low, high):
    out = []
    for value in values:
        out.append(clamp(value, low, high))
    return out


def fill_gaps(values):
    """Replace None by the reading before it, 0 at the beginning."""
    out = []
    last = 0
    for value in values:
        if value is None:
            value = last
        out.append(value)
        last = value
    return out

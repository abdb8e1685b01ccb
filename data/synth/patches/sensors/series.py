def moving_sum(values, width):
    """Sums of every window of the given width."""
    out = []
    for i in range(len(values) - width + 1):
        out.append(sum(values[i:i + width]))
    return out


def differences(values):
    out = []
    for i in range(1, len(values)):
        out.append(values[i] - values[i - 1])
    return out


def peaks(values):
    """Indices of readings above both neighbours."""
    found = []
    for i in range(1, len(values) - 1):
        if values[i] > values[i - 1] and values[i] > values[i + 1]:
            found.append(i)
    return found


def running_max(values):
    if not values:
        return []
    out = []
    top = values[0]
    for value in values:
        if value > top:
            top = value
        out.append(top)
    return out


def downsample(values, step):
    """Every step-th reading, beginning with the first."""
    out = []
    i = 0
    while i < len(values):
        out.append(values[i])
        i += step
    return out

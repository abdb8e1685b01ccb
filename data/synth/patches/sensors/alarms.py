from sensors.repair import clamp

PATIENCE = 2


def first_alarm(values, limit):
    """Index of the first reading over the limit, or -1."""
    for i in range(len(values)):
        if values[i] > limit:
            return i
    return -1


def alarm_count(values, limit):
    """How many times the readings rise over the limit."""
    count = 0
    above = False
    for value in values:
        if value > limit and not above:
            count += 1
        above = value > limit
    return count


def severity(value, limit):
    """0 to 10, one for every 5 over the limit."""
    if value <= limit:
        return 0
    return clamp((value - limit) // 5, 0, 10)


def lasting(values, limit):
    """True when two readings in a row are over the limit."""
    streak = 0
    for value in values:
        if value > limit:
            streak += 1
        else:
            streak = 0
        if streak == PATIENCE:
            return True
    return False

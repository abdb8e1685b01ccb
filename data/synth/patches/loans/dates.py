GRACE = 2


def days_late(due, returned):
    """Days beyond the due day, the days of grace free."""
    late = returned - due - GRACE
    if late < 0:
        return 0
    return late


def due_day(start, weeks, closed):
    """The due day, moved on while the library is closed."""
    day = start + 7 * weeks
    while day in closed:
        day += 1
    return day

NIGHT_START = 22
NIGHT_END = 6


def hours_between(start, end):
    """Length of a shift, which may run past midnight."""
    if end < start:
        return end + 24 - start
    return end - start


def is_night(hour):
    return hour >= NIGHT_START or hour < NIGHT_END


def night_hours(start, end):
    """Hours of the shift that count as night."""
    count = 0
    hour = start
    while hour != end:
        if is_night(hour):
            count += 1
        hour = (hour + 1) % 24
    return count


def overtime(hours, limit):
    """Overtime of each day beyond the limit, added up."""
    extra = 0
    for worked in hours:
        if worked > limit:
            extra += worked - limit
    return extra


def whose_turn(names, day):
    """Everybody works two days in a row."""
    if not names:
        return None
    return names[day // 2 % len(names)]


def longest_streak(days):
    """Longest run of 1s, days worked without a break."""
    best = 0
    run = 0
    for worked in days:
        if worked == 1:
            run += 1
            best = max(best, run)
        else:
            run = 0
    return best

from trips.zones import zones_crossed

BASE = 150
PER_ZONE = 70


def fare(start, end):
    """A base fare and an amount for every border crossed."""
    return BASE + PER_ZONE * zones_crossed(start, end)


def child_fare(start, end, age):
    """Free below 6, half below 15."""
    if age < 6:
        return 0
    full = fare(start, end)
    if age < 15:
        return full // 2
    return full


def daily_cap(fares, cap):
    """What each ride costs once the day's cap is taken into account."""
    paid = 0
    charged = []
    for price in fares:
        due = min(price, cap - paid)
        charged.append(due)
        paid += due
    return charged

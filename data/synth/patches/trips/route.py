def distance(a, b):
    """Blocks between two corners of a street grid."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def route_length(stops):
    total = 0
    for i in range(1, len(stops)):
        total += distance(stops[i - 1], stops[i])
    return total


def nearest(stops, here):
    """Index of the nearest stop, the first of equals."""
    if not stops:
        return None
    best = 0
    for i in range(len(stops)):
        if distance(stops[i], here) < distance(stops[best], here):
            best = i
    return best


def refuel_stops(legs, tank):
    """How often to refuel when every leg must fit in the tank."""
    fuel = tank
    count = 0
    for leg in legs:
        if leg > fuel:
            count += 1
            fuel = tank
        fuel -= leg
    return count


def climbs(heights):
    """Metres gained on the way, descents aside."""
    gained = 0
    for i in range(len(heights) - 1):
        if heights[i + 1] > heights[i]:
            gained += heights[i + 1] - heights[i]
    return gained

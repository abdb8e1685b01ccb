ZONE_WIDTH = 5


def zone_of(station):
    return station // ZONE_WIDTH


def zones_crossed(start, end):
    return abs(zone_of(start) - zone_of(end))


def stations_in(zone, last):
    """Stations of a zone, not beyond the last station."""
    found = []
    for station in range(zone * ZONE_WIDTH, (zone + 1) * ZONE_WIDTH):
        if station <= last:
            found.append(station)
    return found

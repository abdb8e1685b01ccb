FIRST = 2
CAP = 60


def delay(attempt):
    """Doubles with every attempt, up to a cap."""
    wait = FIRST
    for i in range(attempt):
        wait = wait * 2
    return min(wait, CAP)


def total_delay(attempts):
    total = 0
    for attempt in range(attempts):
        total += delay(attempt)
    return total


def succeeded(results, needed):
    """True when the last results, as many as needed, are all 'ok'."""
    if len(results) < needed:
        return False
    for i in range(len(results) - needed, len(results)):
        if results[i] != 'ok':
            return False
    return True

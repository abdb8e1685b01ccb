from jobs.retry import delay


def least_loaded(loads):
    """Index of the least loaded worker, the last of equals."""
    best = 0
    for i in range(len(loads)):
        if loads[i] <= loads[best]:
            best = i
    return best


def assign(lengths, workers):
    """Give every job to the least loaded worker; the loads at the end."""
    loads = [0] * workers
    for length in lengths:
        loads[least_loaded(loads)] += length
    return loads


def idle_slots(busy, slots):
    """Slots of 0 to slots - 1 that are not busy."""
    free = []
    for slot in range(slots):
        if slot not in busy:
            free.append(slot)
    return free


def give_up(attempts, patience):
    """True when the next delay would be longer than the patience."""
    return delay(attempts) > patience

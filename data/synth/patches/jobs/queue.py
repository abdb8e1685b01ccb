def finish_times(lengths):
    """When each job ends if they run one after another."""
    clock = 0
    out = []
    for length in lengths:
        clock += length
        out.append(clock)
    return out


def total_wait(lengths):
    """Time the jobs spend waiting, the shortest going first."""
    clock = 0
    waited = 0
    for length in sorted(lengths):
        waited += clock
        clock += length
    return waited


def within(lengths, limit):
    """How many jobs of the queue end by the limit."""
    clock = 0
    count = 0
    for length in lengths:
        clock += length
        if clock > limit:
            break
        count += 1
    return count


def batches(items, size):
    """Batches of at most size items."""
    if size < 1:
        return []
    out = []
    i = 0
    while i < len(items):
        out.append(items[i:i + size])
        i += size
    return out

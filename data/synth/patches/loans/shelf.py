def find(codes, wanted):
    """Binary search in sorted codes; -1 when absent."""
    low = 0
    high = len(codes) - 1
    while low <= high:
        middle = (low + high) // 2
        if codes[middle] == wanted:
            return middle
        if codes[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def insert(codes, code):
    """A sorted list with the code put in its place."""
    place = 0
    while place < len(codes) and codes[place] < code:
        place += 1
    return codes[:place] + [code] + codes[place:]


def merge(left, right):
    """Merge two sorted lists."""
    out = []
    i = 0
    j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def unique(codes):
    """Each code once, in order of appearance."""
    seen = []
    for code in codes:
        if code not in seen:
            seen.append(code)
    return seen

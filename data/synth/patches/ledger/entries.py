from ledger.interest import yearly

FEE = 25


def balance_after(start, entries):
    """Withdrawals beyond the balance are refused."""
    balance = start
    for entry in entries:
        if balance + entry >= 0:
            balance += entry
    return balance


def lowest_balance(start, entries):
    balance = start
    lowest = start
    for entry in entries:
        balance += entry
        lowest = min(lowest, balance)
    return lowest


def refused(start, entries):
    """Positions of the withdrawals refused."""
    balance = start
    found = []
    for i in range(len(entries)):
        if balance + entries[i] < 0:
            found.append(i)
        else:
            balance += entries[i]
    return found


def year_end(balance, rate, entries):
    """Add the interest, then charge a fee for each entry after the tenth."""
    balance += yearly(balance, rate)
    if len(entries) > 10:
        balance -= (len(entries) - 10) * FEE
    return balance


def largest_entry(entries):
    """The entry of largest amount, whatever its sign; 0 when none."""
    best = 0
    for entry in entries:
        if abs(entry) > abs(best):
            best = entry
    return best

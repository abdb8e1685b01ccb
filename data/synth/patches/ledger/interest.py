def yearly(balance, rate):
    """Interest of a year, rounded down; debts earn none."""
    if balance <= 0:
        return 0
    return balance * rate // 100


def compound(balance, rate, years):
    for year in range(years):
        balance += yearly(balance, rate)
    return balance


def years_to_reach(balance, goal, rate):
    """Years until the balance reaches the goal, or -1 when it never grows."""
    years = 0
    while balance < goal:
        gain = yearly(balance, rate)
        if gain == 0:
            return -1
        balance += gain
        years += 1
    return years

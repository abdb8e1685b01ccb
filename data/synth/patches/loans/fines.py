from loans.dates import days_late

DAILY = 20
MOST = 500


def fine(due, returned):
    """20 cents a day, 500 at most."""
    return min(days_late(due, returned) * DAILY, MOST)


def total_fines(loans):
    """loans holds [due, returned] pairs."""
    total = 0
    for loan in loans:
        total += fine(loan[0], loan[1])
    return total


def may_borrow(open_loans, owed, member):
    """Members may have 5 loans, others 2, and nobody may owe 1000 or more."""
    limit = 2
    if member:
        limit = 5
    return open_loans < limit and owed < 1000


def reminders(due_days, today):
    """Loans that are late or due within 3 days."""
    found = []
    for i in range(len(due_days)):
        if due_days[i] - today <= 3:
            found.append(i)
    return found

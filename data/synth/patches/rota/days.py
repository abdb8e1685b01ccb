LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def is_leap(year):
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


def month_length(year, month):
    if month == 2 and is_leap(year):
        return 29
    return LENGTHS[month - 1]


def day_of_year(year, month, day):
    """1 for the first of January."""
    days = day
    for m in range(1, month):
        days += month_length(year, m)
    return days


def days_left(year, month, day):
    """Days still to come in the year."""
    total = 365
    if is_leap(year):
        total = 366
    return total - day_of_year(year, month, day)

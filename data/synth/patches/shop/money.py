"""Amounts in whole cents."""

CENTS = 100


def round_to(amount, unit):
    """Round half up to a multiple of unit."""
    if unit <= 0:
        return amount
    return (amount + unit // 2) // unit * unit


def percent_of(amount, percent):
    return amount * percent // 100


def format_price(cents):
    """Write 1234 as '12.34'."""
    sign = ''
    if cents < 0:
        sign = '-'
        cents = 0 - cents
    rest = str(cents % CENTS)
    if len(rest) < 2:
        rest = '0' + rest
    return sign + str(cents // CENTS) + '.' + rest

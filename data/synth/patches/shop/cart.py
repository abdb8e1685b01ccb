from shop.money import percent_of, round_to

FREE_SHIPPING = 5000


def subtotal(prices, counts):
    """Sum of price times count."""
    total = 0
    for i in range(len(prices)):
        total += prices[i] * counts[i]
    return total


def discounted(amount, percent, limit):
    """Take off a percentage, but never more than limit."""
    cut = percent_of(amount, percent)
    if cut > limit:
        cut = limit
    return amount - cut


def shipping(amount, weight):
    """Flat fee up to 10 kg, then 40 cents for each further kg."""
    if amount >= FREE_SHIPPING:
        return 0
    fee = 490
    if weight > 10:
        fee += (weight - 10) * 40
    return fee


def cheapest(prices):
    """Index of the cheapest item, the first of equals; -1 when empty."""
    if not prices:
        return -1
    best = 0
    for i in range(1, len(prices)):
        if prices[i] < prices[best]:
            best = i
    return best


def split_bill(amount, people):
    """Shares that differ by a cent at most, larger ones first."""
    share = amount // people
    extra = amount % people
    shares = []
    for i in range(people):
        if i < extra:
            shares.append(share + 1)
        else:
            shares.append(share)
    return shares


def cash_total(prices):
    return round_to(sum(prices), 5)

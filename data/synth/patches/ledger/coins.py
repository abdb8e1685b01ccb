COINS = [200, 100, 50, 20, 10, 5, 2, 1]


def change(amount):
    """Fewest coins, the largest first."""
    out = []
    for coin in COINS:
        while amount >= coin:
            out.append(coin)
            amount -= coin
    return out


def coin_count(amount):
    count = 0
    for coin in COINS:
        count += amount // coin
        amount = amount % coin
    return count


def digits_sum(number):
    total = 0
    while number > 0:
        total += number % 10
        number = number // 10
    return total

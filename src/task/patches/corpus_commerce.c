/* Projects of the corpus: a shop, a ledger, a lending library. */
#include "task/patches/corpus.h"

static const char shop_cart[] =
    "from shop.money import percent_of, round_to\n"
    "\n"
    "FREE_SHIPPING = 5000\n"
    "\n"
    "\n"
    "def subtotal(prices, counts):\n"
    "    \"\"\"Sum of price times count.\"\"\"\n"
    "    total = 0\n"
    "    for i in range(len(prices)):\n"
    "        total += prices[i] * counts[i]\n"
    "    return total\n"
    "\n"
    "\n"
    "def discounted(amount, percent, limit):\n"
    "    \"\"\"Take off a percentage, but never more than limit.\"\"\"\n"
    "    cut = percent_of(amount, percent)\n"
    "    if cut > limit:\n"
    "        cut = limit\n"
    "    return amount - cut\n"
    "\n"
    "\n"
    "def shipping(amount, weight):\n"
    "    \"\"\"Flat fee up to 10 kg, then 40 cents for each further kg.\"\"\"\n"
    "    if amount >= FREE_SHIPPING:\n"
    "        return 0\n"
    "    fee = 490\n"
    "    if weight > 10:\n"
    "        fee += (weight - 10) * 40\n"
    "    return fee\n"
    "\n"
    "\n"
    "def cheapest(prices):\n"
    "    \"\"\"Index of the cheapest item, the first of equals; -1 when empty.\"\"\"\n"
    "    if not prices:\n"
    "        return -1\n"
    "    best = 0\n"
    "    for i in range(1, len(prices)):\n"
    "        if prices[i] < prices[best]:\n"
    "            best = i\n"
    "    return best\n"
    "\n"
    "\n"
    "def split_bill(amount, people):\n"
    "    \"\"\"Shares that differ by a cent at most, larger ones first.\"\"\"\n"
    "    share = amount // people\n"
    "    extra = amount % people\n"
    "    shares = []\n"
    "    for i in range(people):\n"
    "        if i < extra:\n"
    "            shares.append(share + 1)\n"
    "        else:\n"
    "            shares.append(share)\n"
    "    return shares\n"
    "\n"
    "\n"
    "def cash_total(prices):\n"
    "    return round_to(sum(prices), 5)\n";

static const char shop_money[] = "\"\"\"Amounts in whole cents.\"\"\"\n"
                                 "\n"
                                 "CENTS = 100\n"
                                 "\n"
                                 "\n"
                                 "def round_to(amount, unit):\n"
                                 "    \"\"\"Round half up to a multiple of unit.\"\"\"\n"
                                 "    if unit <= 0:\n"
                                 "        return amount\n"
                                 "    return (amount + unit // 2) // unit * unit\n"
                                 "\n"
                                 "\n"
                                 "def percent_of(amount, percent):\n"
                                 "    return amount * percent // 100\n"
                                 "\n"
                                 "\n"
                                 "def format_price(cents):\n"
                                 "    \"\"\"Write 1234 as '12.34'.\"\"\"\n"
                                 "    sign = ''\n"
                                 "    if cents < 0:\n"
                                 "        sign = '-'\n"
                                 "        cents = 0 - cents\n"
                                 "    rest = str(cents % CENTS)\n"
                                 "    if len(rest) < 2:\n"
                                 "        rest = '0' + rest\n"
                                 "    return sign + str(cents // CENTS) + '.' + rest\n";

static const char shop_stock[] =
    "LOW = 3\n"
    "\n"
    "\n"
    "def to_reorder(levels, minimum):\n"
    "    \"\"\"Positions of the shelves below the minimum.\"\"\"\n"
    "    found = []\n"
    "    for i in range(len(levels)):\n"
    "        if levels[i] < minimum:\n"
    "            found.append(i)\n"
    "    return found\n"
    "\n"
    "\n"
    "def fill_boxes(items, size):\n"
    "    \"\"\"Number of boxes needed for the items.\"\"\"\n"
    "    if items <= 0:\n"
    "        return 0\n"
    "    boxes = items // size\n"
    "    if items % size != 0:\n"
    "        boxes += 1\n"
    "    return boxes\n"
    "\n"
    "\n"
    "def remaining(level, orders):\n"
    "    \"\"\"Serve orders in turn, skipping those that do not fit.\"\"\"\n"
    "    for order in orders:\n"
    "        if order <= level:\n"
    "            level -= order\n"
    "    return level\n";

static const struct patches_module shop_modules[] = {
    {"shop/cart.py", shop_cart},
    {"shop/money.py", shop_money},
    {"shop/stock.py", shop_stock},
};

static const struct patches_function shop_functions[] = {
    {"shop/cart.py", "subtotal",
     "([], []|[3], [2]|[0], [4]|[5, 1], [1, 0]|[7, 2], [2, 3]|[4, 4, 1], [1, 1, 1]|[10, 0, 2], [1, "
     "5, 4]|[9, 3, 3, 8], [1, 2, 0, 1]|[6, 6], [0, 0]|[1, 2, 3], [3, 2, 1]|[20], [1]|[15, 5], [2, "
     "2]|[8], [0]|[2, 2, 2, 2], [1, 0, 1, 0]|[11, 4], [1, 3])",
     "the subtotal of a cart"},
    {"shop/cart.py", "discounted", "#0:200 (5|10|20|25|50) #5:30", "the price after the discount"},
    {"shop/cart.py", "shipping", "(4999|5000|5001|1200|300|7000) #6:16", "the shipping fee"},
    {"shop/cart.py", "cheapest", "[#3:12]0:6", "the pick of the cheapest item"},
    {"shop/cart.py", "split_bill", "#0:40 #1:7", "the split of a bill"},
    {"shop/cart.py", "cash_total", "[#1:40]0:5", "the cash total"},
    {"shop/money.py", "format_price", "(0|5|99|100|105|1234|-1|-250|-5|777|1000|6003)",
     "the printed price"},
    {"shop/money.py", "round_to", "#0:60 (0|2|5|10|20)", "the rounding of amounts"},
    {"shop/stock.py", "to_reorder", "[#0:8]0:7 #2:6", "the list of shelves to reorder"},
    {"shop/stock.py", "fill_boxes", "#0:40 #2:9", "the number of boxes"},
    {"shop/stock.py", "remaining", "#0:20 [#1:12]0:5", "the stock that remains after the orders"},
};

const struct patches_project patches_shop = {"shop", shop_modules, 3, shop_functions, 11};

static const char ledger_coins[] = "COINS = [200, 100, 50, 20, 10, 5, 2, 1]\n"
                                   "\n"
                                   "\n"
                                   "def change(amount):\n"
                                   "    \"\"\"Fewest coins, the largest first.\"\"\"\n"
                                   "    out = []\n"
                                   "    for coin in COINS:\n"
                                   "        while amount >= coin:\n"
                                   "            out.append(coin)\n"
                                   "            amount -= coin\n"
                                   "    return out\n"
                                   "\n"
                                   "\n"
                                   "def coin_count(amount):\n"
                                   "    count = 0\n"
                                   "    for coin in COINS:\n"
                                   "        count += amount // coin\n"
                                   "        amount = amount % coin\n"
                                   "    return count\n"
                                   "\n"
                                   "\n"
                                   "def digits_sum(number):\n"
                                   "    total = 0\n"
                                   "    while number > 0:\n"
                                   "        total += number % 10\n"
                                   "        number = number // 10\n"
                                   "    return total\n";

static const char ledger_entries[] =
    "from ledger.interest import yearly\n"
    "\n"
    "FEE = 25\n"
    "\n"
    "\n"
    "def balance_after(start, entries):\n"
    "    \"\"\"Withdrawals beyond the balance are refused.\"\"\"\n"
    "    balance = start\n"
    "    for entry in entries:\n"
    "        if balance + entry >= 0:\n"
    "            balance += entry\n"
    "    return balance\n"
    "\n"
    "\n"
    "def lowest_balance(start, entries):\n"
    "    balance = start\n"
    "    lowest = start\n"
    "    for entry in entries:\n"
    "        balance += entry\n"
    "        lowest = min(lowest, balance)\n"
    "    return lowest\n"
    "\n"
    "\n"
    "def refused(start, entries):\n"
    "    \"\"\"Positions of the withdrawals refused.\"\"\"\n"
    "    balance = start\n"
    "    found = []\n"
    "    for i in range(len(entries)):\n"
    "        if balance + entries[i] < 0:\n"
    "            found.append(i)\n"
    "        else:\n"
    "            balance += entries[i]\n"
    "    return found\n"
    "\n"
    "\n"
    "def year_end(balance, rate, entries):\n"
    "    \"\"\"Add the interest, then charge a fee for each entry after the tenth.\"\"\"\n"
    "    balance += yearly(balance, rate)\n"
    "    if len(entries) > 10:\n"
    "        balance -= (len(entries) - 10) * FEE\n"
    "    return balance\n"
    "\n"
    "\n"
    "def largest_entry(entries):\n"
    "    \"\"\"The entry of largest amount, whatever its sign; 0 when none.\"\"\"\n"
    "    best = 0\n"
    "    for entry in entries:\n"
    "        if abs(entry) > abs(best):\n"
    "            best = entry\n"
    "    return best\n";

static const char ledger_interest[] =
    "def yearly(balance, rate):\n"
    "    \"\"\"Interest of a year, rounded down; debts earn none.\"\"\"\n"
    "    if balance <= 0:\n"
    "        return 0\n"
    "    return balance * rate // 100\n"
    "\n"
    "\n"
    "def compound(balance, rate, years):\n"
    "    for year in range(years):\n"
    "        balance += yearly(balance, rate)\n"
    "    return balance\n"
    "\n"
    "\n"
    "def years_to_reach(balance, goal, rate):\n"
    "    \"\"\"Years until the balance reaches the goal, or -1 when it never grows.\"\"\"\n"
    "    years = 0\n"
    "    while balance < goal:\n"
    "        gain = yearly(balance, rate)\n"
    "        if gain == 0:\n"
    "            return -1\n"
    "        balance += gain\n"
    "        years += 1\n"
    "    return years\n";

static const struct patches_module ledger_modules[] = {
    {"ledger/coins.py", ledger_coins},
    {"ledger/entries.py", ledger_entries},
    {"ledger/interest.py", ledger_interest},
};

static const struct patches_function ledger_functions[] = {
    {"ledger/interest.py", "compound", "#-5:300 #1:20 #0:4", "the balance with compound interest"},
    {"ledger/interest.py", "years_to_reach", "#1:100 #50:200 (0|5|10|20|50)",
     "the years to reach a goal"},
    {"ledger/entries.py", "balance_after", "#0:30 [#-20:20]0:6", "the balance after the entries"},
    {"ledger/entries.py", "lowest_balance", "#0:30 [#-20:20]0:6", "the lowest balance"},
    {"ledger/entries.py", "refused", "#0:30 [#-20:20]0:6", "the list of refused withdrawals"},
    {"ledger/entries.py", "year_end", "#-50:900 #1:9 [#1:5]8:13",
     "the balance at the end of the year"},
    {"ledger/entries.py", "largest_entry", "[#-20:20]0:6", "the largest entry"},
    {"ledger/coins.py", "change", "#0:120", "the change given"},
    {"ledger/coins.py", "coin_count", "#0:60", "the number of coins"},
    {"ledger/coins.py", "digits_sum", "#0:4000", "the sum of the digits"},
};

const struct patches_project patches_ledger = {"ledger", ledger_modules, 3, ledger_functions, 10};

static const char loans_dates[] =
    "GRACE = 2\n"
    "\n"
    "\n"
    "def days_late(due, returned):\n"
    "    \"\"\"Days beyond the due day, the days of grace free.\"\"\"\n"
    "    late = returned - due - GRACE\n"
    "    if late < 0:\n"
    "        return 0\n"
    "    return late\n"
    "\n"
    "\n"
    "def due_day(start, weeks, closed):\n"
    "    \"\"\"The due day, moved on while the library is closed.\"\"\"\n"
    "    day = start + 7 * weeks\n"
    "    while day in closed:\n"
    "        day += 1\n"
    "    return day\n";

static const char loans_fines[] =
    "from loans.dates import days_late\n"
    "\n"
    "DAILY = 20\n"
    "MOST = 500\n"
    "\n"
    "\n"
    "def fine(due, returned):\n"
    "    \"\"\"20 cents a day, 500 at most.\"\"\"\n"
    "    return min(days_late(due, returned) * DAILY, MOST)\n"
    "\n"
    "\n"
    "def total_fines(loans):\n"
    "    \"\"\"loans holds [due, returned] pairs.\"\"\"\n"
    "    total = 0\n"
    "    for loan in loans:\n"
    "        total += fine(loan[0], loan[1])\n"
    "    return total\n"
    "\n"
    "\n"
    "def may_borrow(open_loans, owed, member):\n"
    "    \"\"\"Members may have 5 loans, others 2, and nobody may owe 1000 or more.\"\"\"\n"
    "    limit = 2\n"
    "    if member:\n"
    "        limit = 5\n"
    "    return open_loans < limit and owed < 1000\n"
    "\n"
    "\n"
    "def reminders(due_days, today):\n"
    "    \"\"\"Loans that are late or due within 3 days.\"\"\"\n"
    "    found = []\n"
    "    for i in range(len(due_days)):\n"
    "        if due_days[i] - today <= 3:\n"
    "            found.append(i)\n"
    "    return found\n";

static const char loans_shelf[] = "def find(codes, wanted):\n"
                                  "    \"\"\"Binary search in sorted codes; -1 when absent.\"\"\"\n"
                                  "    low = 0\n"
                                  "    high = len(codes) - 1\n"
                                  "    while low <= high:\n"
                                  "        middle = (low + high) // 2\n"
                                  "        if codes[middle] == wanted:\n"
                                  "            return middle\n"
                                  "        if codes[middle] < wanted:\n"
                                  "            low = middle + 1\n"
                                  "        else:\n"
                                  "            high = middle - 1\n"
                                  "    return -1\n"
                                  "\n"
                                  "\n"
                                  "def insert(codes, code):\n"
                                  "    \"\"\"A sorted list with the code put in its place.\"\"\"\n"
                                  "    place = 0\n"
                                  "    while place < len(codes) and codes[place] < code:\n"
                                  "        place += 1\n"
                                  "    return codes[:place] + [code] + codes[place:]\n"
                                  "\n"
                                  "\n"
                                  "def merge(left, right):\n"
                                  "    \"\"\"Merge two sorted lists.\"\"\"\n"
                                  "    out = []\n"
                                  "    i = 0\n"
                                  "    j = 0\n"
                                  "    while i < len(left) and j < len(right):\n"
                                  "        if left[i] <= right[j]:\n"
                                  "            out.append(left[i])\n"
                                  "            i += 1\n"
                                  "        else:\n"
                                  "            out.append(right[j])\n"
                                  "            j += 1\n"
                                  "    return out + left[i:] + right[j:]\n"
                                  "\n"
                                  "\n"
                                  "def unique(codes):\n"
                                  "    \"\"\"Each code once, in order of appearance.\"\"\"\n"
                                  "    seen = []\n"
                                  "    for code in codes:\n"
                                  "        if code not in seen:\n"
                                  "            seen.append(code)\n"
                                  "    return seen\n";

static const struct patches_module loans_modules[] = {
    {"loans/dates.py", loans_dates},
    {"loans/fines.py", loans_fines},
    {"loans/shelf.py", loans_shelf},
};

static const struct patches_function loans_functions[] = {
    {"loans/shelf.py", "find", "^[#1:30]0:8 #1:30", "the search for a code"},
    {"loans/shelf.py", "insert", "^[#1:20]0:6 #1:20", "the sorted list after an insertion"},
    {"loans/shelf.py", "merge", "^[#1:20]0:5 ^[#1:20]0:5", "the merged list"},
    {"loans/shelf.py", "unique", "[#1:6]0:8", "the list without repeats"},
    {"loans/fines.py", "fine", "#1:20 #1:60", "the fine for a late book"},
    {"loans/fines.py", "total_fines", "[[#1:30]2:2]0:4", "the sum of the fines"},
    {"loans/fines.py", "may_borrow", "#0:6 (0|500|999|1000|1001) (True|False)",
     "the permission to borrow"},
    {"loans/fines.py", "reminders", "[#1:20]0:6 #5:15", "the list of reminders"},
    {"loans/dates.py", "due_day", "#0:14 #1:3 [(7|8|9|14|15|16|20|21|22)]0:6", "the due day"},
};

const struct patches_project patches_loans = {"loans", loans_modules, 3, loans_functions, 9};

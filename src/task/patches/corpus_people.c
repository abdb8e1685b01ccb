/* Projects of the corpus: a rota, a league, trips by public transport. */
#include "task/patches/corpus.h"

static const char rota_clock[] = "def to_minutes(hours, minutes):\n"
                                 "    return hours * 60 + minutes\n"
                                 "\n"
                                 "\n"
                                 "def clock_text(minutes):\n"
                                 "    \"\"\"Write 75 as '1:15'.\"\"\"\n"
                                 "    hours = minutes // 60 % 24\n"
                                 "    rest = minutes % 60\n"
                                 "    if rest < 10:\n"
                                 "        return str(hours) + ':0' + str(rest)\n"
                                 "    return str(hours) + ':' + str(rest)\n"
                                 "\n"
                                 "\n"
                                 "def overlap(a, b, c, d):\n"
                                 "    \"\"\"Minutes that [a, b) and [c, d) share.\"\"\"\n"
                                 "    start = max(a, c)\n"
                                 "    end = min(b, d)\n"
                                 "    if end <= start:\n"
                                 "        return 0\n"
                                 "    return end - start\n";

static const char rota_days[] = "LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]\n"
                                "\n"
                                "\n"
                                "def is_leap(year):\n"
                                "    if year % 400 == 0:\n"
                                "        return True\n"
                                "    if year % 100 == 0:\n"
                                "        return False\n"
                                "    return year % 4 == 0\n"
                                "\n"
                                "\n"
                                "def month_length(year, month):\n"
                                "    if month == 2 and is_leap(year):\n"
                                "        return 29\n"
                                "    return LENGTHS[month - 1]\n"
                                "\n"
                                "\n"
                                "def day_of_year(year, month, day):\n"
                                "    \"\"\"1 for the first of January.\"\"\"\n"
                                "    days = day\n"
                                "    for m in range(1, month):\n"
                                "        days += month_length(year, m)\n"
                                "    return days\n"
                                "\n"
                                "\n"
                                "def days_left(year, month, day):\n"
                                "    \"\"\"Days still to come in the year.\"\"\"\n"
                                "    total = 365\n"
                                "    if is_leap(year):\n"
                                "        total = 366\n"
                                "    return total - day_of_year(year, month, day)\n";

static const char rota_shifts[] =
    "NIGHT_START = 22\n"
    "NIGHT_END = 6\n"
    "\n"
    "\n"
    "def hours_between(start, end):\n"
    "    \"\"\"Length of a shift, which may run past midnight.\"\"\"\n"
    "    if end < start:\n"
    "        return end + 24 - start\n"
    "    return end - start\n"
    "\n"
    "\n"
    "def is_night(hour):\n"
    "    return hour >= NIGHT_START or hour < NIGHT_END\n"
    "\n"
    "\n"
    "def night_hours(start, end):\n"
    "    \"\"\"Hours of the shift that count as night.\"\"\"\n"
    "    count = 0\n"
    "    hour = start\n"
    "    while hour != end:\n"
    "        if is_night(hour):\n"
    "            count += 1\n"
    "        hour = (hour + 1) % 24\n"
    "    return count\n"
    "\n"
    "\n"
    "def overtime(hours, limit):\n"
    "    \"\"\"Overtime of each day beyond the limit, added up.\"\"\"\n"
    "    extra = 0\n"
    "    for worked in hours:\n"
    "        if worked > limit:\n"
    "            extra += worked - limit\n"
    "    return extra\n"
    "\n"
    "\n"
    "def whose_turn(names, day):\n"
    "    \"\"\"Everybody works two days in a row.\"\"\"\n"
    "    if not names:\n"
    "        return None\n"
    "    return names[day // 2 % len(names)]\n"
    "\n"
    "\n"
    "def longest_streak(days):\n"
    "    \"\"\"Longest run of 1s, days worked without a break.\"\"\"\n"
    "    best = 0\n"
    "    run = 0\n"
    "    for worked in days:\n"
    "        if worked == 1:\n"
    "            run += 1\n"
    "            best = max(best, run)\n"
    "        else:\n"
    "            run = 0\n"
    "    return best\n";

static const struct patches_module rota_modules[] = {
    {"rota/clock.py", rota_clock},
    {"rota/days.py", rota_days},
    {"rota/shifts.py", rota_shifts},
};

static const struct patches_function rota_functions[] = {
    {"rota/days.py", "day_of_year", "(1900|2000|2023|2024|2100) #1:12 #1:28",
     "the number of the day in the year"},
    {"rota/days.py", "days_left", "(1900|2000|2023|2024|2100) #1:12 #1:28",
     "the number of days left in the year"},
    {"rota/days.py", "month_length", "(1900|2000|2023|2024|2100|2028) #1:12",
     "the length of a month"},
    {"rota/shifts.py", "hours_between", "#0:23 #0:23", "the length of a shift"},
    {"rota/shifts.py", "night_hours", "#0:23 #0:23", "the night hours of a shift"},
    {"rota/shifts.py", "overtime", "[#5:12]0:6 #7:9", "the overtime of a week"},
    {"rota/shifts.py", "whose_turn", "[('ana'|'bo'|'cy'|'dee')]0:4 #0:9",
     "the answer to whose turn it is"},
    {"rota/shifts.py", "longest_streak", "[#0:1]0:9", "the longest streak of working days"},
    {"rota/clock.py", "clock_text", "(0|5|9|10|59|60|65|75|600|609|719|1439|1440|1510)",
     "the time on the clock"},
    {"rota/clock.py", "overlap", "#0:12 #10:20 #5:16 #12:25", "the overlap of two meetings"},
};

const struct patches_project patches_rota = {"rota", rota_modules, 3, rota_functions, 10};

static const char league_rounds[] =
    "def rounds_needed(teams):\n"
    "    \"\"\"Rounds of a knock-out until one team is left.\"\"\"\n"
    "    rounds = 0\n"
    "    while teams > 1:\n"
    "        teams = (teams + 1) // 2\n"
    "        rounds += 1\n"
    "    return rounds\n"
    "\n"
    "\n"
    "def pairings(teams):\n"
    "    \"\"\"First plays last, second plays last but one, and so on.\"\"\"\n"
    "    pairs = []\n"
    "    left = 0\n"
    "    right = len(teams) - 1\n"
    "    while left < right:\n"
    "        pairs.append([teams[left], teams[right]])\n"
    "        left += 1\n"
    "        right -= 1\n"
    "    return pairs\n"
    "\n"
    "\n"
    "def rotate(items, by):\n"
    "    if not items:\n"
    "        return []\n"
    "    by = by % len(items)\n"
    "    return items[by:] + items[:by]\n";

static const char league_scores[] =
    "def points_for(ours, theirs):\n"
    "    if ours > theirs:\n"
    "        return 3\n"
    "    if ours == theirs:\n"
    "        return 1\n"
    "    return 0\n"
    "\n"
    "\n"
    "def best_of(scores, keep):\n"
    "    \"\"\"Sum of the best few scores.\"\"\"\n"
    "    ordered = sorted(scores)\n"
    "    total = 0\n"
    "    for i in range(max(0, len(ordered) - keep), len(ordered)):\n"
    "        total += ordered[i]\n"
    "    return total\n"
    "\n"
    "\n"
    "def trimmed_mean(scores):\n"
    "    \"\"\"Mean without the lowest and the highest, rounded down.\"\"\"\n"
    "    if len(scores) < 3:\n"
    "        return 0\n"
    "    ordered = sorted(scores)\n"
    "    inner = ordered[1:-1]\n"
    "    return sum(inner) // len(inner)\n"
    "\n"
    "\n"
    "def bowling(pins):\n"
    "    \"\"\"Pins plus a bonus of 5 for every pair of throws that makes 10.\"\"\"\n"
    "    total = sum(pins)\n"
    "    i = 0\n"
    "    while i + 1 < len(pins):\n"
    "        if pins[i] + pins[i + 1] == 10:\n"
    "            total += 5\n"
    "        i += 2\n"
    "    return total\n";

static const char league_table[] =
    "from league.scores import points_for\n"
    "\n"
    "WIN = 3\n"
    "\n"
    "\n"
    "def season_points(results):\n"
    "    \"\"\"results holds [ours, theirs] of each match.\"\"\"\n"
    "    total = 0\n"
    "    for match in results:\n"
    "        total += points_for(match[0], match[1])\n"
    "    return total\n"
    "\n"
    "\n"
    "def goal_difference(results):\n"
    "    diff = 0\n"
    "    for match in results:\n"
    "        diff += match[0] - match[1]\n"
    "    return diff\n"
    "\n"
    "\n"
    "def rank_of(points, team):\n"
    "    \"\"\"1 plus the number of teams that have more points.\"\"\"\n"
    "    rank = 1\n"
    "    for other in points:\n"
    "        if other > points[team]:\n"
    "            rank += 1\n"
    "    return rank\n"
    "\n"
    "\n"
    "def winners(points):\n"
    "    \"\"\"Indices of all teams with the most points.\"\"\"\n"
    "    if not points:\n"
    "        return []\n"
    "    best = max(points)\n"
    "    found = []\n"
    "    for i in range(len(points)):\n"
    "        if points[i] == best:\n"
    "            found.append(i)\n"
    "    return found\n";

static const struct patches_module league_modules[] = {
    {"league/rounds.py", league_rounds},
    {"league/scores.py", league_scores},
    {"league/table.py", league_table},
};

static const struct patches_function league_functions[] = {
    {"league/table.py", "season_points", "[[#0:3]2:2]0:6", "the points of a season"},
    {"league/table.py", "goal_difference", "[[#0:4]2:2]0:5", "the goal difference"},
    {"league/table.py", "rank_of", "[#3:9]4:6 #0:3", "the rank of a team"},
    {"league/table.py", "winners", "[#3:7]0:6", "the list of winners"},
    {"league/scores.py", "best_of", "[#1:20]0:7 #0:4", "the sum of the best scores"},
    {"league/scores.py", "trimmed_mean", "[#1:20]0:7", "the trimmed mean"},
    {"league/scores.py", "bowling", "[(5|5|3|7|2|8|4|1)]0:8", "the bowling score"},
    {"league/rounds.py", "rounds_needed", "#0:20", "the number of rounds"},
    {"league/rounds.py", "pairings", "[('a'|'b'|'c'|'d'|'e'|'f')]0:7",
     "the pairings of the first round"},
    {"league/rounds.py", "rotate", "[#1:9]0:6 #0:9", "the rotated list"},
};

const struct patches_project patches_league = {"league", league_modules, 3, league_functions, 10};

static const char trips_fares[] =
    "from trips.zones import zones_crossed\n"
    "\n"
    "BASE = 150\n"
    "PER_ZONE = 70\n"
    "\n"
    "\n"
    "def fare(start, end):\n"
    "    \"\"\"A base fare and an amount for every border crossed.\"\"\"\n"
    "    return BASE + PER_ZONE * zones_crossed(start, end)\n"
    "\n"
    "\n"
    "def child_fare(start, end, age):\n"
    "    \"\"\"Free below 6, half below 15.\"\"\"\n"
    "    if age < 6:\n"
    "        return 0\n"
    "    full = fare(start, end)\n"
    "    if age < 15:\n"
    "        return full // 2\n"
    "    return full\n"
    "\n"
    "\n"
    "def daily_cap(fares, cap):\n"
    "    \"\"\"What each ride costs once the day's cap is taken into account.\"\"\"\n"
    "    paid = 0\n"
    "    charged = []\n"
    "    for price in fares:\n"
    "        due = min(price, cap - paid)\n"
    "        charged.append(due)\n"
    "        paid += due\n"
    "    return charged\n";

static const char trips_route[] =
    "def distance(a, b):\n"
    "    \"\"\"Blocks between two corners of a street grid.\"\"\"\n"
    "    return abs(a[0] - b[0]) + abs(a[1] - b[1])\n"
    "\n"
    "\n"
    "def route_length(stops):\n"
    "    total = 0\n"
    "    for i in range(1, len(stops)):\n"
    "        total += distance(stops[i - 1], stops[i])\n"
    "    return total\n"
    "\n"
    "\n"
    "def nearest(stops, here):\n"
    "    \"\"\"Index of the nearest stop, the first of equals.\"\"\"\n"
    "    if not stops:\n"
    "        return None\n"
    "    best = 0\n"
    "    for i in range(len(stops)):\n"
    "        if distance(stops[i], here) < distance(stops[best], here):\n"
    "            best = i\n"
    "    return best\n"
    "\n"
    "\n"
    "def refuel_stops(legs, tank):\n"
    "    \"\"\"How often to refuel when every leg must fit in the tank.\"\"\"\n"
    "    fuel = tank\n"
    "    count = 0\n"
    "    for leg in legs:\n"
    "        if leg > fuel:\n"
    "            count += 1\n"
    "            fuel = tank\n"
    "        fuel -= leg\n"
    "    return count\n"
    "\n"
    "\n"
    "def climbs(heights):\n"
    "    \"\"\"Metres gained on the way, descents aside.\"\"\"\n"
    "    gained = 0\n"
    "    for i in range(len(heights) - 1):\n"
    "        if heights[i + 1] > heights[i]:\n"
    "            gained += heights[i + 1] - heights[i]\n"
    "    return gained\n";

static const char trips_zones[] =
    "ZONE_WIDTH = 5\n"
    "\n"
    "\n"
    "def zone_of(station):\n"
    "    return station // ZONE_WIDTH\n"
    "\n"
    "\n"
    "def zones_crossed(start, end):\n"
    "    return abs(zone_of(start) - zone_of(end))\n"
    "\n"
    "\n"
    "def stations_in(zone, last):\n"
    "    \"\"\"Stations of a zone, not beyond the last station.\"\"\"\n"
    "    found = []\n"
    "    for station in range(zone * ZONE_WIDTH, (zone + 1) * ZONE_WIDTH):\n"
    "        if station <= last:\n"
    "            found.append(station)\n"
    "    return found\n";

static const struct patches_module trips_modules[] = {
    {"trips/fares.py", trips_fares},
    {"trips/route.py", trips_route},
    {"trips/zones.py", trips_zones},
};

static const struct patches_function trips_functions[] = {
    {"trips/route.py", "route_length", "[[#0:9]2:2]0:5", "the length of a route"},
    {"trips/route.py", "nearest", "[[#0:6]2:2]0:5 [#0:6]2:2", "the nearest stop"},
    {"trips/route.py", "refuel_stops", "[#1:9]0:7 #9:15", "the number of refuelling stops"},
    {"trips/route.py", "climbs", "[#10:25]0:7", "the metres climbed on a tour"},
    {"trips/fares.py", "fare", "#0:30 #0:30", "the fare of a ride"},
    {"trips/fares.py", "child_fare", "#0:30 #0:30 (2|5|6|7|14|15|16|40)", "the fare for children"},
    {"trips/fares.py", "daily_cap", "[#1:9]0:6 #8:20", "the charges under the daily cap"},
    {"trips/zones.py", "stations_in", "#0:5 #3:24", "the stations of a zone"},
};

const struct patches_project patches_trips = {"trips", trips_modules, 3, trips_functions, 8};

/* Projects of the corpus: sensors and job queues. */
#include "task/patches/corpus.h"

static const char sensors_alarms[] =
    "from sensors.repair import clamp\n"
    "\n"
    "PATIENCE = 2\n"
    "\n"
    "\n"
    "def first_alarm(values, limit):\n"
    "    \"\"\"Index of the first reading over the limit, or -1.\"\"\"\n"
    "    for i in range(len(values)):\n"
    "        if values[i] > limit:\n"
    "            return i\n"
    "    return -1\n"
    "\n"
    "\n"
    "def alarm_count(values, limit):\n"
    "    \"\"\"How many times the readings rise over the limit.\"\"\"\n"
    "    count = 0\n"
    "    above = False\n"
    "    for value in values:\n"
    "        if value > limit and not above:\n"
    "            count += 1\n"
    "        above = value > limit\n"
    "    return count\n"
    "\n"
    "\n"
    "def severity(value, limit):\n"
    "    \"\"\"0 to 10, one for every 5 over the limit.\"\"\"\n"
    "    if value <= limit:\n"
    "        return 0\n"
    "    return clamp((value - limit) // 5, 0, 10)\n"
    "\n"
    "\n"
    "def lasting(values, limit):\n"
    "    \"\"\"True when two readings in a row are over the limit.\"\"\"\n"
    "    streak = 0\n"
    "    for value in values:\n"
    "        if value > limit:\n"
    "            streak += 1\n"
    "        else:\n"
    "            streak = 0\n"
    "        if streak == PATIENCE:\n"
    "            return True\n"
    "    return False\n";

static const char sensors_repair[] =
    "def clamp(value, low, high):\n"
    "    if value < low:\n"
    "        return low\n"
    "    if value > high:\n"
    "        return high\n"
    "    return value\n"
    "\n"
    "\n"
    "def clamp_all(values, low, high):\n"
    "    out = []\n"
    "    for value in values:\n"
    "        out.append(clamp(value, low, high))\n"
    "    return out\n"
    "\n"
    "\n"
    "def fill_gaps(values):\n"
    "    \"\"\"Replace None by the reading before it, 0 at the beginning.\"\"\"\n"
    "    out = []\n"
    "    last = 0\n"
    "    for value in values:\n"
    "        if value is None:\n"
    "            value = last\n"
    "        out.append(value)\n"
    "        last = value\n"
    "    return out\n";

static const char sensors_series[] =
    "def moving_sum(values, width):\n"
    "    \"\"\"Sums of every window of the given width.\"\"\"\n"
    "    out = []\n"
    "    for i in range(len(values) - width + 1):\n"
    "        out.append(sum(values[i:i + width]))\n"
    "    return out\n"
    "\n"
    "\n"
    "def differences(values):\n"
    "    out = []\n"
    "    for i in range(1, len(values)):\n"
    "        out.append(values[i] - values[i - 1])\n"
    "    return out\n"
    "\n"
    "\n"
    "def peaks(values):\n"
    "    \"\"\"Indices of readings above both neighbours.\"\"\"\n"
    "    found = []\n"
    "    for i in range(1, len(values) - 1):\n"
    "        if values[i] > values[i - 1] and values[i] > values[i + 1]:\n"
    "            found.append(i)\n"
    "    return found\n"
    "\n"
    "\n"
    "def running_max(values):\n"
    "    if not values:\n"
    "        return []\n"
    "    out = []\n"
    "    top = values[0]\n"
    "    for value in values:\n"
    "        if value > top:\n"
    "            top = value\n"
    "        out.append(top)\n"
    "    return out\n"
    "\n"
    "\n"
    "def downsample(values, step):\n"
    "    \"\"\"Every step-th reading, beginning with the first.\"\"\"\n"
    "    out = []\n"
    "    i = 0\n"
    "    while i < len(values):\n"
    "        out.append(values[i])\n"
    "        i += step\n"
    "    return out\n";

static const struct patches_module sensors_modules[] = {
    {"sensors/alarms.py", sensors_alarms},
    {"sensors/repair.py", sensors_repair},
    {"sensors/series.py", sensors_series},
};

static const struct patches_function sensors_functions[] = {
    {"sensors/series.py", "moving_sum", "[#0:9]0:7 #1:3", "the moving sums"},
    {"sensors/series.py", "differences", "[#0:20]0:6", "the differences between readings"},
    {"sensors/series.py", "peaks", "[#0:6]0:9", "the peaks of a series"},
    {"sensors/series.py", "running_max", "[#0:20]0:7", "the running maximum"},
    {"sensors/series.py", "downsample", "[#0:9]0:9 #1:4", "the thinned-out readings"},
    {"sensors/repair.py", "clamp_all", "[#-5:20]0:6 #0:4 #8:14", "the clamped readings"},
    {"sensors/repair.py", "fill_gaps", "[(None|1|2|5|7|None|9)]0:7", "the filling of gaps"},
    {"sensors/alarms.py", "first_alarm", "[#0:12]0:7 #5:10", "the first alarm"},
    {"sensors/alarms.py", "alarm_count", "[#0:12]0:9 #4:9", "the number of alarms"},
    {"sensors/alarms.py", "severity", "#0:90 #10:20", "the severity of an alarm"},
    {"sensors/alarms.py", "lasting", "[#0:12]0:7 #4:9", "the test for lasting alarms"},
};

const struct patches_project patches_sensors = {"sensors", sensors_modules, 3, sensors_functions,
                                                11};

static const char jobs_load[] =
    "from jobs.retry import delay\n"
    "\n"
    "\n"
    "def least_loaded(loads):\n"
    "    \"\"\"Index of the least loaded worker, the last of equals.\"\"\"\n"
    "    best = 0\n"
    "    for i in range(len(loads)):\n"
    "        if loads[i] <= loads[best]:\n"
    "            best = i\n"
    "    return best\n"
    "\n"
    "\n"
    "def assign(lengths, workers):\n"
    "    \"\"\"Give every job to the least loaded worker; the loads at the end.\"\"\"\n"
    "    loads = [0] * workers\n"
    "    for length in lengths:\n"
    "        loads[least_loaded(loads)] += length\n"
    "    return loads\n"
    "\n"
    "\n"
    "def idle_slots(busy, slots):\n"
    "    \"\"\"Slots of 0 to slots - 1 that are not busy.\"\"\"\n"
    "    free = []\n"
    "    for slot in range(slots):\n"
    "        if slot not in busy:\n"
    "            free.append(slot)\n"
    "    return free\n"
    "\n"
    "\n"
    "def give_up(attempts, patience):\n"
    "    \"\"\"True when the next delay would be longer than the patience.\"\"\"\n"
    "    return delay(attempts) > patience\n";

static const char jobs_queue[] =
    "def finish_times(lengths):\n"
    "    \"\"\"When each job ends if they run one after another.\"\"\"\n"
    "    clock = 0\n"
    "    out = []\n"
    "    for length in lengths:\n"
    "        clock += length\n"
    "        out.append(clock)\n"
    "    return out\n"
    "\n"
    "\n"
    "def total_wait(lengths):\n"
    "    \"\"\"Time the jobs spend waiting, the shortest going first.\"\"\"\n"
    "    clock = 0\n"
    "    waited = 0\n"
    "    for length in sorted(lengths):\n"
    "        waited += clock\n"
    "        clock += length\n"
    "    return waited\n"
    "\n"
    "\n"
    "def within(lengths, limit):\n"
    "    \"\"\"How many jobs of the queue end by the limit.\"\"\"\n"
    "    clock = 0\n"
    "    count = 0\n"
    "    for length in lengths:\n"
    "        clock += length\n"
    "        if clock > limit:\n"
    "            break\n"
    "        count += 1\n"
    "    return count\n"
    "\n"
    "\n"
    "def batches(items, size):\n"
    "    \"\"\"Batches of at most size items.\"\"\"\n"
    "    if size < 1:\n"
    "        return []\n"
    "    out = []\n"
    "    i = 0\n"
    "    while i < len(items):\n"
    "        out.append(items[i:i + size])\n"
    "        i += size\n"
    "    return out\n";

static const char jobs_retry[] =
    "FIRST = 2\n"
    "CAP = 60\n"
    "\n"
    "\n"
    "def delay(attempt):\n"
    "    \"\"\"Doubles with every attempt, up to a cap.\"\"\"\n"
    "    wait = FIRST\n"
    "    for i in range(attempt):\n"
    "        wait = wait * 2\n"
    "    return min(wait, CAP)\n"
    "\n"
    "\n"
    "def total_delay(attempts):\n"
    "    total = 0\n"
    "    for attempt in range(attempts):\n"
    "        total += delay(attempt)\n"
    "    return total\n"
    "\n"
    "\n"
    "def succeeded(results, needed):\n"
    "    \"\"\"True when the last results, as many as needed, are all 'ok'.\"\"\"\n"
    "    if len(results) < needed:\n"
    "        return False\n"
    "    for i in range(len(results) - needed, len(results)):\n"
    "        if results[i] != 'ok':\n"
    "            return False\n"
    "    return True\n";

static const struct patches_module jobs_modules[] = {
    {"jobs/load.py", jobs_load},
    {"jobs/queue.py", jobs_queue},
    {"jobs/retry.py", jobs_retry},
};

static const struct patches_function jobs_functions[] = {
    {"jobs/queue.py", "finish_times", "[#1:9]0:6", "the finish times of the jobs"},
    {"jobs/queue.py", "total_wait", "[#1:9]0:6", "the total waiting time"},
    {"jobs/queue.py", "within", "[#1:9]0:7 #5:25", "the number of jobs done in time"},
    {"jobs/queue.py", "batches", "[#1:9]0:9 #0:4", "the batches"},
    {"jobs/retry.py", "delay", "#0:8", "the delay before a retry"},
    {"jobs/retry.py", "total_delay", "#0:8", "the total delay"},
    {"jobs/retry.py", "succeeded", "[('ok'|'ok'|'ok'|'bad')]0:6 #0:4",
     "the verdict on the last results"},
    {"jobs/load.py", "least_loaded", "[#1:6]1:6", "the choice of the worker"},
    {"jobs/load.py", "assign", "[#1:9]0:7 #1:4", "the loads of the workers"},
    {"jobs/load.py", "idle_slots", "[#0:7]0:5 #0:8", "the list of idle slots"},
    {"jobs/load.py", "give_up", "#0:7 (3|8|10|16|32|59|60|61)", "the decision to give up"},
};

const struct patches_project patches_jobs = {"jobs", jobs_modules, 3, jobs_functions, 11};

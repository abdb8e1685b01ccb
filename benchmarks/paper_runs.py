"""Runs as arrays, the statistics of their pages, and Markdown: what paper.py is made of. Needs NumPy."""
import collections
import csv
import functools
import glob
import json
import math
import os
import pathlib
import re
import sys

import numpy as np

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "paper"
PAPER = ("exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual")  # the families it ranks
OBS_BASED = ("obs-only", "grounded", "cvci", "cvci-residual")
VARIANTS = {"grounded-linear": "grounded", "grounded-anchored": "grounded"}
UNDERFIT = ("exp_only.rho", "obs_only.rho", "representation_exp.rho")  # penalties that F5 raises
MAIN_KEYS = ("reward.map", "beta", "n_obs", "n_exp")
AVERAGED = ("reward.lambda_fix", "reward.omega")  # of the reward design, over which tables average
LISTS = ("context", "loss", "value", "dm", "dr")
TIE = 1e-12  # means that differ by less are equal
RESAMPLES, FEW_SEEDS = 2000, 10

# ------------------------------------------------------------------------------------------------ runs


def as_text(value):
    """A key's value as the program prints it."""
    if isinstance(value, bool) or isinstance(value, list) or value is None:
        return json.dumps(value, separators=(",", ":"))
    return value if isinstance(value, str) else f"{value:.17g}" if value != round(value, 12) else f"{value:.12g}"


def number_of(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


class Run:
    """The rows of a run: value[measure][(kind, name)] is an array, cell by seed, NaN where there is none."""

    def __init__(self, folder):
        self.folder, self.name = folder, os.path.basename(os.path.normpath(folder))
        rows, keys_of, pool = self.read(folder)
        self.pool, self.synthetic = pool.get("name", ""), bool(pool.get("synthetic"))
        self.n_cells, self.seeds = len(keys_of), sorted({row["seed"] for row in rows})
        names = [*MAIN_KEYS, *sorted({k for cell in keys_of for k in cell} - set(MAIN_KEYS))]
        texts = [{k: as_text(cell.get(k, self.config.get(k))) for k in names} for cell in keys_of]
        self.keys = {k: self.ordered({cell[k] for cell in texts}, [cell[k] for cell in texts]) for k in names}
        self.place = {k: np.array([self.keys[k].index(cell[k]) for cell in texts]) for k in names}
        self.all = np.arange(self.n_cells)
        self.index(rows)

    def read(self, folder):
        shards = sorted(glob.glob(os.path.join(glob.escape(folder), "results-*-of-*.jsonl")))
        if shards:
            facts = json.loads(pathlib.Path(folder, "run.json").read_text(encoding="utf-8"))
            rows = [json.loads(line) for path in shards for line in open(path, encoding="utf-8")]
            self.config, cells = facts["config"], [dict(cell.get("key", {})) for cell in facts["cells"]]
            for row in rows:
                cells[row["cell"]].update(row["key"])
            return rows, cells, facts.get("pool", {})
        path = next((p for p in (pathlib.Path(folder, n) for n in ("results.csv", "rows.csv")) if p.exists()), None)
        if path is None:
            sys.exit(f"paper.py: {folder} holds neither results-*.jsonl of a run nor results.csv or rows.csv")
        self.config = json.loads(pathlib.Path(folder, "config.json").read_text(encoding="utf-8"))
        return self.read_csv(path)

    def read_csv(self, path):
        records = list(csv.DictReader(open(path, encoding="utf-8", newline="")))
        head = list(records[0])
        keys = head[head.index("family") + 1:head.index("regret")]
        cells = [{} for _ in range(1 + max(int(r["cell"]) for r in records))]
        rows = []
        for r in records:
            cells[int(r["cell"])] = {k: r[k] for k in keys}
            row = {k: number_of(v) if v else None for k, v in r.items() if k not in keys}
            rows.append({**row, "cell": int(r["cell"]), "seed": int(r["seed"]), "kind": r["kind"],
                         "family": r["family"]})
        return rows, cells, {"name": records[0]["pool"], "synthetic": records[0]["synthetic"] == "true"}

    @staticmethod
    def ordered(values, seen):
        """The distinct values: numbers ascend, words come as they are met."""
        if all(not math.isnan(number_of(v)) for v in values):
            return sorted(values, key=float)
        return list(dict.fromkeys(seen))

    def index(self, rows):
        seed_at = {seed: i for i, seed in enumerate(self.seeds)}
        self.value = collections.defaultdict(dict)
        self.lists = collections.defaultdict(dict)
        self.subjects = list(dict.fromkeys((row["kind"], row["family"]) for row in rows))
        for row in rows:
            who, at = (row["kind"], row["family"]), (row["cell"], seed_at[row["seed"]])
            for name, value in row.items():
                if name in LISTS and isinstance(value, list):
                    self.lists[name][(who, *at)] = value
                elif isinstance(value, (int, float)) and name not in ("cell", "seed"):
                    of = self.value[name]
                    if who not in of:
                        of[who] = np.full((self.n_cells, len(self.seeds)), np.nan)
                    of[who][at] = value
        self.made = len({(row["cell"], row["seed"]) for row in rows})
        given = [f if isinstance(f, str) else f.get("name") for f in self.config.get("families", [])]
        found = [name for kind, name in self.subjects if kind == "family"]
        self.families = [f for f in given if f in found] + [f for f in found if f not in given]
        self.paper = [("family", f) for f in self.families if f in PAPER]

    def of(self, measure, who):
        """Cell by seed."""
        array = self.value[measure].get(who)
        return np.full((self.n_cells, len(self.seeds)), np.nan) if array is None else array

    def has(self, measure, who):
        return bool(np.isfinite(self.of(measure, who)).any())

    def is_axis(self, key):
        return key in MAIN_KEYS or len(self.keys.get(key, ())) > 1

    def seed_means(self, cells, measure, who):
        """A number a seed, NaN where one of the cells lacks its own."""
        y = self.of(measure, who)[cells]
        return y.mean(axis=0) if len(y) else np.full(len(self.seeds), np.nan)

    def cell_means(self, cells, measure, who):
        return np.array([finite_mean(y) for y in self.of(measure, who)[cells]])

    def mean(self, cells, measure, who):
        return finite_mean(self.cell_means(cells, measure, who))

    def lowest(self, cells, whom, measure="regret", sign=-1):
        """The first of the lowest mean (sign 1: of the greatest); None where none has one."""
        means = [sign * self.mean(cells, measure, who) for who in whom]
        best = max((m for m in means if math.isfinite(m)), default=None)
        return None if best is None else whom[means.index(best)]

    def find(self, name, *kinds):
        return next((s for kind in kinds for s in self.subjects if s == (kind, name)), None)

    def split(self, cells, keys):
        """Groups of cells, one for every combination of values that occurs, the first key slowest."""
        places = sorted({tuple(int(self.place[k][c]) for k in keys) for c in cells})
        return [np.array([c for c in cells if all(self.place[k][c] == v for k, v in zip(keys, at))]) for at in places]

    def groups(self, but=()):
        """(heading, cells) by the swept keys that tables do not have as rows or columns, less those of `but`."""
        keys = [k for k in self.keys if k not in MAIN_KEYS + AVERAGED and k not in but and len(self.keys[k]) > 1]
        return [(", ".join(f"{k} = {self.keys[k][self.place[k][cells[0]]]}" for k in keys), cells)
                for cells in self.split(self.all, keys)]


# ------------------------------------------------------------------------------------------------ statistics


def finite_mean(x):
    x = x[np.isfinite(x)]
    return float(x.sum() / len(x)) if len(x) else math.nan


def philox(counter, key=(0, 0)):
    """Philox4x32-10 (Salmon et al. 2011)."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & 0xFFFFFFFF, (p0 >> 32) ^ c3 ^ k1, p0 & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


def draws_below(n, number):
    """The numbers below n of resample `number`, without end (Lemire 2019)."""
    for block in range(1 << 32):
        for u in philox((block, 11, number, 0)):
            product = u * n
            if product & 0xFFFFFFFF >= (-n & 0xFFFFFFFF) % n:
                yield product >> 32


@functools.lru_cache(maxsize=None)
def resamples(n):
    """How often each of n seeds is drawn: resample by seed."""
    weight = np.zeros((RESAMPLES, n))
    for b in range(RESAMPLES):
        for _, i in zip(range(n), draws_below(n, b)):
            weight[b, i] += 1
    return weight


def limits(x):
    """The 2.5 and 97.5 % of those that are finite."""
    x = x[np.isfinite(x)]
    return (float(np.quantile(x, .025)), float(np.quantile(x, .975))) if len(x) > 1 else (math.nan, math.nan)


def student_cdf(t, df):
    """By the continued fraction of the incomplete beta function (Numerical Recipes, 6.4)."""
    if not df > 0 or math.isnan(t):
        return math.nan
    x, a, b = df / (df + t * t), df / 2, .5
    if x >= 1:
        return .5

    def fraction(a, b, x):
        c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
        h = d
        for m in range(1, 500):
            for up in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                       -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
                d, c = 1 / (1 + up * d), 1 + up / c
                h *= c * d
        return h

    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    below = front * fraction(a, b, x) / a if x < (a + 1) / (a + b + 2) else 1 - front * fraction(b, a, 1 - x) / b
    return below / 2 if t < 0 else 1 - below / 2


@functools.lru_cache(maxsize=None)
def student_quantile(p, df):
    low, high = 0.0, 1e6
    while high - low > 1e-13 * max(1, high):
        middle = (low + high) / 2
        low, high = (middle, high) if student_cdf(middle, df) < p else (low, middle)
    return (low + high) / 2


class Paired(collections.namedtuple("Paired", "mean se low high n")):
    """An amount over n seeds with its standard error and 95 % bootstrap interval."""

    @classmethod
    def of(cls, d):
        d = d[np.isfinite(d)]
        n = len(d)
        if n < 2:
            return cls(float(d[0]) if n else math.nan, math.nan, math.nan, math.nan, n)
        mean = float(d.sum() / n)
        return cls(mean, math.sqrt(float(((d - mean) ** 2).sum()) / (n - 1) / n), *limits(resamples(n) @ d / n), n)

    def p_value(self, value=0.0):
        distance = abs(self.mean - value)
        if self.se > 0:
            return 2 * student_cdf(-distance / self.se, self.n - 1)
        return math.nan if math.isnan(self.se) else 0.0 if distance > 0 else 1.0

    def detectable(self):
        """The true size that so many seeds tell from 0 with a power of .8."""
        if self.n < 2:
            return math.nan
        return (student_quantile(.975, self.n - 1) + student_quantile(.8, self.n - 1)) * self.se

    def separable(self):
        return self.low > 0 or self.high < 0


def adjusted(p, down):
    """Holm's p-values (down) or Benjamini and Hochberg's; those that are NaN stay so and do not count."""
    order = sorted((i for i in range(len(p)) if not math.isnan(p[i])), key=lambda i: p[i])
    out, n, bound = [math.nan] * len(p), len(order), 0.0 if down else 1.0
    for k in range(n) if down else reversed(range(n)):
        q = p[order[k]]
        bound = max(bound, min(1, (n - k) * q)) if down else min(bound, n * q / (k + 1))
        out[order[k]] = bound
    return out


def average_ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def correlation(a, b):
    a, b = np.array(a) - np.mean(a), np.array(b) - np.mean(b)
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size > 0 else math.nan


def kendall(a, b):
    """τ_b."""
    pairs = [(np.sign(a[i] - a[j]), np.sign(b[i] - b[j])) for i in range(len(a)) for j in range(i)]
    size = math.sqrt(sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs))
    return float(sum(x * y for x, y in pairs)) / size if size > 0 else math.nan


def standings(means):
    """(rank, share of a win) among the last axis, lowest first; equals share."""
    lower = (means[..., None, :] < means[..., :, None] - TIE).sum(-1)
    higher = (means[..., None, :] > means[..., :, None] + TIE).sum(-1)
    equal = means.shape[-1] - lower - higher
    return lower + (equal + 1) / 2, np.where(lower == 0, 1 / equal, 0)


# ------------------------------------------------------------------------------------------------ data/paper


def records_of(path):
    return list(csv.DictReader(open(path, encoding="utf-8", newline="")))


class Shape:
    """What a run must be to answer a view or be held against a table: its task and words on what it sweeps."""

    def __init__(self, record):
        self.name, self.task, self.words = next(iter(record.values())), record["task"], record["shape"].split()
        self.record = record

    def is_about(self, run):
        maps = run.keys["reward.map"]
        return self.task == ("world" if "world" in maps else "coding" if "utility" in maps else "summaries")

    def fits(self, run):
        return self.is_about(run) and all(self.has(word, run) for word in self.words)

    @staticmethod
    def has(word, run):
        if word == "families":
            return len(run.paper) >= 3
        if word == "values":
            return any(run.has("dm_rmse", ("family", f)) for f in run.families)
        if word == "stressed":
            return is_stressed(run)
        if word.startswith("variant:"):
            return any(VARIANTS.get(f) == word[8:] for f in run.families)
        key, sign, said = re.fullmatch(r"([\w.]+)([=>])(\d+)", word).groups()
        n = len(run.keys.get(key, (None,)))
        return n == int(said) if sign == "=" else n > int(said)

    def sweeps(self, key):
        return any(re.split("[=>]", word)[0] == key and not word.endswith("=1") for word in self.words)


def is_stressed(run):
    """F5's regime: strong selection, low noise and a deliberate underfit."""
    def least(key):
        swept = [json.loads(v) if v[:1] == "[" else number_of(v) for v in run.keys.get(key, ())]
        values = swept or [run.config.get(key)]
        values = [v[0] if isinstance(v, list) else v for v in values if v is not None]
        return min(map(float, values), default=math.nan)
    where = "world" if run.config.get("task") == "world" else "outcome"
    laws = set(run.keys.get(f"{where}.law", [run.config.get(f"{where}.law")]))
    return (least("beta") >= .8 and (laws == {"none"} or least(f"{where}.precision") > 25)
            and any(least(key) > 1 for key in UNDERFIT))


# ------------------------------------------------------------------------------------------------ Markdown


class Bold(str):
    pass


def shown(x, decimals, sign=False):
    if not math.isfinite(x):
        return "–"
    digits = f"{abs(x):.{decimals}f}"
    return ("−" if x < 0 and digits.strip("0.") else "+" if sign else "") + digits


def escaped(text):
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*|\[\]~$#])", r"\\\1", text)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text)


class Page:
    def __init__(self, title):
        self.lines, self.notes, self.tables = [f"## {escaped(title)}"], [], {}

    def table(self, heading, columns, rows):
        """Columns with | between them; those that end in a colon hold numbers."""
        heads = columns.split("|")
        self.tables[heading] = [h.rstrip(":") for h in heads], rows
        self.lines += ["", f"**{escaped(heading)}**", "", f"| {' | '.join(escaped(h.rstrip(':')) for h in heads)} |",
                       "|" + "|".join("---:" if h.endswith(":") else "---" for h in heads) + "|"]
        for row in rows:
            cells = [f"**{escaped(c)}**" if isinstance(c, Bold) else escaped(c) for c in row]
            self.lines.append(f"| {' | '.join(cells)} |")

    def text(self):
        return "\n".join([*self.lines, "", *(f"* {escaped(note)}" for note in self.notes)]) + "\n"

#!/usr/bin/env python3
"""Values of a log and a trial, recomputed with NumPy from the rows that `regret recommend --details` writes.

usage: check_evaluate.py PROGRAM FOLDER

A SYNTHETIC log and trial with users of several rows, unequal chances and an agent that the trial does not have go through the command. Of
rows.csv the out-of-fold surface, the folds and what policies chose are believed; DM, DR, SNDR, errors, degrees of freedom, intervals,
differences, and values of policies, tags and margins follow from the formulas of docs/protocol.md §13. That each policy is one of the
folds before the row's is checked as far as it can be from outside: it is one agent a fold, or one a fold and tag. Without SciPy intervals
are not recomputed.
"""
import csv
import json
import pathlib
import random
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not there")
    sys.exit(77)
try:
    from scipy import stats
except ImportError:
    stats = None

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
PRIOR, SMALL = 4.0, 1e-9
LEAST, SPAN = 1, 4  # of outcomes
CHANCES = {"amber": 0.2, "birch": 0.3, "cedar": 0.5}


def make_tables():
    rng = random.Random(11)
    for name, n, is_trial in (("log.csv", 500, False), ("trial.csv", 360, True)):
        with open(folder / name, "w", encoding="utf-8", newline="") as f:
            table = csv.writer(f)
            table.writerow(["request", "prompt", "agent", "stars", "kind", "user", "p"])
            for i in range(n):
                kind = rng.choice(["code", "verse", "law"])
                if is_trial:
                    agent = rng.choices(list(CHANCES), CHANCES.values())[0]
                else:
                    agent = rng.choice(list(CHANCES) + ["dune"])
                mean = 3 + (0.9 if (agent, kind) in (("birch", "code"), ("amber", "verse")) else 0) + rng.gauss(0, 0.7)
                table.writerow([f"{name[0]}{i}", f"a request of {kind} {rng.randrange(30)}", agent, round(min(5, max(1, mean)), 2),
                                kind, f"{name[0]}u{i // 3}", CHANCES.get(agent, "") if is_trial else ""])
    columns = {"context": "request", "text": "prompt", "agent": "agent", "outcome": "stars", "tag": "kind", "cluster": "user"}
    config = {"obs": {"file": "log.csv", **columns}, "exp": {"file": "trial.csv", **columns, "propensity": "p"},
              "outcome": {"low": 1, "high": 5}, "families": ["exp-only", "mixed"], "incumbent": "cedar"}
    (folder / "evaluate.json").write_text(json.dumps(config))


def table(name):
    with open(folder / "out" / name, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def near(found, wanted, what):
    found = float(found) if found != "" else float("nan")
    if not (abs(found - wanted) <= SMALL * (1 + abs(wanted)) or (np.isnan(found) and np.isnan(wanted))):
        sys.exit(f"{what}: {found!r}, recomputed {wanted!r}")


class Rows:
    """rows.csv on the scale of the outcomes."""

    def __init__(self, agents):
        rows = table("rows.csv")
        self.n = len(rows)
        self.y = np.array([float(r["outcome"]) for r in rows])
        self.p = np.array([float(r["propensity"]) for r in rows])
        self.agent = np.array([agents.index(r["agent"]) for r in rows])
        self.cluster = np.unique([int(r["cluster"]) for r in rows], return_inverse=True)[1]
        self.fold = np.array([int(r["fold"]) for r in rows])
        self.tag = np.array([r["tag"] for r in rows])
        self.margin_group = np.array([r["margin_group"] for r in rows])
        self.f = np.array([[float(r[a]) for a in agents] for r in rows])
        self.choice = {k: np.array([agents.index(r[k]) if r[k] else -1 for r in rows])
                       for k in ("single", "by_tag", "by_request")}
        self.noise = 0.0

    def by_cluster(self, x):
        return np.bincount(self.cluster, x, self.cluster.max() + 1)

    def asked(self, choice, use):
        """Weight, R, m and Q by cluster of the rows in which the choice was asked."""
        w = np.where(use & (choice == self.agent), 1 / self.p, 0)
        r = self.y - self.f[np.arange(self.n), self.agent]
        mean = (w * r).sum() / w.sum() if w.sum() > 0 else 0
        m = w.sum() ** 2 / (self.by_cluster(w) ** 2).sum() if w.sum() > 0 else 0
        return mean, m, self.by_cluster(w * (r - mean)) / (w.sum() if w.sum() > 0 else 1)

    def v_q(self, q, m, factor):
        return ((m - 1) * factor * (q ** 2).sum() + PRIOR * self.noise / m) / (m - 1 + PRIOR)

    def set_noise(self, n_agents):
        top = bottom = 0.0
        for a in range(n_agents):
            _, m, q = self.asked(np.full(self.n, a), np.ones(self.n, bool))
            if m >= 2:
                top, bottom = top + m ** 2 * (q ** 2).sum(), bottom + m - 1
        self.noise = top / bottom

    def bounded(self, choice, use, value, variance):
        """Mean, variance, rows and df on a scale of [0,1], the edge of which an agent's own rows decide."""
        own = use & (choice == self.agent)
        w = np.where(own, 1 / self.p, 0)
        sizes, m = self.by_cluster(own), w.sum() ** 2 / (self.by_cluster(w) ** 2).sum()
        assert np.ptp(self.y[own]) > 0
        n = min(own.sum() / (1 + 0.3 * ((sizes ** 2).sum() / own.sum() - 1)), w.sum() ** 2 / (w ** 2).sum(), w.sum() / w.max())
        return min(1, max(0, (value - LEAST) / SPAN)), variance / SPAN ** 2, n, m - 1

    def worth(self, choice, use):
        """(value, error, df, what limits are of) of DR and of SNDR, and DM."""
        n, f = use.sum(), self.f[np.arange(self.n), np.maximum(choice, 0)]
        dm = f[use].mean()
        mean, m, q = self.asked(choice, use)
        w = np.where(use & (choice == self.agent), 1 / self.p, 0)
        residual = w * (self.y - self.f[np.arange(self.n), self.agent])
        p = self.by_cluster(np.where(use, f - dm, 0) / n)
        d = self.by_cluster(np.where(use, residual - residual.sum() / n, 0) / n)
        c = len(np.unique(self.cluster[use]))
        v_p = c / (c - 1) * (p ** 2).sum()
        out = [dm]
        for value, influence, factor in ((dm + residual.sum() / n, d, c / (c - 1)), (dm + mean, q, m / (m - 1) if m > 1 else 0)):
            v_q = self.v_q(influence, m, factor) if m >= 2 else float("nan")
            v = max(v_p + v_q + 2 * (p * influence).sum(), 0.1 * (v_p + v_q)) if m >= 2 else float("nan")
            df = (v_p + v_q) ** 2 / (v_p ** 2 / (c - 1) + v_q ** 2 / (m - 1 + PRIOR))
            out.append((value, np.sqrt(v), df, self.bounded(choice, use, value, v), (p + influence) / SPAN))
        return out

    def difference(self, x, y, use):
        n, differ = use.sum(), use & (x != y)
        if not differ.any():
            return 0.0, 0.0, float("inf"), None
        share, at = differ.sum() / n, np.arange(self.n)
        (rx, mx, qx), (ry, my, qy) = self.asked(x, differ), self.asked(y, differ)
        gap = np.where(differ, self.f[at, np.maximum(x, 0)] - self.f[at, np.maximum(y, 0)] + rx - ry, 0)
        value = gap.sum() / n
        if min(mx, my) < 2:
            return value, float("nan"), float("nan"), None
        p, c = self.by_cluster(np.where(use, gap - value, 0) / n), len(np.unique(self.cluster[use]))
        v_p = c / (c - 1) * (p ** 2).sum()
        v_x, v_y = share ** 2 * self.v_q(qx, mx, mx / (mx - 1)), share ** 2 * self.v_q(qy, my, my / (my - 1))
        cross = 2 * share * ((p * qx).sum() - (p * qy).sum()) - 2 * share ** 2 * (qx * qy).sum()
        v = max(v_p + v_x + v_y + cross, 0.1 * (v_p + v_x + v_y))
        df = (v_p + v_x + v_y) ** 2 / (v_p ** 2 / (c - 1) + v_x ** 2 / (mx - 1 + PRIOR) + v_y ** 2 / (my - 1 + PRIOR))
        one, other = self.worth(x, differ)[2], self.worth(y, differ)[2]
        rho = max(-1, min(1, (one[4] * other[4]).sum() * SPAN ** 2 / one[1] / other[1]))
        varies = self.by_cluster(np.where(use, differ - share, 0) / n)
        by_share = (one[3][0] - other[3][0]) ** 2 * c / (c - 1) * (varies ** 2).sum()
        return value, np.sqrt(v), df, (one[3], other[3], rho, share, by_share, c - 1)


def upper(m, v, n, df, tail):
    """Of a mean of outcomes of [0,1] ("Limits of proportions"): a row of 1 is added, of weight c, and a beta matched."""
    if m >= 1:
        return 1.0
    n, df = max(n, 2), max(df, 1)
    s = v * (n - 1) / n
    e = min(n * x ** 2 / (n * s + x ** 2) if x > 0 else 0 for x in (m, 1 - m))
    c = 0.75 * min(1, min(10, n / 4) / e) if e > 0 else 0.75
    mu = (n * m + c) / (n + c)
    w = (n ** 2 * s + n * (m - mu) ** 2 + c * (1 - mu) ** 2) / ((n + c) * (n + c + 1))
    k = max(mu * (1 - mu) / w - 1, 1e-9) * (stats.norm.ppf(tail) / stats.t.ppf(tail, df)) ** 2
    return max(m, stats.beta.ppf(1 - tail, mu * k, (1 - mu) * k))


def limits(x, below, above):
    m, v, n, df = x
    return (1 - upper(1 - m, v, n, df, below) if m > 0 else 0.0), upper(m, v, n, df, above)


def limits_of_value(x, below, above):
    return [LEAST + SPAN * end for end in limits(x[3], below, above)]


def limits_of_difference(x, below, above):
    """From those of both sides (MOVER), and by how the share of the rows varies on which they differ."""
    value, _, _, gap = x
    if gap is None:
        return value, value
    one, other, rho, share, by_share, df = gap
    (l1, u1), (l2, u2) = limits(one, below, above), limits(other, above, below)
    reach = [np.sqrt(a ** 2 + b ** 2 - 2 * rho * a * b) for a, b in ((one[0] - l1, u2 - other[0]), (u1 - one[0], other[0] - l2))]
    t = [stats.t.ppf(1 - tail, df) * np.sqrt(by_share) for tail in (below, above)]
    return value - SPAN * np.hypot(share * reach[0], t[0]), value + SPAN * np.hypot(share * reach[1], t[1])


def within(x, is_value):
    """What is told is within what outcomes of 1 to 5, and their differences, can be."""
    return np.clip(x, *((1, 5) if is_value else (-4, 4)))


def near_interval(row, prefix, wanted, what, below=0.025, above=0.025, is_value=False):
    """`below` and `above` are what the interval leaves on either side."""
    names = [prefix + end for end in ("_error", "_low", "_high")] if prefix else ["error", "low", "high"]
    near(row[names[0]], wanted[1], what + ", error")
    if stats is not None:
        low, high = (limits_of_value if is_value else limits_of_difference)(wanted, below, above)
        near(row[names[1]], within(low, is_value), what + ", low")
        near(row[names[2]], within(high, is_value), what + ", high")


def rivals_of(rows, agents, chosen, incumbent, use):
    """The chosen, and whom its lead does not put out of the question."""
    n = 1
    for a in range(len(agents)):
        if a not in (chosen, incumbent) and len(set(rows.cluster[rows.agent == a])) >= 2:
            value, error, *_ = rows.difference(np.full(rows.n, chosen), np.full(rows.n, a), use)
            n += not value > np.sqrt(np.log(use.sum())) * error
    return n


def main():
    make_tables()
    done = subprocess.run([program, "recommend", folder / "evaluate.json", "-o", folder / "out", "--force", "--details"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    agents_csv = table("agents.csv")
    agents = [r["agent"] for r in agents_csv]
    rows, everyone = Rows(agents), None
    rows.set_noise(len(agents))
    everyone, late = np.ones(rows.n, bool), rows.fold >= 2
    incumbent = np.full(rows.n, agents.index("cedar"))
    for a, r in enumerate(agents_csv):
        if r["agent"] == "dune":
            assert r["n_exp"] == "0" and r["sndr_low"] == "" and r["dm_low"] == ""
            continue
        choice = np.full(rows.n, a)
        dm, dr, sndr = rows.worth(choice, everyone)
        near(r["dm"], within(dm, True), f"{agents[a]}, DM")
        for name, wanted in (("dr", dr), ("sndr", sndr)):
            near(r[name], within(wanted[0], True), f"{agents[a]}, {name}")
            near_interval(r, name, wanted, f"{agents[a]}, {name}", is_value=True)
        wanted = rows.difference(choice, incumbent, everyone)
        near(r["difference"], within(wanted[0], False), f"{agents[a]}, difference")
        near_interval(r, "difference", wanted, f"{agents[a]}, difference")
        near(r["mean_exp"], rows.y[rows.agent == a].mean(), f"{agents[a]}, mean")
    for k in ("single", "by_tag", "by_request"):
        assert ((rows.choice[k] >= 0) == late).all()
    for fold in range(2, 5):
        assert len(set(rows.choice["single"][rows.fold == fold])) == 1
        for tag in set(rows.tag):
            assert len(set(rows.choice["by_tag"][(rows.fold == fold) & (rows.tag == tag)])) <= 1
    for r in table("policies.csv"):
        choice = rows.choice[r["policy"].replace("-", "_")]
        value = rows.worth(choice, late)[2]
        near(r["value"], within(value[0], True), r["policy"])
        near_interval(r, "", value, r["policy"], is_value=True)
        for name, other in (("over_single", rows.choice["single"]), ("over_incumbent", incumbent)):
            wanted = rows.difference(choice, other, late)
            near(r[name], within(wanted[0], False), f"{r['policy']}, {name}")
            near_interval(r, name, wanted, f"{r['policy']}, {name}")
        near(r["share"], (choice != rows.choice["single"])[late].mean(), f"{r['policy']}, share")
    eligible = sum(len(set(rows.cluster[rows.agent == a])) >= 2 for a in range(len(agents)))
    rivals = []
    for r in table("tags.csv"):
        use, choice, what = rows.tag == r["tag"], np.full(rows.n, agents.index(r["agent"])), f"tag {r['tag']}"
        rivals.append(rivals_of(rows, agents, choice[0], incumbent[0], use) if choice[0] != incumbent[0] else 1)
        for name, of, wanted in (("", eligible, rows.worth(choice, use)[2]), ("over_incumbent", rivals[-1], rows.difference(choice, incumbent, use))):
            near(r[name or "value"], within(wanted[0], not name), what)
            near_interval(r, name, wanted, what, *((0.8 * 0.05 / of, 0.2 * 0.05) if of > 1 else (0.025, 0.025)), is_value=not name)
    told = {r["margin_group"]: r for r in table("recommendations.csv")}
    for g in sorted(set(told) & set(rows.margin_group)):
        wanted = rows.difference(rows.choice["by_request"], incumbent, rows.margin_group == g)
        near_interval({"error": wanted[1], "low": told[g]["margin_low"], "high": told[g]["margin_high"]}, "", wanted, f"margins of group {g}")
    print(f"{len(agents)} agents, {rows.n} rows in {rows.cluster.max() + 1} users, {rivals} rivals of tags: as NumPy has them")


main()

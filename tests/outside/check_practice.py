#!/usr/bin/env python3
"""Recomputes the families mixed and stack with NumPy and SciPy (protocol section 5), from exported replicates alone.

Usage: check_practice.py REGRET FOLDER

Pools with and without tags, with two draws, with few rows, with an agent that has no EXP row, and with unobserved pairs.
Words: w(x) from the texts, by a dense singular value decomposition of their TF-IDF. mixed, and the two of its kind that only the stack has, of agents alone and by tag: the variances'
restricted likelihood, of all rows as one normal vector, is at least as high as the best that SciPy finds
from several starts, and none of the variances can be moved to raise it; effects at these variances are compared by their
covariances with the rows, nothing of Henderson's equations being used. stack: members are refitted without each fold, weights found by trying every face of
the simplex, libraries judged and chosen anew. Predictions, weights, losses, errors and values are compared. Exit code 77
where NumPy or SciPy is missing.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.dont_write_bytecode = True
try:
    import numpy as np
    from scipy import linalg, optimize, stats
    from replicate import Replicate, clip
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# Of predictions, weights, losses and values; and what the likelihood of the variances may lack of SciPy's best.
TOLERANCE, LIKELIHOOD = 1e-9, 1e-6
KEYS = {"contexts.hard": 0, "features.buckets": 128, "router.slate": 3, "features.agent": 3, "cvci.lambda": [0, 0.3, 1],
        "cvci_residual.lambda": [0, 0.5, 1], "cvci_residual.rho": [1, 100], "grounded.rho": [1, 100], "values.folds": 3,
        "proxy.dim": 4, "families": ["exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual",
                                     "mixed", "stack"]}
SETTINGS = {  # name: (agents, contexts, tags, draws, share of outputs, what words are worth, seed, keys)
    "tags": (5, 30, 2, 1, 1.0, 0, 0, {"n_obs": 150, "n_exp": 70, "beta": 0.8}),
    "plain": (4, 24, 1, 1, 1.0, 2, 0, {"n_obs": 60, "n_exp": 40, "values.fold_unit": "row"}),
    "draws": (3, 20, 3, 2, 1.0, 0.5, 13, {"n_obs": 80, "n_exp": 60, "beta": 1, "values.enabled": False}),
    # Of 32 rows with two summits of the likelihood, and an agent without EXP rows.
    "few": (6, 20, 2, 1, 1.0, 0, 6, {"n_obs": 25, "n_exp": 7, "values.enabled": False}),
    "one": (6, 20, 2, 1, 1.0, 0, 5, {"n_obs": 25, "n_exp": 7, "values.enabled": False}),
    # Thirteen agents cross with nineteen of the directions that words have.
    "many": (13, 24, 2, 1, 1.0, 2, 3, {"n_obs": 90, "n_exp": 60, "values.enabled": False}),
    "picked": (4, 60, 2, 1, 1.0, 0, 2, {"n_obs": 200, "n_exp": 100, "values.enabled": False}),
    # A number with ties, one that is constant and words of which one is seldom; by the first and the last agents differ.
    "own": (4, 50, 2, 1, 1.0, 0, 4, {"n_obs": 160, "n_exp": 90, "features.columns": 1, "values.enabled": False}),
    "own-many": (13, 40, 1, 1, 1.0, 0, 4, {"n_obs": 160, "n_exp": 90, "features.agent_columns": 2, "values.enabled": False}),
    "holes": (6, 40, 2, 1, 0.55, 1, 1, {"n_obs": 120, "n_exp": 90, "grid.policy": "observed",
                                        "grid.min_comparable": 10, "values.enabled": False}),
}
BLOCKS = ["agent", "agent_tag", "text", "words", "picked", "bias", "text_bias", "own", "agent_own", "context", "entry"]
OF_AGENTS = {"agent", "bias", "context", "entry"}  # blocks of the smallest of the three mixed models
MIXED = {"mixed-agent": OF_AGENTS, "mixed-tag": OF_AGENTS | {"agent_tag"}, "mixed": set(BLOCKS)}
MEMBERS = ["mixed-agent", "agent-exp", "agent-obs", "mixed-tag", "tag-exp", "tag-obs", "mixed",
           "exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual"]
LIBRARIES = {"one": 1, "agents": 3, "tags": 6, "mixed": 7, "all": 13}
# Directions of words and of own columns; columns of agents times these; times picked words; times own columns.
MOST_WORDS, MOST_CROSSED, MOST_PICKED, MOST_OWN = 32, 256, 128, 128
SHRINKAGE, PRIOR = 2, 400  # rows by which means are drawn to others; that even weights are worth
STEPS = 8  # parts that a number is cut into
LEVEL = 0.01  # how likely a word may be picked where agents differ by none
OWN = [{"name": "size", "kind": "number"}, {"name": "same", "kind": "number"}, {"name": "land", "kind": "word"}]
KINDS = {"agents and tags": range(6), "mixed": range(6, 7), "families": range(7, 13)}

worst = {}


def compare(what, ours, theirs, tolerance=TOLERANCE):
    difference = float(np.max(np.abs(np.asarray(ours, float) - np.asarray(theirs, float))))
    worst[what] = max(worst.get(what, 0.0), difference)
    assert difference <= tolerance, f"{what}: off by {difference:.2e}"


def make_pool(folder, name, agents, contexts, tags, draws, share, words):
    rng = np.random.default_rng(len(name) + contexts)
    folder.mkdir(parents=True, exist_ok=True)
    say = lambda n: " ".join(f"w{int(40 * rng.random() ** 2)}" for _ in range(n))
    (folder / "pool.json").write_text(json.dumps({
        "format": "regret-pool-1", "name": name, "title": name, "version": "1", "licence": "none", "source": "made",
        "synthetic": True, **({"columns": OWN} if name.startswith("own") else {}), "agents": [{"id": f"m{a}", "title": f"m{a}", "cost": 1.0 + a} for a in range(agents)],
        "components": [{"name": "good", "low": 0, "high": 1}, {"name": "short", "low": 0, "high": 1}]}))
    level, by_tag = rng.normal(0.5, 0.08, agents), rng.normal(0, 0.15, (agents, tags))
    with open(folder / "contexts.jsonl", "w") as texts, open(folder / "outputs.jsonl", "w") as outputs:
        for x in range(contexts):
            tag = min(x % (tags + 1), tags - 1)
            one = {"id": f"p{x}", "text": say(rng.integers(4, 12)) + f" of the kind{tag}", "tag": f"t{tag}"}
            hard = rng.normal(0, 0.1)
            if tags == 1:
                del one["tag"]
            if name.startswith("own"):
                one["columns"] = {"size": int(rng.integers(0, 9)), "same": 2.5, "land": rng.choice(["a", "b", "c", "seldom"], p=[0.4, 0.3, 0.25, 0.05])}
            told = {"columns": {**one["columns"], "size": None if x % 4 == 3 else one["columns"]["size"]}} if "columns" in one else {}
            texts.write(json.dumps({**one, **told}) + "\n")
            kept = [a for a in range(agents) if rng.random() < share] if share < 1 else range(agents)
            for a in kept:
                for k in range(draws):
                    n = int(rng.integers(2, 14))
                    text = say(n)
                    q = level[a] + by_tag[a, tag] + hard + 0.02 * (n - 8) + rng.normal(0, 0.05)
                    if name == "picked":  # by a word of the request two agents differ, by another they are alike
                        q += 0.3 * ((a == 0) - (a == 1.0)) * ("w2" in one["text"].split()) + 0.1 * ("w5" in one["text"].split())
                    if name.startswith("own"):
                        q += 0.2 * ((a == 0) - (a == 1.0)) * (one["columns"]["size"] > 5) + 0.15 * (a == 2) * (one["columns"]["land"] == "b")
                    q += words * (0.3 * ("w0" in text.split()) - 0.2 * ("w1" in text.split()) - 0.2 * ("w3" in text.split()))
                    outputs.write(json.dumps({
                        "context": f"p{x}", "agent": f"m{a}", "draw": k, "text": text,
                        "components": {"good": float(np.clip(q, 0, 1)), "short": 1 - n / 14}}) + "\n")


# ---------------------------------------------------------------- words


def words_of(texts):
    """TF-IDF of uni- and bigrams of what is no stop word, on its leading right singular vectors; centred, and scaled."""
    terms = [(t := [word for word in text.split() if word not in ("of", "the")]) + [" ".join(two) for two in zip(t, t[1:])] for text in texts]
    column = {term: j for j, term in enumerate(sorted(set(itertools.chain(*terms))))}
    x = np.zeros((len(texts), len(column)))
    for row, own in zip(x, terms):
        np.add.at(row, [column[term] for term in own], 1)
    x *= np.log((1 + len(x)) / (1 + (x > 0).sum(axis=0))) + 1
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    _, singular, v = np.linalg.svd(x, full_matrices=False)
    w = x @ v[:MOST_WORDS][singular[:MOST_WORDS] > 1e-9 * singular[0]].T
    w -= w.mean(axis=0)
    return w / np.sqrt((w**2).sum(axis=1).mean())


def check_words(r, pool):
    with open(pool / "contexts.jsonl", encoding="utf-8") as file:
        text = {one["id"]: one["text"] for one in map(json.loads, file)}
    w = words_of([text[one["id"] if isinstance(one, dict) else one] for one in r.cell["contexts"]])
    assert w.shape == r.words.shape, (w.shape, r.words.shape)
    compare("words, but for signs", w * np.sign((w * r.words).sum(axis=0)), r.words)


def own_columns(values):
    """Numbers as v/√2 and as steps at their octiles, of one variance, words one-hot: all centred, in leading directions. Blanks
    are at the mean; of ten or more a number, 1 or 0, says which they are."""
    parts = []
    for column in zip(*values):
        if isinstance(column[0], str):
            parts.append((np.array(column)[:, None] == np.unique(column)).astype(float))
            continue
        blank = np.array([v is None for v in column])
        known = np.array([v for v in column if v is not None])
        numbers = [[(v - known.mean()) / (known.std() or 1) if v is not None else 0.0 for v in column]]
        for v in map(np.array, numbers + [blank.astype(float)] * (blank.sum() >= 10)):
            if (v != v[0]).any():
                steps = v[:, None] >= np.sort(v)[np.arange(1, STEPS) * len(v) // STEPS]
                steps = steps - steps.mean(axis=0)
                share = (steps**2).mean(axis=0).sum()
                parts += [(v / np.sqrt(2))[:, None], steps * (np.sqrt(0.5 / share) if share > 0 else 0)]
    x = np.hstack(parts)
    _, singular, v = np.linalg.svd(x, full_matrices=False)
    k = x @ v[:MOST_WORDS][singular[:MOST_WORDS] > 1e-5 * singular[0]].T
    return k - k.mean(axis=0)


def check_own(r, pool, folder):
    if not (folder / "own.csv").exists():
        r.own = np.zeros((len(r.cell["contexts"]), 0))
        return
    values = [list(json.loads(line)["columns"].values()) for line in open(pool / "contexts.jsonl")]
    r.own = np.loadtxt(folder / "own.csv", delimiter=",", skiprows=1)[:, 1:]
    k = own_columns(values)
    assert k.shape == r.own.shape, (k.shape, r.own.shape)
    compare("own columns, but for signs", k * np.sign((k * r.own).sum(axis=0)), r.own)


def common_words(texts):
    """Contexts by words that five and one in a hundred hold, and as many lack: 1 where one is held."""
    tokens = [[word for word in text.split() if word not in ("of", "the")] for text in texts]
    words = list(dict.fromkeys(itertools.chain(*tokens)))
    holds = np.array([[word in own for word in words] for own in map(set, tokens)], float).reshape(len(texts), -1)
    least = max(5, len(texts) // 100)
    return holds[:, (holds.sum(axis=0) >= least) & (len(texts) - holds.sum(axis=0) >= least)]


def pick(r, holds, most):
    """Words by which agents' slopes differ most, one after the other, by chi-squared less than LEVEL over their number."""
    tags = r.cell.get("context_tags") or [0] * len(r.cell["contexts"])
    pairs = [(p, s) for s, own in enumerate((r.obs, r.exp)) for p in np.unique(own)]
    y = np.array([(r.y_exp[r.exp == p] if s else r.y_obs[r.obs == p]).mean() for p, s in pairs])
    agent = np.array([r.agent_of[p] for p, _ in pairs])
    context = np.array([r.context[p] for p, _ in pairs])
    group = np.array([f"{r.agent_of[p]} {s} {tags[r.context[p]]}" for p, s in pairs])
    centre = lambda v: v - np.array([v[group == g].mean() for g in group])
    left, picked = centre(y), []
    for _ in range(most):
        variance = (left**2).sum() / (len(y) - len(set(group)))
        best, height = None, -np.inf
        for j in range(holds.shape[1]):
            z = centre(holds[context, j])
            square = np.array([(z[agent == a] ** 2).sum() for a in range(r.n_agents)])
            slope = np.array([z[agent == a] @ left[agent == a] for a in range(r.n_agents)]) / np.where(square > 1e-9, square, np.inf)
            used = square > 1e-9
            if used.sum() < 2:
                continue
            common = (slope * square).sum() / square.sum()
            chi, df = (square * (slope - common) ** 2)[used].sum() / variance, used.sum() - 1
            h = ((chi / df) ** (1 / 3) - (1 - 2 / (9 * df))) / np.sqrt(2 / (9 * df))
            if h > height + 1e-9:
                best, height, tail, fitted = j, h, stats.chi2.sf(chi, df), slope[agent] * z
        if best is None or tail * holds.shape[1] >= LEVEL:
            break
        picked.append(best)
        left = left - fitted
    return picked


def check_picked(r, pool):
    holds = common_words([json.loads(line)["text"] for line in open(pool / "contexts.jsonl")])
    most = min(8, MOST_PICKED // r.n_agents)
    picked = pick(r, holds, most)
    assert len(picked) == len(r.hyper["mixed"]["picked"]), (picked, r.hyper["mixed"]["picked"])
    r.held = (holds - holds.mean(axis=0))[:, picked]
    if picked:
        compare("picked words", holds[:, picked], holds[:, r.hyper["mixed"]["picked"]])
    return len(picked)


# ---------------------------------------------------------------- mixed


class Mixed:
    """y = β + N(0, V) over all rows, V a sum of covariances of effects: of those that the member has."""

    def __init__(self, r, member, exp_rows):
        pair = np.r_[r.obs, r.exp[exp_rows]]
        is_obs = np.r_[np.ones(len(r.obs)), np.zeros(len(exp_rows))]
        self.y = np.r_[r.y_obs, r.y_exp[exp_rows]]
        tags = r.cell.get("context_tags") or [0]
        tag = np.array(tags)[r.context] if len(set(tags)) > 1 else None
        rank = min(r.words.shape[1], MOST_CROSSED // r.n_agents)
        w, own = r.words[r.context, :rank], r.own[r.context]
        crossed = own[:, :MOST_OWN // r.n_agents]
        same_agent = (r.agent_of[:, None] == r.agent_of[pair]).astype(float)
        kernel = {  # covariances of the effects of every pair with those of the rows
            "agent": same_agent, "text": r.z @ r.z[pair].T, "words": same_agent * (w @ w[pair].T),
            "agent_tag": same_agent * (tag[:, None] == tag[pair]) if tag is not None else 0 * same_agent,
            "own": own @ own[pair].T, "agent_own": same_agent * (crossed @ crossed[pair].T),
            "picked": same_agent * (r.held[r.context] @ r.held[r.context][pair].T),
        }
        self.of_pairs = kernel
        self.covariance = {name: k[pair] for name, k in kernel.items()}
        of_obs = np.outer(is_obs, is_obs)
        same_entry = (pair[:, None] == pair) & (is_obs[:, None] == is_obs)
        self.covariance |= {
            "bias": of_obs * same_agent[pair], "text_bias": of_obs * kernel["text"][pair],
            "context": (r.context[pair][:, None] == r.context[pair]).astype(float), "entry": same_entry.astype(float),
            "noise": np.eye(len(pair))}
        self.shift = of_obs  # δ ~ N(0, 1)
        self.names = [n for n in [*BLOCKS, "noise"] if n in MIXED[member] | {"noise"} and self.covariance[n].any()]
        self.low = np.array([{"agent": 1e-4, "noise": 1e-6}.get(n, 1e-8) for n in self.names])

    def projection(self, v):
        """P, log|V| + log|1'V⁻¹1| and V⁻¹1."""
        V = self.shift + sum(x * self.covariance[n] for x, n in zip(v, self.names))
        factor = linalg.cholesky(V, lower=True)
        inverse = linalg.cho_solve((factor, True), np.eye(len(V)))
        ones = inverse.sum(axis=1)
        return (inverse - np.outer(ones, ones) / ones.sum(), 2 * np.log(np.diag(factor)).sum() + np.log(ones.sum()))

    def loss(self, log_v):
        """−ℓ and its gradient in log v: ∂ℓ/∂v = −½ (tr PK − y'PKPy)."""
        v = np.exp(log_v)
        P, log_det = self.projection(v)
        Py = P @ self.y
        gradient = [x * 0.5 * ((P * self.covariance[n]).sum() - Py @ self.covariance[n] @ Py) for x, n in zip(v, self.names)]
        return 0.5 * (log_det + self.y @ Py), np.array(gradient)

    def best(self, starts):
        bounds = list(zip(np.log(self.low), np.full(len(self.low), np.log(1e2))))
        found = [optimize.minimize(self.loss, np.log(np.clip(s, self.low, 1e2)), jac=True, method="L-BFGS-B", bounds=bounds,
                                   options={"maxiter": 60}) for s in starts]
        return -min(f.fun for f in found)

    def predict(self, variances):
        """β̂ and the conditional means of what the prediction has of every pair, given the rows."""
        v = [variances[n] for n in self.names]
        V = self.shift + sum(x * self.covariance[n] for x, n in zip(v, self.names))
        ones = np.ones(len(V))
        solved = linalg.solve(V, np.c_[ones, self.y], assume_a="pos")
        level = (ones @ solved[:, 1]) / (ones @ solved[:, 0])
        weight = solved[:, 1] - level * solved[:, 0]
        return clip(level + sum(variances[n] * (k @ weight) for n, k in self.of_pairs.items() if n in self.names))


def check_mixed(r, name, member):
    v = r.variances[member]
    model = Mixed(r, member, r.all)
    chosen = np.array([v[n] for n in model.names])
    assert all(v.get(n, 0) == 0 for n in BLOCKS if n not in model.names), (name, member, "a block that is not there has a variance")
    assert (chosen >= model.low * (1 - 1e-12)).all() and (chosen <= 1e2).all(), (name, member, chosen)
    at, gradient = model.loss(np.log(chosen))
    free = (chosen > model.low * 1.0001) & (chosen < 99)
    total = model.y.var()
    rng = np.random.default_rng(1)
    equal, random = np.full(len(chosen), total / len(chosen)), total * rng.dirichlet(np.full(len(chosen), 0.5), 4)
    # Of few rows there may be several summits.
    starts = [chosen * np.exp(rng.normal(0, 0.5, len(chosen))), *([equal, *random] if len(model.y) < 100 else random[:1])]
    best = model.best(starts)
    worst["likelihood that SciPy finds more"] = max(worst.get("likelihood that SciPy finds more", -np.inf), best + at)
    assert -at >= best - LIKELIHOOD, f"{name}, {member}: ℓ = {-at:.9f}, SciPy finds {best:.9f}"
    # In log v; at a bound, where v is next to nothing and its log says little, in v, in units of all variance.
    slope = np.where(free, np.abs(gradient), np.maximum(0, -gradient) * np.maximum(1, total / chosen))
    assert slope.max() < 1e-3, f"{name}, {member}: slopes {dict(zip(model.names, slope))}"
    if member == "mixed":  # those of the others are in no file, but in what the stack says
        compare("mixed, predictions", model.predict(v), r.prediction["mixed"])
    return -at


# ---------------------------------------------------------------- stack


def means(r, exp_rows, sample, by_tag):
    """Of agents, drawn to that of all; by tag drawn to that of the agent."""
    pair, y = (r.exp[exp_rows], r.y_exp[exp_rows]) if sample == "exp" else (r.obs, r.y_obs)
    tag = np.array(r.cell.get("context_tags") or [0] * len(r.cell["contexts"]))[r.context]
    f = np.empty(len(r.z))
    everybody = y.mean() if len(y) else 0.5
    for p in range(len(f)):
        own = r.agent_of[pair] == r.agent_of[p]
        f[p] = (y[own].sum() + SHRINKAGE * everybody) / (own.sum() + SHRINKAGE)
        if by_tag:
            own &= tag[pair] == tag[p]
            f[p] = (y[own].sum() + SHRINKAGE * f[p]) / (own.sum() + SHRINKAGE)
    return f


def member(r, name, rows):
    if name in MIXED:
        return Mixed(r, name, rows).predict(r.variances[name])
    kind, _, sample = name.partition("-")
    if kind in ("agent", "tag"):
        return means(r, rows, sample, kind == "tag")
    return clip(r.family(name, r.hyper[name], rows))


def on_simplex(g, t):
    """argmin |t − G w|² + PRIOR · mean(g²) |w − w°|² over the simplex: the best solution of any face that stays in it."""
    n = g.shape[1]
    q, c = g.T @ g, g.T @ t
    kinds = [[j for j in kind if j < n] for kind in KINDS.values() if kind[0] < n]
    before = np.concatenate([np.full(len(kind), 1 / len(kinds) / len(kind)) for kind in kinds])
    cost = PRIOR * (g**2).mean() if (g**2).any() else 1.0
    q, c = q + np.eye(n) * cost, c + cost * before
    best, least = None, np.inf
    for size in range(1, n + 1):
        faces = np.array(list(itertools.combinations(range(n), size)))
        system = np.zeros((len(faces), size + 1, size + 1))
        system[:, :size, :size] = q[faces[:, :, None], faces[:, None, :]]
        system[:, :size, size] = system[:, size, :size] = 1
        right = np.concatenate([c[faces], np.ones((len(faces), 1))], axis=1)
        solved = np.linalg.solve(system, right[:, :, None])[:, :size, 0]
        for face, w in zip(faces, solved):
            if (w >= 0).all():
                value = w @ q[np.ix_(face, face)] @ w - 2 * c[face] @ w
                if value < least:
                    best, least = np.zeros(n), value
                    best[face] = w
    return best


def average(r, f):
    """The mean over the pairs of each context that EXP may draw."""
    return np.bincount(r.context[r.observed], f[r.observed], len(r.cell["contexts"])) / np.bincount(r.context[r.observed])


def check_stack(r, name):
    told = r.hyper["stack"]
    folds = r.folds["exp"]["rows"]
    assert sorted(i for rows in folds for i in rows) == list(r.all)
    g, t, fold = np.empty((len(r.exp), len(MEMBERS))), np.empty(len(r.exp)), np.empty(len(r.exp), int)
    for k, rows in enumerate(folds):
        rest = np.setdiff1d(r.all, rows)
        assert not np.isin(r.context[r.exp[rows]], r.context[r.exp[rest]]).any()
        r.without_contexts(rows)
        for j, one in enumerate(MEMBERS):
            f = member(r, one, rest)
            centre = average(r, f)[r.context[r.exp[rows]]]
            g[rows, j] = f[r.exp[rows]] - centre
            if one == "mixed":
                t[rows] = r.y_exp[rows] - centre
        fold[rows] = k
        r.without_contexts([])
    square = {}
    for library, m in LIBRARIES.items():
        w = np.array([on_simplex(g[fold != k, :m], t[fold != k]) for k in range(len(folds))])
        square[library] = (t - (g[:, :m] * w[fold]).sum(axis=1)) ** 2
    loss = {library: s.mean() for library, s in square.items()}
    least = min(loss, key=loss.get)
    chosen, clusters = None, r.context[r.exp]
    for library, l in zip(LIBRARIES, told["libraries"]):
        d = square[library] - square[least]
        sums = np.bincount(clusters, d - d.mean())
        n = len(set(clusters))
        error = np.sqrt(n / (n - 1) * (sums**2).sum()) / len(d)
        is_tie = loss[library] <= loss[least] * (1 + 1e-8) + 1e-12
        if chosen is None and is_tie:
            chosen = library
        assert (l["name"], l["members"]) == (library, LIBRARIES[library])
        compare("stack, losses and errors", [loss[library], d.mean(), error], [l["loss"], l["difference"], l["error"]])
    assert [l["name"] for l in told["libraries"] if l["chosen"]] == [chosen], (name, chosen, told["libraries"])
    m = LIBRARIES[chosen]
    w = np.r_[on_simplex(g[:, :m], t), np.zeros(len(MEMBERS) - m)]
    assert [one["name"] for one in told["members"]] == MEMBERS
    compare("stack, weights", w, [one["weight"] for one in told["members"]], 1e-8)
    f = clip(w @ np.array([member(r, one, r.all) for one in MEMBERS]))
    compare("stack, predictions", f, r.prediction["stack"])
    check_values(r, w)
    return chosen


def check_values(r, w):
    """DM, DR and SNDR of both: variances and weights kept, members fitted without each fold."""
    if not r.cell["config"]["values.enabled"]:
        return
    weight = {"mixed": np.eye(len(MEMBERS))[MEMBERS.index("mixed")], "stack": w}
    held_out, fold_mean = ({name: np.zeros(n) for name in weight} for n in (len(r.exp), len(r.z)))
    for rows in r.folds["dr"]["rows"]:
        r.leave_out_obs(rows)
        f = np.array([member(r, one, np.setdiff1d(r.all, rows)) for one in MEMBERS])
        r.leave_out_obs([])
        for name, v in weight.items():
            held_out[name][rows] = clip(v @ f)[r.exp[rows]]
            fold_mean[name] += clip(v @ f) * len(rows) / len(r.exp)
    for name in weight:
        told = [row for row in r.values if row["family"] == name]
        dm = r.mean_of(r.prediction[name])
        plug_in = r.mean_of(fold_mean[name]) if r.cell["config"]["values.plugin"] == "folds" else dm
        residual = np.bincount(r.agent, r.y_exp - held_out[name], r.n_agents)
        count = np.bincount(r.agent, minlength=r.n_agents)
        for column, value in (("dm", dm), ("dr", plug_in + r.n_agents * residual / len(r.exp)),
                              ("sndr", plug_in + residual / np.maximum(count, 1))):
            compare("values", value, [row[column] for row in told])


def main(regret, folder):
    libraries = set()
    folder = pathlib.Path(folder).resolve()
    for name, (*shape, seed, keys) in SETTINGS.items():
        make_pool(folder / name, name, *shape)
        config = folder / f"{name}.json"
        config.write_text(json.dumps({"pool": name, "seeds": 1, **KEYS, **keys}))
        subprocess.run([regret, "cell", config, "--seed", str(seed), "--export", folder / "cell", "--force"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        r = Replicate(folder / "cell")
        r.words = np.loadtxt(folder / "cell" / "words.csv", delimiter=",", skiprows=1)[:, 1:]
        r.variances = {one["name"]: one["variances"] for one in r.hyper["stack"]["members"] if "variances" in one}
        assert list(r.variances) == list(MIXED) and r.variances["mixed"] == r.hyper["mixed"]["variances"]
        check_words(r, folder / name)
        check_own(r, folder / name, folder / "cell")
        picks = check_picked(r, folder / name)
        assert picks > 0 or name != "picked", "a word is to be picked"
        if name.startswith("own"):
            assert r.variances["mixed"]["agent_own"] > 1e-4, "what is planted in own columns is to be found"
            assert (MOST_OWN // r.n_agents < r.own.shape[1]) == (name == "own-many")
        if name == "many":
            assert MOST_CROSSED // r.n_agents < min(r.words.shape[1], 32), "more words are to be there than are crossed"
        if name == "few":
            assert len(set(r.agent)) < r.n_agents, "an agent is to be without EXP rows"
        likelihood = [check_mixed(r, name, member) for member in MIXED]
        chosen = check_stack(r, name)
        libraries |= {chosen}
        print(f"{name}: ℓ = {', '.join(f'{l:.6f}' for l in likelihood)}, library {chosen}, words picked {picks}", flush=True)
    assert len(libraries) > 2, f"libraries are to be chosen here and there: {libraries}"
    for what, difference in worst.items():
        print(f"{what}: at most {difference:.1e}")


main(*sys.argv[1:])

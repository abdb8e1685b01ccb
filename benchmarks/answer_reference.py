#!/usr/bin/env python3
"""Answers "which model should I use?" from a table of scores with NumPy and SciPy alone, and compares with `regret recommend`.

Usage: answer_reference.py [REGRET FOLDER]

The rule: scores within requests, the set of agents that may be best overall and by tag, three policies (one agent, an agent for each tag,
an agent for each request by its words), their gains on requests held out, the verdict and the value of what is advised. Three tables of
ten and twelve requests are held to numbers worked out before. With a program, tables are written to the folder and its answers
compared. What rests on random multipliers is compared loosely. Exit code 77 where NumPy or SciPy is missing.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

try:
    import numpy as np
    from scipy import special
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

LEVEL, PARTS, DIVISIONS, DRAWS = 0.05, 5, 5, 2000
PENALTIES = np.geomspace(0.3, 3e4, 12)
LEVERAGE = True  # with holes a lead counts on the requests that tell it; on all n it is too sure with few in common
LENGTH, WIDER, LEAST, LEAST_WORDS, LEAST_TAG = 1.2, 1.2, 10, 30, 5
Z95, Z975 = special.ndtri(0.95), special.ndtri(0.975)


# Intervals


def student(q, df):
    """Its quantile: SciPy's, with two of Newton's steps."""
    x = special.stdtrit(df, q)
    for _ in range(2):
        log_density = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2 - (df + 1) / 2 * np.log1p(x * x / df)
        x -= (special.stdtr(df, x) - q) / np.exp(log_density)
    return x


def beta_quantile(a, b, q):
    if min(a, b) > 1e6:
        mean, z = a / (a + b), special.ndtri(q)
        return mean + np.sqrt(mean * (1 - mean) / (a + b + 1)) * (z + (z * z - 1) * (b - a) / (3 * np.sqrt(a * b * (a + b))))
    return 0.0 if a < 1e-300 else special.betaincinv(a, b, q)


def beta_of(m, variance, n, df, tau):
    """Centre and weight of the beta of the upper end of a value."""
    n, df = max(n, 2), max(df, 1)
    s = variance * (n - 1) / n
    events = min(n * m**2 / (n * s + m**2) if m > 0 else 0.0, n * (1 - m) ** 2 / (n * s + (1 - m) ** 2))
    few = min(10, n / 4)
    c = 0.75 if events <= few else 0.75 * few / events
    centre = (n * m + c) / (n + c)
    w = (n**2 * s + n * (m - centre) ** 2 + c * (1 - centre) ** 2) / ((n + c) * (n + c + 1))
    k = max(centre * (1 - centre) / w - 1, 1e-9) * (special.ndtri(1 - tau) / student(1 - tau, df)) ** 2 if w > 0 else 1e300
    return centre, k


def upper(m, variance, n, df, tau):
    if m >= 1:
        return 1.0
    centre, k = beta_of(m, variance, n, df, tau)
    return max(m, beta_quantile(centre * k, (1 - centre) * k, 1 - tau))


def lower(m, variance, n, df, tau):
    if m <= 0:
        return 0.0
    centre, k = beta_of(1 - m, variance, n, df, tau)
    return min(m, beta_quantile((1 - centre) * k, centre * k, tau))


def of_mean(y, tau=0.025, weight=None, centre=None):
    """Part (a), in shares where rows stand for others that lack; about another centre where cells were filled in."""
    h = np.full(len(y), 1 / len(y)) if weight is None else weight / weight.sum()
    own, rows, worth = (h * y).sum(), 1 / (h**2).sum(), 1 / h.max()
    m = np.clip(own if centre is None else centre, 0, 1)
    variance = rows / (rows - 1) * ((h * (y - own)) ** 2).sum() if rows > 1 else 0.0
    return lower(m, variance, worth, rows - 1, tau), upper(m, variance, worth, rows - 1, tau)


def wider(m, low, high):
    """Of what is advised: choosing makes it vary by more than rows show."""
    return m, max(0, m - WIDER * (m - low)), min(1, m + WIDER * (high - m))


def paired(x, h, tau):
    """Part (d) of rows that add x to a difference and have the share h of it: D/n and 1/n where nothing lacks. The difference and its ends."""
    rows, worth, point = 1 / (h**2).sum(), 1 / h.max(), x.sum()
    df = max(1, rows - 1)
    plus, minus = np.maximum(x, 0), np.maximum(-x, 0)
    spread = lambda part: max(rows, 2) / max(rows - 1, 1) * ((part - part.sum() * h) ** 2).sum()
    a, b, va, vb, vd = min(plus.sum(), 1), min(minus.sum(), 1), spread(plus), spread(minus), spread(x)
    rho = np.clip((va + vb - vd) / 2 / np.sqrt(va * vb), -1, 1) if va > 0 and vb > 0 else 0.0
    la, ua, lb, ub = (end(m, v, worth, df, tau) for m, v in ((a, va), (b, vb)) for end in (lower, upper))
    low = a - b - np.sqrt(max(0, (a - la) ** 2 + (ub - b) ** 2 - 2 * rho * (a - la) * (ub - b)))
    high = a - b + np.sqrt(max(0, (ua - a) ** 2 + (b - lb) ** 2 - 2 * rho * (ua - a) * (b - lb)))
    squares = (x**2).sum()
    e = abs(x).sum() ** 2 / squares if squares > 0 else 0.0
    share = min(1, max(0, 2 * e / min(20, worth / 2) - 1))
    half = student(1 - tau, df) * np.sqrt(vd)
    return point, share * (point - half) + (1 - share) * low, share * (point + half) + (1 - share) * high


def evenly(d, tau):
    return paired(d / len(d), np.full(len(d), 1 / len(d)), tau)


# 1. Scores within requests


def strata_of(tags):
    """Names of the tags of at least five requests, and the stratum of every request: a tag of these, or one for all others and none."""
    names = [t for t in sorted(set(tags)) if t != "" and list(tags).count(t) >= LEAST_TAG]
    return names, np.array([names.index(t) if t in names else len(names) for t in tags])


def reached_in(known):
    """The agents of the largest group that share enough requests; of equal groups the one with more scores, then the first."""
    k = known.shape[1]
    shared = known.T.astype(float) @ known
    scores, linked = known.sum(0), shared >= min(3, max(2, len(known) // 2), len(known))
    joined = np.linalg.matrix_power((linked | np.eye(k, dtype=bool)).astype(float) / k, k) > 0  # [a]: the group of a
    best = max(range(k), key=lambda a: (joined[a].sum(), scores[joined[a]].sum(), -a))
    return joined[best] if joined[best].sum() > 1 else np.zeros(k, bool)


def within(y, known):
    """Contrasts of the agents that are known, L⁺, and L⁺s of every row; the effect of a row is fixed."""
    k = known.sum(1)
    laplacian = np.diag(known.sum(0).astype(float)) - (known / np.maximum(k, 1)[:, None]).T @ known
    m = y.shape[1]
    inverse = np.linalg.inv(laplacian + 1 / m) - 1 / m
    centred = lambda x: known * (x - ((known * x).sum(1) / np.maximum(k, 1))[:, None])
    alpha = inverse @ centred(y).sum(0)
    return alpha, inverse, centred(y - alpha) @ inverse


def levels_of(y, known, alpha):
    """Scores, where they lack what other agents' scores of the request and the contrasts of its tag make of them."""
    use = known & ~np.isnan(alpha)
    with np.errstate(invalid="ignore"):
        u = np.where(use, y - alpha, 0).sum(1) / use.sum(1)
    u = np.where(np.isnan(u), np.nanmean(u) if (~np.isnan(u)).any() else 0.5, u)
    return np.where(known, y, alpha + u[:, None]), u


def padded(matrix, j, k):
    out = np.zeros((k, k))
    out[np.ix_(j, j)] = matrix
    return out


class Scores:
    """Step 1 on some rows."""

    def __init__(self, y, known, stratum, n_strata):
        n, k = y.shape
        self.n, self.known, self.stratum = n, known, stratum
        self.count = np.bincount(stratum, minlength=n_strata)
        y0 = np.where(known, y, 0.0)
        pooled, pooled_psi = np.full(k, np.nan), np.zeros((n, k))
        self.joined = reached_in(known)
        if self.joined.any():
            j = np.flatnonzero(self.joined)
            pooled[j], inverse, pooled_psi[:, j] = within(y0[:, j], known[:, j])
            pooled_map = padded(inverse, j, k)
        self.alpha, self.reached = np.tile(pooled, (n_strata, 1)), np.zeros((n_strata, k), bool)
        self.variance_unit = np.full((n_strata, k), np.inf)
        own_psi, self.psi = np.zeros((n, k)), np.zeros((n, k))
        share, fill, self.maps = self.count / n, np.zeros((k, k)), []
        for g in np.flatnonzero(self.count):
            rows = np.flatnonzero(stratum == g)
            r = reached_in(known[rows]) & self.joined
            if r.sum() < 2:
                self.psi += share[g] * pooled_psi
                fill += share[g] * np.eye(k)
                continue
            self.reached[g], j = r, np.flatnonzero(r)
            alpha, inverse, psi = within(y0[np.ix_(rows, j)], known[np.ix_(rows, j)])
            self.alpha[g, j] = alpha + pooled[j].mean()  # those not reached stand beside them as over all tags
            self.variance_unit[g, j] = np.diag(inverse)
            own_psi[np.ix_(rows, j)] = psi * share[g]
            self.psi += share[g] * np.where(r, pooled_psi[:, j].mean(1)[:, None], pooled_psi)
            fill += share[g] * np.where(r[:, None], r / r.sum(), np.eye(k))
            self.maps.append((rows, known[rows] & r, share[g] * padded(inverse, j, k)))
        if self.joined.any():
            self.maps.append((np.arange(n), known & self.joined, fill @ pooled_map))
        self.theta = share @ self.alpha
        self.psi += own_psi + (self.alpha[stratum] - self.theta) / n
        self.not_reached = share @ ~self.reached
        self.filled, self.effect = levels_of(y0, known, self.alpha[stratum])
        self.level = np.clip(self.filled.mean(0), 0, 1)
        self.centred = np.where(known, y0, np.nan) - self.effect[:, None]

    def pair(self, a, b):
        """What every request adds to agent b less agent a, and its share of what tells them: were b better by 1, it would add so much."""
        h, c = np.zeros(self.n), np.zeros(len(self.theta))
        c[[b, a]] = 1, -1
        for rows, known, to_theta in self.maps:
            r = c @ to_theta
            shift = (known[:, b] * 1.0 - known[:, a]) / 2 / np.maximum(known.sum(1), 1)
            h[rows] += (r[b] * known[:, b] - r[a] * known[:, a]) / 2 - shift * (known @ r)
        if not LEVERAGE:
            h = np.full(self.n, 1 / self.n)
        return self.psi[:, b] - self.psi[:, a] + (self.theta[b] - self.theta[a]) * h, h

    def noise(self):
        """The variance of a residual, all agents together."""
        r = (self.centred - self.alpha[self.stratum])[self.known & self.reached[self.stratum]]
        used = (self.known & self.reached[self.stratum]).sum(1)
        df = used.sum() - (used > 0).sum() - np.maximum(self.reached.sum(1) - 1, 0).sum()
        return (r**2).sum() / df if df > 0 else np.nan


# 2, 3. Sets


def may_be_best(s, who, tail, seed=1):
    """Of some agents: who may be the best, their critical values and their largest T, by multipliers."""
    drawn = np.random.default_rng(seed).standard_normal((DRAWS, s.n)) @ s.psi[:, who]
    kappa, largest = np.full(len(who), special.ndtri(1 - tail)), np.full(len(who), -np.inf)
    at = int(np.ceil((1 - tail) * (DRAWS + 1))) - 1
    for i, a in enumerate(who):
        z = []
        for j, b in enumerate(who):
            if i == j:
                continue
            (x, h), own = s.pair(a, b), s.psi[:, b] - s.psi[:, a]
            full, rows = (x**2).sum(), 1 / (h**2).sum()
            if full * s.n > 1e-24:  # else no request tells the two apart
                largest[i] = max(largest[i], x.sum() / np.sqrt(max(rows, 2) / max(rows - 1, 1) * full))
                if (own**2).sum() > 1e-18 * full:
                    z.append((drawn[:, j] - drawn[:, i]) / np.sqrt((own**2).sum()))
        if z:
            kappa[i] = max(kappa[i], np.sort(np.max(z, 0))[at])
    return largest <= kappa, kappa, largest


def max_of(differences):
    """Critical value of |t| over differences, two of which make the third: exact, from their covariance."""
    centred = np.vstack([d - d.mean(0) for d in differences])
    s = centred.T @ centred
    s = s[np.ix_(np.diag(s) > 1e-18, np.diag(s) > 1e-18)]
    if len(s) < 2:
        return Z975
    values, vectors = np.linalg.eigh(s / np.sqrt(np.outer(np.diag(s), np.diag(s))))
    plane = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    angle = (np.arange(20000) + 0.5) * np.pi / 20000
    reach = 1 / np.abs(plane @ np.array([np.cos(angle), np.sin(angle)])).max(0) ** 2
    low, high = 1.0, 4.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - np.exp(-(middle**2) * reach / 2).mean() < 0.95 else (low, middle)
    return max(Z975, low)


# 4. Policies


def words_of(texts):
    """Present or absent × idf of length one, and the number of words: columns of every request."""
    said = [re.findall(r"\w+", t.lower()) for t in texts]
    n, df = len(texts), {}
    for words in said:
        for w in set(words):
            df[w] = df.get(w, 0) + 1
    kept = {w: k for k, w in enumerate(sorted(w for w, c in df.items() if 3 <= c <= 0.6 * n))}
    idf = np.log(n / np.array([df[w] for w in kept])) if kept else np.zeros(0)
    lengths = np.log1p([len(words) for words in said])
    mean, sd = lengths.mean(), lengths.std()

    def features(words_of_requests):
        x = np.zeros((len(words_of_requests), len(kept) + 1))
        for i, words in enumerate(words_of_requests):
            for w in set(words) & kept.keys():
                x[i, kept[w]] = idf[kept[w]]
            size = np.sqrt((x[i] ** 2).sum())
            x[i] /= size if size > 0 else 1
            x[i, -1] = LENGTH * (np.log1p(len(words)) - mean) / sd if sd > 1e-12 else 0
        return x

    return features(said), lambda new: features([re.findall(r"\w+", t.lower()) for t in new])


def ridge(x, targets):
    """Coefficients at the penalty with the least loss of rows left out, all columns together; zeros if none beats zero."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    projected, best = u.T @ targets, ((targets**2).sum(), None)
    for penalty in PENALTIES:
        shrink = s**2 / (s**2 + penalty)
        left_out = (targets - u @ (shrink[:, None] * projected)) / (1 - (u**2) @ shrink)[:, None]
        if (left_out**2).sum() < best[0]:
            best = ((left_out**2).sum(), penalty)
    if best[1] is None:
        return np.zeros((x.shape[1], targets.shape[1])), None
    return vt.T @ ((s / (s**2 + best[1]))[:, None] * projected), best[1]


def first_best(scores):
    """The largest along the last axis; of equals (to 12 digits) the first by name."""
    return np.argmax(np.round(np.where(np.isnan(scores), -np.inf, scores), 12), -1)


class Policies:
    """Step 4, learnt on some rows."""

    def __init__(self, y, known, stratum, n_strata, ranked, x, complete, by_tag=True):
        self.scores = s = Scores(y, known, stratum, n_strata)
        self.off = np.where(ranked, 0, -np.inf)
        n, k, g_count = s.n, y.shape[1], (s.count > 0).sum()
        interaction = np.where(s.count[:, None] > 0, s.alpha - s.theta, 0)
        if complete:
            v = ((s.centred - s.alpha[stratum]) ** 2).sum(0) / max(n - g_count, 1)
            top = (s.count[:, None] * interaction**2).sum() - (g_count - 1) * v.sum()
            bottom = k * (n - (s.count**2).sum() / n)
            unit = 1 / np.maximum(s.count, 1)[:, None] * np.ones(k)
        else:
            v, r = np.full(k, s.noise()), s.reached & ranked
            m = np.where(r, 1 / s.variance_unit, 0)
            top = (m * np.where(r, interaction, 0) ** 2).sum() - v[0] * np.maximum(r.sum(0) - 1, 0).sum()
            with np.errstate(invalid="ignore"):
                bottom = np.nansum(m.sum(0) - (m**2).sum(0) / m.sum(0))
            unit = np.where(r, s.variance_unit, 1)
        self.sigma2 = max(0, top / bottom) if by_tag and bottom > 1e-12 and np.isfinite(top) else 0.0
        self.shrunk = s.theta + interaction * (self.sigma2 / (self.sigma2 + v * unit) if self.sigma2 > 0 else 0)
        self.one = int(first_best(s.theta + self.off))
        self.beta, self.penalty = None, None
        if x is not None:
            residual = s.centred - self.shrunk[stratum]
            self.beta, self.penalty = ridge(x, np.where(np.isnan(residual), 0, residual))

    def choices(self, stratum, x):
        """Of one, tag and request, for some requests; a stratum below 0 is one never seen."""
        at = np.where((stratum >= 0)[:, None], self.shrunk[stratum], self.scores.theta) + self.off
        tag = first_best(at)
        return np.stack([np.full(len(stratum), self.one), tag, tag if self.penalty is None else first_best(at + x @ self.beta)])


# 5. Gains


def divisions(stratum, rng):
    for _ in range(DIVISIONS):
        part, k = np.empty(len(stratum), int), 0
        for g in np.unique(stratum):
            rows = rng.permutation(np.flatnonzero(stratum == g))
            part[rows] = (k + np.arange(len(rows))) % PARTS
            k += len(rows)
        yield part


def weights_of(stratum, differ, both):
    """Requests on which a gain is seen, weighted to all of them; the share that had to borrow the mean of all."""
    w, failed = (~differ).astype(float), 0
    for g in np.unique(stratum[differ]):
        cell = differ & (stratum == g)
        seen = cell & both
        if seen.sum() < 2:
            failed += cell.sum()
        else:
            w[seen] += cell.sum() / seen.sum()
    seen = differ & both
    if failed and seen.any():
        w[seen] += failed / seen.sum()
    return w, failed / len(stratum)


PAIRS = {"tag-one": (1, 0), "request-one": (2, 0), "request-tag": (2, 1)}


class Gains:
    """Steps 5 and 7: differences of policies held out, their ends, and what each policy is worth."""

    def __init__(self, y, known, stratum, n_strata, ranked, x, parts, final, by_tag=True, fixed_kappa=None):
        complete, columns, n = known.all(), [], len(y)
        self.held, self.learnt = [], True
        for part in parts:
            choice, filled = np.zeros((3, n), int), np.zeros((3, n))
            for f in np.unique(part):
                out, given = part == f, part != f
                p = Policies(y[given], known[given], stratum[given], n_strata, ranked, None if x is None else x[given], complete, by_tag)
                if not np.isfinite(p.scores.theta + p.off).any():  # nothing is compared without these requests: no verdict
                    self.learnt, choice[:, out], filled[:, out] = False, final.one, final.scores.filled[out, final.one]
                    continue
                choice[:, out] = p.choices(stratum[out], None if x is None else x[out])
                level, _ = levels_of(y[out], known[out], p.scores.alpha[stratum[out]])
                filled[:, out] = np.take_along_axis(level, choice[:, out].T, 1).T
            self.held.append((choice, filled))
            columns.append(np.stack([filled[a] - filled[b] for a, b in PAIRS.values()], 1))
        self.kappa = fixed_kappa or max_of(columns)
        tau = special.ndtr(-self.kappa)
        self.gain, self.told, self.failed = {}, {}, {}
        own_choice = final.choices(stratum, x)
        for name, (a, b) in PAIRS.items():
            ends, failed, same = [], 0, True
            for choice, filled in self.held:
                point, low, high, lacks = self.difference(filled, choice, known, stratum, a, b, tau)
                ends.append((point, low, high))
                failed, same = failed + lacks / len(self.held), same and (choice[a] == choice[b]).all()
            self.gain[name] = np.mean(ends, 0)
            in_sample = self.difference(np.stack([final.scores.filled[np.arange(n), c] for c in own_choice]), own_choice, known, stratum, a, b, tau)
            self.gain[name][2] = max(self.gain[name][2], in_sample[0])
            self.failed[name] = failed >= 0.1
            self.told[name] = self.learnt and not same and not self.failed[name]

        self.value = []
        for policy in range(3):
            ends = []
            for choice, filled in self.held:
                seen, m = known[np.arange(n), choice[policy]], np.clip(filled[policy].mean(), 0, 1)
                w = weights_of(stratum, np.ones(n, bool), seen)[0][seen]
                ends.append((m, *(of_mean(filled[policy][seen], weight=w, centre=m) if seen.sum() > 1 else (0, 1))))
            m, low, high = np.mean(ends, 0)
            self.value.append(wider(m, low, high))

    @staticmethod
    def difference(filled, choice, known, stratum, a, b, tau):
        rows = np.arange(len(stratum))
        if known.all():
            return *evenly(filled[a] - filled[b], tau), 0.0
        differ, both = choice[a] != choice[b], known[rows, choice[a]] & known[rows, choice[b]]
        w, failed = weights_of(stratum, differ, both)
        if w.sum() < 2:
            return 0.0, -1.0, 1.0, 1.0
        return *paired(w / w.sum() * np.where(w > 0, filled[a] - filled[b], 0), w / w.sum(), tau), failed


# 6 to 10. The answer


def strata_of_holes(known, x):
    """Five strata of the share known as words predict it out of fold, and R²; strata only if that is above .1."""
    share, n = known.mean(1), len(known)
    predicted = np.empty(n)
    for f in range(PARTS):
        out = np.arange(n) % PARTS == f
        centre = share[~out].mean()
        predicted[out] = centre + x[out] @ ridge(x[~out], (share[~out] - centre)[:, None])[0][:, 0]
    r2 = 1 - ((share - predicted) ** 2).sum() / max(((share - share.mean()) ** 2).sum(), 1e-300)
    return (np.argsort(np.argsort(predicted, kind="stable"), kind="stable") * PARTS // n if r2 > 0.1 else None), r2


def spared(y, known, s, a, b, half):
    """By how much agent a's lead over b is too large or small because of which requests both have, if the lead follows difficulty."""
    others = [c for c in range(y.shape[1]) if c not in (a, b) and known[:, c].any()]
    seen = known[:, others].any(1) if others else np.zeros(len(y), bool)
    both = known[:, a] & known[:, b] & seen
    if both.sum() < 5:
        return None
    ease = np.where(seen, np.where(known[:, others], y[:, others], 0).sum(1) / np.maximum(known[:, others].sum(1), 1), 0)
    d, x = (y[:, a] - y[:, b])[both], ease[both] - ease[both].mean()
    if (x**2).sum() < 1e-12:
        return None
    slope = (x * d).sum() / (x**2).sum()
    error = np.sqrt(((d - d.mean() - slope * x) ** 2).sum() / (both.sum() - 2) / (x**2).sum())
    shift = slope * (ease[seen].mean() - ease[both].mean())
    return shift if abs(slope) > Z975 * error and abs(shift) > half / 4 else None


def answer(names, y, tags, texts, incumbent=None, seed=1, deterministic=False):
    """All of it: names sorted, y [request][agent] with NaN where unknown. Deterministic: one division, parts i mod 5."""
    y = np.asarray(y, float)
    known = ~np.isnan(y)
    n, k = y.shape
    out = {"names": names, "n": n, "missing": 1 - known.mean(), "raw": [y[known[:, a], a].mean() if known[:, a].any() else None for a in range(k)]}
    if k == 1:
        return {**out, "verdict": "one only", "value": (y[known].mean(), *of_mean(y[known]))}
    if n < LEAST:
        return {**out, "verdict": "too few", "set": list(range(k))}
    complete, (shown, stratum) = known.all(), strata_of(tags)
    x, transform = words_of(texts) if texts and n >= LEAST_WORDS else (None, None)
    by_tag, strata_by = len(shown) >= 2, "tag"
    if not complete and len(shown) < 2 and x is not None:
        made, out["holes told by words"] = strata_of_holes(known, x)
        if made is not None:
            stratum, shown, strata_by = made, [], "holes"
    n_strata = stratum.max() + 1
    s = Scores(y, known, stratum, n_strata)
    ranked = s.joined & (s.not_reached <= 0.15 + 1e-12)
    who = np.flatnonzero(ranked)
    out |= {"scores": s, "theta": s.theta, "level": s.level, "ranked": ranked, "strata": strata_by}
    if len(who) < 2:
        return {**out, "verdict": "not compared", "set": []}

    inside, kappa, largest = may_be_best(s, who, LEVEL, seed)
    members = who[inside]
    ends = lambda a, b, tau: paired(*s.pair(a, b), tau)  # of b less a
    out["set"], out["kappa"], out["largest"] = list(members), kappa, largest
    out["worse"] = {a: max(0, *(ends(a, b, special.ndtr(-kappa[i]))[2] for b in who if b != a)) for i, a in enumerate(who) if inside[i]}
    out["tags"] = {}
    tail = 1 - (1 - LEVEL) ** (1 / max(len(shown), 1))
    for g, name in enumerate(shown):
        rows, r = stratum == g, np.flatnonzero(s.reached[g] & ranked)
        if len(r) >= 2:
            own = Scores(y[rows], known[rows], np.zeros(rows.sum(), int), 1)
            out["tags"][name] = list(r[may_be_best(own, r, tail, seed)[0]])

    final = Policies(y, known, stratum, n_strata, ranked, x, complete, by_tag)
    parts = [np.arange(n) % PARTS] if deterministic else divisions(stratum, np.random.default_rng(seed))
    gains = Gains(y, known, stratum, n_strata, ranked, x, parts, final, by_tag, Z975 if deterministic else None)
    out |= {"final": final, "gains": gains, "best": final.one, "x": x, "transform": transform, "shown": shown}

    def decide(clear):
        told = {name: gains.told[name] and clear(*gains.gain[name][:2]) for name in PAIRS}
        if told["request-one"] and (told["request-tag"] or not told["tag-one"]):
            return "by request"
        return "by tag" if told["tag-one"] else "one agent" if len(members) < len(who) else "nothing tells"

    out["verdict"] = decide(lambda gain, low: low > 0)
    guess = decide(lambda gain, low: gain > (gain - low) / gains.kappa / 2)
    out["likely"] = "by request" if out["verdict"] == "by request" else guess
    out["value"] = gains.value[{"by tag": 1, "by request": 2}.get(out["verdict"], 0)]
    if incumbent is not None and ranked[incumbent]:
        columns = [s.n * (s.psi[:, b] - s.psi[:, incumbent]) for b in who if b != incumbent]
        critical = two_sided(np.stack(columns, 1), seed)
        out["against"] = {b: ends(incumbent, b, special.ndtr(-critical)) for b in who if b != incumbent}
        out["incumbent"] = ("switch" if final.one != incumbent and out["against"][final.one][1] > 0 else
                            "stay, told" if out["set"] == [incumbent] else "stay" if incumbent in members else "something is better")
    if not complete:
        out["spared"] = {}
        for b in who[who != final.one]:
            point, low, high = ends(b, final.one, 0.025)
            shift = spared(y, known, s, final.one, b, (high - low) / 2)
            if shift is not None:
                out["spared"][b] = shift
    return out


def two_sided(columns, seed):
    """The .95 quantile of the largest |t| of some differences, by multipliers."""
    centred = columns - columns.mean(0)
    centred = centred[:, (centred**2).sum(0) > 1e-18]
    if not centred.shape[1]:
        return Z975
    z = np.abs(np.random.default_rng(seed).standard_normal((DRAWS, len(columns))) @ centred) / np.sqrt((centred**2).sum(0))
    return max(Z975, np.sort(z.max(1))[int(np.ceil(0.95 * (DRAWS + 1))) - 1])


# Tables and pools


def table_of(cells, texts, tags):
    """Of {(request, agent): scores}: draws of a pair averaged; agents by name, requests in the order of their first row."""
    names, requests = sorted({a for _, a in cells}), list(dict.fromkeys(i for i, _ in cells))
    y = np.full((len(requests), len(names)), np.nan)
    row, column = {i: r for r, i in enumerate(requests)}, {a: c for c, a in enumerate(names)}
    for (i, a), scores in cells.items():
        y[row[i], column[a]] = np.mean(scores)
    of = lambda known: [known.get(i) or "" for i in requests]
    return names, y, of(tags), of(texts)


def read_csv(path, request="id", text="text", tag="tag", model="model", score="score"):
    cells, texts, tags = {}, {}, {}
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row[score] != "":
                cells.setdefault((row[request], row[model]), []).append(float(row[score]))
            texts.setdefault(row[request], row.get(text))
            tags.setdefault(row[request], row.get(tag))
    return table_of(cells, texts, tags)


def read_pool(folder):
    """Its components, averaged, on [0, 1]."""
    head, lines = json.loads((folder / "pool.json").read_text()), lambda name: map(json.loads, open(folder / name, encoding="utf-8"))
    cells, requests = {}, {c["id"]: c for c in lines("contexts.jsonl")}
    for one in lines("outputs.jsonl"):
        scaled = [(one["components"][c["name"]] - c["low"]) / (c["high"] - c["low"]) for c in head["components"]]
        scaled = [1 - v if c.get("smaller_is_better") else v for v, c in zip(scaled, head["components"])]
        cells.setdefault((one["context"], one["agent"]), []).append(np.mean(scaled))
    return table_of(cells, {i: c.get("text") for i, c in requests.items()}, {i: c.get("tag") for i, c in requests.items()})


def read(path):
    return read_pool(path) if path.is_dir() else read_csv(path)


# Tables worked out before

T1 = np.array([[9, 4, 5], [8, 5, 3], [7, 2, 6], [9, 6, 4], [3, 8, 5], [2, 9, 4], [4, 7, 6], [3, 6, 2], [8, 3, 4], [2, 7, 3]]) / 10
T1_TAGS = [0, 0, 0, 0, 1, 1, 1, 1, 0, 1]


def near(what, got, wanted, tolerance=1e-9):
    error = np.max(np.abs(np.asarray(got, float) - np.asarray(wanted, float)))
    assert error < tolerance, (what, got, wanted)


def check_itself():
    for x, n, low, high in ((0, 10, 0, 0.3073046501), (1, 10, 0.0009149313, 0.4653229147), (59, 60, 0.9158849987, 0.9996292624),
                            (500, 1000, 0.4689874980, 0.5310125020), (1, 5000, 0.0000050561, 0.0010260053)):
        near("a", of_mean(np.arange(n) < x), (low, high), 1e-9)
    near("a", of_mean(np.array([1, 1, 1, 0.9, 1, 1, 1, 0.75, 1, 1, 1, 1])), (0.7288470053, 0.9977077723))
    for d, wanted in (([0] * 60, (0, -0.0520013118, 0.0520013118)), ([1] * 6 + [-1] + [0] * 23, (1 / 6, -0.0242797666, 0.3587696033)),
                      ([0.5] * 9 + [-0.25] * 2 + [0] * 29, (0.1, 0.0000879975, 0.2000169669)),
                      ([1] * 20 + [-1] * 10 + [0] * 30, (1 / 6, -0.0123499274, 0.3456832607))):
        near("d", evenly(np.array(d, float), 0.025), wanted)

    one = answer(["a", "b", "c"], T1, T1_TAGS, None, deterministic=True)
    near("means", one["level"], [0.55, 0.57, 0.42])
    near("shrunk", one["final"].shrunk, [[0.2633900857, -0.1459072878, -0.1125868114], [-0.1900567524, 0.2592406211, -0.0740798552]])
    near("sigma", one["final"].sigma2, 0.0630444444)
    near("held out, one", one["gains"].held[0][1][0], [0.9, 0.5, 0.2, 0.6, 0.3, 0.2, 0.7, 0.6, 0.3, 0.2])
    near("held out, by tag", one["gains"].held[0][1][1], [0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.7, 0.6, 0.8, 0.7])
    near("gain", one["gains"].gain["tag-one"], [0.33, 0.148243653, 0.511756347])
    near("value", one["value"], wider(0.78, 0.6549521925, 0.8495593907))
    near("largest", one["largest"], [0.1309307341, -0.1309307341, 1.4756081305])
    assert one["verdict"] == "by tag" and one["best"] == 1 and one["set"] == [0, 1, 2]

    y2 = np.array([[i != 4, i in (2, 5, 7, 10)] for i in range(12)], float)
    two = answer(["a", "b"], y2, [0] * 12, None, deterministic=True)
    near("means", two["level"], [0.9166666667, 0.3333333333])
    near("shrunk", two["final"].shrunk, [[0.2916666667, -0.2916666667]])
    near("gain", two["gains"].gain["tag-one"], [0, -0.2564039731, 0.2564039731])
    near("value", two["value"], wider(11 / 12, 0.6058249441, 0.9990514464))
    near("largest", two["largest"], [-2.5331140256, 2.5331140256])
    assert two["verdict"] == "one agent" and two["set"] == [0] and two["final"].sigma2 == 0

    y3 = T1.copy()
    y3[[4, 5, 6], 0] = y3[[0, 9], 2] = np.nan
    three = Scores(y3, ~np.isnan(y3), np.array(T1_TAGS), 2)
    near("raw", np.nanmean(y3, 0), [0.6571428571, 0.57, 0.425])
    near("scores", three.alpha, [[0.2683333333, -0.1516666667, -0.1166666667], [-0.132183908, 0.2367816092, -0.1045977011]])
    near("theta", three.theta, [0.0680747126, 0.0425574713, -0.1106321839])
    near("errors", [np.sqrt(10 / 9 * ((three.psi[:, a] - three.psi[:, b]) ** 2).sum()) for a, b in ((0, 1), (0, 2), (1, 2))],
         [0.1399799565, 0.0979352208, 0.0973180881])
    near("pooled", Scores(y3, ~np.isnan(y3), np.zeros(10, int), 1).theta, [0.1617737003, 0.0039755352, -0.1657492355])
    assert three.reached.all()
    rare = answer(["a", "b", "c"], T1, ["x"] * 9 + ["y"], None, deterministic=True)  # one request of a kind: still the means
    near("rare", rare["theta"], T1.mean(0) - T1.mean())


# Beside the program


def made(number):
    """A table with tags, texts, some holes in two of three, several draws in every third; scores are 0 or 1, or graded."""
    rng = np.random.default_rng(number)
    n, k = [12, 40, 90, 150][number % 4], [2, 3, 5][number % 3]
    tags = ["", "b", "rare", "a"] if number % 5 else [""]
    tag = np.minimum(rng.integers(0, 9, n), len(tags) - 1) if number % 2 else np.arange(n) % len(tags)
    word = rng.random(n) < 0.4
    p = 0.55 + 0.1 * rng.normal(size=(len(tags), k))[tag] + 0.25 * np.outer(word, rng.normal(size=k)) + 0.1 * rng.normal(size=(n, 1))
    y = np.round(np.clip(p[..., None] + 0.1 * rng.normal(size=(n, k, 1 + 2 * (number % 3 == 2))), 0, 1), 4)
    y = y if number % 2 else (rng.random(y.shape) < y).astype(float)
    lost = rng.random((n, k)) < [0, 0.15, 0.4][number % 3]
    lost[lost.all(1), 0] = False
    y[lost] = np.nan
    texts = [" ".join([f"w{w}" for w in rng.integers(0, 30, rng.integers(3, 15))] + ["refund"] * int(w)) for w in word]
    return [f"m{a}" for a in range(k)], y, [tags[t] for t in tag], texts


def write(path, names, y, tags, texts):
    with open(path, "w", newline="", encoding="utf-8") as f:
        rows = csv.writer(f)
        rows.writerow(["id", "text", "tag", "model", "score"])
        for i, a, draw in zip(*np.nonzero(~np.isnan(y))):
            rows.writerow([f"r{i}", texts[i], tags[i], names[a], repr(float(y[i, a, draw]))])


def compare(regret, folder):
    """Of tables made: levels to 1e-9, the best, the set but where a T is within 3 % of its bound. Divisions are drawn otherwise than here, so
    that gains are those of other parts: they are compared by answer_worlds.py."""
    for number in range(24):
        path = folder / f"table{number}.csv"
        write(path, *made(number))
        wanted = answer(*read(path), deterministic=True)
        done = subprocess.run([regret, "recommend", path, "--json", "--range", "0:1", "--tag", "tag", "--repeats", "draws"], capture_output=True, text=True)
        assert done.returncode == 0, (number, done.stderr)
        said, names = json.loads(done.stdout)["all"], wanted["names"]
        level, lead, chosen = ({a["agent"]: a[key] for a in said["agents"]} for key in ("mean", "lead_of_best", "may_be_best"))
        ranked = np.array(names)[wanted["ranked"]]
        theta = wanted["theta"][wanted["ranked"]]
        near((number, "lead"), [lead[a] for a in ranked], theta.max() - theta)
        if number % 3 == 0:  # nothing is missing
            near((number, "level"), [level[a] for a in ranked], wanted["level"][wanted["ranked"]])
        for i, a in enumerate(np.flatnonzero(wanted["ranked"])):
            sure = abs(wanted["largest"][i] / wanted["kappa"][i] - 1) > 0.03
            assert not sure or chosen[names[a]] == (a in wanted["set"]), (number, names[a], wanted["largest"], wanted["kappa"])
        assert said["best"] == names[wanted["best"]], number


def main():
    check_itself()
    if len(sys.argv) == 3:
        compare(sys.argv[1], pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()

"""Half-widths of values (protocol section 6) from residuals out of fold, by NumPy and SciPy: check_export.py holds rows against them."""

import numpy as np
from scipy import optimize, stats


def effective(weights):
    return weights.sum() ** 2 / (weights**2).sum() if weights.any() else 0.0


def by_cell(at, values, shape):
    out = np.zeros(shape)
    np.add.at(out, at, values)
    return out


def surface(f, weight, at, shape, share):
    """Mean and variance of a surface over evaluation pairs, for every agent, and the contexts in effect."""
    top, bottom = by_cell(at, weight * f, shape), by_cell(at, weight, shape)
    point = top.sum(0) / bottom.sum(0)
    m = effective(np.array([weight[at[0] == x][0] for x in np.unique(at[0])]))
    return point, (1 - share) * m / (m - 1) * ((top - point * bottom) ** 2).sum(0) / bottom.sum(0) ** 2, m


class Correction:
    """V of DR, or of SNDR, as a sum of z over contexts, and what it is moderated to."""

    def __init__(self, r, weight, residual, is_dr):
        n, contexts = r.n_agents, len(r.cell["contexts"])
        share = len(r.cell["train"]) / contexts
        mine = np.eye(n)[r.agent]  # rows x agents
        top = weight[:, None] * residual[:, None] * mine * (n if is_dr else 1)
        bottom = weight[:, None] * (np.ones_like(mine) if is_dr else mine)
        with np.errstate(all="ignore"):
            self.point = top.sum(0) / bottom.sum(0)
            u = (top - self.point * bottom) / bottom.sum(0)
            rows = bottom.sum(0) ** 2 / (bottom**2).sum(0)
            x = r.context[r.exp]
            self.u = np.array([u[x == c].sum(0) for c in np.unique(x)])
            by_rows = np.array([(u[x == c] ** 2).sum(0) for c in np.unique(x)]) * rows / (rows - 1)
            there = np.array([bottom[x == c].max(0) for c in np.unique(x)])
            m = np.array([effective(there[:, a]) for a in range(n)])
            self.u *= np.sqrt(m / (m - 1))
            z = (1 - share) * self.u**2 + share * by_rows
            self.by_rows, own = by_rows.sum(0), z.sum(0)
            noise = np.maximum((z**2).sum(0) - own**2 / m, 0) * m / (m - 1)
        self.own, self.rows = own, mine.T @ weight
        self.moderate(own, noise, np.ones(n) if is_dr else 1 / rows, np.where(m >= 2, m - 1, 0))

    def moderate(self, own, noise, unit, df):
        known = df > 0
        with np.errstate(all="ignore"):
            v, spread = np.where(known, own / unit, 0), np.where(known, noise / unit**2, 0)
        mean, count = np.average(v, weights=df), known.sum()
        drawn = np.average(spread, weights=df) / (np.average((v - mean) ** 2, weights=df) * count / (count - 1))
        drawn = np.where(known, min(drawn, 1), 1)
        self.variance = unit * ((1 - drawn) * v + drawn * mean)
        self.df = 1 / ((1 - drawn) ** 2 / np.where(known, df, 1) + drawn * (2 - drawn) / df.sum())


def shared(r, weight, residual, fold_values, dr_folds):
    """The covariance of V_DM and V_DR over EXP, by a jackknife over folds, mean over agents."""
    own = np.array([r.n_agents * np.bincount(r.agent[i], (weight * residual)[i], r.n_agents) / weight[i].sum()
                    for i in dr_folds])
    dm, dr = fold_values - fold_values.mean(0), fold_values + own
    return -(dm * (dr - dr.mean(0))).sum(0).mean() / len(dr_folds)


def half(parts, bias=0.0):
    """Of variances with their degrees of freedom, about a value that is off by `bias`."""
    total = sum(v for v, _ in parts)
    df, se = total**2 / sum(v**2 / d for v, d in parts), np.sqrt(total)
    shift = abs(bias) / se
    return se * optimize.brentq(lambda h: stats.t.cdf(h - shift, df) - stats.t.cdf(-h - shift, df) - 0.95,
                                0, shift + 20, xtol=1e-14)


def half_widths(r, f, plug_in, held_out, fold_values, dr_folds):
    """Of DM, DR and SNDR of every agent."""
    n, shape = r.n_agents, (len(r.cell["contexts"]), r.n_agents)
    at = r.context[r.eval], r.agent_of[r.eval]
    weight, row_weight = np.ones(len(at[0])), np.ones(len(r.exp))
    share = len(r.cell.get("reference", r.cell["test"])) / shape[0]
    dm, dm_variance, m = surface(f[r.eval], weight, at, shape, share)
    plug, plug_variance, _ = surface(plug_in[r.eval], weight, at, shape, share)
    residual = r.y_exp - held_out
    dr, sndr = (Correction(r, row_weight, residual, is_dr) for is_dr in (True, False))
    b, v = dm - plug - dr.point, dr.by_rows.mean()
    rho = np.clip(shared(r, row_weight, residual, fold_values, dr_folds) / v, 0, 1)
    left = (1 - rho) ** 2 * v
    least, s = (b**2).mean() - left, (1 - rho) ** 2 * np.sqrt(2 * ((dr.u.T @ dr.u) ** 2).sum()) / n
    apart = least + s * np.exp(stats.norm.logpdf(least / s) - stats.norm.logcdf(least / s))
    between, square = max((dr.own - dr.by_rows).mean(), 0), apart + rho**2 * v
    w = max(0, (apart - rho * (1 - rho) * v) / (apart + left))
    missed = between + (v * apart / (apart + left) if w > 0 else square)
    out = np.empty((3, n))
    for a in range(n):
        if dr.rows[a] > 0:
            out[0, a] = half([(dm_variance[a], m - 1), (missed, n)], w * b[a])
            for kind, c in ((1, dr), (2, sndr)):
                out[kind, a] = half([(plug_variance[a], m - 1), (c.variance[a], c.df[a])])
        else:
            out[0, a] = half([(dm_variance[a], m - 1), (between + square, n)])
            out[1:, a] = half([(plug_variance[a], m - 1), (between + square, n)])
    return out

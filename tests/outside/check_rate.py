#!/usr/bin/env python3
"""Recomputes attribute effects of `regret rate` and their contrasts with NumPy and SciPy (docs/rate.md), from the rows alone.

Usage: check_rate.py REGRET FOLDER

Draws rows of two reward models, two attributes and two datasets, some scores missing, whose prompts are clusters of many sizes or
name none. Estimates, the paired and unpaired errors, CR2 by explicit matrices, Satterthwaite's degrees of freedom, intervals and
Cohen's d of every effect are compared, of every contrast the difference, error, degrees of freedom and p, and against people's
choices shares and the logit line. Exit code 77 where NumPy or SciPy is missing.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np
    from scipy import stats
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SIDES = ["original", "rewrite", "rewrite_of_rewrite"]
SIZES = {"mixed": [1, 2, 8, 3, 1, 5], "eights": [8], "ones": [1]}
worst, compared = 0.0, 0


def compare(what, printed, wanted, tolerance=1e-8):
    global worst, compared
    assert (printed == "") == bool(np.isnan(wanted)), (what, printed, wanted)
    if printed != "":
        error = abs(float(printed) - wanted) / max(1.0, abs(wanted))
        assert error < tolerance, (what, printed, wanted)
        worst, compared = max(worst, error), compared + 1


def made(seed, sizes, prompts):
    """Rows of the groups (D, a), (D, b) and (E, a); ids are those of the texts, whatever the attribute."""
    rng, rows = np.random.default_rng(seed), []
    for k, (dataset, attribute) in enumerate([("D", "a"), ("D", "b"), ("E", "a")]):
        for cluster in range(18 + k):
            own, effect = rng.normal(size=2), 0.5 + 0.7 * rng.normal(size=2)
            for _ in range(sizes[cluster % len(sizes)]):
                w = int(rng.integers(2))
                scores = {f"m{m}": {s: own[m] + effect[m] * (w != (s == "rewrite")) + rng.normal() for s in SIDES} for m in range(2)}
                if rng.random() < 0.05:
                    del scores["m1"]["rewrite"]
                row = {"id": f"r{len([r for r in rows if (r['dataset'], r['attribute']) == (dataset, attribute)])}", "dataset": dataset,
                       "attribute": attribute, "w": w, "scores": scores}
                rows.append({**row, "prompt": f"p{cluster}"} if prompts else row)
    return rows


def effect_of(rows, group, model, effect, clusters):
    """Its rows: value, column (a mean each), cluster; and the sign of the column."""
    used = [r for r in rows if (r["dataset"], r["attribute"]) == group and len(r["scores"][model]) == 3]
    side, w = effect[-1], {"T": 1, "U": 0}.get(effect[-1])
    w = int(effect[-1]) if effect.startswith("drift") else None if side == "E" else w
    values = []
    for r in used:
        o, first, second = (r["scores"][model][s] for s in SIDES)
        sign = 1 if r["w"] else -1
        delta = o if effect == "naive" else second - o if effect.startswith("drift") else sign * ((o if effect[0] == "s" else second) - first)
        if w is None or effect == "naive" or r["w"] == w:
            values.append((delta, int(effect == "naive" and not r["w"]), clusters(r)))
    return used, values


def cr2(parts):
    """Estimate, error and degrees of freedom of Σ sign·mean over the columns of the parts: (values, sign) each."""
    y, column, name, weight, first = [], [], [], [], 0
    for values, sign in parts:
        columns = 1 + max(c for _, c, _ in values)
        y += [v for v, _, _ in values]
        column += [first + c for _, c, _ in values]
        name += [n for _, _, n in values]
        weight += [sign, -sign][:columns]
        first += columns
    y, column, weight = np.array(y), np.array(column), np.array(weight, float)
    x = np.eye(first)[column]
    n = x.sum(0)
    mean = x.T @ y / n
    residual = y - mean[column]
    phi = (x.T @ residual**2 / (n - 1))[column]
    a, names = weight[column] / n[column], np.array([list(dict.fromkeys(name)).index(v) for v in name])
    i_h = np.eye(len(y)) - (x / n) @ x.T
    psi, g = [], []
    for c in range(names.max() + 1):
        at = np.flatnonzero(names == c)
        value, vector = np.linalg.eigh(i_h[np.ix_(at, at)])
        inverse = np.where(value > 1e-10, 1 / np.sqrt(np.maximum(value, 1e-300)), 0)
        z = vector @ (inverse * (vector.T @ a[at]))
        psi.append(z @ residual[at])
        g.append(i_h[:, at] @ z)
    b = (np.array(g) * phi) @ np.array(g).T
    return float(weight @ mean), float(np.sqrt(np.sum(np.square(psi)))), float(np.trace(b) ** 2 / np.sum(b * b))


def leave_out(used, values, model, clusters):
    """d without each cluster, about the mean of these; a class left with fewer than two rows keeps its deviation."""
    rows = [(r["scores"][model]["original"], r["w"], clusters(r)) for r in used]
    whole, ds = {}, []
    for name in [None, *dict.fromkeys(c for _, _, c in rows)]:
        squares, left = 0.0, 0
        for w in (0, 1):
            o = np.array([v for v, of, c in rows if of == w and c != name])
            square = whole.get(w, 0) if len(o) < 2 else ((o - o.mean()) ** 2).sum()
            whole.setdefault(w, square)
            squares, left = squares + square, left + len(o)
        y = [[v for v, column, c in values if column == k and c != name] for k in (0, 1)]
        ds.append((np.mean(y[0]) - (np.mean(y[1]) if y[1] else 0)) / np.sqrt(squares / (left - 2)))
    n = len(ds) - 1
    return np.sqrt((n - 1) / n) * (np.mean(ds[1:]) - np.array(ds[1:]))


def table(regret, *arguments):
    done = subprocess.run([regret, "rate", *map(str, arguments), "-f", "csv"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def check_estimates(printed, rows, clusters):
    for line in printed:
        what = (line["dataset"], line["attribute"], line["reward_model"], line["effect"])
        used, values = effect_of(rows, what[:2], what[2], what[3], clusters)
        estimate, se, df = cr2([(values, 1)])
        o = {w: np.array([r["scores"][what[2]]["original"] for r in used if r["w"] == w]) for w in (0, 1)}
        spread = np.sqrt(sum(((v - v.mean()) ** 2).sum() for v in o.values()) / (len(used) - 2))
        t = stats.t.ppf(0.975, df)
        for key, wanted in {"n": len(values), "estimate": estimate, "se": se, "df": df, "low": estimate - t * se, "high": estimate + t * se,
                            "d": estimate / spread, "d_se": np.sqrt((leave_out(used, values, what[2], clusters) ** 2).sum()), "pooled_sd": spread, "n1": len(o[1]), "n0": len(o[0]),
                            "n_clusters": len({c for _, _, c in values})}.items():
            compare((*what, key), line[key], wanted)
        if what[3] != "naive":
            delta = np.array([v for v, _, _ in values])
            compare((*what, "paired"), line["se_paired"], delta.std(ddof=1) / np.sqrt(len(delta)))
        if what[3][:4] in ("sing", "RATE"):
            from_ = "original" if what[3][0] == "s" else "rewrite_of_rewrite"
            of = [r for r in used if what[3][-1] == "E" or r["w"] == (what[3][-1] == "T")]
            do = [[r["scores"][what[2]][from_ if r["w"] == w else "rewrite"] for r in of] for w in (1, 0)]
            compare((*what, "unpaired"), line["se_unpaired"], np.sqrt(sum(np.var(v, ddof=1) for v in do) / len(of)))


def check_contrasts(printed, rows, clusters):
    kinds = set()
    for line in printed:
        what = [(line[p + "dataset"], line[p + "attribute"], line[p + "reward_model"], line[p + "effect"]) for p in ("", "second_")]
        parts = [(effect_of(rows, w[:2], w[2], w[3], clusters)[1], sign) for w, sign in zip(what, (1, -1))]
        difference, se, df = cr2(parts)
        for key, wanted in {"difference": difference, "se": se, "df": df, "p": 2 * stats.t.sf(abs(difference) / se, df),
                            "low": difference - stats.t.ppf(0.975, df) * se}.items():
            compare((line["contrast"], *what, key), line[key], wanted, 1e-7)
        assert float(line["all_low"]) <= float(line["low"]) and float(line["p_holm"]) >= float(line["p"])
        kinds.add(line["contrast"])
    assert kinds == {"models", "attributes", "datasets", "naive", "single", "treated"}, kinds


def check_people(regret, path):
    """Shares, and the line of choices on differences of a reward by Newton's steps, with its sandwich of clusters."""
    rng = np.random.default_rng(9)
    for trial in range(4):
        prompt, w = np.arange(120) % 30, np.arange(120) % 3 == 0
        x = 0.5 + rng.normal(size=30)[prompt] * 0.5 + rng.normal(size=120)
        y = np.where(np.arange(120) % 17 == 5, 0.5, rng.random(120) < 1 / (1 + np.exp(-(0.4 * trial - 0.6 + (0.6 * trial - 0.5) * x))))
        path.write_text("".join(json.dumps({
            "id": i, "w": int(w[i]), "prompt": f"p{prompt[i]}", "contrasts": {"human": {"double": 2 * y[i] - 1}},
            "scores": {"m": dict(zip(SIDES, (0.0, 1.0, 1.0 + (x[i] if w[i] else -x[i]))))}}) + "\n" for i in range(120)), encoding="utf-8")
        design, b = np.column_stack([np.ones(120), x]), np.zeros(2)
        for _ in range(50):
            p = 1 / (1 + np.exp(-design @ b))
            information = design.T @ (design * (p * (1 - p))[:, None])
            b = b + np.linalg.solve(information, design.T @ (y - p))
        score = design * (y - p)[:, None]
        for cluster, n in (("prompt", 30), ("none", 120)):
            sums = score if n == 120 else np.array([score[prompt == c].sum(0) for c in range(30)])
            bread = np.linalg.inv(information)
            se = np.sqrt(np.diag(bread @ (sums.T @ sums) @ bread) * n / (n - 1))
            row = table(regret, "human", path, "--cluster", cluster)[0]
            bins = np.floor(10 / (1 + np.exp(-x)))
            error = sum(abs((1 / (1 + np.exp(-x)) - y)[bins == k].sum()) for k in range(10)) / 120
            decided = y != 0.5
            for k, (name, null) in enumerate((("intercept", 0), ("slope", 1))):
                for key, wanted in {"": b[k], "_se": se[k], "_high": b[k] + stats.t.ppf(0.975, n - 1) * se[k],
                                    "_p": 2 * stats.t.sf(abs(b[k] - null) / se[k], n - 1)}.items():
                    compare((name + key, cluster), row[name + key], wanted, 1e-6)
            for key, wanted in {"agreement": ((y > 0.5) == (x > 0))[decided].mean(), "wins": (x > 0).mean(), "human_wins": y.mean(),
                                "calibration_error": error, "n_clusters": n, "decided": decided.sum()}.items():
                compare((key, cluster), row[key], float(wanted))


def main():
    regret, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    path = folder / "rows.jsonl"
    for seed, (sizes, prompts) in enumerate([("mixed", True), ("eights", True), ("ones", True), ("mixed", False)]):
        rows = made(seed, SIZES[sizes], prompts)
        path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
        by_prompt = lambda r: r["prompt"]
        alone = lambda r: (r["dataset"], r["attribute"], r["id"])
        check_estimates(table(regret, "estimate", path), rows, by_prompt if prompts else alone)
        check_estimates(table(regret, "estimate", path, "--cluster", "none"), rows, alone)
        for effect in ("RATE_ATE", "naive"):  # without prompts rows of one text are paired, whatever their attribute
            units = by_prompt if prompts else lambda r: (r["dataset"], r["id"])
            check_contrasts(table(regret, "contrast", path, "--scale", "reward", "--effect", effect), rows, units)
    check_people(regret, path)
    print(f"{compared} numbers within {worst:.1g}")


main()

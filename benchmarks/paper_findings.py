"""The findings of the paper, asked of runs (paper.py findings)."""
import collections
import math
import re
import sys

import numpy as np

from paper_runs import (DATA, FEW_SEEDS, OBS_BASED, Bold, Page, Paired, Shape, TIE, adjusted, finite_mean,
                        limits, records_of, resamples, shown, standings)

VERDICTS = ("holds", "partly", "mixed", "does not hold", "not separable", "not applicable")
HIGH_IS_BETTER = {"top1", "top3", "spearman", "r2"}
Part = collections.namedtuple("Part", "side p")


def subject_of(word):
    kind, _, name = word.rpartition(":")
    return kind or "family", name


class Finding:
    """A line of data/paper/claims.csv (the grammar is in README.md there)."""

    def __init__(self, record):
        self.id, self.idea, self.standing, self.text = (record[k] for k in ("id", "idea", "standing", "text"))
        self.views, self.paper, self.needs = record["views"].split(), record["paper"], record["needs"].split()
        self.choice = record["subjects"] if record["subjects"] in ("by-cell", "by-top1") else None
        self.everyone = record["subjects"] == "*"
        named = [] if self.choice or self.everyone else record["subjects"].split()
        self.subjects, self.others = [subject_of(w) for w in named], [subject_of(w) for w in record["others"].split()]
        self.measures, self.against = record["measure"].split(), record["against"]
        self.sign = {"below": -1, "near": 0, "above": 1}[record["direction"]]
        self.over, *self.keys = record["over"].split() or [""]
        self.cells = [re.fullmatch(r"([\w.]+)(=|>=|>)(.*)", w).groups() for w in record["cells"].split()]


class Answer:
    """A finding asked of a run: its parts, and the numbers of the one that decides."""

    def __init__(self, finding, run, heading, cells):
        self.finding, self.run, self.where = finding, run, run.name + (f": {heading}" if heading else "")
        self.parts, self.weakest, self.holm, self.bh = [], Paired(*[math.nan] * 4, 0), None, None
        self.lacking = "; ".join(self.lacks(cells))
        if self.lacking:
            return
        self.at = self.narrowed(cells)
        for self.measure in finding.measures:
            self.ask()
        if not self.lacking and not any(p.n for p in self.tested):
            self.lacking = "a seed with all its numbers"

    tested = ()

    # What the run lacks, and which cells are asked.

    def lacks(self, cells):
        f, run = self.finding, self.run
        named = [("family", p) for p in SIX] if "families" in f.needs else [s for s in f.subjects + f.others]
        for kind, name in [s for s in named if s[0] == "family"]:
            if name not in run.families:
                yield f"family {name}"
            elif f.measures[0] in ("dm_rmse", "dr_rmse") and not run.has("dr_rmse", (kind, name)):
                yield f"value estimates of {name}"
        wanted = [n for n in f.needs if n != "families"]
        for key in wanted + [k for k in f.keys if k not in wanted]:
            if key == "reward.map":
                yield from (f"reward.map {m}" for m in ("smooth", "sharpened") if m not in self.values(key, cells))
            elif not run.is_axis(key) or len(self.values(key, cells)) < 2:
                yield f"a sweep of {key}"
        for key, sign, said in f.cells:
            if key == "reward.map" and sign == "=" and said not in ("first", "last", *self.values(key, cells)):
                yield f"reward.map {said}"
        if f.measures[0] == "costliest-tenth" and not run.lists["loss"]:
            yield "the losses by context (key details)"
        if f.measures[0] in ("dm_bias2", "dr_bias2") and not run.lists[f.measures[0][:2]]:
            yield "the values by agent (keys details and values.enabled)"
        fits = [("fit", "proxy"), ("fit", "success")] if f.over == "fit" else []
        for kind, name in fits + [s for s in f.subjects + f.others if s[0] != "family"]:
            if not run.has("r2" if kind == "fit" else "regret", (kind, name)):
                yield f"{'the fit of the target on' if kind == 'fit' else 'the baseline'} {name}"

    def values(self, key, cells):
        places = sorted({int(p) for p in self.run.place.get(key, np.zeros(self.run.n_cells, int))[cells]})
        return [self.run.keys[key][p] for p in places] if key in self.run.keys else []

    def end(self, cells, key, last):
        """The cells at the least or the greatest value of the key that occurs; of maps smooth and sharpened."""
        place = self.run.place[key][cells]
        if key == "reward.map":
            return cells[place == self.run.keys[key].index("sharpened" if last else "smooth")]
        return cells[place == (place.max() if last else place.min())]

    def narrowed(self, cells):
        for key, sign, said in self.finding.cells:
            if not self.run.is_axis(key):
                continue
            place, n = self.run.place[key][cells], len(self.run.keys[key])
            if said in ("first", "last") and sign == "=":
                cells = cells[place == (place.max() if said == "last" else place.min())]
            elif sign == "=":
                cells = cells[[self.run.keys[key][p] == said for p in place]]
            else:
                cells = cells[place >= {"first": 1, "middle": n // 2, "last-but-one": max(0, n - 2)}[said]]
        return cells

    # Amounts: a number a seed.

    def number(self, cells, measure, who):
        run = self.run
        if measure in ("dm_bias2", "dr_bias2"):
            return self.bias(cells, measure[:2], who)
        if measure == "lambda<=0.1":
            y = run.of("lambda", who)[cells]
            return np.where(np.isfinite(y), (y <= .1) - .5, np.nan).mean(axis=0)
        if measure == "excess":
            best = np.min([run.cell_means(self.at, "regret", f) for f in run.paper], axis=0)
            y = run.of("regret", who)[self.at[best > 0]] / best[best > 0, None]
            return 100 * (y - 1).mean(axis=0)
        return run.seed_means(cells, measure, who)

    def bias(self, cells, estimate, who):
        """Mean over agents of the squared E[error], without the variance in it: jackknifed products of two seeds."""
        lists, oracle, seeds = self.run.lists, ("baseline", "oracle"), range(len(self.run.seeds))
        out = np.zeros(len(self.run.seeds))
        for cell in cells:
            own = [lists[estimate].get((who, cell, s), []) for s in seeds]
            truth = [lists["value"].get((oracle, cell, s), []) for s in seeds]
            size = max(map(len, own))
            e = np.array([[a - b if a is not None and b is not None else np.nan for a, b in zip(x, y)]
                          + [np.nan] * (size - min(len(x), len(y))) for x, y in zip(own, truth)], float)
            finite = np.isfinite(e)
            total, squares, n = np.where(finite, e, 0).sum(0), (np.where(finite, e, 0) ** 2).sum(0), finite.sum(0)
            with np.errstate(invalid="ignore", divide="ignore"):
                square = (2 * e * (total - e) - (total ** 2 - squares) / (n - 1)) / (n - 2)
            out += np.where(n > 2, square, np.nan).mean(axis=1)
        return out / len(cells)

    def chosen(self, score, tie=None):
        """Of families (rows) that of the best mean score over the other seeds, at each seed its number."""
        own = tie if tie is not None else score
        both = np.isfinite(score) & np.isfinite(own)
        kept = both[:, None, :] & ~np.eye(score.shape[1], dtype=bool)  # family, seed left out, seed

        def others(y):
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.cumsum(np.where(kept, y[:, None, :], 0), axis=2)[..., -1] / kept.sum(2)
        score, second = others(score), others(own)
        out = np.full(score.shape[1], np.nan)
        for s in range(len(out)):
            best, best_tie = -math.inf, math.inf
            for i in range(len(score)):
                draw = tie is not None and abs(score[i, s] - best) < TIE
                if (second[i, s] < best_tie) if draw else score[i, s] > best:
                    best, best_tie, out[s] = score[i, s], second[i, s], own[i, s]
        return out

    def best_of(self, cells, whom):
        """The best of them by the measure, chosen on the other seeds so that it is not judged by what chose it."""
        sign = 1 if self.measure in HIGH_IS_BETTER else -1
        return sign * self.chosen(np.array([sign * self.run.seed_means(cells, self.measure, f) for f in whom]))

    def own(self, cells, who):
        paper = self.run.paper
        if self.finding.choice == "by-cell":
            return np.mean([self.best_of(np.array([c]), paper) for c in cells], axis=0)
        if self.finding.choice == "by-top1":  # of several that lead, the one of the lowest regret
            top1, regret = (np.array([self.run.seed_means(cells, m, f) for f in paper]) for m in ("top1", "regret"))
            return self.chosen(top1, regret)
        return self.number(cells, self.measure, who)

    def candidates(self):
        f, run = self.finding, self.run
        among = {"best-ranked": run.paper, "best-other": f.others,
                 "best-obs-based": [s for s in run.paper if s[1] in OBS_BASED]}[f.against]
        kept = [("family", name) for name in run.families if ("family", name) in among]
        return kept if f.against == "best-obs-based" else [s for s in kept if s not in f.subjects[:1]]

    def counterpart(self, who, rival):
        """(measure, subject) that the amount is taken against; None of nothing, and of what is chosen."""
        if rival:
            return self.measure, rival
        if self.finding.against == "dm":
            return ("dm_bias2" if self.measure == "dr_bias2" else "dm_rmse"), who
        return (self.measure, self.finding.others[0]) if self.finding.against == "other" else None

    def amount(self, cells, who, rival):
        against = self.counterpart(who, rival)
        y = self.own(cells, who)
        if against:
            return y - self.number(cells, *against)
        chosen = self.finding.against.startswith("best-") and not rival
        return y - self.best_of(cells, self.candidates()) if chosen else y

    def margin(self, cells, who, rival):
        """How far from 0 counts as none [C]: 5 % of what it is taken against or, alone, of itself; of R² .05."""
        measure, base = self.counterpart(who, rival) or (self.measure, who)
        if self.finding.against.startswith("best-") and not rival:
            sign = 1 if measure in HIGH_IS_BETTER else -1
            base = self.run.lowest(cells, self.candidates(), measure, sign)
        if measure == "r2":
            return .05
        if measure in self.run.value:
            return .05 * abs(self.run.mean(cells, measure, base))
        return .05 * abs(finite_mean(self.number(cells, measure, base)))

    # Contrasts of cells.

    def contrast(self):
        """(cells, weight) of each group, and whether each is a part."""
        f, run, at = self.finding, self.run, self.at
        if f.over in ("each", "slope", "cross"):
            groups = run.split(at, f.keys[:1] or list(run.keys))
            if f.over == "each":
                return [(g, 1) for g in groups], True
            if f.over == "cross":  # in the first two fifths of the values the other way round
                return [(g, -1 if i + .5 < .4 * len(groups) else 1) for i, g in enumerate(groups)], True
            x = np.array([float(run.keys[f.keys[0]][run.place[f.keys[0]][g[0]]]) for g in groups])
            x = np.log(x) if f.keys[0] in ("n_obs", "n_exp") else x
            return list(zip(groups, (x - x.mean()) / ((x - x.mean()) ** 2).sum())), False
        if f.over == "change":  # of a second key the other way round
            return [(self.end(at, key, last), (1 if last else -1) * (-1 if i else 1))
                    for i, key in enumerate(f.keys) for last in (False, True)], False
        if f.over == "flip":
            return [(self.end(at, f.keys[0], False), 1), (self.end(at, f.keys[0], True), -1)], True
        if f.over == "fit":
            proxy, success = (run.cell_means(at, "r2", ("fit", w)) for w in ("proxy", "success"))
            return [(at[proxy > success], 1), (at[proxy <= success], -1)], True
        return [(at, 1)], False

    def judge_contrast(self, who, rival=None):
        groups, apart = self.contrast()
        if self.finding.over == "fit" and not all(len(g) for g, _ in groups):
            which = "success is" if len(groups[0][0]) else "the proxy is"
            self.lacking = f"cells in which {which} the better fit"
            return
        sign = self.finding.sign or 1
        if apart:
            for cells, weight in groups:
                self.end_part(sign * weight * self.amount(cells, who, rival), cells, who, rival)
        else:
            self.end_part(sign * sum(w * self.amount(c, who, rival) for c, w in groups), self.at, who, rival)

    # Kinds of findings.

    def ask(self):
        f, m = self.finding, self.measure
        own = self.run.paper if f.everyone else [None] if f.choice else f.subjects
        if m == "costliest-tenth":
            for who in own:
                self.put(Paired.of(cleaned(f.sign * self.costliest(who))))
        elif f.against == "each":
            for who in own:
                self.judge_rivals(who)
        elif m == "wins":
            self.judge_wins()
        elif m == "most-wins":
            rows = self.run.split(self.at, ["n_exp", "n_obs"])
            most = [self.resampled(lambda _, win: win.sum(1).max(-1), self.run.paper, row) for row in rows]
            for row in most[1:]:
                self.put_resampled(f.sign * (most[0] - row))
        else:
            for who in own:
                self.judge_contrast(who)

    def costliest(self, who):
        """The share of the regret that the costliest tenth of a family's recommendations makes, less half."""
        out = np.full(len(self.run.seeds), np.nan)
        for s in range(len(out)):
            lists = [self.run.lists["loss"].get((who, c, s), []) for c in self.at]
            y = np.sort(np.concatenate(lists)) if all(lists) else np.zeros(1)
            if y.sum() > 0:
                out[s] = y[len(y) - (len(y) + 9) // 10:].sum() / y.sum() - .5
        return out

    def judge_rivals(self, who):
        """A part for each of the others or, without any, each other ranked family."""
        others = self.finding.others or [f for f in self.run.paper if f != who]
        if self.measure in ("rank", "in-top3", "wins", "excess"):
            others = [f for f in self.run.paper if f in others]
        if self.measure in ("rank", "in-top3", "wins"):
            def placed(rank, win):
                return {"rank": rank.mean(1), "in-top3": (rank <= 3).sum(1), "wins": win.sum(1)}[self.measure]
            y = dict(zip(self.run.paper, self.resampled(placed, self.run.paper, self.at).T))
            for other in others:
                self.put_resampled(self.finding.sign * (y[who] - y[other]))
        else:
            for other in others:
                self.judge_contrast(who, other)

    def judge_wins(self):
        """A subject's wins less half of the cells, those of another, or the most of any other."""
        f = self.finding
        among = f.subjects + f.others if f.others else self.run.paper
        y = self.resampled(lambda _, win: win.sum(1), among, self.at)
        own = among.index(f.subjects[0])
        against = (len(self.at) / 2 if f.against == "half" else y[:, 1] if f.against == "other"
                   else np.delete(y, own, axis=1).max(1))
        self.put_resampled(f.sign * (y[:, own] - against))

    # Parts.

    def resampled(self, statistic, families, cells):
        """Of mean regrets over the seeds that have all of them: as they are, then of each resample."""
        y = np.stack([self.run.of("regret", f)[cells] for f in families])  # family, cell, seed
        y = y[:, :, np.isfinite(y).all(axis=(0, 1))]
        self.whole = y.shape[2]
        weight = np.vstack([np.ones(self.whole), resamples(self.whole)]) / self.whole
        return statistic(*standings(np.einsum("bs,fcs->bcf", weight, y, optimize=True)))

    def put_resampled(self, d):
        self.put(Paired(float(d[0]), float(np.std(d[1:], ddof=1)), *limits(d[1:]), self.whole))

    def end_part(self, d, cells, who, rival):
        p = Paired.of(cleaned(d))
        if self.finding.sign:
            self.put(p)
            return
        m = self.margin(cells, who, rival)
        side = (p.low > -m and p.high < m) - (p.low > m or p.high < -m)
        self.count(p, side, -m if p.mean < 0 else m)
        if p.n and (sum(t.n > 0 for t in self.tested) == 1 or abs(p.mean) > abs(self.weakest.mean)):
            self.weakest = p

    def put(self, p):
        """Shown is the part that decides: of those below 0 the farthest from it, else that of the lowest interval."""
        self.count(p, (p.low > 0) - (p.high < 0), 0)
        w = self.weakest
        below, was = p.high < 0, w.high < 0
        lower = p.mean < w.mean if math.isnan(p.low) else p.high < w.high if below else p.low < w.low
        if p.n and (sum(t.n > 0 for t in self.tested) == 1 or below > was or (below == was and lower)):
            self.weakest = p

    def count(self, p, side, value):
        enough = p.n >= FEW_SEEDS
        self.tested = [*self.tested, p]
        self.parts.append(Part(side if enough else 0, p.p_value(value) if enough else math.nan))

    def sides(self, side, p_values=None):
        return sum(part.side == side and (p_values is None or p_values[i] <= .05) for i, part in enumerate(self.parts))

    def verdict(self, p_values=None):
        above, below = self.sides(1, p_values), self.sides(-1, p_values)
        if self.lacking:
            return "not applicable"
        if above == 0:
            return "does not hold" if below else "not separable"
        return "mixed" if below else "holds" if above == len(self.parts) else "partly"

    def fields(self):
        f, w = self.finding, self.weakest
        against = f", {self.sides(-1)} against" if self.sides(-1) else ""
        verdict = self.verdict()
        return [f.id, self.where, f.text, f.paper, *(shown(x, 5, True) for x in w[:1] + w[2:4]), shown(w.detectable(), 5),
                f"lacks {self.lacking}" if self.lacking else f"{self.sides(1)} of {len(self.parts)}{against}",
                Bold(verdict) if verdict == "holds" else verdict,
                *("–" if p is None else self.verdict(p) for p in (self.holm, self.bh))]


SIX = ("cvci", "cvci-residual", "exp-only", "grounded", "obs-only", "representation-exp")


def cleaned(d):
    """Evidence below the rounding of equal numbers counts as 0."""
    return np.where(np.abs(d) < TIE, 0, d)


FINDING_NOTES = (
    "Evidence: what the finding says is above 0 (a paired difference in the claimed direction; along β, λ_fix and ω the "
    "least-squares slope, along a budget the slope against its ln), one number a seed, its mean and the 95 % bootstrap "
    "interval of that mean. Ranks, top-3 and wins are of cell means over all seeds, as the paper's, with their interval "
    "over resamples of the seeds. Flat, or equal: the evidence is the difference, and the part holds when its interval "
    "lies within ± 5 % of what it is held against (of R², ± 0.05). \"Best of\" several families: chosen, for each seed, "
    "on the other seeds, so that the choice is not judged by the data it was made on.",
    "Parts: a finding about several rivals, measures or cells (\"every\", \"throughout\") has one for each; how many "
    "intervals lie above 0 and, against it, below. Holds: all above. Partly: some above, none below. Mixed: some above "
    "and others below. Does not hold: none above, some below. Not separable: every interval holds 0, or there are fewer "
    "than 10 seeds. Shown is the part that speaks most against it. Detectable: the true size of that evidence which so "
    "many seeds tell from 0 with a power of 0.8 (two-sided t test, .05).",
    "Comparisons: the parts of the paper's findings in this table, each with the two-sided p-value of Student's t over "
    "seeds (of ranks and wins with the standard error of their resamples; of flat and equal against the nearer margin). "
    "Holm, Benjamini–Hochberg: the verdict when a part must also have an adjusted p-value of at most .05, over all of "
    "these comparisons: no false one among all with a chance of .95, and at most .05 of them false on average.")


def findings_page(runs):
    findings = [Finding(r) for r in records_of(DATA / "claims.csv")]
    views = [Shape(r) for r in records_of(DATA / "views.csv")]
    answers, asked, notes = [], set(), []
    for i, run in enumerate(runs):
        same = [o for o in runs[:i] if (o.config, o.pool) == (run.config, run.pool) and set(o.seeds) & set(run.seeds)]
        if same:
            sys.exit(f"paper.py: {same[0].folder} and {run.folder} are one experiment, whose seeds would count twice; leave "
                     "one out, or join shards with 'regret merge'")
        own = [v for v in views if v.fits(run)]
        asked |= {v.name for v in own}
        groups = run.groups(but=[k for k in run.keys if any(v.sweeps(k) for v in own)])
        answers += [Answer(f, run, heading, cells) for heading, cells in groups for f in findings
                    if {v.name for v in own} & set(f.views)]
        said = f"view {', '.join(v.name for v in own)}" if own else \
            "the shape of no view of the paper, so that nothing is asked"
        notes.append(f"{run.name}: pool {run.pool}{' (SYNTHETIC)' * run.synthetic}, {run.n_cells} cells × "
                     f"{len(run.seeds)} seeds; {said}.")
    if not asked:
        sys.exit(f"paper.py: no run here has the shape of a view of the paper ({', '.join(v.name for v in views)}); "
                 "data/paper/views.csv says what each sweeps")
    if len(asked) < len(views):
        unasked = sum(not asked & set(f.views) for f in findings)
        notes.append(f"No run of the views {', '.join(v.name for v in views if v.name not in asked)}: {unasked} findings "
                     "are about these alone and not asked.")
    correct(answers)
    synthetic = " (SYNTHETIC data among them)" * any(run.synthetic for run in runs)
    page = Page(f"Findings of the paper in {len(runs)} run{'s' * (len(runs) != 1)}{synthetic}")
    page.notes = notes + list(FINDING_NOTES)
    put_verdicts(page, answers)
    for idea in dict.fromkeys(f.idea for f in findings):
        rows = [a.fields() for f in findings if f.idea == idea for a in answers if a.finding is f]
        if rows:
            page.table(idea, "Claim|Run|Finding|Paper|Evidence:|95 % low:|95 % high:|Detectable:|Parts|Verdict|Holm|"
                       "Benjamini–Hochberg", rows)
    return page


def correct(answers):
    """Holm's and Benjamini and Hochberg's p-values over the parts of the paper's findings."""
    counted = [a for a in answers if a.finding.standing == "paper" and not a.lacking]
    p = [part.p for a in counted for part in a.parts]
    holm, bh, first = adjusted(p, True), adjusted(p, False), 0
    for a in counted:
        end = first + len(a.parts)
        a.holm, a.bh, first = holm[first:end], bh[first:end], end


def put_verdicts(page, answers):
    def row(name, of, p_values=lambda a: None):
        verdicts = [a.verdict(p_values(a)) for a in of]
        comparisons = sum(not math.isnan(part.p) for a in of if not a.lacking for part in a.parts)
        return [name, *(str(verdicts.count(v)) for v in VERDICTS), str(comparisons)]
    paper = [a for a in answers if a.finding.standing == "paper"]
    rows = [row(where, [a for a in paper if a.where == where]) for where in dict.fromkeys(a.where for a in paper)]
    rows += [row("all", paper), row("all, Holm", paper, lambda a: a.holm),
             row("all, Benjamini–Hochberg", paper, lambda a: a.bh)] if paper else []
    for name, standing in (("true by construction", "construction"), ("ours", "ours")):
        others = [a for a in answers if a.finding.standing == standing]
        rows += [row(f"{name} (not counted)", others)] if others else []
    page.table("verdicts", "Run|" + "|".join(f"{v}:" for v in VERDICTS) + "|Comparisons:", rows)

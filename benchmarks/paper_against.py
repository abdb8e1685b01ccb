"""A run's numbers beside published ones (paper.py against)."""
import collections
import functools
import math
import re
import sys

import numpy as np

from paper_runs import (DATA, OBS_BASED, Page, Paired, Shape, TIE, VARIANTS, average_ranks, correlation, kendall,
                        limits, number_of, records_of, resamples, shown)

# What a printed number is: its kind, the measure it is of, which way is better, decimals.
Statistic = collections.namedtuple("Statistic", "word kind measure better decimals")
STATISTICS = {s.word: s for s in (Statistic(*line.split()[:3], *map(int, line.split()[3:])) for line in """
    none nothing regret 0 4
    regret mean regret -1 4
    rank rank regret -1 2
    top3 top3 regret 1 0
    excess excess regret -1 1
    lead lead regret 0 4
    wins wins regret 1 0
    top1_wins wins top1 1 0
    top3_wins wins top3 1 0
    rmse mean rmse -1 4
    dm_rmse mean dm_rmse -1 4
    dr_rmse mean dr_rmse -1 4
    sndr_rmse mean sndr_rmse -1 4
    dr_minus_dm change dr_rmse 0 4
    r2 mean r2 1 3""".strip().split("\n"))}


def weighted_means(run, measure, whom, cells):
    """Means over seeds, all of them and then each resample of them: by resample, cell and subject."""
    y = np.stack([run.of(measure, who)[cells] for who in whom], axis=-1)  # cell, seed, subject
    weight = np.vstack([np.ones(len(run.seeds)), resamples(len(run.seeds))]) if len(run.seeds) > 1 else \
        np.ones((1, len(run.seeds)))
    finite = np.isfinite(y)
    total = np.einsum("bs,csk->bck", weight, np.where(finite, y, 0), optimize=True)
    count = np.einsum("bs,csk->bck", weight, finite.astype(float), optimize=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(count > 0, total / count, np.nan)


class Number:
    """One published number beside the run's."""

    def __init__(self, record, section):
        self.record, self.run, self.rivals = record, section.run, section.rivals
        self.statistic, self.value = STATISTICS[record["statistic"]], float(record["value"])
        self.keys = [(k, record[k]) for k in section.key_names if record[k]]
        self.cells, self.subject, self.lacking, self.group = section.cells, None, None, None
        self.place = self.place_ours = 0
        self.agrees = None  # yes, clearly, tied, no
        self.lacking = self.find()
        if self.lacking is None:
            self.resample = self.over_cells()
            self.ours = float(self.resample[0])
            self.low, self.high = limits(self.resample[1:])
            if not math.isfinite(self.ours):
                self.lacking = f"the run has no {self.statistic.word} of it"

    def find(self):
        """Narrows the cells and finds the subject; says what the run lacks for it."""
        if self.statistic.kind == "nothing":
            return "no number of the run's cells"
        for key, said in self.keys:
            if said == "?":
                return f"which {key} it is about is lost"
            if key not in self.run.keys:
                return f"the run does not sweep {key}"
            values = self.run.keys[key]
            position = re.fullmatch(r"#(\d+)/(\d+)", said)
            if position and len(values) != int(position[2]):
                return f"the run has {len(values)} value{'s' * (len(values) != 1)} of {key}, not {position[2]}"
            at = int(position[1]) - 1 if position else next(
                (i for i, v in enumerate(values) if v == said or number_of(v) == number_of(said)), None)
            if at is None:
                return f"the run has no {key} {said}"
            self.cells = self.cells[self.run.place[key][self.cells] == at]
        if len(self.cells) == 0:
            return "the run has no such cell"
        name = self.record["subject"]
        if name == "best-obs-based":
            self.subject = self.run.lowest(self.cells, [f for f in self.run.paper if f[1] in OBS_BASED])
        self.subject = self.subject or self.run.find(name, "family", "baseline", "fit")
        return None if self.subject else f"the run has no {name}"

    def over_cells(self):
        """The statistic in the mean over seeds and in each resample. Counts are sums over cells, others means."""
        kind, measure = self.statistic.kind, self.statistic.measure
        own = weighted_means(self.run, measure, [self.subject], self.cells)[..., 0]
        if kind == "change":
            own = own - weighted_means(self.run, "dm_rmse", [self.subject], self.cells)[..., 0]
        elif kind != "mean":
            sign = 1 if measure == "regret" else -1  # so that less is better
            others = [f for f in self.rivals if kind not in ("wins", "lead") or f != self.subject]
            rest = sign * weighted_means(self.run, measure, others, self.cells)
            own = sign * own
            best = np.nanmin(rest, axis=-1) if others else np.full(own.shape, np.nan)
            with np.errstate(invalid="ignore", divide="ignore"):
                if kind in ("rank", "top3"):
                    lower = (rest < own[..., None] - TIE).sum(-1)
                    equal = (np.abs(rest - own[..., None]) <= TIE).sum(-1)
                    rank = np.where(np.isfinite(rest).all(-1), lower + (equal + 1) / 2, np.nan)
                    own = rank if kind == "rank" else np.where(np.isfinite(rank), rank <= 3, np.nan)
                elif kind == "excess":
                    own = np.where(best > 0, 100 * (own / best - 1), np.nan)
                elif kind == "wins":
                    own = np.where(np.isfinite(own) & np.isfinite(best), ~(best < own - TIE), np.nan)
                else:
                    own = best - own
        finite = np.isfinite(own)
        total, count = np.where(finite, own, 0).sum(-1), finite.sum(-1)
        return np.where(count > 0, total / (1 if kind in ("top3", "wins") else np.maximum(count, 1)), np.nan)

    def is_better(self, a, b):
        return b < a - TIE if self.statistic.better > 0 else a < b - TIE

    def judge(self):
        """Whether a lead or a sign is the published one."""
        if self.statistic.kind == "lead":
            self.winner = self.run.lowest(self.cells, self.rivals)
            following = self.run.lowest(self.cells, [f for f in self.rivals if f != self.subject])
            lead = Paired.of(self.run.seed_means(self.cells, "regret", following)
                             - self.run.seed_means(self.cells, "regret", self.subject))
            self.agrees = agreement(self.ours >= 0, lead.separable())
        elif self.statistic.kind == "change" and self.value != 0:
            same = self.ours != 0 and (self.ours > 0) == (self.value > 0)
            self.agrees = agreement(same, self.low > 0 or self.high < 0)

    def fields(self):
        sign = self.statistic.kind in ("lead", "change")
        numbers = [shown(x, self.statistic.decimals, sign) for x in (self.value, self.ours, self.low, self.high)]
        cells = ", ".join(f"{k} = {self.run.keys[k][self.run.place[k][self.cells[0]]]}" for k, _ in self.keys)
        words = {None: "–", "yes": "yes", "clearly": "yes, clearly", "tied": "not separable", "no": "no"}[self.agrees]
        if self.place:
            words = "same place" if self.place == self.place_ours else "other place"
        elif self.statistic.kind == "lead" and self.agrees in ("tied", "no"):
            words += f": {self.winner[1]}"
        return [self.label(), cells or "all", self.record["subject"], *numbers,
                shown(self.ours - self.value, self.statistic.decimals, True),
                f"{self.place}, {self.place_ours}" if self.place else "–", words]

    def label(self):
        return f"{self.record['row']}, {self.record['column']}"


def agreement(same, clear):
    return ("clearly" if clear else "yes") if same else "no" if clear else "tied"


class Section:
    """A published table held against a group of cells."""

    def __init__(self, run, name, records, heading, cells):
        self.run, self.name, self.heading, self.cells = run, name, heading, cells
        self.key_names = [k for k in records[0] if k not in ("table", "row", "column", "statistic", "subject", "value")]
        base = next((VARIANTS[r["subject"]] for r in records if r["subject"] in VARIANTS), None)
        self.rivals = [("family", f) for f in run.families
                       if (base in (f, VARIANTS.get(f)) if base else f not in VARIANTS)]
        self.numbers = [Number(r, self) for r in records]
        self.compared = [n for n in self.numbers if n.lacking is None]
        self.rank()
        for n in self.compared:
            n.judge()

    def rank(self):
        """Groups of families with the same statistic and cells: places, and whether the same one wins."""
        groups = collections.defaultdict(list)
        for n in self.compared:
            if n.statistic.better and n.subject == ("family", n.record["subject"]):
                n.group = (n.statistic.word, *n.keys)
                groups[n.group].append(n)
        self.winners = {}
        for group, members in groups.items():
            if len(members) == 1:
                continue
            for n in members:
                n.place = 1 + sum(n.is_better(o.value, n.value) for o in members)
                n.place_ours = 1 + sum(n.is_better(o.ours, n.ours) for o in members)

            def best(among):
                return functools.reduce(lambda a, b: b if b.is_better(b.ours, a.ours) else a, among)
            first = best([n for n in members if n.place == 1])
            other = best([n for n in members if n is not first]) if first.place_ours == 1 else best(members)
            low, high = limits((first.resample - other.resample)[1:])
            self.winners[group] = agreement(first.place_ours == 1, low > 0 or high < 0)

    def title(self):
        return self.name + (f", {self.heading}" if self.heading else "")

    def tallies(self):
        """A row a statistic of the table."""
        for word in dict.fromkeys(n.statistic.word for n in self.numbers):
            yield Tally(self, word)


class Tally:
    """What the numbers of one statistic come to."""

    COUNTS = ("printed", "compared", "same", "clearly", "tied", "differ", "pairs", "in_order")

    def __init__(self, section=None, word=""):
        for name in self.COUNTS:
            setattr(self, name, 0)
        self.word, self.families, self.spearman, self.kendall = word, 0, math.nan, math.nan
        if section is not None:
            self.count(section)

    def count(self, section):
        self.name = f"{section.name} {self.word}" + (f", {section.heading}" if section.heading else "")
        numbers = [n for n in section.compared if n.statistic.word == self.word]
        self.printed = sum(n.statistic.word == self.word for n in section.numbers)
        self.compared = len(numbers)
        agrees = [n.agrees for n in numbers if n.group is None]
        agrees += [w for group, w in section.winners.items() if group[0] == self.word]
        self.same, self.clearly = sum(a in ("yes", "clearly") for a in agrees), agrees.count("clearly")
        self.tied, self.differ = agrees.count("tied"), agrees.count("no")
        for i, a in enumerate(numbers):
            for b in numbers[:i]:
                if a.group is not None and a.group == b.group and a.value != b.value:
                    self.pairs += 1
                    low, high = (b, a) if a.value > b.value else (a, b)
                    self.in_order += low.ours < high.ours - TIE
        self.correlate(section, numbers)

    def correlate(self, section, numbers):
        """Of the families' published means with ours, those in as many groups as any; of leads, of the cells won."""
        sums = {}
        if STATISTICS[self.word].kind == "lead":
            sums = {f: [0, 0, 1] for f in section.rivals} if numbers else {}
            for n in numbers:
                sums[n.subject][0] += 1
                means = [section.run.mean(n.cells, "regret", f) for f in section.rivals]
                for f, mean in zip(section.rivals, means):
                    sums[f][1] += bool(mean <= np.nanmin(means) + TIE)
        for n in numbers:
            if n.group is not None or n.statistic.kind == "change":
                of = sums.setdefault(n.subject, [0, 0, 0])
                of[0], of[1], of[2] = of[0] + n.value, of[1] + n.ours, of[2] + 1
        most = max((n for *_, n in sums.values()), default=0)
        pairs = [(p, o) for p, o, n in sums.values() if n == most]
        self.families = len(pairs)
        if len(pairs) > 2:
            published, ours = zip(*pairs)
            self.spearman = correlation(average_ranks(published), average_ranks(ours))
            self.kendall = kendall(published, ours)

    def verdict(self):
        asked, is_sign = self.same + self.tied + self.differ, self.word == "dr_minus_dm"
        opposite = not is_sign and self.kendall < 0
        if self.pairs and self.in_order == self.pairs:
            return "same order"
        if asked == 0 or not self.word:
            return "–"
        if self.same == asked and not opposite:
            return "same signs" if is_sign else "same winners"
        if self.same == 0 and self.differ == 0:
            return "not separable"
        return "does not replicate" if self.same == 0 or opposite else "partly"

    def fields(self, name):
        asked = self.same + self.tied + self.differ

        def share(n, of):
            return f"{n} of {of}" if of else "–"
        return [name, share(self.compared, self.printed), *(share(n, asked) for n in (self.same, self.clearly, self.tied,
                self.differ)), share(self.in_order, self.pairs), str(self.families or "–"), shown(self.spearman, 2, True),
                shown(self.kendall, 2, True), self.verdict()]


AGAINST_NOTES = (
    "This run: the same statistic over the cells that the number is about, means over seeds, with the 95 % percentile "
    "interval over 2,000 resamples of the seeds. Difference: this run less the published number. Places: among the "
    "families of the same statistic and cells, published and here. Ranks, excesses and leads are against the best of a "
    "cell, which each resample chooses anew, so that their intervals lean. Lead: of the published winner of a cell over "
    "the best other family; below 0 here, another family wins, which is named.",
    "Same winner or sign: of a group of families, of a cell with its lead, of a difference. Clearly: and the run can "
    "tell it from the second, or from 0, by the 95 % interval of the difference. Not separable: another one, but that "
    "interval of the two holds 0. Differs: it does not. Spearman and Kendall (τ_b): of the families' published means "
    "over the groups with ours or, of leads, of the cells that each wins; of four to six families they are coarse.",
    "Verdict, by statistic: same order, every pair of families; same winners or signs, all of them; not separable, none "
    "is the same and none differs; does not replicate, none agrees or, but for signs, Kendall is below 0; else partly. "
    "The intervals are not corrected for the number of comparisons.")


def against_page(run, what):
    shapes = [Shape(r) for r in records_of(DATA / "tables.csv")]
    own = "/" in what or what.endswith(".csv")
    if own:
        sources = [(None, records_of(what))]
    elif what == "paper":
        sources = [(s, records_of(DATA / s.record["file"])) for s in shapes if s.record["file"] and s.fits(run)]
    else:
        named = {s.name: s for s in shapes if s.record["file"]}
        unknown = [name for name in what.split(",") if name not in named]
        if unknown:
            sys.exit(f"paper.py: no numbers of \"{unknown[0]}\"; there are paper, {', '.join(named)} and files that end "
                     "in .csv")
        sources = [(named[name], records_of(DATA / named[name].record["file"])) for name in what.split(",")]
    sections = []
    for shape, records in sources:
        for table in dict.fromkeys(r["table"] for r in records):
            for heading, cells in run.groups():
                section = Section(run, table, [r for r in records if r["table"] == table], heading, cells)
                sections.append((shape, section))
    page = Page(f"Beside published numbers: {run.pool}{' (SYNTHETIC data)' * run.synthetic}")
    if sections:
        put_sections(page, sections)
    if run.synthetic:
        page.notes.append(f"SYNTHETIC: the pool {run.pool} was generated; these numbers say nothing about any real task.")
    planned = run.n_cells * int(run.config.get("seeds", len(run.seeds)))
    if run.made < planned:
        page.notes.append(f"INCOMPLETE: {run.made} of {planned} replicates.")
    if not sections:
        page.notes.append("The paper prints no table that this run has the shape of.")
    used = [shape for shape, _ in sources]
    page.notes += [f"{s.name}: {s.record['reading']}" for s in used if s and s.record["reading"]]
    if not own:
        left = [s for s in shapes if s.is_about(run) and s not in used]
        others = ", ".join(f"{s.name} ({s.record['title']})" for s in left if s.record["file"])
        lost = ", ".join(f"{s.name} ({s.record['title']})" for s in left if not s.record["file"])
        if others:
            page.notes.append(f"Not held against this run, which sweeps other keys: {others}. Name one to do it all the "
                              "same.")
        if lost:
            page.notes.append(f"No number is known of {lost}.")
    page.notes += AGAINST_NOTES
    return page


def put_sections(page, sections):
    total, rows = Tally(), []
    for _, section in sections:
        for tally in section.tallies():
            for name in Tally.COUNTS:
                setattr(total, name, getattr(total, name) + getattr(tally, name))
            if tally.word != "none":
                rows.append(tally.fields(tally.name))
    page.table("Headline", "Table and statistic|Compared|Same winner or sign|Clearly|Not separable|Differs|Pairs in order|"
               "Families:|Spearman:|Kendall:|Verdict", [*rows, [*total.fields("all")[:-1], "–"]])
    for shape, section in sections:
        title = f": {shape.record['title']}" if shape else ""
        if section.compared:
            page.table(section.name + title + (f", {section.heading}" if section.heading else ""), "Number|Cells here|"
                       "Subject|Published:|This run:|95 % low:|95 % high:|Difference:|Places|Agrees",
                       [n.fields() for n in section.compared])
        lacking = [n for n in section.numbers if n.lacking]
        if lacking:
            page.table(f"{section.title()}: {len(lacking)} of {len(section.numbers)} not compared",
                       "Number|Subject|Published:|Why not",
                       [[n.label(), n.record["subject"], shown(n.value, n.statistic.decimals), n.lacking] for n in lacking])

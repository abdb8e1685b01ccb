#!/usr/bin/env python3
"""One key at a time: which of the choices [C] of docs/protocol.md move the order of the families.

usage: ablations.py FOLDER [--regret PROGRAM] [--config CONFIG] [--pool POOL] [--seeds S] [--threads N]
                    [--only PART]... [--whole] [--set KEY=VALUE]...

Runs CONFIG (configs/main.json) once as it is and once for each line of the table ABLATIONS, with nothing
else changed, and writes FOLDER/ablations.md and FOLDER/ablations.csv, anew after each. Of every run: average ranks of the six
families of the paper over cells (of cell means; equals share a rank), Spearman's correlation of these with the paper's
Table 4 (data/paper/table4.csv), mean regrets under the smooth and the sharpened reward, and their differences to the
base, paired by seed: * where the 95 % percentile bootstrap interval over seeds leaves out 0. No multiplicity is
corrected: of twenty differences that are none about one has a star.

A small sweep keeps it cheap (8 cells: reward map x beta 0 and .6 x n_exp 200 and 800, n_obs 2000); --whole
takes the sweep of CONFIG. --only runs the lines whose key holds PART. The default 12 seeds are about 16 s a
line and processor.
"""
import argparse
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys

FAMILIES = ("exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual")
SHORT = ("exp", "obs", "repr", "grounded", "cvci", "cvci-res")
MAPS = ("smooth", "sharpened")
SMALL = ("sweep.beta=[0,0.6]", "n_obs=2000", "sweep.n_exp=[200,800]")
RESAMPLES = 2000

# Key, values in the place of the default, why the default is what it is.
ABLATIONS = (
    ("features.agent", ("1",), "the paper's features are of texts; a column for each agent is ours"),
    ("features.context", ("0", "1"), "outputs tell agents apart, contexts do not: their words weigh .3"),
    ("features.buckets", ("4096",), "few collisions at the pools' vocabularies; more cost time alone"),
    ("proxy.kind", ("tfidf-svd", "predicted-labels"), "the paper names auxiliary features and an SVD"),
    ("proxy.dim", ("8", "32"), "the paper's 16"),
    ("proxy.scale", ("raw", "rank"), "a few outputs with extreme counts are not to make a dimension"),
    ("router.slate", ("3", "10"), "the paper's five"),
    ("router.gamma", ("0.5", "2"), "mild confounding, as in the paper (docs/protocol.md, section 3)"),
    ("router.eta", ("0", "1.4"), "agents differ by context, and no context has one agent alone"),
    ("router.kappa", ("0",), "dear agents are seen less often"),
    ("exp_only.rho", ("0.1", "10"), "the paper fits by one fixed penalty; its value is lost"),
    ("obs_only.rho", ("0.1", "10"), "the same"),
    ("representation_exp.rho", ("0.1", "10"), "the same"),
    ("grounded.alpha", ("[0,0.5,1]",), "f_O - c, as the paper prints it"),
    ("baseline.clip", ("true",), "residuals of unclipped baselines keep the paper's algebra"),
    ("cv.folds", ("3", "10"), "four or five agents a fold"),
    ("n_obs", ("1000", "5000"), "a budget"),
    ("n_exp", ("400", "1600"), "a budget"),
    ("outcome.law", ("none",), "a judge's or a user's number is noisy"),
    ("outcome.precision", ("5", "100"), "deviation of an outcome about .1 in the middle of the range"),
    ("reward.power", ("3", "4"), "fitted (the configuration's) to the R2 of the paper's Table 6"),
    ("reward.penalty", ("0.05",), "fitted likewise; the paper's value is lost"),
    ("contexts.hard", ("24", "0"), "the paper's 48"),
    ("contexts.train_share", ("0.6",), "the paper's 80/20"),
)


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--regret", default="build/release/regret")
    p.add_argument("--config", default="configs/main.json")
    p.add_argument("--pool")
    p.add_argument("--seeds", type=int, default=12)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--only", action="append", default=[])
    p.add_argument("--whole", action="store_true")
    p.add_argument("--set", action="append", default=[], dest="sets")
    return p.parse_args()


def run(a, sets):
    """{cell: {family: [regret of each seed]}}, {cell: reward map}, the resolved configuration."""
    folder = a.folder / "run"
    command = [a.regret, "run", a.config, "-o", str(folder), "--force", "-q", "--no-report", "--threads",
               str(a.threads), "--seeds", str(a.seeds)]
    pool = [f"pool={a.pool}"] if a.pool else []
    for s in (*pool, "values.enabled=false", "details=false", *(() if a.whole else SMALL), *a.sets, *sets):
        command += ["--set", s]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(sets) or 'base'}: {done.stderr}")
    cells, maps = {}, {}
    with open(folder / "results-1-of-1.jsonl", encoding="utf-8") as rows:
        for line in rows:
            row = json.loads(line)
            if row["kind"] == "family" and row["family"] in FAMILIES:
                maps[row["cell"]] = row["key"]["reward.map"]
                cells.setdefault(row["cell"], {}).setdefault(row["family"], {})[row["seed"]] = row["regret"]
    config = json.loads((folder / "run.json").read_text(encoding="utf-8"))["config"]
    shutil.rmtree(folder)
    by_seed = {c: {f: [seeds[s] for s in sorted(seeds)] for f, seeds in of.items()} for c, of in cells.items()}
    return by_seed, maps, config


def ranks(values):
    """1 for the smallest; equals share the mean of their ranks."""
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def pearson(x, y):
    n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
    xy = sum((x[i] - mx) * (y[i] - my) for i in range(n))
    xx, yy = sum((v - mx) ** 2 for v in x), sum((v - my) ** 2 for v in y)
    return xy / (xx * yy) ** 0.5 if xx > 0 and yy > 0 else float("nan")


def spearman(x, y):
    return pearson(ranks(x), ranks(y))


def average_ranks(cells, families=FAMILIES):
    """Over cells, of the families' mean regrets in each: cell: family: regrets."""
    by_cell = [ranks([sum(of[f]) / len(of[f]) for f in families]) for of in cells.values()]
    return [sum(r[i] for r in by_cell) / len(by_cell) for i in range(len(families))]


def paper_ranks(families=FAMILIES):
    path = pathlib.Path(__file__).resolve().parents[1] / "data" / "paper" / "table4.csv"
    with open(path, encoding="utf-8", newline="") as file:
        of = {r["subject"]: float(r["value"]) for r in csv.DictReader(file) if r["statistic"] == "rank"}
    return [of[f] for f in families]


class Line:
    """What a run says, and where it differs from the base."""

    def __init__(self, key, value, rows, paper, base=None):
        cells, maps, config = rows
        self.key, self.value, self.config = key, value, config
        self.ranks = average_ranks(cells)
        self.paper = spearman(self.ranks, paper)
        self.seeds = {m: [self.by_seed(cells, maps, m, f) for f in FAMILIES] for m in MAPS}
        self.base = spearman(self.ranks, base.ranks) if base else 1.0
        self.apart = {m: [difference(self.seeds[m][i], base.seeds[m][i]) for i in range(len(FAMILIES))]
                      for m in MAPS} if base else None

    @staticmethod
    def by_seed(cells, maps, reward, family):
        """Means over the cells of a reward map, a number a seed."""
        of = [cells[c][family] for c in cells if maps[c] == reward]
        return [sum(column) / len(column) for column in zip(*of)]

    def regret(self, reward, i):
        x = self.seeds[reward][i]
        return sum(x) / len(x) if x else float("nan")


def difference(x, y):
    """Mean of x - y, and whether its bootstrap interval leaves out 0."""
    d = [a - b for a, b in zip(x, y)]
    if not d:
        return float("nan"), False
    chance = random.Random(1)
    means = sorted(sum(chance.choices(d, k=len(d))) / len(d) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return sum(d) / len(d), low > 0 or high < 0


def default_of(line, base):
    """The base's value of the line's key: swept values as a list."""
    value = base.config.get("sweep", {}).get(line.key, base.config[line.key])
    return json.dumps(value).replace('"', "").replace(" ", "")


def write_csv(path, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["key", "value", "default", "family", "rank", "spearman_paper", "spearman_base",
                      *(f"{m}{end}" for m in MAPS for end in ("", "_difference", "_separable"))])
        for line in lines:
            for i, family in enumerate(FAMILIES):
                row = [line.key, line.value, "" if line is lines[0] else default_of(line, lines[0]), family,
                       line.ranks[i], line.paper, line.base]
                for m in MAPS:
                    apart = line.apart[m][i] if line.apart else (0.0, False)
                    row += [line.regret(m, i), apart[0], int(apart[1])]
                out.writerow(row)


def markdown_ranks(out, lines, why):
    out.append(f"| key | {' | '.join(SHORT)} | ρ, T4 | ρ, base | why the default |")
    out.append("|---|" + "---:|" * (len(SHORT) + 2) + "---|")
    for line in lines:
        name = "**base**" if line is lines[0] else f"`{line.key}` {line.value} (not {default_of(line, lines[0])})"
        out.append(f"| {name} | {' | '.join(f'{r:.2f}' for r in line.ranks)} | {line.paper:.2f} | "
                   f"{line.base:.2f} | {why.get(line.key, '')} |")


def markdown_regrets(out, lines, reward):
    out.append(f"| key | {' | '.join(SHORT)} |")
    out.append("|---|" + "---:|" * len(SHORT))
    for line in lines:
        cells = []
        for i in range(len(FAMILIES)):
            cell = f"{line.regret(reward, i):.4f}"
            if line.apart:
                apart, clear = line.apart[reward][i]
                cell = f"{apart:+.4f}{'*' if clear else ''}"
            cells.append(cell)
        out.append(f"| {'**base**, regret' if line is lines[0] else f'`{line.key}` {line.value}'} | "
                   f"{' | '.join(cells)} |")


def write_markdown(path, lines, a):
    out = [f"{len(lines) - 1} settings against the base, {a.seeds} seeds; SYNTHETIC or real as the pool is. Average "
           "ranks over cells (1 recommends best), Spearman's ρ of them with the paper's Table 4 and with the base.", ""]
    markdown_ranks(out, lines, {key: why for key, _, why in ABLATIONS})
    for reward in MAPS:
        out += ["", f"Mean regret, {reward} reward: of the base, and differences to it (* separable).", ""]
        markdown_regrets(out, lines, reward)
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def main():
    a = arguments()
    a.folder.mkdir(parents=True, exist_ok=True)
    paper = paper_ranks()
    lines = [Line("base", "", run(a, []), paper)]
    for key, values, _ in ABLATIONS:
        for value in values:
            if a.only and not any(part in key for part in a.only):
                continue
            lines.append(Line(key, value, run(a, [f"{key}={value}"]), paper, lines[0]))
            write_csv(a.folder / "ablations.csv", lines)
            write_markdown(a.folder / "ablations.md", lines, a)
            print(f"{key} = {value}: ranks {' '.join(f'{r:.2f}' for r in lines[-1].ranks)}", file=sys.stderr)


if __name__ == "__main__":
    main()

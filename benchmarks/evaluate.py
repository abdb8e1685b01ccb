#!/usr/bin/env python3
"""Is what `regret recommend` says of a log and a trial true? Logs and trials drawn from worlds in which everything is known (evaluate_worlds.py).

usage: evaluate.py PROGRAM FOLDER [--draws N] [--broken N] [--jobs J] [--only WORLD...] [--keys JSON] [--as-is] [--report FILE]

For every draw of a world it writes obs.csv, exp.csv and evaluate.json, runs the program, and holds every number that comes with an
interval against what is hidden; beside it stand, on the same draws, the best by the log's means, the best by the trial's, and the
Open Bandit Pipeline's estimators on either (peer/open_bandit.py). Draws that are in FOLDER (WORLD.jsonl) are not made again: use another for
other --keys.
"""
import argparse
import csv
import functools
import json
import math
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "peer"))

import numpy

import evaluate_worlds
import open_bandit

ROOT = HERE.parent
ALL_TAGS = "tag over incumbent, where that stays too"  # a tag that stays with it is told to gain 0, and does
LEAST = 0.93, 0.97  # coverage that was asked for


@functools.cache
def world(name):
    return evaluate_worlds.worlds(ROOT)[name]()


# ---------------------------------------------------------------- one draw

def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def number(word):
    return float(word) if word not in ("", None, "null") else math.nan


def run_program(program, config, folder):
    done = subprocess.run([program, "recommend", config, "-o", folder, "--details", "--threads", "1"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{config}: {done.returncode}\n{done.stderr}")


def inside(truth, low, high):
    """1, 0, or None where there is no interval."""
    return None if math.isnan(low) or math.isnan(high) else int(low <= truth <= high)


def regret_of(mean, choice):
    """Of choosing an agent for every context of EXP, against the best agent of each."""
    rows = numpy.arange(len(mean))
    return float((mean.max(1) - mean[rows, choice]).mean())


def plain_choices(draw):
    """{name: the agent for all} of what a plain script would recommend."""
    w, n = draw.world, len(draw.world.agents)
    def mean(agent, y):
        return numpy.array([y[agent == a].mean() if (agent == a).any() else -1 for a in range(n)])
    chosen = {"best by the log": mean(draw.obs_agent, draw.obs_y).argmax(), "best by the trial": mean(draw.exp_agent, draw.exp_y).argmax()}
    x, e = draw.features(draw.obs), draw.features(draw.exp)
    b = open_bandit.propensity(x, draw.obs_agent, n)
    q = open_bandit.regression(x, draw.obs_agent, draw.obs_y, n)
    on_log = open_bandit.values(draw.obs_agent, draw.obs_y, b, q)
    uniform = numpy.full((len(e), n), 1.0 / n)
    on_trial = open_bandit.values(draw.exp_agent, draw.exp_y, uniform, open_bandit.regression(e, draw.exp_agent, draw.exp_y, n))
    for name in ("IPW", "SNIPW", "DR"):
        chosen[f"OBP {name} on the log"] = on_log[name].argmax()
    for name in ("IPW", "DR"):
        chosen[f"OBP {name} on the trial"] = on_trial[name].argmax()
    return {name: int(a) for name, a in chosen.items()}


class Truth:
    """What is hidden, by names of agents and contexts."""

    def __init__(self, draw):
        w = draw.world
        self.place = {a: k for k, a in enumerate(w.agents)}
        self.context = {c: i for i, c in enumerate(draw.exp.ids)}
        self.mean, self.value, self.by_tag = draw.exp.mean, w.value, w.tag_value
        self.tag_share = dict(zip(w.TAGS, w.SHARE)) if w.tags else {"": 1.0}
        self.tag = draw.exp.tag
        self.own_value, self.offered = getattr(w, "own_value", w.value), getattr(draw.exp, "offered", None)

    def together(self, rows, policy, other):
        """Rows in which both were on offer."""
        if self.offered is None:
            return rows
        agents = [[self.place[r[p]] if p in r else p for p in (policy, other)] for r in rows]
        return [r for r, two in zip(rows, agents) if self.offered[self.context[r["context"]], two].all()]

    def gain(self, rows, policy, other):
        """What a policy gains over another, or over an agent: of what was learned before each fold, in the population; of the policy by
        request on the trial's requests. Over its very own choices it gains nothing, exactly."""
        rows = self.together(rows, policy, other)
        choice, against = ([self.place[r[p]] if p in r else p for r in rows] for p in (policy, other))
        if "by_request" in (policy, other):
            at = [self.context[r["context"]] for r in rows]
            return float((self.mean[at, choice] - self.mean[at, against]).mean())
        seen = {(r["fold"], r["tag"]): (a, b) for r, a, b in zip(rows, choice, against)}
        size = {k: sum(r["fold"] == k for r in rows) / len(rows) for k, _ in seen}
        return float(sum(size[k] * self.tag_share[g] * (self.by_tag[g][a] - self.by_tag[g][b]) for (k, g), (a, b) in seen.items()))


def cover_agents(cover, width, rows, truth, incumbent):
    for key in ("DM", "DR", "SNDR"):
        k = key.lower()
        cover[key] = [inside(truth.own_value[truth.place[r["agent"]]], number(r[k + "_low"]), number(r[k + "_high"])) for r in rows]
    width["SNDR"] = float(numpy.nanmean([(number(r["sndr_high"]) - number(r["sndr_low"])) / 2 for r in rows]))
    others = [r for r in rows if truth.place[r["agent"]] != incumbent]
    gaps = [truth.value[truth.place[r["agent"]]] - truth.value[incumbent] for r in others]
    cover["difference"] = [inside(g, number(r["difference_low"]), number(r["difference_high"])) for g, r in zip(gaps, others)]
    width["difference"] = float(numpy.nanmean([(number(r["difference_high"]) - number(r["difference_low"])) / 2 for r in others]))
    together = [inside(g, number(r["simultaneous_low"]), number(r["simultaneous_high"])) for g, r in zip(gaps, others)]
    together = [t for t in together if t is not None]
    cover["simultaneous"] = [min(together)] if together else []


def of_difference(gain, r, key):
    """None also of a policy and its very choices: nothing is estimated."""
    return inside(gain, number(r[key + "_low"]), number(r[key + "_high"])) if number(r[key + "_error"]) > 0 else None


def cover_policies(cover, width, folder, truth, incumbent):
    rows = table(folder / "rows.csv")
    for r in table(folder / "policies.csv"):
        policy = r["policy"].replace(" ", "_").replace("-", "_")
        learned = [row for row in rows if row["single"] and row[policy]]  # folds that have a policy
        if not learned:
            continue
        name, gain = policy.replace("_", " "), truth.gain(learned, policy, incumbent)
        if truth.offered is None:
            cover[name] = [inside(gain + truth.value[incumbent], number(r["low"]), number(r["high"]))]
        cover[name + " over incumbent"] = [of_difference(gain, r, "over_incumbent")]
        if policy != "single":
            cover[name + " over single"] = [of_difference(truth.gain(learned, policy, "single"), r, "over_single")]
        width[name + " over incumbent"] = (number(r["over_incumbent_high"]) - number(r["over_incumbent_low"])) / 2
    cover["tag"], cover["tag over incumbent"], cover[ALL_TAGS], tags = [], [], [], table(folder / "tags.csv")
    width["tag"] = float(numpy.mean([(number(r["high"]) - number(r["low"])) / 2 for r in tags])) if tags else math.nan
    for r in tags:
        value, a = truth.by_tag[r["tag"]], truth.place[r["agent"]]
        if truth.offered is None:
            cover["tag"].append(inside(value[a], number(r["low"]), number(r["high"])))
        cover["tag over incumbent"].append(of_difference(value[a] - value[incumbent], r, "over_incumbent"))
        cover[ALL_TAGS].append(1 if a == incumbent else cover["tag over incumbent"][-1])


def cover_margins(cover, folder, truth, incumbent, groups):
    """Of the trial's requests that each group was made of, and of those that are advised by all that was learned in the end; group 0 stays
    with the incumbent."""
    rows, advice = table(folder / "rows.csv"), table(folder / "recommendations.csv")
    cover["margins"], cover["margins, of what is advised"] = [], []
    for g, of in enumerate(groups[1:], 1):
        for key, requests in (("margins", rows), ("margins, of what is advised", advice)):
            members = [r for r in requests if r["margin_group"] == str(g)]
            if members and of["margin"]["low"] is not None:
                cover[key].append(inside(truth.gain(members, "by_request", incumbent), of["margin"]["low"], of["margin"]["high"]))


def compare(draw, folder):
    truth, agents = Truth(draw), table(folder / "agents.csv")
    result = json.loads((folder / "result.json").read_text())
    incumbent = next(truth.place[r["agent"]] for r in agents if r["is_incumbent"] == "1")
    cover, width = {}, {}
    cover_agents(cover, width, agents, truth, incumbent)
    cover_policies(cover, width, folder, truth, incumbent)
    cover_margins(cover, folder, truth, incumbent, result["margin_groups"])
    advice = table(folder / "recommendations.csv")
    at = numpy.array([truth.context[r["context"]] for r in advice])
    told, by_request = ([truth.place[r[k]] for r in advice] for k in ("agent", "by_request"))
    off = {} if truth.offered is None else {"off": float(1 - truth.offered[at, told].mean()), "off by request": float(1 - truth.offered[at, by_request].mean())}
    best = max(agents, key=lambda r: number(r["sndr"]) if r["sndr"] and not math.isnan(number(r["sndr_low"])) else -1)
    verdict, value = verdict_of(result), truth.value
    gain = float((truth.mean[at, told] - truth.mean[at, incumbent]).mean())
    if verdict != "cannot tell" and all(a == incumbent for a in told):
        gain = float(value[incumbent] - numpy.delete(value, incumbent).max())
    elif len(set(told)) == 1:
        gain = float(value[told[0]] - value[incumbent])
    regret = {"regret recommend": regret_of(truth.mean[at], told), "regret recommend, by request": regret_of(truth.mean[at], by_request)}
    for name, a in (plain_choices(draw).items() if not draw.world.is_broken else ()):
        regret[name] = regret_of(truth.mean[at], [a] * len(at))
    return {"cover": cover, "width": width, "regret": regret, "verdict": verdict, "gain": gain,
            "forgone": float(value[truth.place[best["agent"]]] - value[incumbent]), "best_gain": float(value.max() - value[incumbent]),
            **off, "diagnostics": {r["name"]: r["verdict"] for r in table(folder / "diagnostics.csv")}}


def verdict_of(result):
    verdict = result["verdict"]
    return verdict if isinstance(verdict, str) else verdict["name"]


def one_draw(job):
    program, scratch, name, number_of, keys = job
    draw = evaluate_worlds.Draw(world(name), number_of)
    folder = pathlib.Path(scratch) / f"{name.replace(' ', '-')}-{number_of}"
    shutil.rmtree(folder, ignore_errors=True)
    config = draw.write(folder, keys)
    run_program(program, str(config), str(folder / "out"))
    record = {"draw": number_of, **compare(draw, folder / "out")}
    shutil.rmtree(folder)
    return record


# ---------------------------------------------------------------- many draws

def read_records(path):
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def make_draws(options, name, wanted):
    """Adds the draws that are missing to WORLD.jsonl and returns all of them in order."""
    path = options.folder / f"{name.replace(' ', '-')}.jsonl"
    records = read_records(path)
    if options.as_is:
        return sorted(records, key=lambda r: r["draw"])[:wanted]
    missing = sorted(set(range(wanted)) - {r["draw"] for r in records})
    jobs = [(options.program, str(options.folder / "scratch"), name, k, options.keys) for k in missing]
    with open(path, "a", encoding="utf-8") as out, multiprocessing.Pool(options.jobs) as pool:
        for record in pool.imap_unordered(one_draw, jobs, chunksize=4):
            records.append(record)
            out.write(json.dumps(record) + "\n")
            out.flush()
    records.sort(key=lambda r: r["draw"])
    return records[:wanted]


def mean_se(values):
    """Over draws."""
    v = numpy.array([x for x in values if x is not None and not (isinstance(x, float) and math.isnan(x))], float)
    if len(v) == 0:
        return math.nan, math.nan, 0
    return v.mean(), (v.std(ddof=1) / math.sqrt(len(v)) if len(v) > 1 else math.nan), len(v)


def covered(records, key):
    """Share of a draw's intervals that cover, over draws: the draw is the unit."""
    shares = []
    for r in records:
        hits = [h for h in r["cover"].get(key, []) if h is not None]
        shares.append(sum(hits) / len(hits) if hits else None)
    return mean_se(shares)


def percent(mean, se, decimals=1):
    return "–" if math.isnan(mean) else f"{100 * mean:.{decimals}f} ± {100 * se:.{decimals}f}"


# ---------------------------------------------------------------- the page

# Policies are valued on folds that they were not learned from: their truth is that of what was learned before each.
COVERED = ["DM", "DR", "SNDR", "difference", "simultaneous", "single", "by tag", "by request", "single over incumbent", "by tag over incumbent",
           "by request over incumbent", "by tag over single", "by request over single", "tag", "tag over incumbent", ALL_TAGS, "margins",
           "margins, of what is advised"]
METHODS = ["regret recommend", "regret recommend, by request", "best by the log", "best by the trial", "OBP IPW on the log", "OBP SNIPW on the log",
           "OBP DR on the log", "OBP IPW on the trial", "OBP DR on the trial"]


def markdown(heads, rows):
    line = "| " + " | ".join(heads) + " |\n|---|" + "---:|" * (len(heads) - 1) + "\n"
    return line + "".join("| " + " | ".join(r) + " |\n" for r in rows)


def coverage_table(done):
    rows, low = [], []
    for key in COVERED:
        cells = [covered(done[name], key) for name in done]
        if all(c[2] == 0 for c in cells):
            continue
        rows.append([key] + [percent(m, se) for m, se, _ in cells])
        low += [(key, name, m) for (m, _, n), name in zip(cells, done) if n and not LEAST[0] <= m <= LEAST[1]]
    rows.append(["draws"] + [str(len(records)) for records in done.values()])
    return markdown(["interval of"] + list(done), rows), low


def regret_table(done):
    rows = []
    done = {name: records for name, records in done.items() if not name.startswith("null")}  # where no choice is better
    for method in METHODS:
        rows.append([method] + ["{:.4f} ± {:.4f}".format(*mean_se([r["regret"][method] for r in done[name]])[:2]) for name in done])
    paired = []
    for method in METHODS[2:]:
        cells = [mean_se([r["regret"]["regret recommend"] - r["regret"][method] for r in done[name]]) for name in done]
        paired.append([f"regret recommend − {method}"] + [f"{m:+.4f} ± {se:.4f}" for m, se, _ in cells])
    return markdown(["mean regret"] + list(done), rows), markdown(["paired difference"] + list(done), paired)


def verdict_table(done):
    rows = []
    for name, records in done.items():
        told = [r for r in records if r["verdict"] != "cannot tell"]
        silent = [r for r in records if r["verdict"] == "cannot tell"]
        counts = {}
        for r in told:
            counts[r["verdict"]] = counts.get(r["verdict"], 0) + 1
        wrong = sum(r["gain"] <= 1e-12 for r in told)
        right = sum(r["forgone"] <= 1e-12 for r in silent)
        forgone = mean_se([max(0.0, r["forgone"]) for r in silent])[0]
        rows.append([name, str(len(records)), ", ".join(f"{k} {n}" for k, n in sorted(counts.items())) or "none",
                     f"{wrong} of {len(told)}", percent(*mean_se([float(r in told and r["gain"] <= 1e-12) for r in records])[:2]),
                     f"{len(silent)}", f"{right}", "–" if math.isnan(forgone) else f"{forgone:.4f}",
                     "{:.4f}".format(mean_se([r["best_gain"] for r in records])[0])])
    return markdown(["world", "draws", "told", "of these no better than the incumbent", "in % of draws", "cannot tell", "of these nothing was to be told", "gain forgone by the others",
                     "true gain of the best agent"], rows)


def diagnostics_table(done):
    names = sorted({d for records in done.values() for r in records for d in r["diagnostics"]})
    rows = []
    for d in names:
        cells = []
        for records in done.values():
            said = [r["diagnostics"].get(d, "not asked") for r in records]
            cells.append("–" if all(s == "not asked" for s in said) else
                         f"{100 * said.count('no') / len(said):.0f} / {100 * (said.count('no') + said.count('caution')) / len(said):.0f}")
        rows.append([d] + cells)
    anything = []
    for records in done.values():
        no = sum(any(v == "no" for v in r["diagnostics"].values()) for r in records)
        some = sum(any(v != "fine" for v in r["diagnostics"].values()) for r in records)
        anything.append(f"{100 * no / len(records):.0f} / {100 * some / len(records):.0f}")
    rows = [r for r in rows if any(c not in ("–", "0 / 0") for c in r[1:])]
    rows += [["any of them"] + anything, ["draws"] + [str(len(records)) for records in done.values()]]
    return markdown(["question"] + list(done), rows)


def width_table(done):
    rows = []
    for key in ("SNDR", "difference", "single over incumbent", "by tag over incumbent", "by request over incumbent", "tag"):
        means = [mean_se([r["width"].get(key, math.nan) for r in done[name]])[0] for name in done]
        rows.append([key] + ["–" if math.isnan(m) else f"{m:.4f}" for m in means])
    return markdown(["mean half-width"] + list(done), rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--broken", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=list(evaluate_worlds.PROOF + evaluate_worlds.BROKEN + evaluate_worlds.COMING))
    parser.add_argument("--keys", type=json.loads, default={}, help="more of evaluate.json, of every draw")
    parser.add_argument("--as-is", action="store_true", help="make no draws: the page of those that are there")
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    drawn = {n: make_draws(options, n, options.draws if n in evaluate_worlds.PROOF else options.broken) for n in options.only}
    proof, broken = ({n: drawn[n] for n in names if drawn.get(n)} for names in (evaluate_worlds.PROOF, evaluate_worlds.BROKEN))
    coming = {n: drawn[n] for n in evaluate_worlds.COMING if drawn.get(n)}
    page = ""
    if proof:
        coverage, outside = coverage_table(proof)
        regret, paired = regret_table(proof)
        page += f"### Coverage of 95 % intervals, in %\n\n{coverage}\nMeans outside of 93 to 97, whatever their error: " + ("; ".join(f"{k} in {n} ({100 * m:.1f})" for k, n, m in outside) or "none") + ".\n\n"
        page += f"{width_table(proof)}\n### Regret of what is recommended\n\n{regret}\n{paired}\n### Verdicts\n\n{verdict_table(proof)}\n"
    if broken:
        page += f"### What the diagnostics say, \"no\" / \"no\" or \"caution\", in % of draws\n\n{diagnostics_table(broken)}\n"
        page += f"### Coverage where an assumption is broken, in %\n\n{coverage_table(broken)[0]}\n"
    if coming:
        page += f"### Agents that come and go\n\n{coverage_table(coming)[0]}\n{verdict_table(coming)}\n"
        page += markdown(["recommended though not on offer, in %"] + list(coming),
                         [[k] + [percent(*mean_se([r[k] for r in of])[:2]) for of in coming.values()] for k in ("off", "off by request")])
    (options.report.write_text(page) if options.report else sys.stdout.write(page))


if __name__ == "__main__":
    main()

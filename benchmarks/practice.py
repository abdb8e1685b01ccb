#!/usr/bin/env python3
"""Does what `init` writes for a table of one's own ever do worse than the trivial rule, and does it find what is there?

usage: practice.py FOLDER [--regret PROGRAM] [--seeds S] [--first-seed S] [--threads N] [--only PART]... [--data FOLDER] [--report FILE]

Makes planted tables (all synthetic), takes the pools of the project and, where --data holds them, public samples, and runs
each with what `init` chooses: planted tables go through the printed commands unedited but for seeds and the grid (n_exp 200 and
800, and beta 0 and .8 where there are several scores, else users are all alike and beta changes nothing). Beside the families and the
baselines stand histogram gradient boosting of scikit-learn on EXP and on all rows (peer/boosting.py), in a run of their own on the same
draws. Writes a page of mean held-out regrets, and of the stack's differences, paired by seed.

Runs that are in FOLDER already are not made again.
"""
import argparse
import csv
import importlib.util
import json
import math
import pathlib
import random
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SWEEP = {"n_exp": [200, 800]}
BETA = [0, 0.8]
T975 = {29: 2.045, 19: 2.093, 9: 2.262, 7: 2.365, 5: 2.571, 4: 2.776, 3: 3.182, 2: 4.303}
PAPER = ["exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual"]
BASELINES = ("best-exp", "best-obs", "best-by-tag-exp", "best-by-tag-obs")
NOUNS = ("table", "river", "invoice", "holiday", "engine", "garden", "letter", "camera", "window", "market", "ticket", "bridge",
         "island", "doctor", "orange", "pencil", "bottle", "museum", "concert", "salary")
VERBS = ("explain", "describe", "compare", "list", "plan", "improve", "check", "repair", "translate", "rank")
MODELS = ("gpt-large", "gpt-small", "opus", "haiku", "llama", "mistral")


# ---------------------------------------------------------------- planted tables

def prompt(rng, extra=()):
    words = [rng.choice(VERBS)] + [rng.choice(NOUNS) for _ in range(rng.randrange(4, 12))] + list(extra)
    rng.shuffle(words)
    return " ".join(words)


def score(rng, mean, sd=0.7):
    """On a scale of 1 to 5, of two places, as means of raters are."""
    return round(min(5.0, max(1.0, rng.gauss(mean, sd))), 2)


def by_category(rng, model, kind):
    """One model far better at chat, another at code; the rest between."""
    if model == "gpt-small":
        return 4.47 if kind == "chat" else 2.54
    if model == "llama":
        return 2.38 if kind == "chat" else 4.37
    return 3.3 + 0.1 * MODELS.index(model)


def wide(name, prompts, mean_of, rng):
    """id, prompt, kind (where given), a column of scores a model."""
    tagged = prompts[0][1] is not None
    rows = [["id", "prompt"] + ["kind"] * tagged + list(MODELS)]
    for i, (text, kind, secret) in enumerate(prompts):
        rows.append([f"{name}-{i}", text] + [kind] * tagged + [score(rng, mean_of(m, kind, secret)) for m in MODELS])
    return rows


def category(rng):
    prompts = [(prompt(rng), rng.choice(("chat", "code")), None) for _ in range(300)]
    return wide("category", prompts, lambda m, kind, _: by_category(rng, m, kind), rng)


def category_long(rng):
    """The same with outputs whose words say who answers and about what, and nothing of the quality."""
    rows = [["id", "prompt", "kind", "model", "answer", "score"]]
    for i in range(300):
        text, kind = prompt(rng), rng.choice(("chat", "code"))
        for m in MODELS:
            answer = f"As {m}, about {kind}: {prompt(rng)}."
            rows.append([f"long-{i}", text, kind, m, answer, score(rng, by_category(rng, m, kind))])
    return rows


def wording(rng):
    """No tag: a word of the prompt decides between two models."""
    prompts = []
    for _ in range(300):
        secret = rng.choice(("python", "poem"))
        prompts.append((prompt(rng, (secret,)), None, secret))
    return wide("wording", prompts, lambda m, _, s: by_category(rng, m, "chat" if s == "poem" else "code"), rng)


def covariate(rng, blank=0.0):
    """The prompt's length decides between two models, the country calls for a third in one of five; the tag says nothing."""
    countries = ("de", "fr", "jp", "br", "in")
    rows = [["id", "prompt", "kind", "length", "country", *MODELS]]
    for i in range(300):
        length, country = round(math.exp(rng.gauss(5, 0.8))), rng.choice(countries)
        means = {m: 3.1 + 0.05 * k for k, m in enumerate(MODELS)}
        means["opus"] += 1.0 if length > 150 else -0.5
        means["llama"] += -0.5 if length > 150 else 1.0
        means["haiku"] += 1.4 if country == "jp" else 0.0
        rows.append([f"covariate-{i}", prompt(rng), rng.choice(("chat", "code")), length, country,
                     *(score(rng, means[m]) for m in MODELS)])
    for i in sorted(rng.sample(range(1, len(rows)), round(blank * 300))):
        rows[i][3] = ""
    return rows


def covariate_blanks(rng):
    """The same table, whose length is blank in 5 of 100 rows."""
    return covariate(random.Random("practice-covariate"), 0.05)


def one_winner(rng):
    prompts = [(prompt(rng), rng.choice(("chat", "code")), None) for _ in range(300)]
    return wide("one", prompts, lambda m, *_: 4.2 if m == "opus" else 3.2 + 0.05 * MODELS.index(m), rng)


def nothing(rng):
    prompts = [(prompt(rng), rng.choice(("chat", "code")), None) for _ in range(300)]
    return wide("nothing", prompts, lambda *_: 3.4, rng)


def confounded(rng):
    """Three measures that users weigh differently, each with a model of its own that shines in it and fails in the others:
    a log of users who know what they like praises these; the even one is best for a user who comes at random."""
    shine = {"gpt-large": "helpful", "gpt-small": "brief", "llama": "kind"}
    rows = [["id", "prompt", "category", "model", "helpful", "brief", "kind"]]
    for i in range(300):
        text, kind = prompt(rng), rng.choice(("chat", "code"))
        for m in MODELS:
            means = [3.6 if m == "opus" else (5.0 if shine.get(m) == c else 1.9) if m in shine else 3.0
                     for c in ("helpful", "brief", "kind")]
            rows.append([f"confounded-{i}", text, kind, m] + [score(rng, v, 0.5) for v in means])
    return rows


def sparse(rng):
    """1,000 prompts, 100 models, two answers a prompt: 2 % of the pairs."""
    names = [f"model-{k:02d}" for k in range(100)]
    skill = {m: rng.gauss(3.0, 0.5) for m in names}
    rows = [["id", "prompt", "kind", "model", "score"]]
    for i in range(1000):
        text, kind = prompt(rng), rng.choice(("chat", "code"))
        for m in rng.sample(names, 2):
            rows.append([f"sparse-{i}", text, kind, m, score(rng, skill[m])])
    return rows


def noisy_outputs(rng):
    """2,000 prompts x 10 models whose outputs are random words; models differ."""
    names = [f"m{k}" for k in range(10)]
    rows = [["id", "prompt", "model", "answer", "score"]]
    for i in range(2000):
        text = prompt(rng)
        for k, m in enumerate(names):
            rows.append([f"noisy-{i}", text, m, prompt(rng), score(rng, 3.6 if k == 4 else 3.0 + 0.02 * k, 0.9)])
    return rows


PLANTED = {
    "category": (category, "one model wins at chat, another at code; no outputs"),
    "category-outputs": (category_long, "the same, with outputs that name model and kind"),
    "wording": (wording, "a word of the prompt decides; no tag"),
    "covariate": (covariate, "the prompt's length and its country decide; the tag does not"),
    "covariate-blanks": (covariate_blanks, "the same, the length blank in 5 % of the rows"),
    "one-winner": (one_winner, "one model wins everywhere"),
    "nothing": (nothing, "all models are alike"),
    "confounded": (confounded, "users praise what they pick; strong confounding"),
    "sparse": (sparse, "1,000 prompts x 100 models, 2 % filled"),
    "noisy-outputs": (noisy_outputs, "2,000 x 10, outputs of random words, one model better"),
}


def write_table(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


# ---------------------------------------------------------------- runs

class Bench:
    def __init__(self, options):
        self.options, self.folder = options, pathlib.Path(options.folder).resolve()
        self.regret = str(pathlib.Path(options.regret).resolve())
        self.folder.mkdir(parents=True, exist_ok=True)

    def call(self, *words, check=True):
        done = subprocess.run([self.regret, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        if check and done.returncode != 0:
            sys.exit(f"regret {shlex.join(map(str, words))}: exit {done.returncode}\n{done.stderr[-2000:]}")
        return done

    def printed(self, table):
        """The `regret ...` lines that init prints, run by sh as they are, but for the run itself."""
        name = table.stem
        done = self.call("init", table.name, "-o", name, "--force")
        lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip().startswith("regret import")]
        if not lines:
            sys.exit(f"init printed no import for {table}:\n{done.stdout}{done.stderr}")
        script = f'regret() {{ {shlex.quote(self.regret)} "$@"; }}\n' + lines[0] + "\n"
        ran = subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"{lines[0]}: exit {ran.returncode}\n{ran.stderr[-2000:]}")
        return self.folder / name / "config.json"

    def run(self, name, config, **more):
        """Runs a configuration in practice's grid, and the peers on the same draws; returns the results of both."""
        facts = json.loads(config.read_text())
        families = [f for f in facts.get("families", PAPER) if isinstance(f, str)]
        peers = [{"name": f"boosting-{rows}", "command": [sys.executable, str(HERE / "peer/boosting.py"), rows]}
                 for rows in ("exp", "all")]
        pool = json.loads(((config.parent / facts["pool"]) / "pool.json").read_text())
        sweep = {**SWEEP, **({"beta": BETA} if len(pool["components"]) > 1 else {"beta": [0]})}
        out = self.folder / "runs" / name
        self.call_run(out, config, families, sweep, more)
        others = self.folder / "runs" / f"{name}-peers"
        if not self.options.no_peers:
            self.call_run(others, config, peers, sweep, more)
        return Results(*(run / "report" / "results.csv" for run in (out, others)))

    def call_run(self, out, config, families, sweep, more):
        if (out / "report" / "results.csv").exists():
            return
        settings = {**more, "families": json.dumps(families), "values.enabled": "false",
                    **{f"sweep.{key}": json.dumps(values) for key, values in sweep.items()}}
        sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        out.parent.mkdir(exist_ok=True)
        print(f"{out.name} ...", file=sys.stderr, flush=True)
        self.call("run", config, "-o", out, "--seeds", self.options.seeds, "--set", f"first_seed={self.options.first_seed}",
                  "--threads", self.options.threads, "--allow-commands", "--force", *sets)

    def config_of_pool(self, name, pool, **more):
        """What init would write for a table that had given this pool: its keys, without those of a table alone."""
        model = json.loads((self.folder / "category" / "config.json").read_text())
        kept = {k: v for k, v in model.items() if k not in ("pool", "title", "_about")}
        if not any('"tag"' in line for line in open(pathlib.Path(pool) / "contexts.jsonl", encoding="utf-8")):
            kept.pop("features.agent_tag", None)
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({**kept, "pool": str(pool), "title": name, **more}))
        return path


class Results:
    """Mean regret by subject and seed."""

    def __init__(self, path, peers):
        self.of = self.read(path, lambda name: not name.startswith("boosting"))
        if peers.exists():
            self.of.update(self.read(peers, lambda name: name.startswith("boosting")))
        self.seeds = sorted(set.intersection(*(set(by) for by in self.of.values())))

    def read(self, path, wanted):
        sums = {}
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["kind"] in ("family", "baseline") and row["regret"] and wanted(row["family"]):
                    entry = sums.setdefault(row["family"], {}).setdefault(int(row["seed"]), [0.0, 0])
                    entry[0] += float(row["regret"])
                    entry[1] += 1
        return {s: {seed: total / n for seed, (total, n) in by.items()} for s, by in sums.items()}

    def mean(self, subject):
        values = [self.of[subject][seed] for seed in self.seeds]
        return sum(values) / len(values)

    def interval(self, a, b=None):
        """Mean of a (less b), half-width of its 95 % t interval over seeds."""
        values = [v - (self.of[b][seed] if b else 0.0) for seed, v in ((s, self.of[a][s]) for s in self.seeds)]
        n, mean = len(values), sum(values) / len(values)
        sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
        return mean, T975[n - 1] * sd / math.sqrt(n)


def lines_of(name, about, r):
    subjects = [s for s in r.of if s != "oracle"]
    baselines = [s for s in BASELINES if s in r.of]
    best_baseline = min(baselines, key=r.mean)
    families = [s for s in subjects if s not in BASELINES and s not in ("stack", "random") and not s.startswith("boosting")]
    best_family = min(families, key=r.mean)
    peers = [s for s in subjects if s.startswith("boosting")]
    out = [f"### {name}", "", about + ".", "", "| rule | mean regret | stack less this, 95 % over seeds |", "|---|---:|---|"]
    for s in sorted(subjects, key=r.mean):
        mean, _ = r.interval(s)
        difference = "–"
        if s != "stack" and "stack" in r.of:
            d, half = r.interval("stack", s)
            difference = f"{d:+.4f} ± {half:.4f}" + (" worse" if d > half else " better" if d < -half else "")
        out.append(f"| {s} | {mean:.4f} | {difference} |")
    verdict = None
    if "stack" in r.of:
        verdict = [f"{name} ({len(r.seeds)} seeds)", r.mean("stack"), best_baseline, r.mean(best_baseline), r.interval("stack", best_baseline),
                   best_family, r.mean(best_family), r.interval("stack", best_family)]
        if peers:
            peer = min(peers, key=r.mean)
            verdict += [peer, r.mean(peer), r.interval("stack", peer)]
    return out + [""], verdict


def word(interval):
    d, half = interval
    return f"{d:+.4f} ± {half:.4f}" + (" **worse**" if d > half else " better" if d < -half else "")


def write_page(path, parts, options):
    head = ["# Practice: is what init writes ever worse than the trivial rule?", "",
            f"`python3 benchmarks/practice.py FOLDER --seeds {options.seeds} --data DATA`. Mean held-out regret over n_exp 200 and 800, "
            "and beta 0 and .8 of pools with several scores, with the keys that `init` writes and as many seeds as the table says. Planted tables are **synthetic**; "
            "the pools newswire, newswire-fitted and patches are, too. Differences are the stack's less the other's, paired by seed, with "
            "95 % intervals of Student's t over seeds (redraws from the same contexts). The best of several is chosen by the "
            "same means it is compared on, which favours it.", "",
            "| pool | stack | best baseline | | stack less it | best family | | stack less it | boosting | | stack less it |",
            "|---|---:|---|---:|---|---|---:|---|---|---:|---|"]
    body = []
    for lines, v in parts:
        body += lines
        if v is not None:
            cells = [v[0], f"{v[1]:.4f}", v[2], f"{v[3]:.4f}", word(v[4]), v[5], f"{v[6]:.4f}", word(v[7])]
            cells += [v[8], f"{v[9]:.4f}", word(v[10])] if len(v) > 8 else ["–"] * 3
            head.append("| " + " | ".join(cells) + " |")
    pathlib.Path(path).write_text("\n".join(head + [""] + body))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--regret", default=str(ROOT / "build/release/regret"))
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--no-peers", action="store_true", help="without boosting, where it has not run yet")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--data", default="", help="folder with summeval/, swebench/ and alpacaeval/")
    parser.add_argument("--report", default="")
    options = parser.parse_args()
    if not options.no_peers and importlib.util.find_spec("sklearn") is None:
        sys.exit(f"{sys.executable} has no scikit-learn, which boosting needs: run this with a Python that has it, or give --no-peers")
    bench, parts = Bench(options), []

    def wanted(name):
        return not options.only or any(part in name for part in options.only)

    def add(name, about, config, **more):
        parts.append(lines_of(name, about, bench.run(name, config, **more)))
        write_page(options.report or bench.folder / "practice.md", parts, options)

    for name, (make, about) in PLANTED.items():
        if wanted(name) or name == "category":
            table = bench.folder / f"{name}.csv"
            if not table.exists():
                write_table(table, make(random.Random(f"practice-{name}")))
            if not (bench.folder / name / "pool").exists():
                bench.printed(table)
        if wanted(name):
            more = {"router.gamma": 6} if name == "confounded" else {}
            add(name, f"Synthetic: {about}", bench.folder / name / "config.json", **more)
    for name in ("newswire", "newswire-fitted", "patches"):
        if wanted(name):
            more = {"reward.map": "utility", "features.patch": 1} if name == "patches" else {}
            add(name, "The project's synthetic pool", bench.config_of_pool(name, ROOT / "data/pools" / name, **more))
    data = pathlib.Path(options.data) if options.data else None
    imports = {"summeval": ("summeval", "summeval/summeval.json"),
               "alpacaeval": ("alpacaeval", "alpacaeval/results"),
               "swebench": ("swebench", "swebench/all_patches.csv", "--issues", "swebench/swebench_issues.jsonl")}
    for name, (importer, *files) in imports.items():
        if data is None or not wanted(name) or not (data / files[0]).exists():
            continue
        pool = bench.folder / f"{name}-pool"
        if not pool.exists():
            words = [w if w.startswith("--") else (data / w).resolve() for w in files]
            bench.call("import", importer, *words, "-o", pool)
        coding = {"reward.map": "utility", "features.patch": 1, "grid.policy": "observed"}
        more = coding if name == "swebench" else {}
        add(name, "Real outputs, a public sample", bench.config_of_pool(name, pool, **more))


if __name__ == "__main__":
    main()

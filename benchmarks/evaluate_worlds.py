"""The worlds of evaluate.py: everything is known in them, and what a draw writes tells of it what a real log and trial would.

A draw is a folder with obs.csv, exp.csv and evaluate.json, and what was hidden: of every context of EXP the agents' true means, and
the agents' true values in the population of requests. All of it is SYNTHETIC.
"""
import csv
import json
import math
import pathlib

import numpy

def softmax(score):
    p = numpy.exp(score - score.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def choose(rng, p):
    return numpy.minimum((p.cumsum(1) < rng.random((len(p), 1))).sum(1), p.shape[1] - 1)


def beta(rng, mean, size):
    mean = numpy.clip(mean, 1e-3, 1 - 1e-3)
    return rng.beta(mean * size, (1 - mean) * size)


class Requests:
    """Rows of requests: what is seen of each, and the mean outcomes of all agents: for its user, and for a user of any kind."""

    def __init__(self, ids, users, tag, columns, own, mean, time):
        self.ids, self.users, self.tag, self.columns = ids, users, tag, columns
        self.own, self.mean, self.time = own, mean, time


class Pool:
    """A pool of the project as a population: a request is one of its contexts, drawn anew, by a user of a random segment; outcomes
    weigh the components as the segment does. Of a context are seen three numbers: its words, figures and the length of words. In the log a user picks among a random slate of five the agent that is best
    for his own segment with chance .8, else any of the slate."""

    SIZE = 25.0

    def __init__(self, folder, n_obs=3000, n_exp=800):
        folder = pathlib.Path(folder)
        head = json.loads((folder / "pool.json").read_text())
        self.name, self.n_obs, self.n_exp = head["name"], n_obs, n_exp
        self.agents = [a["id"] for a in head["agents"]]
        place = {a: k for k, a in enumerate(self.agents)}
        with open(folder / "contexts.jsonl", encoding="utf-8") as lines:
            contexts = [json.loads(line) for line in lines]
        texts = [c["text"].split() for c in contexts]
        seen = numpy.array([[len(t), sum(any(c.isdigit() for c in w) for w in t), numpy.mean([len(w) for w in t])] for t in texts])
        self.seen = (seen - seen.mean(0)) / seen.std(0)
        at = {c["id"]: k for k, c in enumerate(contexts)}
        parts = head["components"]
        score = numpy.zeros((len(contexts), len(self.agents), len(parts)))
        with open(folder / "outputs.jsonl", encoding="utf-8") as lines:
            for line in lines:
                o = json.loads(line)
                score[at[o["context"]], place[o["agent"]]] = [(o["components"][c["name"]] - c["low"]) / (c["high"] - c["low"]) for c in parts]
        weights = numpy.array([[s["weights"][c["name"]] for c in parts] for s in head["segments"]])
        self.by_segment = numpy.einsum("xac,sc->sxa", score, weights)
        self.mean = self.by_segment.mean(0)  # [contexts, agents]
        self.value = self.mean.mean(0)
        self.tag_value = {"": self.value}
        self.tags, self.is_broken, self.log_is_kept = False, False, False
        self.columns = ["words", "figures", "length_of_words"]

    def requests(self, rng, n, source):
        context, segment = rng.integers(len(self.seen), size=n), rng.integers(len(self.by_segment), size=n)
        ids = [f"{source}{i}" for i in range(n)]
        return Requests(ids, ids, [""] * n, self.seen[context], self.by_segment[segment, context], self.mean[context], numpy.arange(n))

    def log(self, rng):
        r = self.requests(rng, self.n_obs, "o")
        slate = numpy.argsort(rng.random(r.own.shape), 1)[:, :5]
        own = numpy.take_along_axis(r.own, slate, 1)
        pick = numpy.where(rng.random(len(own)) < 0.8, own.argmax(1), rng.integers(5, size=len(own)))
        agent = slate[numpy.arange(len(pick)), pick]
        return r, agent, None

    def trial(self, rng):
        r = self.requests(rng, self.n_exp, "e")
        return r, rng.integers(len(self.agents), size=self.n_exp), None

    def outcome(self, rng, r, agent, source):
        return beta(rng, r.own[numpy.arange(len(agent)), agent], self.SIZE)


class Controlled:
    """Six agents; requests of three tags and two measured numbers, one to four of a user, whose hidden kind likes some agents. In
    the log users pick the agent they will rate well: softmax of kappa times their own score, and of what is popular. `broken` names the
    assumption that does not hold."""

    SIZE = 6.0
    AGENTS = ["m1", "m2", "m3", "m4", "m5", "m6"]
    TAGS = ["chat", "code", "math"]
    SHARE = numpy.array([0.4, 0.35, 0.25])

    def __init__(self, name, gain=1.0, liking=0.6, kappa=2.0, broken="", n_obs=2000, n_exp=600, log_is_kept=False):
        self.name, self.broken, self.kappa, self.n_obs, self.n_exp = name, broken, kappa, n_obs, n_exp
        self.is_broken = name not in PROOF
        self.log_is_kept = log_is_kept  # from the program: it has the trial alone
        self.agents, self.tags, self.columns = self.AGENTS, True, ["x1", "x2"]
        self.base = gain * numpy.array([0.0, 0.45, 0.25, -0.2, 0.1, -0.35])
        self.by_tag = gain * numpy.array([[0.0, 0.2, -0.2, 0.1, 0.0, 0.0], [0.3, -0.3, 0.3, 0.0, -0.1, 0.1], [0.0, 0.0, 0.0, -0.2, 0.5, 0.0]])
        self.slope = gain * numpy.array([[0.3, -0.2, 0.0, 0.2, 0.0, -0.1], [0.0, 0.1, -0.3, 0.0, 0.2, 0.1]])
        # Every agent is liked by one kind of users, disliked by another: over kinds they are alike.
        shape = numpy.array([[1, -1, 0], [0, 1, -1], [-1, 0, 1], [1, 0, -1], [-1, 1, 0], [0, -1, 1]]).T
        self.kinds = liking * shape
        self.popular = numpy.array([0.5, 0.0, 0.3, 0.0, 0.2, -0.2])
        big = self.requests(numpy.random.default_rng(99), 400000, "t")
        self.value = big.mean.mean(0)
        tag = numpy.array(big.tag)
        self.tag_value = {t: big.mean[tag == t].mean(0) for t in self.TAGS}

    def score(self, tag, x):
        return self.base + self.by_tag[tag] + x @ self.slope

    def requests(self, rng, n, source):
        size = rng.integers(1, 5, size=n)
        user = numpy.repeat(numpy.arange(n), size)[:n]
        kind = rng.integers(3, size=n)[user]
        tag = choose(rng, numpy.tile(self.SHARE, (n, 1)))
        x = rng.normal(size=(n, 2))
        score = self.score(tag, x)
        own = 1 / (1 + numpy.exp(-(score + self.kinds[kind])))
        mean = (1 / (1 + numpy.exp(-(score[:, None, :] + self.kinds[None])))).mean(1)
        day = numpy.sort(rng.random(n))
        return Requests([f"{source}{i}" for i in range(n)], [f"{source}u{u}" for u in user], [self.TAGS[g] for g in tag], x, own, mean, day)

    def log(self, rng):
        r = self.requests(rng, self.n_obs, "o")
        liked = numpy.log(r.own / (1 - r.own))
        return r, choose(rng, softmax(self.popular + self.kappa * liked)), None

    def trial(self, rng):
        r = self.requests(rng, self.n_exp, "e")
        p = numpy.full((self.n_exp, 6), 1 / 6)
        if self.broken == "assignment by a covariate":
            p = softmax(0.5 * r.columns[:, :1] * numpy.array([[1, -1, 1, -1, 0, 0]]))
        if self.broken == "assignment by tag":
            tilt = {"chat": [0.5, -0.5, 0, 0, 0, 0], "code": [-0.5, 0.5, 0, 0, 0, 0], "math": [0] * 6}
            p = softmax(numpy.array([tilt[t] for t in r.tag]))
        if self.broken == "probabilities not as told":
            p = numpy.tile([0.25, 0.11, 0.16, 0.16, 0.16, 0.16], (self.n_exp, 1))
        return r, choose(rng, p), None

    def outcome(self, rng, r, agent, source):
        own = r.own[numpy.arange(len(agent)), agent]
        logit = numpy.log(own / (1 - own))
        if self.broken == "drift of an agent":
            logit = logit + (agent == 1) * 1.2 * (0.5 - r.time)
        if self.broken == "outputs changed since the log" and source == "obs":
            logit = logit + (agent == 2) * 0.8
        return beta(rng, 1 / (1 + numpy.exp(-logit)), self.SIZE)


class Coming:
    """Outcomes grow with time, and agents come and go: m1 is always on offer, m2 enters in the middle, m3 leaves before the end, m4 comes after m3
    has left, and m5 is on offer for one kind of requests only, which has better outcomes. Differences are the same at all times. `of` is whose rows
    have slates: the trial's, or those of a log that is all there is."""

    SIZE, AGENTS, TAGS, SHARE = 6.0, ["m1", "m2", "m3", "m4", "m5"], Controlled.TAGS, Controlled.SHARE

    def __init__(self, name, gain=(0, 0.15, -0.1, 0.05, 0.05), trend=0.4, of="exp", n=600):
        self.name, self.n_obs, self.n_exp, self.tags, self.columns = name, n, n, True, []
        self.agents, self.gain, self.trend = self.AGENTS, numpy.array(gain), trend
        self.is_broken, self.log_is_kept, self.exp_is_kept = True, of == "exp", of == "obs"
        self.value = self.gain  # differences are the same of whatever requests; values are of those where an agent is on offer
        big = self.requests(numpy.random.default_rng(99), 400000, "t")
        self.own_value = (big.mean * big.offered).sum(0) / big.offered.sum(0)
        self.tag_value = dict.fromkeys(self.TAGS, self.gain)

    def requests(self, rng, n, source):
        tag, time = choose(rng, numpy.tile(self.SHARE, (n, 1))), numpy.sort(rng.random(n))
        level = 0.25 + 0.1 * (tag == 1) + self.trend * time
        mean = level[:, None] + self.gain
        r = Requests([f"{source}{i}" for i in range(n)], [f"{source}u{i}" for i in range(n)], [self.TAGS[g] for g in tag], numpy.zeros((n, 0)), mean, mean, time)
        r.offered = numpy.column_stack([time >= 0, time > 0.5, time < 0.7, time > 0.75, tag == 1])
        return r

    def trial(self, rng):
        r = self.requests(rng, self.n_exp, "e")
        return r, choose(rng, r.offered / r.offered.sum(1, keepdims=True)), None

    def log(self, rng):
        """Users of a log have favourites, the same at all times."""
        r = self.requests(rng, self.n_obs, "o")
        liked = r.offered * numpy.array([1.0, 1.5, 0.7, 1.2, 2.0])
        return r, choose(rng, liked / liked.sum(1, keepdims=True)), None

    def outcome(self, rng, r, agent, source):
        return beta(rng, r.own[numpy.arange(len(agent)), agent], self.SIZE)


# The first are the proof; of the others the first has nothing broken, and each of those behind it one assumption.
def worlds(root):
    pools = pathlib.Path(root) / "data" / "pools"
    calm = {"kappa": 0.0}
    return {
        "newswire": lambda: Pool(pools / "newswire"),
        "newswire-fitted": lambda: Pool(pools / "newswire-fitted"),
        "patches": lambda: Pool(pools / "patches"),
        "controlled": lambda: Controlled("controlled"),
        "null": lambda: Controlled("null", gain=0.0),
        "null, trial alone": lambda: Controlled("null", gain=0.0, log_is_kept=True),
        "come and go": lambda: Coming("come and go"),
        "come and go, null": lambda: Coming("come and go", gain=(0, 0, 0, 0, 0)),
        "come and go, worse": lambda: Coming("come and go", gain=(0, -0.08, -0.08, -0.08, -0.08)),
        "come and go, log alone": lambda: Coming("come and go", of="obs"),
        "nothing broken": lambda: Controlled("nothing broken", **calm),
        "users pick what they like": lambda: Controlled("users pick what they like"),
        "stronger confounder": lambda: Controlled("stronger confounder", liking=1.0, kappa=4.0),
        "assignment by a covariate": lambda: Controlled("assignment", broken="assignment by a covariate", **calm),
        "assignment by tag": lambda: Controlled("assignment", broken="assignment by tag", **calm),
        "probabilities not as told": lambda: Controlled("probabilities", broken="probabilities not as told", **calm),
        "drift of an agent": lambda: Controlled("drift", broken="drift of an agent", **calm),
        "outputs changed since the log": lambda: Controlled("outputs", broken="outputs changed since the log", **calm),
    }


PROOF = ("newswire", "newswire-fitted", "patches", "controlled", "null", "null, trial alone")
COMING = ("come and go", "come and go, null", "come and go, worse", "come and go, log alone")
BROKEN = ("nothing broken", "users pick what they like", "stronger confounder", "assignment by a covariate", "assignment by tag",
          "probabilities not as told", "drift of an agent", "outputs changed since the log")


class Draw:
    """A log and a trial of a world, drawn by a number, and what is hidden of them."""

    def __init__(self, world, number):
        rng = numpy.random.default_rng([number, sum(map(ord, world.name))])
        self.world = world
        self.obs, self.obs_agent, _ = world.log(rng)
        self.obs_y = world.outcome(rng, self.obs, self.obs_agent, "obs")
        self.exp, self.exp_agent, _ = world.trial(rng)
        self.exp_y = world.outcome(rng, self.exp, self.exp_agent, "exp")
        if getattr(world, "exp_is_kept", False):
            self.exp, self.exp_agent, self.exp_y = self.obs, self.obs_agent, self.obs_y

    def table(self, path, r, agent, y):
        w = self.world
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            slates = [["|".join(a for a, o in zip(w.agents, of) if o)] for of in r.offered] if hasattr(r, "offered") else [[]] * len(agent)
            out.writerow(["request", "model", "rating", "user", "at"] + ["kind"] * w.tags + w.columns + ["slate"] * hasattr(r, "offered"))
            span = 28 * 86400 / (max(r.time) + 1e-9)
            for i, a in enumerate(agent):
                at = int(1772323200 + span * r.time[i])
                out.writerow([r.ids[i], w.agents[a], f"{y[i]:.6f}", r.users[i], at] + [r.tag[i]] * w.tags +
                             [f"{v:.5f}" for v in r.columns[i]] + slates[i])

    def write(self, folder, keys):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        columns = {"context": "request", "agent": "model", "outcome": "rating", "cluster": "user", "time": "at"}
        if self.world.tags:
            columns["tag"] = "kind"
        if self.world.columns:
            columns["covariates"] = self.world.columns
        if hasattr(self.exp, "offered"):
            columns["slate"] = "slate"
            keys = {"incumbent": "m1", **keys}
        config = {"outcome": {"low": 0, "high": 1}, **keys}
        if not getattr(self.world, "exp_is_kept", False):
            self.table(folder / "exp.csv", self.exp, self.exp_agent, self.exp_y)
            config["exp"] = {"file": "exp.csv", **columns}
        if not self.world.log_is_kept:
            self.table(folder / "obs.csv", self.obs, self.obs_agent, self.obs_y)
            config["obs"] = {"file": "obs.csv", **columns}
        (folder / "evaluate.json").write_text(json.dumps(config, indent=1))
        return folder / "evaluate.json"

    def features(self, r):
        """What a plain script takes of a request: measured numbers, and tags where there are some."""
        w = self.world
        tags = [[t == k for k in w.TAGS[1:]] for t in r.tag] if w.tags else numpy.zeros((len(r.tag), 0))
        return numpy.column_stack([r.columns, tags]).astype(float)

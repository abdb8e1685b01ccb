#!/usr/bin/env python3
"""One replicate beside a plain scikit-learn script: replicate.py REGRET CONFIG [CELL [SEED [TOLERANCE [SOLVER
[SEEDS]]]]]

REGRET is the program, CONFIG a configuration (run it from the folder its pool paths hold for); TOLERANCE is
that of scikit-learn's SOLVER on φ, 1e-4 and its own choice unless told. The program exports the replicate; the script fits the six families on
the exported draws as somebody would with scikit-learn at hand: Ridge on the sparse features for what is
fitted in them, on z for the rest, the grids by causal cross-validation, and a refit for each fold of the doubly
robust values. Its time is processor time of the fits alone, with everything read before.

The time of regret is that of everything in a replicate (draws, features, proxy, fits, values), from
runs of this cell with 1 and with 1 + SEEDS (5) seeds, one thread; SEEDS 0: not taken.

What is checked: the families fitted with the exported hyper-parameters, at a solver tolerance of 1e-12,
predict what regret does to 1e-6; and how far the predictions of the timed script are, hyper-parameters
chosen by itself.
"""

import csv
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import warnings

from peer import require, timed

numpy, mmread, linear_model = require("numpy", "scipy.io", "sklearn.linear_model")


def column(rows, name, kind):
    return numpy.array([kind(row[name]) for row in rows])


def table(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


class Replicate:
    """An export, and the fits of its families."""

    def __init__(self, folder):
        self.cell = json.loads((folder / "cell.json").read_text())
        self.config = self.cell["config"]
        self.hyper = json.loads((folder / "hyper.json").read_text())
        folds = json.loads((folder / "folds.json").read_text())
        self.cv_agents, self.dr_rows = folds["cv"]["agents"], folds["dr"]["rows"]
        self.phi = mmread.mmread(folder / "phi.mtx").tocsr()
        self.z = numpy.loadtxt(next(folder.glob("z-*.csv")), delimiter=",", skiprows=1)[:, 1:]
        obs, exp = table(folder, "obs.csv"), table(folder, "exp.csv")
        self.obs_pair, self.obs_y = column(obs, "pair", int), column(obs, "y", float)
        self.exp_pair, self.exp_y = column(exp, "pair", int), column(exp, "y", float)
        self.exp_agent = column(exp, "agent", int)
        self.predictions = table(folder, "predictions.csv")
        self.tolerance, self.solver = 1e-4, "auto"
        contexts = numpy.arange(self.phi.shape[0]) // (len(self.cell["agents"]) * self.cell["draws"])
        self.train = numpy.isin(contexts, self.cell["train"])

    def ridge(self, x, rows, y, rho, weight=None):
        solver = self.solver if x is self.phi else "auto"
        # With an intercept and sparse rows Ridge takes sparse_cg in place of sag, unless steps are unbounded and the tolerance
        # is above 1e-4.
        sag = solver == "sag"
        model = linear_model.Ridge(alpha=rho, tol=max(self.tolerance, 1.01e-4) if sag else self.tolerance,
                                   max_iter=None if sag else 100000, solver=solver)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message='"sag" solver requires many iterations')
            model.fit(x[rows], y, sample_weight=weight)
        if sag and model.n_iter_ is None:
            sys.exit("scikit-learn did not take sag, which counts its steps")
        return model.predict(x)

    def pooled(self, x, obs_y, exp_y, keep, lam, rho):
        """(1 - lam) times the mean loss on EXP plus lam times that on OBS; rho of each per row."""
        n_obs, n_exp = len(obs_y), int(keep.sum())
        weight = numpy.concatenate([numpy.full(n_obs, lam / n_obs), numpy.full(n_exp, (1 - lam) / n_exp)])
        rows = numpy.concatenate([self.obs_pair, self.exp_pair[keep]])
        y = numpy.concatenate([obs_y, exp_y[keep]])
        used = weight > 0
        return self.ridge(x, rows[used], y[used], (1 - lam) * rho / n_exp + lam * rho / n_obs, weight[used])

    def basis(self, name):
        parts = {"linear": [self.z], "quadratic": [self.z, self.z**2]}
        if name == "interactions":
            pairs = [self.z[:, i] * self.z[:, j] for i in range(8) for j in range(i, 8)]
            parts[name] = [self.z, numpy.column_stack(pairs)]
        psi = numpy.hstack(parts[name])
        deviation = psi[self.train].std(0)
        return (psi - psi[self.train].mean(0)) / numpy.where(deviation > 0, deviation, 1)

    def prepare(self):
        """What families share: f_O and the bases."""
        self.obs_fit = self.ridge(self.phi, self.obs_pair, self.obs_y, self.config["obs_only.rho"])
        self.obs_residual = self.obs_y - self.obs_fit[self.obs_pair]
        self.exp_residual = self.exp_y - self.obs_fit[self.exp_pair]
        self.bases = {name: self.basis(name) for name in ("linear", "quadratic", "interactions")}

    def fit(self, family, keep, chosen):
        """The unclipped predictions of a family from the EXP rows `keep`."""
        rows, c = self.exp_pair[keep], self.config
        if family == "exp-only":
            return self.ridge(self.phi, rows, self.exp_y[keep], c["exp_only.rho"])
        if family == "obs-only":
            return self.obs_fit
        if family == "representation-exp":
            return self.ridge(self.z, rows, self.exp_y[keep], c["representation_exp.rho"])
        if family == "grounded":
            psi = self.bases[chosen["basis"]]
            return self.obs_fit + self.ridge(psi, rows, self.exp_residual[keep], chosen["rho"])
        if family == "cvci":
            return self.pooled(self.phi, self.obs_y, self.exp_y, keep, chosen["lambda"], c["exp_only.rho"])
        return self.obs_fit + self.pooled(self.z, self.obs_residual, self.exp_residual, keep,
                                          chosen["lambda"], chosen["rho"])

    def loss(self, prediction, agents):
        """Squared differences of mean outcome and mean prediction of held-out agents, by their rows."""
        n, total = numpy.isin(self.exp_agent, agents).sum(), 0.0
        for agent in agents:
            own = self.exp_agent == agent
            if own.any():
                gap = self.exp_y[own].mean() - prediction[self.exp_pair[own]].mean()
                total += own.sum() / n * gap**2
        return total

    def choose(self, family):
        """The first candidate, in the order of the export, that none beats by more than the tolerance."""
        best = None
        for candidate in self.hyper[family]["candidates"]:
            total = 0.0
            for agents in self.cv_agents:
                held = numpy.isin(self.exp_agent, agents)
                if held.any():
                    total += self.loss(numpy.clip(self.fit(family, ~held, candidate), 0, 1), agents)
            if best is None or total < best[0] * (1 - 1e-8):
                best = (total, candidate)
        return best[1] if best else None

    def whole(self):
        """The timed script: predictions of every family."""
        self.prepare()
        everything, out = numpy.ones(len(self.exp_y), bool), {}
        for family in self.config["families"]:
            chosen = self.choose(family)
            out[family] = numpy.clip(self.fit(family, everything, chosen), 0, 1)
            for rows in self.dr_rows if family != "obs-only" else []:
                kept = everything.copy()
                kept[rows] = False
                self.fit(family, kept, chosen)
        return out

    def apart(self, family, prediction):
        """Over pairs whose φ is exported: of a run that is solved iteratively, those in use."""
        return abs(prediction - column(self.predictions, family, float))[numpy.diff(self.phi.indptr) > 0].max()

    def check(self):
        self.tolerance = 1e-12
        self.prepare()
        for family in self.config["families"]:
            prediction = self.fit(family, numpy.ones(len(self.exp_y), bool), self.hyper[family])
            far = self.apart(family, numpy.clip(prediction, 0, 1))
            print(f"  {family:20s} with the exported hyper-parameters: within {far:.1e}")
            if far > 1e-6:
                sys.exit(f"the predictions of {family} differ")


def run_seconds(program, config, seeds):
    """Processor seconds of a run of one cell."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cell.json"
        path.write_text(json.dumps({**config, "seeds": seeds}))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "run", path, "-o", pathlib.Path(folder) / "run", "-j", "1", "--no-report",
                        "-q"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program, config = sys.argv[1:3]
    told = sys.argv[3:] + ["0", "0", "1e-4", "auto", "5"][len(sys.argv) - 3:]
    cell, seed, tolerance, solver, seeds = told[0], told[1], float(told[2]), told[3], int(told[4])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "cell", config, "--cell", cell, "--seed", seed, "--export", folder, "--force"],
                       check=True, stderr=subprocess.DEVNULL)
        replicate = Replicate(pathlib.Path(folder))
    known = {"exp-only", "obs-only", "representation-exp", "grounded", "cvci", "cvci-residual"}
    if not known.issuperset(replicate.config["families"]):
        sys.exit("the script knows the six families of the paper alone: set families to these")
    replicate.check()
    replicate.tolerance, replicate.solver = tolerance, solver
    plain = dict(replicate.config)
    if plain["task"] == "pool":
        plain["pool"] = str(pathlib.Path(plain["pool"]).resolve())
    found = {}
    theirs = timed(lambda: found.update(replicate.whole()))
    for family, prediction in found.items():
        print(f"  {family:20s} at tolerance {replicate.tolerance:.0e}: within "
              f"{replicate.apart(family, prediction):.1e}")
    print(f"scikit-learn {theirs:.2f} s")
    if seeds > 0:
        mine = (run_seconds(program, plain, 1 + seeds) - run_seconds(program, plain, 1)) / seeds
        print(f"regret {mine:.3f} s a replicate: ratio {theirs / mine:.0f}")


if __name__ == "__main__":
    main()

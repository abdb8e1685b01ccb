"""What `regret cell --export` wrote, and the families of protocol section 5 again, by dense matrices: shared by
check_export.py and check_practice.py."""

import csv
import glob
import json

import numpy as np
import scipy.io

from half_widths import half_widths


def ridge(gram, rows, y, weight, rho):
    """Predictions for every pair of min sum w (y - b - f)^2 + rho |f|^2, b not penalised (dual)."""
    mean = gram[np.ix_(rows, rows)] @ weight
    grand = weight @ mean
    centred = gram[np.ix_(rows, rows)] - mean[:, None] - mean[None, :] + grand
    level = weight @ y
    dual = np.linalg.solve(centred * weight[None, :] + rho * np.eye(len(rows)), y - level)
    cross = gram[:, rows]
    return level + (cross - (cross @ weight)[:, None] - mean[None, :] + grand) @ (weight * dual)


def clip(x):
    return np.clip(x, 0.0, 1.0)


class Replicate:
    def __init__(self, folder):
        self.cell = json.load(open(f"{folder}/cell.json", encoding="utf-8"))
        self.hyper = json.load(open(f"{folder}/hyper.json", encoding="utf-8"))
        self.folds = json.load(open(f"{folder}/folds.json", encoding="utf-8"))
        phi = scipy.io.mmread(f"{folder}/phi.mtx").tocsr()
        self.k_phi = (phi @ phi.T).toarray()
        (z_file,) = glob.glob(f"{folder}/z-*.csv")
        self.used = np.ones(phi.shape[0], dtype=bool)
        if self.cell["phi"] == "used pairs":
            self.used = np.diff(phi.indptr) > 0
        self.z = np.loadtxt(z_file, delimiter=",", skiprows=1)[:, 1:]
        self.k_z = self.z @ self.z.T
        obs = np.loadtxt(f"{folder}/obs.csv", delimiter=",", skiprows=1, ndmin=2)
        exp = np.loadtxt(f"{folder}/exp.csv", delimiter=",", skiprows=1, ndmin=2)
        self.obs, self.y_obs = obs[:, 1].astype(int), obs[:, 5]
        self.exp, self.y_exp = exp[:, 1].astype(int), exp[:, 5]
        self.agent = exp[:, 3].astype(int)
        self.n_agents = len(self.cell["agents"])
        self.mu = np.genfromtxt(f"{folder}/target.csv", delimiter=",", skip_header=1)[:, -1]
        context = np.arange(len(self.z)) // (self.n_agents * self.cell["draws"])
        self.observed = ~np.isnan(np.repeat(self.mu, self.cell["draws"]))
        self.train = np.isin(context, self.cell["train"]) & self.observed
        self.eval = np.isin(context, self.cell.get("reference", self.cell["test"])) & self.observed
        self.agent_of = np.arange(len(self.z)) // self.cell["draws"] % self.n_agents
        self.all = np.arange(len(self.exp))
        self.context = context
        self.every_obs = self.obs, self.y_obs
        self.rho_exp = self.hyper["exp-only"]["rho"]
        self.rho_obs = self.hyper["obs-only"]["rho"]
        self.f_obs = self.fit_obs()
        with open(f"{folder}/predictions.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.prediction = {k: np.array([float(r[k]) for r in rows]) for k in rows[0] if k != "pair"}
        with open(f"{folder}/values.csv", encoding="utf-8") as file:
            self.values = list(csv.DictReader(file))

    def fit_obs(self):
        f_obs = self.fit_obs_rows(np.arange(len(self.obs)), self.rho_obs)
        return clip(f_obs) if self.cell["config"]["baseline.clip"] else f_obs

    def fit_obs_rows(self, rows, rho):
        n = len(rows)
        return ridge(self.k_phi, self.obs[rows], self.y_obs[rows], np.full(n, 1 / n), rho / n)

    def fit_exp(self, gram, rows, y, rho):
        n = len(rows)
        return ridge(gram, self.exp[rows], y, np.full(n, 1 / n), rho / n)

    def pooled(self, gram, rows, lam, rho_exp, rho_obs, baseline):
        """The pooled loss (1 - lam) EXP + lam OBS on outcomes minus the baseline."""
        n_e, n_o = len(rows), len(self.obs)
        pair = np.r_[self.obs, self.exp[rows]]
        y = np.r_[self.y_obs, self.y_exp[rows]] - baseline[pair]
        weight = np.r_[np.full(n_o, lam / n_o), np.full(n_e, (1 - lam) / n_e)]
        some = weight > 0
        return ridge(gram, pair[some], y[some], weight[some],
                     (1 - lam) * rho_exp / n_e + lam * rho_obs / n_o)

    def basis(self, name):
        z = self.z
        if name == "quadratic":
            z = np.c_[z, z**2]
        elif name == "interactions":
            q = min(8, z.shape[1])
            z = np.c_[z, np.array([z[:, i] * z[:, j] for i in range(q) for j in range(i, q)]).T]
        mean, deviation = z[self.train].mean(axis=0), z[self.train].std(axis=0)
        return (z - mean) / np.where(deviation > 0, deviation, 1.0)

    def family(self, name, k, rows):
        """Unclipped predictions of a family at hyper-parameters k, fitted on some EXP rows."""
        zero = np.zeros(len(self.z))
        if name == "exp-only":
            return self.fit_exp(self.k_phi, rows, self.y_exp[rows], k["rho"])
        if name == "obs-only":
            return self.f_obs
        if name == "representation-exp":
            return self.fit_exp(self.k_z, rows, self.y_exp[rows], 1.0)
        if name.startswith("grounded"):
            if name == "grounded-linear":
                rows = np.setdiff1d(rows, self.folds.get("holdout", []))
            k = {f: v if v is not None else self.hyper[name][f] for f, v in k.items() if f in self.hyper[name]}
            psi = self.basis(k["basis"])
            error = self.f_obs[self.exp[rows]] - self.y_exp[rows]
            c = self.fit_exp(psi @ psi.T, rows, error, k["rho"])
            return self.anchored(c, k, rows) if name == "grounded-anchored" else self.f_obs - k["alpha"] * c
        if name == "cvci":
            return self.pooled(self.k_phi, rows, k["lambda"], self.rho_exp, self.rho_obs, zero)
        if name == "cvci-residual":
            return self.f_obs + self.pooled(self.k_z, rows, k["lambda"], k["rho"], k["rho"],
                                            self.f_obs)
        raise KeyError(name)

    def anchored(self, c, k, rows):
        """s f_O - t c: (s, t) by the pooled loss, f_O of OBS rows left out fold by fold, drawn to (1, 1) by tau."""
        left = np.empty(len(self.obs))
        for fold in self.folds["obs"]["rows"]:
            f = self.fit_obs_rows(np.setdiff1d(np.arange(len(self.obs)), fold), self.rho_obs)
            left[fold] = (clip(f) if self.cell["config"]["baseline.clip"] else f)[self.obs[fold]]
        x = np.r_[np.c_[self.f_obs, -c][self.exp[rows]], np.c_[left, -c[self.obs]]]
        w = np.r_[np.full(len(rows), (1 - k["lambda"]) / len(rows)), np.full(len(left), k["lambda"] / len(left))]
        y = np.r_[self.y_exp[rows], self.y_obs]
        s, t = np.linalg.solve(k["tau"] * np.eye(2) + x.T @ (w[:, None] * x), k["tau"] + x.T @ (w * y))
        return s * self.f_obs - t * c

    def row_loss(self, name, k, held):
        f = clip(self.family(name, k, np.setdiff1d(self.all, held)))
        return np.mean((self.y_exp[held] - f[self.exp[held]]) ** 2)

    def obs_loss(self, k):
        """The mean squared error over contexts of OBS that are left out."""
        every = np.arange(len(self.obs))
        losses = []
        for rows in self.folds["obs_cv"]["rows"]:
            held = self.context[self.obs[rows]]
            assert not np.isin(self.context[self.obs[np.setdiff1d(every, rows)]], held).any()
            f = clip(self.fit_obs_rows(np.setdiff1d(every, rows), k["rho"]))
            losses.append(np.mean((self.y_obs[rows] - f[self.obs[rows]]) ** 2))
        return np.mean(losses)

    def causal_loss(self, name, k):
        if name == "obs-only":
            return self.obs_loss(k)
        if name == "grounded-linear" and "holdout" in self.folds:
            return self.row_loss(name, k, self.folds["holdout"])
        if self.folds["cv"]["mode"] != "agents":
            return np.mean([self.row_loss(name, k, rows) for rows in self.folds["cv"]["rows"]])
        losses = []
        for agents in self.folds["cv"]["agents"]:
            out = np.isin(self.agent, agents)
            f = clip(self.family(name, k, self.all[~out]))
            losses.append(sum((self.agent == a).sum() / out.sum()
                              * (self.y_exp[self.agent == a].mean()
                                 - f[self.exp[self.agent == a]].mean()) ** 2
                              for a in np.unique(self.agent[out])))
        return np.mean(losses)

    def mean_of(self, f):
        """The mean over evaluation pairs of every agent."""
        pairs = [self.eval & (self.agent_of == a) for a in range(self.n_agents)]
        return np.array([f[p].mean() for p in pairs])

    def truth(self):
        return self.mean_of(np.repeat(self.mu, self.cell["draws"]))

    def out_of_fold(self, name, k):
        """Predictions of EXP rows, the mean of the folds' surfaces, and V_DM of each."""
        held_out, fold_mean, values = np.empty(len(self.exp)), np.zeros(len(self.z)), []
        for rows in self.folds["dr"]["rows"]:
            rest = np.setdiff1d(self.all, rows)
            self.leave_out_obs(rows)
            fold = clip(self.family(name, k, rest))
            held_out[rows] = fold[self.exp[rows]]
            fold_mean += fold * len(rows) / len(self.exp)
            values.append(self.mean_of(fold))
        self.leave_out_obs([])
        return held_out, fold_mean, np.array(values)

    def value(self, name, k):
        """DM, DR and SNDR of every agent; then half_widths() gives theirs."""
        f = clip(self.family(name, k, self.all))
        dm = self.mean_of(f)
        held_out, fold_mean, fold_values = self.out_of_fold(name, k)
        total = np.bincount(self.agent, self.y_exp - held_out, self.n_agents)
        count = np.bincount(self.agent, minlength=self.n_agents)
        surface = fold_mean if self.cell["config"]["values.plugin"] == "folds" else f
        plug_in = self.mean_of(surface)
        self.half_widths = lambda: half_widths(self, f, surface, held_out, fold_values, self.folds["dr"]["rows"])
        return (dm, plug_in + self.n_agents * total / len(self.exp),
                plug_in + np.where(count > 0, total / np.where(count > 0, count, 1.0), 0.0))

    def leave_out_obs(self, rows):
        """With folds by context, OBS loses the contexts of the EXP rows that are left out."""
        if self.cell["config"]["values.fold_unit"] == "context":
            self.without_contexts(rows)

    def without_contexts(self, rows):
        """OBS without the contexts of these EXP rows."""
        pair, y = self.every_obs
        keep = ~np.isin(self.context[pair], self.context[self.exp[rows]])
        self.obs, self.y_obs = pair[keep], y[keep]
        self.f_obs = self.fit_obs()

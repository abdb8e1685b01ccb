"""Reads the problems of `regret` and answers them (docs/formats.md): copy this file beside your own.

    import regret_worker

    def fit(problem):
        return {"prediction": ...}          # and "cross_fit", where problem.facts["wants_cross_fit"]

    regret_worker.serve(fit)
"""
import json
import os
import pathlib
import sys

import numpy as np

FORMAT = "regret-problem-1"


class Problem:
    """problem.json as `facts`, and every NAME.npy of the folder as an attribute, read when it is asked for."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.facts = json.loads((self.folder / "problem.json").read_text())
        if self.facts["format"] != FORMAT:
            raise ValueError(f"a problem in the format {self.facts['format']}, not {FORMAT}")

    def __getattr__(self, name):
        return np.load(self.folder / f"{name}.npy")


class Features:
    """φ of every pair: compressed rows."""

    def __init__(self, problem):
        self.indptr, self.indices = problem.phi_indptr, problem.phi_indices
        self.data, self.columns = problem.phi_data, problem.facts["columns"]
        self.row = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    def dense(self, pairs):
        """Their rows, pairs × columns."""
        out = np.zeros((len(pairs), self.columns))
        for i, pair in enumerate(pairs):
            at = slice(self.indptr[pair], self.indptr[pair + 1])
            out[i, self.indices[at]] = self.data[at]
        return out

    def times(self, theta):
        """φ θ of every pair."""
        return np.bincount(self.row, self.data * theta[self.indices], len(self.indptr) - 1)


def cross_fit(problem, fit, prediction):
    """The answer of an estimator `fit(pairs, y)` of EXP rows alone, which gives predictions for every pair: those out
    of fold come from fits without a fold of EXP each."""
    pairs, y, fold, facts = problem.exp_pair, problem.exp_y, problem.exp_dr_fold, problem.facts
    answer = {"prediction": prediction}
    if not facts["wants_cross_fit"]:
        return answer
    answer["cross_fit"], answer["fold_mean"] = np.empty(len(y)), np.zeros(facts["pairs"])
    for k in range(facts["dr_folds"]):
        out = fold == k
        without = fit(pairs[~out], y[~out])
        answer["cross_fit"][out] = without[pairs[out]]
        answer["fold_mean"] += np.mean(out) * np.clip(without, 0.0, 1.0)
    return answer


def serve(fit):
    """Answers one problem a line until there are no more. What `fit` prints goes to the terminal."""
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            problem = Problem(line.rstrip("\n").split(" ", 1)[1])
            for name, array in fit(problem).items():
                np.save(problem.folder / f"{name}.npy", np.asarray(array, dtype=float))
            print("done", file=replies)
        except Exception as error:  # the next problem may be another
            print("failed", " ".join(f"{type(error).__name__}: {error}".split())[:500], file=replies)

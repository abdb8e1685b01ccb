#!/usr/bin/env python3
"""Histogram gradient boosting of scikit-learn as an estimator of one's own (docs/formats.md), for practice.py.

usage: boosting.py exp|all      a worker of `regret run --allow-commands`; not to be started by hand

Trained on the EXP rows, or on those of OBS and EXP together, with what the families see: the proxy z, the 32 leading
directions of φ, the agent and, where contexts have tags, the tag, these two as categories."""
import os
import pathlib
import sys

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/examples/estimators"))

import numpy as np
import regret_worker
from scipy.sparse import csr_matrix
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import HistGradientBoostingRegressor

DIRECTIONS = 32
of_features = {}  # the leading directions of a φ that problems share


def directions(problem):
    facts = problem.facts
    if facts["features"] not in of_features:
        phi = csr_matrix((problem.phi_data, problem.phi_indices, problem.phi_indptr), (facts["pairs"], facts["columns"]))
        n = min(DIRECTIONS, *(k - 1 for k in phi.shape))
        of_features[facts["features"]] = TruncatedSVD(n, random_state=0).fit_transform(phi)
    return of_features[facts["features"]]


def answer(problem, rows):
    facts = problem.facts
    columns = [problem.z, directions(problem), problem.pair_agent[:, None]]
    if facts.get("tags"):
        columns.append(np.array(facts["context_tags"])[problem.pair_context][:, None])
    x = np.hstack(columns)
    last = x.shape[1] - 1
    categories = [last - 1, last] if len(columns) == 4 else [last]
    # more categories than bins are numbers again
    categories = [c for c in categories if len(np.unique(x[:, c])) <= 255]

    def fit(exp_pairs, exp_y):
        pairs, y = exp_pairs, exp_y
        if rows == "all":
            pairs, y = np.concatenate([pairs, problem.obs_pair]), np.concatenate([y, problem.obs_y])
        model = HistGradientBoostingRegressor(categorical_features=categories, min_samples_leaf=min(20, max(2, len(y) // 20)),
                                              random_state=facts["random"] % 2**31)
        return model.fit(x[pairs], y).predict(x)

    return {"prediction": fit(problem.exp_pair, problem.exp_y)}


if __name__ == "__main__":
    regret_worker.serve(lambda problem: answer(problem, sys.argv[1]))

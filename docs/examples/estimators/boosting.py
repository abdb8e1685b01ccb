#!/usr/bin/env python3
"""Gradient boosting of scikit-learn on the proxy z and the agent, with the outcomes of EXP.

    "families": ["exp-only", "grounded", {"name": "boosting", "command": ["python3", "boosting.py"]}]
"""
import numpy as np
from sklearn.ensemble import GradientBoostingRegressor

import regret_worker


def answer(problem):
    facts = problem.facts
    agents = np.eye(facts["agents"])[problem.pair_agent]
    x = np.hstack([problem.z, agents])

    def fit(pairs, y):
        model = GradientBoostingRegressor(n_estimators=60, max_depth=2, learning_rate=0.1, subsample=0.8,
                                          random_state=facts["random"])
        return model.fit(x[pairs], y).predict(x)

    return regret_worker.cross_fit(problem, fit, fit(problem.exp_pair, problem.exp_y))


regret_worker.serve(answer)

#!/usr/bin/env python3
"""exp-only in NumPy: ridge of the features φ on the outcomes of EXP (protocol §5).

    "families": ["exp-only", {"name": "ridge-numpy", "command": ["python3", "ridge.py"]}]

min over b, θ of  Σ (y_i − b − θ·φ_i)²/n + ρ/n ‖θ‖²  with ρ = 1, or the number behind the name of this file.
"""
import sys

import numpy as np

import regret_worker

RHO = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0


def answer(problem):
    phi = regret_worker.Features(problem)

    def fit(pairs, y):
        """Solved on the n × n side: there are fewer rows than columns."""
        x = phi.dense(pairs)
        mean = x.mean(axis=0)
        centred = x - mean
        dual = np.linalg.solve(centred @ centred.T + RHO * np.eye(len(y)), y - y.mean())
        theta = centred.T @ dual
        return phi.times(theta) + y.mean() - mean @ theta

    return regret_worker.cross_fit(problem, fit, fit(problem.exp_pair, problem.exp_y))


regret_worker.serve(answer)

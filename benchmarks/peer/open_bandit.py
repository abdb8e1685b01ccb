#!/usr/bin/env python3
"""The plain off-policy estimators of the Open Bandit Pipeline, from their published formulas, in NumPy alone.

Saito, Aihara, Matsutani and Narita, "Open Bandit Dataset and Pipeline: towards realistic and reproducible off-policy
evaluation", NeurIPS 2021 Datasets and Benchmarks, section 4 and appendix: of a policy pi that is to be valued, on n rows (x, a, r)
whose agents were chosen with probability b(a|x), with w = pi(a|x)/b(a|x) and a regression q(x, a) of r:

    DM     mean of  sum_a pi(a|x) q(x, a)
    IPW    mean of  w r                                   SNIPW  sum of w r / sum of w
    DR     mean of  sum_a pi(a|x) q(x, a) + w (r - q)     SNDR   the last term as sum / sum of w

Here the policies are "always agent a", one a column. Where b is not known it is estimated by multinomial logistic regression, and q
by ridge on the features, agents and their crosses, cross-fitted in folds, as the pipeline's RegressionModel does with n_folds.

Run as a program it checks itself on a world in which everything is known.
"""
import numpy

FLOOR = 0.01  # of an estimated probability; the pipeline clips weights likewise by its lambda_


def one_hot(agent, n_agents):
    return numpy.eye(n_agents)[agent]


def propensity(x, agent, n_agents, penalty=1.0, steps=300):
    """b(.|x) of multinomial logistic regression with ridge, by Nesterov's gradient steps."""
    x = numpy.column_stack([numpy.ones(len(x)), x])
    y, n = one_hot(agent, n_agents), len(x)
    rate = 1.0 / (0.5 * numpy.linalg.norm(x, 2) ** 2 / n + penalty / n)
    theta = ahead = numpy.zeros((x.shape[1], n_agents))
    for k in range(steps):
        score = x @ ahead
        p = numpy.exp(score - score.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        new = ahead - rate * (x.T @ (p - y) / n + penalty / n * ahead)
        ahead, theta = new + k / (k + 3) * (new - theta), new
    score = x @ theta
    p = numpy.exp(score - score.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    return numpy.maximum(p, FLOOR)


def design(x, agent, n_agents):
    a = one_hot(agent, n_agents)
    crosses = (a[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    return numpy.column_stack([numpy.ones(len(x)), a, x, crosses])


def regression(x, agent, reward, n_agents, folds=3, rho=1.0, rng=None):
    """q(x, a) of every agent for every row, from the folds without it."""
    fold = (rng or numpy.random.default_rng(0)).permutation(len(x)) % folds
    q = numpy.zeros((len(x), n_agents))
    for k in range(folds):
        train = design(x[fold != k], agent[fold != k], n_agents)
        mean = reward[fold != k].mean()
        gram = train.T @ train + rho * numpy.eye(train.shape[1])
        theta = numpy.linalg.solve(gram, train.T @ (reward[fold != k] - mean))
        held = x[fold == k]
        for a in range(n_agents):
            q[fold == k, a] = mean + design(held, numpy.full(len(held), a), n_agents) @ theta
    return q


def values(agent, reward, b, q):
    """{estimator: value of always taking each agent}; b and q are of all agents."""
    n, n_agents = q.shape
    rows = numpy.arange(n)
    w = one_hot(agent, n_agents) / b[rows, agent][:, None]
    miss = (reward - q[rows, agent])[:, None]
    total = numpy.maximum(w.sum(0), 1e-300)
    return {"DM": q.mean(0), "IPW": (w * reward[:, None]).mean(0), "SNIPW": (w * reward[:, None]).sum(0) / total,
            "DR": (q + w * miss).mean(0), "SNDR": q.mean(0) + (w * miss).sum(0) / total}


def check():
    rng = numpy.random.default_rng(7)
    n, n_agents = 40000, 3
    x = rng.normal(size=(n, 2))
    score = numpy.column_stack([0 * x[:, 0], x[:, 0], x[:, 1]])
    b = numpy.exp(score) / numpy.exp(score).sum(1, keepdims=True)
    agent = (b.cumsum(1) < rng.random((n, 1))).sum(1)
    mean = numpy.column_stack([0.5 + 0 * x[:, 0], 0.4 + 0.1 * x[:, 0], 0.6 - 0.1 * x[:, 1]])
    reward = mean[numpy.arange(n), agent] + 0.1 * rng.normal(size=n)
    estimated = propensity(x, agent, n_agents, steps=600)
    assert numpy.abs(estimated - b).max() < 0.06, numpy.abs(estimated - b).max()
    q = regression(x, agent, reward, n_agents)
    for name, value in values(agent, reward, estimated, q).items():
        assert numpy.abs(value - [0.5, 0.4, 0.6]).max() < (0.03 if name == "IPW" else 0.01), (name, value)
    # Where chance chose, DM apart, all are means by agent, to first order; SNIPW exactly.
    uniform = numpy.full((n, n_agents), 1.0 / n_agents)
    agent = rng.integers(n_agents, size=n)
    reward = mean[numpy.arange(n), agent]
    plain = [reward[agent == a].mean() for a in range(n_agents)]
    assert numpy.allclose(values(agent, reward, uniform, q)["SNIPW"], plain)
    print("open_bandit.py: IPW, SNIPW, DM, DR and SNDR are right where everything is known")


if __name__ == "__main__":
    check()

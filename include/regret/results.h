/* A run folder and its rows: what `regret run` writes and `regret report` reads. */
#ifndef REGRET_RESULTS_H
#define REGRET_RESULTS_H

/* clang-format off */
/* run.json               {"format": "regret-run-1",
 *                         "config": {every key, and "sweep"},
 *                         "pool": {name, title, version, licence, source, digest, synthetic, contexts,
 *                                  agents, draws, dropped_contexts, dropped_agents, imputed},
 *                         "version", "results_version", "blas": {build, kernel},
 *                         "families": [names], "cells": [{"cell": 0, "key": {swept keys}}],
 *                         "seeds": N, "rows": of a replicate, "shard": "1/1", "replicates": count}
 * results-1-of-1.jsonl   one row per (cell, seed, family), ordered by seed, then cell, then family;
 *                        the same bytes whatever the number of threads
 * timing-1-of-1.jsonl    seconds by stage of each replicate; never compared
 *
 * A row is one JSON object:
 *   "cell"    number of the cell
 *   "seed"    number of the seed
 *   "key"     {"reward.map", "beta", "n_obs", "n_exp"} always, and every other swept key
 *             a controlled world has the reward map "world"
 *   "kind"    "family"    an estimator family
 *             "baseline"  "oracle", "random", "best-exp" (best single agent by its EXP mean),
 *                         "best-obs" (by its raw OBS mean)
 *             "fit"       held-out R² of the target on "proxy", "components" or "success" (coding)
 *   "family"  the name
 * of a family, null where it has none or values are off:
 *   "regret", "rmse" (context-action), "top1" (0 or 1),
 *   "top3" (share of the true best three agents among the predicted best three), "spearman",
 *   "dm_rmse", "dr_rmse", "sndr_rmse", "lambda", "alpha", "rho", "tau", "basis",
 *   "cv" ("agents", "rows", "holdout" or "none")
 * of a baseline: "regret"
 * of a fit: "r2" (null where the target does not vary) */
/* clang-format on */

#define REGRET_RUN_FORMAT "regret-run-1"
#define REGRET_RESULTS_VERSION 1

#endif

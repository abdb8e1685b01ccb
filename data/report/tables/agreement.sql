-- title: Agreement with the true best agents
-- order: 120
-- part: diagnostics
-- column *: .3
-- note: Over all agents' mean values: top-1, whether the best estimated agent is the best; top-3, the share of the true best three
--   among the estimated best three; Spearman and Kendall (τ_b), of estimated and true values. Over contexts: hit@k, the share of
--   held-out contexts with a true best agent among the k predicted best; hit@1 counts the contexts without regret. Means over cells and
--   seeds ± standard error over seeds; "–": not in this run's rows.
SELECT at AS _at, block AS _block, family AS "Family", mean(top1) AS "Top-1", se(top1) AS "Top-1±", mean(top3) AS "Top-3",
  se(top3) AS "Top-3±", mean(spearman) AS "Spearman", se(spearman) AS "Spearman±", mean(kendall) AS "Kendall",
  se(kendall) AS "Kendall±", mean(hit1) AS "Hit@1", se(hit1) AS "Hit@1±", mean(hit3) AS "Hit@3", se(hit3) AS "Hit@3±"
FROM (
  SELECT g.at, block, family, s.place, est(top1, cell, seed) AS top1, est(top3, cell, seed) AS top3,
    est(spearman, cell, seed) AS spearman, est(kendall, cell, seed) AS kendall, est(hit1, cell, seed) AS hit1,
    est(hit3, cell, seed) AS hit3
  FROM results JOIN by_map g USING (cell) JOIN ranked s USING (family) WHERE kind = 'family' GROUP BY g.at, family)
ORDER BY at, place;

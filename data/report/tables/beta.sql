-- title: Regret by confounding strength β
-- order: 50
-- part: families
-- idle: SELECT NOT swept FROM keys WHERE key = 'beta'
-- note: Mean held-out regret over the budget cells and the seeds ± standard error over seeds. β moves only the OBS router: 0 takes
--   the latent user out of it. R²: held-out linear fit of the target.
SELECT block AS _block, line AS "Family", 'β ' || value AS _column, mean(e) AS _value, se(e) AS _se, decimals AS _decimals,
  is_family AND (SELECT count(*) FROM ranked) > 1
  AND mean(e) = min(mean(e)) FILTER (WHERE is_family) OVER (PARTITION BY at, value) AS _best
FROM (
  SELECT g.at, block, line_at, line, is_family, decimals, v.value, v.place, est(y, l.cell, seed) AS e
  FROM lines l JOIN by_map g USING (cell) JOIN cell_keys v ON v.cell = l.cell AND v.key = 'beta' GROUP BY g.at, line_at, v.place)
ORDER BY at, line_at, place;

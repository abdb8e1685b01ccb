-- title: What explains the target as success counts for more
-- order: 120
-- part: sweep
-- when: SELECT swept FROM keys WHERE key = 'reward.lambda_fix'
-- kind: lines
-- draw: x ordinal
-- x: λ_fix
-- y: out-of-sample R² of the target
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: Held-out R² of a linear fit of the target on the proxy, on the raw components, on success alone and on the statistics of
--   the patches, along the weight of success in the utility.
SELECT panel, family AS series, i AS _style, x, mean(est(r2, cell, seed)) AS value, t_low(est(r2, cell, seed)) AS low,
  min(t_high(est(r2, cell, seed)), 1) AS high
FROM results JOIN along USING (cell) JOIN (SELECT family, row_number() OVER (ORDER BY place) - 1 AS i FROM subjects
  WHERE kind = 'fit' AND family IN (SELECT family FROM results WHERE kind = 'fit' AND r2 IS NOT NULL)) s USING (family)
WHERE kind = 'fit' AND along = 'reward.lambda_fix' AND map = 0 AND i < 16 GROUP BY at, level, i ORDER BY at, level, i;

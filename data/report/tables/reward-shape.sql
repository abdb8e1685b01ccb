-- title: Regret and target fit by reward map
-- order: 40
-- part: families
-- idle: SELECT NOT swept FROM keys WHERE key = 'reward.map'
-- note: Rows of families: mean held-out regret over the budget and β cells and the seeds ± standard error over seeds. R²: out of
--   sample, of a linear fit of the cached target on the training contexts, scored on the held-out contexts; mean over cells and seeds.
CREATE TEMP TABLE fit(line_at, line, family, clipped);
INSERT INTO fit VALUES (1001, 'R² of the target on the proxy', 'proxy', 0), (1002, 'R² of the target on the proxy, clipped', 'proxy', 1),
  (1003, 'R² of the target on the raw components', 'components', 0), (1004, 'R² of the target on success alone', 'success', 0);
CREATE TEMP TABLE e AS
SELECT g.at, block, line_at, line, is_family, decimals, v.value AS map, v.place, est(y, r.cell, seed) AS e
FROM (SELECT * FROM lines WHERE line_at < 1000
  UNION ALL SELECT line_at, line, 0, 3, cell, seed, iif(clipped, r2_clipped, r2) FROM fit JOIN results USING (family) WHERE kind = 'fit') r
JOIN by_keys g USING (cell) JOIN cell_keys v ON v.cell = r.cell AND v.key = 'reward.map' GROUP BY g.at, line_at, v.place
HAVING line_at < 1000 OR count(y) > 0;
SELECT block AS _block, line AS "Method", map AS _column, value AS _value, se AS _se, decimals AS _decimals,
  is_change AS _signed, is_change AS _plain,
  is_family AND NOT is_change AND (SELECT count(*) FROM ranked) > 1
  AND value = min(value) FILTER (WHERE is_family) OVER (PARTITION BY at, map) AS _best
FROM (
  SELECT at, block, line_at, line, is_family, decimals, map, place, mean(e) AS value, se(e) AS se, 0 AS is_change FROM e
  UNION ALL SELECT a.at, a.block, a.line_at, a.line, a.is_family, a.decimals, 'sharpened − smooth', 1000, mean(a.e) - mean(b.e), NULL, 1
  FROM e a JOIN e b ON b.at = a.at AND b.line_at = a.line_at AND a.map = 'sharpened' AND b.map = 'smooth')
ORDER BY at, line_at, place;
SELECT printf('This run has one reward map only: %s.', v.value) AS note
FROM cell_keys v JOIN keys k USING (key) WHERE key = 'reward.map' AND NOT swept LIMIT 1;

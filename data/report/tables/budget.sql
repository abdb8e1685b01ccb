-- title: Regret by budget
-- order: 30
-- part: families
-- idle: SELECT NOT max(swept) FROM keys WHERE key IN ('n_obs', 'n_exp')
-- column *: .4
-- note: Mean held-out regret over the β cells and seeds of a column ± its standard error over seeds. Best OBS-based: the lowest mean
--   of obs-only, grounded, cvci and cvci-residual in the column (its SE does not count the choice); the difference to it is paired
--   over seeds.
CREATE TEMP TABLE e AS
SELECT g.at, block, o.place AS obs_at, x.place AS exp_at, 'n_obs ' || o.value || ', n_exp ' || x.value AS budget, family, kind,
  s.place, s.ranked, s.obs_based, est(regret, r.cell, seed) AS e
FROM results r JOIN by_map g USING (cell) JOIN subjects s USING (family, kind)
JOIN cell_keys o ON o.cell = r.cell AND o.key = 'n_obs' JOIN cell_keys x ON x.cell = r.cell AND x.key = 'n_exp'
WHERE kind IN ('family', 'baseline') GROUP BY g.at, o.place, x.place, family, kind
HAVING s.ranked OR family IN (SELECT family FROM cell_means WHERE y IS NOT NULL);
CREATE TEMP TABLE best AS
SELECT *, minus(x, e) AS d FROM (
  SELECT b.*, x.e AS x, row_number() OVER (PARTITION BY b.at, b.budget ORDER BY round(mean(b.e), 12), b.place) AS i
  FROM e b LEFT JOIN e x ON x.at = b.at AND x.budget = b.budget AND x.family = 'exp-only'
  WHERE b.obs_based AND mean(b.e) IS NOT NULL)
WHERE i = 1;
SELECT block AS _block, line AS "Method", budget AS _column, text AS _text, value AS _value, se AS _se, signed AS _signed,
  ranked AND (SELECT count(*) FROM ranked) > 1 AND value = min(value) FILTER (WHERE ranked) OVER (PARTITION BY at, budget) AS _best
FROM (
  SELECT at, block, obs_at, exp_at, budget, place, family AS line, NULL AS text, mean(e) AS value, se(e) AS se, 0 AS signed, ranked FROM e
  WHERE ranked OR kind = 'baseline'
  UNION ALL SELECT at, block, obs_at, exp_at, budget, 1000, 'best OBS-based method', family, mean(e), se(e), 0, 0 FROM best
  UNION ALL SELECT at, block, obs_at, exp_at, budget, 1001, 'exp-only minus best OBS-based', NULL, mean(x) - mean(e), se(d), 1, 0
  FROM best)
ORDER BY at, place, obs_at, exp_at;

-- title: Regret of every family less that of the best
-- order: 20
-- part: families
-- kind: intervals
-- draw: from zero | numbered
-- x: regret less that of the best family
-- intervals: whiskers: 95 % bootstrap intervals of the paired difference over seeds
-- caption: Left is better. Regret is the value lost, per held-out context, against the best agent for that context; the best family
--   stands at 0. Hollow marks cannot be told from it (their interval holds 0); triangles point to what lies beyond the axis.
--   best-exp and best-obs recommend one agent for every context, by its mean in EXP or OBS; random picks any.
-- caption: SELECT said FROM said_of_baselines
SELECT family AS row, family AS series, style AS _style FROM (
  SELECT family, kind, s.place, style, est(regret, cell, seed) AS e FROM results JOIN shown s USING (family, kind) GROUP BY s.place)
WHERE mean(e) IS NOT NULL ORDER BY kind = 'baseline', round(mean(e), 12), place;
CREATE TEMP TABLE e AS
SELECT *, row_number() OVER (PARTITION BY at, kind ORDER BY round(mean(e), 12), place) AS i FROM (
  SELECT at, panel, family, kind, s.place, est(regret, cell, seed) AS e
  FROM results JOIN panels USING (cell) JOIN shown s USING (family, kind)
  WHERE along = '' AND map = 1 GROUP BY at, s.place)
WHERE mean(e) IS NOT NULL;
CREATE TEMP TABLE d AS
SELECT at, panel, family, kind, i, origin, y, iif(origin, 0.0, mean(d)) AS value, iif(origin, NULL, low(d)) AS low,
  iif(origin, NULL, high(d)) AS high
FROM (SELECT e.*, e.kind = 'family' AND e.i = 1 AS origin, mean(e.e) AS y, minus(e.e, b.e) AS d
  FROM e JOIN e b ON b.at = e.at AND b.kind = 'family' AND b.i = 1);
-- Rows beyond three times the middle of the rows' upper ends only point there, or the others would be one smear.
CREATE TEMP TABLE far AS
SELECT 3.0 * max(x) FILTER (WHERE i = n / 2 + 1) AS far, max(x) AS most, max(n) AS n FROM (
  SELECT x, row_number() OVER (ORDER BY x) AS i, count(*) OVER () AS n FROM (SELECT coalesce(high, value) AS x FROM d) WHERE x > 0);
SELECT panel, family AS series, family AS row, iif(origin, y, NULL) AS x, value, low, high, origin AS _origin,
  NOT origin AND (low IS NULL OR low <= 0 AND high >= 0) AS _tie, iif(n > 2 AND most > far, far, NULL) AS _limit
FROM d, far ORDER BY at, kind = 'baseline', i;

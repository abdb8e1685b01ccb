-- title: Where one method overtakes another
-- order: 80
-- part: sweep
-- when: SELECT max(swept) FROM keys WHERE key IN ('reward.lambda_fix', 'reward.omega')
-- otherwise: This run sweeps neither reward.lambda_fix nor reward.omega, so nothing can cross over.
-- note: Below 0 the first method recommends better; in bold where the 95 % bootstrap interval of the paired difference over seeds lies
--   below 0. Means over the other cells and the seeds ± standard error over seeds; the best OBS-based method is that of each column,
--   and its choice is not counted in the error.
CREATE TEMP TABLE part AS
SELECT 1 AS part_at, 'representation-exp minus the best OBS-based method along λ_fix' AS part, 'reward.lambda_fix' AS key,
  'representation-exp' AS self, NULL AS other, cell FROM cells
UNION ALL SELECT 2, 'the same of additive scoring, ω = 0', 'reward.lambda_fix', 'representation-exp', NULL, cell
FROM cell_keys JOIN keys USING (key) WHERE key = 'reward.omega' AND swept AND value = '0'
UNION ALL SELECT 3, 'grounded minus obs-only along ω', 'reward.omega', 'grounded', 'obs-only', cell FROM cells
UNION ALL SELECT 4, 'the same without weight of success, λ_fix = 0', 'reward.omega', 'grounded', 'obs-only', cell
FROM cell_keys JOIN keys USING (key) WHERE key = 'reward.lambda_fix' AND swept AND value = '0';
CREATE TEMP TABLE e AS
SELECT g.at, block, part_at, part, self, other, k.symbol || ' ' || v.value AS level, v.place AS level_at, family, s.obs_based, s.place,
  est(regret, r.cell, seed) AS e
FROM results r JOIN part USING (cell) JOIN by_keys g USING (cell) JOIN keys k ON k.key = part.key AND swept
JOIN cell_keys v ON v.cell = r.cell AND v.key = part.key JOIN subjects s USING (family, kind)
WHERE kind = 'family' GROUP BY g.at, part_at, v.place, family;
CREATE TEMP TABLE pair AS
SELECT s.at, s.block, s.part_at, s.part, s.self, s.other, s.level, s.level_at, s.e AS self_e, o.family, o.e, minus(s.e, o.e) AS d
FROM e s LEFT JOIN (
  SELECT *, row_number() OVER (PARTITION BY at, part_at, level ORDER BY round(mean(e), 12), place) AS i FROM e
  WHERE iif(other IS NULL, obs_based, family = other) AND mean(e) IS NOT NULL) o
ON o.at = s.at AND o.part_at = s.part_at AND o.level = s.level AND o.i = 1
WHERE s.family = s.self;
SELECT at || part_at AS _at, block || iif(block = '', '', ': ') || part AS _block, line AS "Mean regret", level AS _column,
  text AS _text, value AS _value, se AS _se, line_at = 2 AS _signed, best AS _best
FROM (
  SELECT at, part_at, block, part, level, level_at, 0 AS line_at, self AS line, NULL AS text, mean(self_e) AS value, se(self_e) AS se,
    0 AS best FROM pair
  UNION ALL SELECT at, part_at, block, part, level, level_at, 1, coalesce(other, 'best OBS-based method'), iif(other IS NULL, family, NULL),
    mean(e), se(e), 0 FROM pair
  UNION ALL SELECT at, part_at, block, part, level, level_at, 2, 'difference', NULL, mean(d), se(d), high(d) < 0 FROM pair)
ORDER BY at, part_at, line_at, level_at;

-- title: What explains the target as success counts for more
-- order: 70
-- part: sweep
-- when: SELECT max(swept) FROM keys WHERE key = 'reward.lambda_fix'
-- otherwise: This run does not sweep reward.lambda_fix, so there is nothing to align.
-- column *: .3
-- note: R²: out of sample, of a linear fit of the cached target on the training contexts, scored on the held-out contexts; mean over
--   the other cells and the seeds ± standard error over seeds. Clipped: of predictions moved into [0,1], as families give them. λ_fix:
--   the weight of success in the utility. Patch-statistics: the labels that count what a patch does, without the words that the proxy
--   sees. The paper's figure is of these and of success, under additive scoring.
SELECT g.at || part_at AS _at, block || iif(block = '' OR part = '', '', ': ') || part AS _block, line AS "R² of the target on",
  'λ_fix ' || v.value AS _column, mean(est(y, f.cell, seed)) AS _value, se(est(y, f.cell, seed)) AS _se
FROM (
  SELECT s.place AS line_at, family AS line, cell, seed, r2 AS y FROM results JOIN subjects s USING (family, kind) WHERE kind = 'fit'
  UNION ALL SELECT 1000 + s.place, 'clipped: ' || family, cell, seed, r2_clipped FROM results JOIN subjects s USING (family, kind)
  WHERE kind = 'fit') f
JOIN by_keys g USING (cell) JOIN cell_keys v ON v.cell = f.cell AND v.key = 'reward.lambda_fix'
JOIN (SELECT 0 AS part_at, '' AS part, cell FROM cells
  UNION ALL SELECT 1, 'additive scoring, ω = 0', cell FROM cell_keys JOIN keys USING (key)
  WHERE key = 'reward.omega' AND swept AND value = '0') p ON p.cell = f.cell
WHERE line IN (SELECT family FROM results WHERE kind = 'fit' AND r2 IS NOT NULL
  UNION ALL SELECT 'clipped: ' || family FROM results WHERE kind = 'fit' AND r2_clipped IS NOT NULL)
GROUP BY g.at, part_at, line_at, v.place ORDER BY g.at, part_at, line_at, v.place;

-- title: Error of the agents' estimated values
-- order: 100
-- part: values
-- when: SELECT EXISTS (SELECT 1 FROM results JOIN ranked USING (family) WHERE kind = 'family' AND dm_rmse IS NOT NULL)
-- otherwise: This run has no value estimates: they were switched off in its configuration.
-- column DM RMSE | DR RMSE | SNDR RMSE: .4
-- column DR better (% of cells): .0
-- column *: +.4
-- note: Root mean square error over agents of the estimated value, mean over cells and seeds ± standard error over seeds; differences
--   are paired over seeds (negative: the correction helps). DM: the direct method; DR: doubly robust with cross-fitting; SNDR:
--   self-normalised DR. DR better: cells whose mean DR error is below the mean DM error.
CREATE TEMP TABLE scope AS
SELECT cell, at || '0' AS at, block || iif(block = '', '', ', ') || 'all budgets' AS block FROM by_keys
UNION ALL SELECT g.cell, g.at || '1' || printf('%04d', v.place), block || iif(block = '', '', ', ') || 'n_exp = ' || v.value
FROM by_keys g JOIN cell_keys v USING (cell) JOIN keys k USING (key) WHERE key = 'n_exp' AND swept;
CREATE TEMP TABLE better AS
SELECT at, family, 100 * avg(dr < dm) AS better FROM (
  SELECT cell, family, avg(dr_rmse) AS dr, avg(dm_rmse) AS dm FROM results WHERE kind = 'family' GROUP BY cell, family)
JOIN scope USING (cell) GROUP BY at, family;
SELECT at AS _at, block AS _block, family AS "Method", mean(dm) AS "DM RMSE", se(dm) AS "DM RMSE±", mean(dr) AS "DR RMSE",
  se(dr) AS "DR RMSE±", mean(sndr) AS "SNDR RMSE", se(sndr) AS "SNDR RMSE±", mean(dr) - mean(dm) AS "DR − DM",
  se(minus(dr, dm)) AS "DR − DM±", mean(sndr) - mean(dm) AS "SNDR − DM", se(minus(sndr, dm)) AS "SNDR − DM±",
  better AS "DR better (% of cells)"
FROM (
  SELECT at, block, family, s.place, est(dm_rmse, cell, seed) AS dm, est(dr_rmse, cell, seed) AS dr, est(sndr_rmse, cell, seed) AS sndr
  FROM results JOIN scope USING (cell) JOIN ranked s USING (family) WHERE kind = 'family' GROUP BY at, family)
JOIN better USING (at, family) ORDER BY at, place;

-- title: Value estimation as the experiment grows
-- order: 110
-- part: values
-- when: SELECT max(swept) AND EXISTS (SELECT 1 FROM results JOIN ranked USING (family) WHERE kind = 'family' AND dr_rmse IS NOT NULL) FROM keys WHERE key = 'n_exp'
-- otherwise: SELECT iif(swept, 'This run has no value estimates: they were switched off in its configuration.', 'This run does not sweep n_exp, so nothing grows.') FROM keys WHERE key = 'n_exp'
-- column *: .4
CREATE TEMP TABLE e AS
SELECT g.at, block, family, s.place, v.value AS n_exp, v.place AS level, est(dm_rmse, r.cell, seed) AS dm,
  est(dr_rmse, r.cell, seed) AS dr, est(sndr_rmse, r.cell, seed) AS sndr
FROM results r JOIN by_keys g USING (cell) JOIN ranked s USING (family) JOIN cell_keys v ON v.cell = r.cell AND v.key = 'n_exp'
WHERE kind = 'family' AND family IN (SELECT family FROM results WHERE kind = 'family' AND dm_rmse IS NOT NULL)
GROUP BY g.at, family, v.place;
SELECT at || printf('%04d', place) AS _at, block || iif(block = '', '', ': ') || family AS _block, line AS "Error of the values",
  'n_exp ' || n_exp AS _column, mean(x) AS _value, se(x) AS _se, line_at > 3 AS _signed, line_at > 3 AND high(x) < 0 AS _best
FROM (
  SELECT *, 1 AS line_at, 'DM RMSE' AS line, dm AS x FROM e UNION ALL SELECT *, 2, 'DR RMSE', dr FROM e
  UNION ALL SELECT *, 3, 'SNDR RMSE', sndr FROM e UNION ALL SELECT *, 4, 'DR − DM', minus(dr, dm) FROM e
  UNION ALL SELECT *, 5, 'SNDR − DM', minus(sndr, dm) FROM e)
ORDER BY at, place, line_at, level;
-- The regime: what the configuration and its sweep say of confounding, noise and penalties.
WITH wanted(key, label, i) AS (VALUES ('beta', 'β', 1), ('n_obs', 'n_obs', 2),
    (iif((SELECT value FROM config WHERE key = 'task') = 'world', 'world.precision', 'outcome.precision'), 'outcome precision', 3),
    ('exp_only.rho', 'penalties exp_only.rho', 4), ('obs_only.rho', 'obs_only.rho', 5), ('representation_exp.rho', 'representation_exp.rho', 6)),
  given AS (SELECT key, value FROM cell_keys
    UNION ALL SELECT key, value FROM config WHERE key NOT IN (SELECT key FROM cell_keys)),
  span AS (SELECT i, label, min(CAST(x.value AS REAL)) AS least, max(CAST(x.value AS REAL)) AS most
    FROM wanted JOIN given USING (key), json_each(iif(json_valid(given.value), given.value, '[]')) x GROUP BY i ORDER BY i)
SELECT 'Regime: ' || group_concat(printf('%s %.10g', label, least) || iif(most > least, printf(' to %.10g', most), ''), ', ')
  || '. The paper''s figure of DR overtaking DM (F5) has strong selection, little noise and a deliberate underfit.' AS note
FROM (SELECT * FROM span ORDER BY i) HAVING count(*) > 0;
-- note: Root mean square error over agents of the estimated value, mean over the other cells and the seeds ± standard error over
--   seeds. Differences are paired over the seeds that have both numbers in every cell of the column; in bold where their 95 % bootstrap
--   interval lies below 0, so that the correction by EXP helps.

-- title: Error of the agents' values as the experiment grows
-- order: 150
-- part: values
-- when: SELECT swept FROM keys WHERE key = 'n_exp'
-- kind: lines
-- draw: x log | y spread
-- x: n_exp (rows of EXP)
-- y: RMSE over agents
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: Root mean square error over agents of the estimated value, a panel for each family. DM: the direct method; DR: doubly
--   robust, corrected by EXP; SNDR: self-normalised DR.
SELECT family AS panel, series, i AS _style, x, mean(e) AS value, max(t_low(e), 0) AS low, t_high(e) AS high FROM (
  SELECT s.place, v.place AS level, family, v.value + 0.0 AS x, column1 AS i, column2 AS series,
    est(CASE column1 WHEN 0 THEN dm_rmse WHEN 1 THEN dr_rmse ELSE sndr_rmse END, cell, seed) AS e
  FROM results JOIN ranked s USING (family) JOIN cell_keys v USING (cell), (VALUES (0, 'DM'), (1, 'DR'), (2, 'SNDR'))
  WHERE kind = 'family' AND v.key = 'n_exp' AND family IN (SELECT family FROM results WHERE kind = 'family' AND dm_rmse IS NOT NULL)
  GROUP BY s.place, v.place, column1)
ORDER BY place, level, i;

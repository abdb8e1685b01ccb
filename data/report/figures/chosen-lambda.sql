-- title: The weight λ of OBS that cross-validation chose
-- order: 210
-- part: diagnostics
-- when: SELECT swept FROM keys WHERE key = 'beta'
-- kind: lines
-- draw: from zero
-- x: β
-- y: mean chosen λ
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: 1: the log counts as much as the experiment; 0: it is not used.
SELECT panel, family AS series, style AS _style, x, mean(est(lambda, cell, seed)) AS value,
  max(t_low(est(lambda, cell, seed)), 0) AS low, min(t_high(est(lambda, cell, seed)), 1) AS high
FROM results JOIN along USING (cell) JOIN (SELECT family, kind, place, style FROM subjects
  WHERE ranked AND family IN (SELECT family FROM results WHERE kind = 'family' AND lambda IS NOT NULL) ORDER BY place LIMIT 16) s
  USING (family, kind)
WHERE along = 'beta' AND map = 0 GROUP BY at, level, s.place ORDER BY at, level, s.place;

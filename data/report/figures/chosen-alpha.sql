-- title: The size α of the correction that cross-validation chose
-- order: 220
-- part: diagnostics
-- when: SELECT swept FROM keys WHERE key = 'beta'
-- kind: lines
-- draw: from zero
-- x: β
-- y: mean chosen α
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: 1: the whole correction learned from EXP; 0: none.
SELECT panel, family AS series, style AS _style, x, mean(est(alpha, cell, seed)) AS value,
  max(t_low(est(alpha, cell, seed)), 0) AS low, min(t_high(est(alpha, cell, seed)), 1) AS high
FROM results JOIN along USING (cell) JOIN (SELECT family, kind, place, style FROM subjects
  WHERE ranked AND family IN (SELECT family FROM results WHERE kind = 'family' AND alpha IS NOT NULL) ORDER BY place LIMIT 16) s
  USING (family, kind)
WHERE along = 'beta' AND map = 0 GROUP BY at, level, s.place ORDER BY at, level, s.place;

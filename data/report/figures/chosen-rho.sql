-- title: The ridge penalty ρ that cross-validation chose
-- order: 230
-- part: diagnostics
-- when: SELECT swept FROM keys WHERE key = 'beta'
-- kind: lines
-- draw: y spread
-- x: β
-- y: mean chosen ρ
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: Means of penalties are drawn to the large ones; the table tuning has their shares.
SELECT panel, family AS series, style AS _style, x, mean(est(rho, cell, seed)) AS value,
  max(t_low(est(rho, cell, seed)), 0) AS low, t_high(est(rho, cell, seed)) AS high
FROM results JOIN along USING (cell) JOIN (SELECT family, kind, place, style FROM subjects
  WHERE ranked AND family IN (SELECT family FROM results WHERE kind = 'family' AND rho IS NOT NULL) ORDER BY place LIMIT 16) s
  USING (family, kind)
WHERE along = 'beta' AND map = 0 GROUP BY at, level, s.place ORDER BY at, level, s.place;

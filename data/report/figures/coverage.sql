-- title: Coverage of the intervals of values
-- order: 170
-- part: values
-- when: SELECT seeds > 1 AND listed FROM run
-- kind: intervals
-- x: share of the intervals that hold the truth
-- facts: whiskers: 95 % intervals of the share (Student's t over seeds), cut at 0 and 1
-- caption: Of the nominal 95 % intervals of the agents' values, the share that holds the agent's true mean over all contexts of the
--   grid. They allow for the sampling of contexts and of EXP rows, not for the fit. Left of 0.95: the estimate is off, or surer of
--   itself than it may be; right of it: more careful than it need be, since the held-out contexts are themselves part of the grid.
-- Panels by n_exp, if these are six at most.
CREATE TEMP TABLE panel AS
SELECT cell, iif(n > 6, 0, place) AS at, iif(n > 6 OR n = 1, '', 'n_exp = ' || value) AS panel
FROM cell_keys, (SELECT count(DISTINCT place) AS n FROM cell_keys WHERE key = 'n_exp') WHERE key = 'n_exp';
CREATE TEMP TABLE held AS
SELECT at, family, seed, sum(d) / sum(dn) AS dm, sum(r) / sum(rn) AS dr, sum(s) / sum(sn) AS sndr FROM (
  SELECT cell, seed, family, total(abs(dm - truth_grid) <= dm_half) AS d, count(dm + dm_half) AS dn,
    total(abs(dr - truth_grid) <= dr_half) AS r, count(dr + dr_half) AS rn,
    total(abs(sndr - truth_grid) <= sndr_half) AS s, count(sndr + sndr_half) AS sn FROM agent_values GROUP BY cell, seed, family)
JOIN panel USING (cell) GROUP BY at, family, seed;
CREATE TEMP TABLE share AS
SELECT at, family, column1 AS i, est(CASE column1 WHEN 0 THEN dm WHEN 1 THEN dr ELSE sndr END, 0, seed) AS e
FROM held, (VALUES (0), (1), (2)) GROUP BY at, family, column1;
SELECT family AS row, column1 AS series, column2 AS _style FROM ranked, (VALUES ('DM', 0), ('DR', 1), ('SNDR', 2), ('nominal', 12))
ORDER BY place, column2;
SELECT panel, column2 AS series, f.family AS row, iif(column1 = 3, .95, mean(e)) AS value, max(t_low(e), 0.0) AS low,
  min(t_high(e), 1.0) AS high
FROM (SELECT DISTINCT at, panel FROM panel) p JOIN ranked f JOIN (VALUES (0, 'DM'), (1, 'DR'), (2, 'SNDR'), (3, 'nominal'))
LEFT JOIN share s ON s.at = p.at AND s.family = f.family AND s.i = column1
WHERE column1 < 3 OR EXISTS (SELECT 1 FROM share x JOIN ranked USING (family) WHERE x.at = p.at AND x.e IS NOT NULL)
ORDER BY p.at, column1 = 3, f.place, column1;

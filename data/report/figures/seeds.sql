-- title: How much the seeds differ
-- order: 110
-- part: families
-- when: SELECT seeds > 1 FROM run
-- kind: strips
-- draw: from zero
-- x: regret of a seed, mean over cells
-- facts: a point: a seed; box: quartiles; whiskers: 5th and 95th percentile
-- caption: Regret of each seed, mean over all cells. A seed draws the held-out contexts and the rows of OBS and EXP.
SELECT family AS series, style AS _style, family AS row, whole(est(regret, cell, seed)) AS value
FROM results JOIN shown s USING (family, kind) GROUP BY s.place, seed ORDER BY s.place, seed;

-- title: Variants against the family they are of
-- order: 100
-- part: families
-- when: SELECT seeds > 1 AND (SELECT count(DISTINCT at) FROM by_map) <= 8 FROM run
-- kind: intervals
-- draw: from zero
-- x: difference of mean regret
-- facts: whiskers: 95 % bootstrap intervals of the paired difference over seeds
-- caption: Regret of the variant less that of its family. Left of 0 the variant recommends better; an interval that holds 0 decides
--   nothing.
SELECT family || ' less ' || variant_of AS row, family AS series, style AS _style FROM subjects WHERE variant_of IS NOT NULL
ORDER BY place;
CREATE TEMP TABLE e AS
SELECT at, block, family, s.place, variant_of, est(regret, cell, seed) AS e
FROM results JOIN by_map USING (cell) JOIN subjects s USING (family, kind)
WHERE kind = 'family' GROUP BY at, s.place;
SELECT panel, series, row, mean(d) AS value, low(d) AS low, high(d) AS high
FROM (SELECT a.at, a.place, a.block AS panel, a.family AS series, a.family || ' less ' || b.family AS row, minus(a.e, b.e) AS d
  FROM e a JOIN e b ON b.at = a.at AND b.family = a.variant_of) ORDER BY at, place;

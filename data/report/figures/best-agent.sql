-- title: Against recommending one agent for all
-- order: 40
-- part: families
-- when: SELECT seeds > 1 FROM run
-- kind: intervals
-- draw: from zero
-- x: difference of mean regret
-- facts: whiskers: 95 % bootstrap intervals of the paired difference over seeds
-- caption: Regret of the family less that of recommending to every context the agent of the best mean in EXP (best-exp) or in OBS
--   (best-obs). Left of 0 the family is worth its while; an interval that holds 0 decides nothing.
-- caption: SELECT said FROM said_of_baselines
CREATE TEMP TABLE e AS
SELECT family, s.place, ranked, row_number() OVER (PARTITION BY ranked ORDER BY rule = 'by tag', s.place) AS i,
  est(regret, cell, seed) AS e
FROM results JOIN subjects s USING (family, kind) WHERE ranked OR rule IN ('single', 'by tag') GROUP BY s.place;
SELECT series, _style, row, mean(d) AS value, low(d) AS low, high(d) AS high
FROM (SELECT 'less ' || b.family AS series, 8 - b.i AS _style, a.family AS row, minus(a.e, b.e) AS d, b.i, a.place
  FROM e a JOIN e b ON a.ranked AND NOT b.ranked) ORDER BY i, place;

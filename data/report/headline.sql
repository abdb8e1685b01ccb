-- of: page
-- The sentences of the first screen, a note each.
CREATE TEMP TABLE e AS
SELECT *, row_number() OVER (PARTITION BY CASE WHEN ranked THEN 'family' ELSE coalesce(rule, family) END ORDER BY round(mean(e), 12), place) AS i
FROM (SELECT family, kind, s.place, s.ranked, s.rule, s.source, est(regret, cell, seed) AS e
  FROM results JOIN subjects s USING (family, kind) WHERE s.ranked OR kind = 'baseline' GROUP BY family, kind)
WHERE mean(e) IS NOT NULL;
-- Families that would be behind the best on new contexts: by 98 % intervals for all pairs together.
CREATE TEMP TABLE two AS
SELECT x.family, e.i, two_way(x.losses, b.losses, x.held_out, x.cell, x.seed, x.regret - b.regret) AS w
FROM (SELECT family AS best FROM e WHERE ranked AND i = 1) JOIN results b ON b.family = best AND b.kind = 'family'
JOIN results x ON x.cell = b.cell AND x.seed = b.seed AND x.kind = 'family' AND x.family <> best
JOIN e ON e.family = x.family AND e.ranked GROUP BY x.family;
CREATE TEMP TABLE behind AS
SELECT family, count(*) OVER () AS n, row_number() OVER (ORDER BY i) AS j FROM (
  SELECT family, i, w, (SELECT count(*) FROM e WHERE ranked) AS n FROM two)
WHERE w ->> 3 > t_quantile(1 - .01 / (n * (n - 1) / 2.0), w ->> 4) * (w ->> 0);
SELECT CASE WHEN n = 0 THEN 'No family of this run has a regret, so there is no best one.'
  ELSE printf('%s has the lowest mean regret over %s%d cell%s, %.4f', family, iif(cells > 1, 'all ', ''), cells, iif(cells > 1, 's', ''), mean(e))
  || iif(se(e) IS NULL, '', printf(' ± %.4f', se(e))) || '.' || CASE WHEN n = 1 THEN ' It is the only family of this run.'
    WHEN NOT EXISTS (SELECT 1 FROM two WHERE i = 2 AND w IS NOT NULL) THEN
      ' Of new requests this run says nothing: that wants two seeds, ten held-out contexts, and rows with lists of them.'
    ELSE ' On new requests of this kind ' || (SELECT CASE count(*) WHEN 0 THEN 'no other family can be told from it'
        WHEN f.n - 1 THEN iif(f.n = 2, 'the other family', 'every other family') || ' would be behind it'
        ELSE CASE WHEN b.n = 1 THEN max(b.family) WHEN b.n <= 5 THEN group_concat(b.family, ', ') FILTER (WHERE j < b.n) || ' and '
          || max(b.family) FILTER (WHERE j = b.n) ELSE group_concat(b.family, ', ') FILTER (WHERE j <= 4) || ' and ' || (b.n - 4) || ' more' END
          || ' would be behind it, the others cannot be told from it' END FROM (SELECT * FROM behind ORDER BY j) b)
      || ' (98 % intervals over seeds and held-out contexts, all pairs together).' END END AS note
FROM run LEFT JOIN (SELECT * FROM e WHERE ranked AND i = 1) ON 1, (SELECT count(*) AS n FROM e WHERE ranked) f;
SELECT printf('Recommending one agent for everything, always that of the best mean in %s (%s), has a mean regret of %.4f', a.source, a.family, mean(a.e))
  || iif(t.family IS NULL, '', printf(', one agent for each tag (%s) %.4f', t.family, mean(t.e))) || '.' AS note
FROM e a LEFT JOIN e t ON t.rule = 'by tag' AND t.i = 1 WHERE a.rule = 'single' AND a.i = 1;
SELECT 'Regret is what a recommendation loses against the best agent for each context; 0 is perfect'
  || iif(e.e IS NULL, '', printf(', and recommending at random loses %.4f here', mean(e.e))
    || iif(mean(b.e) >= mean(e.e), ', no more than the best family', ''))
  || '.' AS note
FROM run LEFT JOIN e ON e.rule = 'random' LEFT JOIN e b ON b.ranked AND b.i = 1;
SELECT printf('%d seed%s of the same contexts', seeds, iif(seeds = 1, '', 's'))
  || iif(detectable(se(d), seeds(d) - 1) IS NULL, '',
    printf(': if the best family and the second truly differ by less than %.4f, a run of this size will often show them as tied',
      detectable(se(d), seeds(d) - 1))) || '.' || iif(seeds > 1 AND seeds < 10, ' Intervals over so few seeds are too narrow.', '') AS note
FROM run LEFT JOIN (SELECT minus(a.e, b.e) AS d FROM e a JOIN e b ON a.ranked AND a.i = 1 AND b.ranked AND b.i = 2) ON 1;
-- Whether the best family is the best wherever one looks.
WITH level AS (
  SELECT k.place AS at, v.place AS level_at, family, row_number() OVER (PARTITION BY k.place, v.place
    ORDER BY round(mean(est(regret, r.cell, seed)), 12), s.place) AS i
  FROM results r JOIN ranked s USING (family) JOIN cell_keys v USING (cell) JOIN keys k ON k.key = v.key AND swept WHERE kind = 'family'
  GROUP BY k.place, v.place, family HAVING count(regret) > 0)
SELECT iif(same = n, printf('It is %s that has the lowest regret at each of the %d values of the swept keys.', best, n),
  printf('Which family has the lowest regret depends on the regime: %s at %d of the %d values of the swept keys; the table says which at '
    || 'the others.', best, same, n)) AS note
FROM (SELECT b.family AS best, sum(l.family = b.family) AS same, count(*) AS n FROM level l JOIN e b ON b.ranked AND b.i = 1 WHERE l.i = 1)
WHERE n > 0;

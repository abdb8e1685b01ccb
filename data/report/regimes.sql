-- title: Which family for which regime
-- of: page
-- when: SELECT max(swept) AND EXISTS (SELECT 1 FROM cell_means JOIN ranked USING (family) WHERE y IS NOT NULL) FROM keys
-- column Mean regret ± SE | Its regret ± SE: .4
-- column *: +.4
CREATE TEMP TABLE scope AS
SELECT cell, '' AS at, 'all cells' AS line FROM cells
UNION ALL SELECT cell, printf('%04d%04d', k.place, v.place), name || ' = ' || value FROM cell_keys v JOIN keys k USING (key) WHERE swept;
CREATE TEMP TABLE e AS
SELECT *, row_number() OVER (PARTITION BY at, kind ORDER BY round(mean(e), 12), place) AS i FROM (
  SELECT at, line, family, kind, s.place, est(regret, cell, seed) AS e
  FROM results JOIN scope USING (cell) JOIN subjects s USING (family, kind) WHERE ranked OR rule = 'single' GROUP BY at, family, kind)
WHERE mean(e) IS NOT NULL;
CREATE TEMP TABLE best AS
SELECT f.at, f.line, f.family AS best, f.e AS e, b.family AS one, b.e AS one_e, minus(b.e, f.e) AS d
FROM e f LEFT JOIN e b ON b.at = f.at AND b.kind = 'baseline' AND b.i = 1 WHERE f.kind = 'family' AND f.i = 1;
-- Those that the best is not told from: five, or the first four and how many more.
CREATE TEMP TABLE tied AS
SELECT at, CASE WHEN n = 1 THEN max(family) WHEN n <= 5 THEN group_concat(family, ', ') FILTER (WHERE j < n) || ' and '
  || max(family) FILTER (WHERE j = n) ELSE group_concat(family, ', ') FILTER (WHERE j <= 4) || ' and ' || (n - 4) || ' more' END AS said
FROM (SELECT at, family, count(*) OVER (PARTITION BY at) AS n, row_number() OVER (PARTITION BY at ORDER BY i) AS j FROM (
  SELECT e.at, e.family, e.i FROM e JOIN best USING (at)
  WHERE e.kind = 'family' AND e.i > 1 AND NOT coalesce(low(minus(e.e, best.e)) > 0, 0) ORDER BY e.at, e.i))
GROUP BY at;
CREATE TEMP TABLE two AS
SELECT best.at, two_way(o.losses, f.losses, f.held_out, o.cell, o.seed, o.regret - f.regret) AS w
FROM best JOIN scope USING (at) JOIN results o ON o.family = one AND o.kind = 'baseline' AND o.cell = scope.cell
JOIN results f ON f.family = best AND f.kind = 'family' AND f.cell = o.cell AND f.seed = o.seed GROUP BY best.at;
SELECT line AS "Where", best AS "Best family", mean(e) AS "Mean regret ± SE", se(e) AS "Mean regret ± SE±",
  iif(coalesce(seeds(d), 0) < 2 AND seeds < 2, 'not testable', coalesce(said, '–')) AS "Tied with it",
  coalesce(one, '–') AS "Best single agent", mean(one_e) AS "Its regret ± SE", se(one_e) AS "Its regret ± SE±",
  mean(d) AS "Lead over it", low(d) AS "95 % low", high(d) AS "95 % high", w ->> 1 AS "New contexts, low", w ->> 2 AS "New contexts, high",
  CASE WHEN one IS NULL THEN '–' WHEN coalesce(seeds(d), 0) < 2 OR w IS NULL THEN 'not known'
    WHEN low(d) <= 0 AND high(d) >= 0 THEN 'not separable' WHEN w ->> 1 > 0 OR w ->> 2 < 0 THEN 'would hold'
    ELSE 'these contexts only' END AS "On new contexts"
FROM best LEFT JOIN tied USING (at) LEFT JOIN two USING (at), run ORDER BY best.at;
-- note: Each row is over all cells of that value, so averaged over the other swept keys; the table winners has every cell. Tied: the
--   95 % bootstrap interval of the paired difference over seeds holds 0. Lead: the single agent's regret less the best family's, paired
--   over seeds with its interval; above 0 the family recommends better. Families and agents were chosen by the same seeds, and the
--   intervals are not corrected for the number of rows.
SELECT said AS note FROM said_of_new_contexts JOIN (SELECT count(*) > 0 AS known FROM two WHERE w IS NOT NULL) USING (known);

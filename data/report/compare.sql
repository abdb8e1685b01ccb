-- title: SELECT 'Regret of two runs' || option('synthetic')
-- of: page
-- column A: mean ± SE | B: mean ± SE: .4
-- column Seeds: .0
-- column *: +.5
CREATE TEMP TABLE pair AS
SELECT a.family, a.kind, s.place, p.cell, a.seed, iif(b.regret IS NULL, NULL, a.regret) AS a, iif(a.regret IS NULL, NULL, b.regret) AS b,
  a.losses AS a_losses, b.losses AS b_losses, a.held_out AS a_held_out, b.held_out AS b_held_out
FROM cell_pairs p JOIN results a ON a.cell = p.cell JOIN other_results b ON b.cell = p.other AND b.seed = a.seed AND b.family = a.family
  AND b.kind = a.kind JOIN subjects s ON s.family = a.family AND s.kind = a.kind
WHERE a.kind <> 'fit';
-- Each side by the contexts that it held out, which may be others.
CREATE TEMP TABLE two AS
SELECT family, kind, two_way(x, y, held_out, cell, seed, regret) AS w FROM (
  SELECT family, kind, cell, seed, b_losses AS x, NULL AS y, b_held_out AS held_out, b AS regret FROM pair
  UNION ALL SELECT family, kind, cell, seed, NULL, a_losses, a_held_out, -a FROM pair)
GROUP BY family, kind;
SELECT printf('%d common cells, %d common seeds', (SELECT count(*) FROM cell_pairs), (SELECT count(DISTINCT seed) FROM pair)) AS _block,
  family AS "Family", whole(a) AS "A: mean ± SE", se(a) AS "A: mean ± SE±", whole(b) AS "B: mean ± SE", se(b) AS "B: mean ± SE±",
  mean(d) AS "B − A ± SE", se(d) AS "B − A ± SE±", low(d) AS "95 % low", high(d) AS "95 % high", coalesce(seeds(d), 0) AS "Seeds",
  CASE WHEN coalesce(seeds(d), 0) < 2 THEN 'not testable' WHEN low(d) = 0 AND high(d) = 0 AND se(d) = 0 THEN 'equal'
    WHEN low(d) <= 0 AND high(d) >= 0 THEN 'not separable' WHEN mean(d) < 0 THEN 'B better' ELSE 'A better' END AS "Verdict",
  w ->> 1 AS "New contexts, low", w ->> 2 AS "New contexts, high",
  CASE WHEN coalesce(seeds(d), 0) < 2 OR w IS NULL THEN 'not known' WHEN low(d) <= 0 AND high(d) >= 0 THEN 'not separable'
    WHEN w ->> 1 > 0 OR w ->> 2 < 0 THEN 'would hold' ELSE 'these contexts only' END AS "On new contexts"
FROM (SELECT *, minus(b, a) AS d FROM (SELECT family, kind, place, est(a, cell, seed) AS a, est(b, cell, seed) AS b FROM pair GROUP BY family, kind))
LEFT JOIN two USING (family, kind) ORDER BY place;
SELECT said AS note FROM said_of_new_contexts JOIN (SELECT count(*) > 0 AS known FROM two WHERE w IS NOT NULL) USING (known);
-- note: Means over the common cells and those common seeds that have all of them in both runs; the interval is the 95 % bootstrap over
--   seeds of the paired difference.

-- title: The families in one cell
-- of: page
-- column *: +.4
-- column Mean regret ± SE: .4
CREATE TEMP TABLE e AS
SELECT *, row_number() OVER (PARTITION BY cell, kind ORDER BY round(mean(e), 12), place) AS i FROM (
  SELECT cell, family, kind, s.place, est(regret, cell, seed) AS e FROM results JOIN subjects s USING (family, kind)
  WHERE s.ranked OR kind = 'baseline' AND rule <> 'oracle' GROUP BY cell, family, kind)
WHERE mean(e) IS NOT NULL;
SELECT printf('%06d', cell) AS _at, cell AS _block, family AS "Family", mean(e) AS "Mean regret ± SE", se(e) AS "Mean regret ± SE±",
  iif(seeds(d) > 1, mean(d), NULL) AS "Δ to best",
  iif(seeds(d) > 1, replace(printf('[%.4f, %.4f]', low(d), high(d)), '-', '−'), '–') AS "95 % interval",
  CASE WHEN is_best THEN 'best' WHEN coalesce(seeds(d), 0) < 2 THEN 'not testable' WHEN low(d) > 0 THEN 'above it' WHEN high(d) < 0 THEN 'below it'
    ELSE 'not separable' END AS "Verdict"
FROM (SELECT x.*, x.kind = 'family' AND x.i = 1 AS is_best, minus(x.e, iif(x.kind = 'family' AND x.i = 1, NULL, b.e)) AS d
  FROM e x LEFT JOIN e b ON b.cell = x.cell AND b.kind = 'family' AND b.i = 1)
ORDER BY cell, kind = 'baseline', i;

-- title: The grounded variants
-- order: 90
-- part: families
-- when: SELECT count(*) FROM subjects WHERE variant_of IS NOT NULL
-- otherwise: This run has neither grounded-linear nor grounded-anchored among its families, so there is nothing to compare.
-- column Wins (cells) | Beats grounded (% of cells) | Fits: .0
-- column Macro regret ± SE: .4
-- column Top-1 | Top-3 | Hit@1 | Hit@3: .3
-- column Share (%): .1
-- column *: +.4
CREATE TEMP TABLE variant AS
SELECT family, CASE family WHEN 'grounded-linear' THEN 1 WHEN 'grounded' THEN 2 WHEN 'grounded-anchored' THEN 3 ELSE 10 + place END AS line_at
FROM subjects WHERE kind = 'family' AND 'grounded' IN (family, variant_of);
CREATE TEMP TABLE e AS
SELECT g.at, block, family, line_at, est(regret, cell, seed) AS e, est(top1, cell, seed) AS top1, est(top3, cell, seed) AS top3,
  est(hit1, cell, seed) AS hit1, est(hit3, cell, seed) AS hit3
FROM results JOIN variant USING (family) JOIN by_keys g USING (cell) WHERE kind = 'family' GROUP BY g.at, family;
CREATE TEMP TABLE won AS
SELECT at, family, sum(is_whole AND y <= least + 1e-12) AS wins, 100 * avg(iif(family = 'grounded', NULL, y < base)) AS beats FROM (
  SELECT at, family, y, min(y) OVER w AS least, count(y) OVER w = (SELECT count(*) FROM variant) AS is_whole,
    max(y) FILTER (WHERE family = 'grounded') OVER w AS base
  FROM cell_means JOIN variant USING (family) JOIN by_keys USING (cell) WHERE kind = 'family' WINDOW w AS (PARTITION BY cell))
GROUP BY at, family;
SELECT e.at AS _at, e.block || iif(e.block = '', '', ': ') || (SELECT count(*) FROM by_keys b WHERE b.at = e.at) || ' cells' AS _block,
  e.family AS "Variant", wins AS "Wins (cells)", mean(e.e) AS "Macro regret ± SE", se(e.e) AS "Macro regret ± SE±",
  mean(e.top1) AS "Top-1", mean(e.top3) AS "Top-3", mean(e.hit1) AS "Hit@1", mean(e.hit3) AS "Hit@3",
  beats AS "Beats grounded (% of cells)", mean(minus(e.e, g.e)) AS "Δ to grounded", low(minus(e.e, g.e)) AS "95 % low",
  high(minus(e.e, g.e)) AS "95 % high"
FROM e JOIN won USING (at, family) LEFT JOIN e g ON g.at = e.at AND g.family = 'grounded' AND e.family <> 'grounded'
ORDER BY e.at, e.line_at;
SELECT 'z' || printf('%04d', place) AS _at, 'λ chosen by ' || family || ', ' || n || ' fits' AS _block, printf('%.10g', lambda) AS "λ",
  count(*) AS "Fits", 100.0 * count(*) / n AS "Share (%)"
FROM (SELECT *, count(*) OVER (PARTITION BY family) AS n FROM results JOIN subjects USING (family, kind)
  WHERE kind = 'family' AND variant_of IS NOT NULL AND lambda IS NOT NULL)
GROUP BY family, lambda ORDER BY place, lambda;
-- note: Wins: cells in which the variant has the lowest mean regret of those shown (a tie counts for each). Macro regret: mean over
--   cells and seeds ± standard error over seeds. Top-1 and top-3: mean agent-ranking accuracy; hit@1 and hit@3: of the true best
--   agent, per context (see the table agreement). Δ to grounded: paired difference over seeds with its 95 % bootstrap interval;
--   negative is better.

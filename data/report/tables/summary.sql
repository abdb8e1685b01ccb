-- title: Ranks and mean regret of the families
-- order: 20
-- part: families
-- column Avg. rank: .2
-- column Top-3 | Wins: .0
-- column Excess (%): .1
-- column Mean regret ± SE: .4
-- column *: +.4
CREATE TEMP TABLE scope AS
SELECT cell, block, at FROM by_keys
UNION ALL SELECT cell, 'all cells', '' FROM by_keys WHERE (SELECT count(DISTINCT at) FROM by_keys) > 1;
CREATE TEMP TABLE e AS
SELECT block, min(at) AS at, family, kind, s.place, s.ranked, est(regret, cell, seed) AS e
FROM results JOIN scope USING (cell) JOIN subjects s USING (family, kind) WHERE kind = 'baseline' OR s.ranked
GROUP BY block, family, kind HAVING s.ranked OR count(regret) > 0;
CREATE TEMP TABLE best AS
SELECT block, family AS best, e AS best_e FROM (
  SELECT *, row_number() OVER (PARTITION BY block ORDER BY round(mean(e), 12), place) AS i FROM e
  WHERE ranked AND mean(e) IS NOT NULL)
WHERE i = 1;
CREATE TEMP TABLE two AS
SELECT block, a.family, a.kind, two_way(a.losses, b.losses, a.held_out, a.cell, a.seed, a.regret - b.regret) AS w
FROM best JOIN scope USING (block) JOIN results b ON b.family = best AND b.kind = 'family' AND b.cell = scope.cell
JOIN results a ON a.cell = b.cell AND a.seed = b.seed AND a.kind <> 'fit' AND NOT (a.family = best AND a.kind = 'family')
GROUP BY block, a.family, a.kind;
CREATE TEMP TABLE rank AS
SELECT block, family, avg(place) AS rank, sum(place <= 3) AS top3, sum(lower = 0) AS wins,
  100 * avg(iif(best > 0, y / best - 1, NULL)) AS excess
FROM standings JOIN scope USING (cell) GROUP BY block, family;
CREATE TEMP TABLE head AS
SELECT block, iif(block = '', '', block || ': ') || k || ' of ' || n || ' cells ranked'
  || iif(p < k, ', excess without cells whose best is 0', '') AS said FROM (
  SELECT block, count(*) AS n, sum(cell IN (SELECT cell FROM standings)) AS k,
    sum(cell IN (SELECT cell FROM standings WHERE best > 0)) AS p FROM scope GROUP BY block);
WITH d AS (
  SELECT e.*, best, w, rank, top3, wins, excess, minus(e, iif(e.family = best AND kind = 'family', NULL, best_e)) AS d
  FROM e LEFT JOIN best USING (block) LEFT JOIN two USING (block, family, kind)
  LEFT JOIN rank ON rank.block = e.block AND rank.family = e.family AND kind = 'family')
SELECT said AS _block, family AS "Family", rank AS "Avg. rank", top3 AS "Top-3", wins AS "Wins", excess AS "Excess (%)",
  mean(e) AS "Mean regret ± SE", se(e) AS "Mean regret ± SE±", mean(d) AS "Δ to best", low(d) AS "95 % low", high(d) AS "95 % high",
  CASE WHEN kind = 'family' THEN CASE WHEN best IS NULL THEN 'no data' WHEN family = best THEN 'best'
    WHEN coalesce(seeds(d), 0) < 2 THEN 'not testable' WHEN low(d) > 0 OR high(d) < 0 THEN 'separable' ELSE 'tied with best' END
  WHEN coalesce(seeds(d), 0) < 2 THEN 'baseline' WHEN high(d) < 0 THEN 'baseline, below every family'
  WHEN low(d) > 0 THEN 'baseline, above the best' ELSE 'baseline, tied with best' END AS "Verdict",
  w ->> 1 AS "New contexts, low", w ->> 2 AS "New contexts, high",
  CASE WHEN coalesce(seeds(d), 0) = 0 THEN '–' WHEN seeds(d) < 2 OR w IS NULL THEN 'not known'
    WHEN low(d) <= 0 AND high(d) >= 0 THEN 'not separable' WHEN w ->> 1 > 0 OR w ->> 2 < 0 THEN 'would hold'
    ELSE 'these contexts only' END AS "On new contexts"
FROM d JOIN head USING (block) ORDER BY at, block, kind = 'baseline', rank IS NULL, rank, place;
SELECT 'best-by-tag-exp and best-by-tag-obs recommend to the contexts of a tag the agent of the best mean in EXP or OBS on training '
  || 'contexts of that tag, by raw means however few the rows; below every family: going by the tag did better than any estimator.'
  AS note WHERE EXISTS (SELECT 1 FROM subjects WHERE rule = 'by tag');
SELECT 'best-bt' || iif(EXISTS (SELECT 1 FROM subjects WHERE rule = 'by tag'), ' (best-by-tag-bt for each tag)', '')
  || ' goes by the strengths of Bradley and Terry, who was compared with whom taken into account: a row of EXP or OBS is a vote '
  || 'between the two agents of its context.' AS note FROM run WHERE votes;
SELECT said AS note FROM said_of_new_contexts JOIN (SELECT count(*) > 0 AS known FROM two WHERE w IS NOT NULL) USING (known);
-- note: A cell is one combination of the swept keys; its regret is the mean over seeds. Rank 1 is the lowest; equal means share the
--   average of their ranks. Top-3: cells with rank at most 3. Wins: cells with the lowest mean (a tie counts for each). Excess: mean
--   over cells of the regret in % over the cell's best family.
-- note: Mean regret: over cells and seeds; SE over seeds of the seed's mean over cells. Δ to best: paired difference over seeds to
--   the family of lowest mean regret, with its 95 % bootstrap interval (2,000 resamples of seeds); "tied with best" where the
--   interval holds 0. best-exp or best-obs below every family: recommending one agent for every context did better than any
--   estimator.
SELECT printf('contexts.folds = %d: every seed holds each context out once and its regret is the mean over all of them, so that '
  || 'errors over seeds are of draws and of how the contexts are divided.', value) AS note
FROM config WHERE key = 'contexts.folds' AND CAST(value AS REAL) >= 2;
-- The least difference that the run can detect.
WITH e AS (SELECT family, place, est(regret, cell, seed) AS e FROM results JOIN ranked USING (family) WHERE kind = 'family' GROUP BY family),
n AS (SELECT *, row_number() OVER (ORDER BY round(mean(e), 12), place) AS i FROM e),
pair AS (SELECT a.i, b.i AS j, minus(a.e, b.e) AS d FROM n a JOIN n b ON a.i < b.i),
p AS (SELECT i, j, seeds(d) AS n, detectable(se(d), seeds(d) - 1) AS x FROM pair),
c AS (SELECT cell, family, place, est(regret, cell, seed) AS e FROM results JOIN ranked USING (family) WHERE kind = 'family'
  GROUP BY cell, family),
m AS (SELECT *, row_number() OVER (PARTITION BY cell ORDER BY round(mean(e), 12), place) AS i FROM c),
d AS (SELECT minus(a.e, b.e) AS d FROM m a JOIN m b ON a.cell = b.cell AND a.i = 1 AND b.i = 2)
SELECT iif(max(n) < 2, 'With fewer than two seeds no difference of regret is detectable.',
  printf('Least detectable difference of regret (two-sided test at 5 %%, power 80 %%, paired over %d seeds): %.4f between the best '
  || 'family and the second; over all %d pairs of families %.4f to %.4f, median %.4f. In one cell, best and second: median %.4f. '
  || 'Families that truly differ by less will often show as tied.', max(n), max(x) FILTER (WHERE i = 1 AND j = 2), count(*), min(x),
  max(x), median(x), (SELECT median(detectable(se(d), seeds(d) - 1)) FROM d))) AS note
FROM p HAVING count(*) > 0;

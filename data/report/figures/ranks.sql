-- title: Mean ranks of the families
-- order: 30
-- part: families
-- when: SELECT seeds > 1 FROM run
-- kind: ranks
-- decimals: 2
-- x: average rank
-- facts: bars join families whose ranks cannot be told apart (t tests with the standard error over resamples of the seeds,
--   Holm, 5 %)
-- caption: Rank 1 recommends best. Ranks of the mean regret over seeds within each cell, mean over cells: the average rank of the
--   table summary. Seeds, not cells, are the replicates of the tests.
CREATE TEMP TABLE f AS
SELECT family, place, style, rank, row_number() OVER (ORDER BY rank, place) AS i
FROM (SELECT family, avg(place) AS rank FROM standings GROUP BY family) JOIN subjects USING (family) WHERE ranked;
CREATE TEMP TABLE resampled AS
SELECT v.value ->> 0 AS k, v.value ->> 1 AS place, v.value ->> 2 AS rank FROM (
  SELECT places(regret, cell, seed, s.place) AS x FROM results JOIN ranked s USING (family) WHERE kind = 'family'), json_each(x) v;
CREATE INDEX temp.resampled_k ON resampled(place, k);
CREATE TEMP TABLE pair AS
WITH whole AS (SELECT count(*) AS n FROM (
    SELECT seed FROM results JOIN ranked USING (family) WHERE kind = 'family' GROUP BY seed HAVING count(regret) = count(*))),
  d AS (SELECT a.i, b.i AS j, abs(a.rank - b.rank) AS d, sd(x.rank - y.rank) AS se FROM f a JOIN f b ON a.i < b.i
    JOIN resampled x ON x.place = a.place AND x.k >= 0 JOIN resampled y ON y.place = b.place AND y.k = x.k GROUP BY a.i, b.i),
  p AS (SELECT i, j, iif(se > 1e-12, 2 * t_cdf(-d / se, n - 1), d <= 0) AS p FROM d, whole)
SELECT i, j, max(min(1, p * (n - r + 1))) OVER (ORDER BY r) > .05 AS same
FROM (SELECT *, count(*) OVER () AS n, row_number() OVER (ORDER BY p, i, j) AS r FROM p);
SELECT family AS series, style AS _style, rank AS value FROM f WHERE (SELECT count(*) FROM f) > 1 ORDER BY i;
-- Bars: the longest runs of neighbours of which no two differ.
WITH run AS (SELECT a.i, max(b.i) AS j FROM f a JOIN f b ON b.i > a.i
  AND NOT EXISTS (SELECT 1 FROM pair WHERE pair.i >= a.i AND pair.j <= b.i AND NOT same) GROUP BY a.i)
SELECT NULL AS series, NULL AS value, a.rank AS low, b.rank AS high FROM run r JOIN f a ON a.i = r.i JOIN f b ON b.i = r.j
WHERE NOT EXISTS (SELECT 1 FROM run o WHERE o.i < r.i AND o.j >= r.j) ORDER BY r.i;

-- title: Distribution of regret over contexts
-- order: 200
-- part: diagnostics
-- when: SELECT listed FROM run
-- kind: strips
-- draw: from zero
-- x: regret of a context, mean over replicates
-- facts: SELECT printf(iif(n > 240, 'the percentiles of %d contexts; box: quartiles; whiskers: 5th and 95th',
--   'a point: one of %d contexts; box: quartiles; whiskers: 5th and 95th percentile'), n) FROM (SELECT count(*) AS n FROM (
--   SELECT DISTINCT grid, context FROM context_regrets JOIN cell_grids USING (cell) WHERE family = 'oracle' AND kind = 'baseline'))
-- caption: Regret of each context, mean over the cells and seeds that held it out. A long whisker means that a family is right for
--   most contexts and badly wrong for a few.
SELECT family AS row, family AS series, style AS _style FROM shown ORDER BY place;
CREATE TEMP TABLE mean AS
SELECT s.place, family, grid, context, avg(loss) AS y, count(*) OVER (PARTITION BY s.place) AS n
FROM context_regrets JOIN cell_grids USING (cell) JOIN shown s USING (family, kind) WHERE loss IS NOT NULL
GROUP BY s.place, grid, context;
-- Of more than 240 contexts their percentiles.
WITH RECURSIVE percent(p) AS (SELECT 0 UNION ALL SELECT p + 1 FROM percent WHERE p < 100)
SELECT family AS series, family AS row, y AS value FROM (
  SELECT m.place, family, y, grid, c.place AS context FROM mean m JOIN grid_contexts c USING (grid, context) WHERE n <= 240
  UNION ALL SELECT place, family, quantile(y, p / 100.0), p, 0 FROM mean, percent WHERE n > 240 GROUP BY place, p)
ORDER BY place, grid, context;

-- title: Value against cost
-- order: 190
-- part: values
-- when: SELECT grids = 1 AND EXISTS (SELECT 1 FROM price_points WHERE value IS NOT NULL)
--   AND EXISTS (SELECT 1 FROM agents WHERE cost IS NOT NULL) FROM run
-- kind: lines
-- draw: x even
-- x: mean cost of a recommendation, in the pool's unit
-- y: mean value
-- facts: means over cells and seeds, without intervals
-- caption: Each family recommends the agent of the greatest predicted value less price times cost: on the right of its curve the
--   price is 0, on the left the cheapest agent takes all. With names: one agent for everybody; dashed: what drawing among those
--   agents gives for a cost. A curve above it is worth its while there. The table costs has the areas and their errors.
-- Of single agents (place -1) and of policies the means over cells of the seeds that have every number.
CREATE TEMP TABLE raw AS
SELECT -1 AS place, '' AS family, 0 AS style, agent AS i, cell, seed, value AS v, cost AS c
FROM agent_worth JOIN agents USING (agent)
UNION ALL SELECT s.place, family, style, i, cell, seed, value, cost FROM price_points JOIN subjects s USING (family, kind)
  WHERE ranked OR kind = 'baseline';
CREATE TEMP TABLE whole AS
SELECT place, seed FROM raw GROUP BY place, seed HAVING count(v + c) = count(DISTINCT i) * (SELECT count(*) FROM cells);
CREATE TEMP TABLE point AS
SELECT place, family, style, i, whole(est(v, cell, seed)) AS v, whole(est(c, cell, seed)) AS c
FROM raw JOIN whole USING (place, seed) WHERE seed IN (SELECT seed FROM whole WHERE place = -1) GROUP BY place, i;
-- A point of a curve is drawn once where prices do not tell policies apart.
SELECT family AS series, style AS _style, c AS x, v AS value
FROM (SELECT *, lag(c) OVER w AS c0, lag(v) OVER w AS v0 FROM point
  WHERE place IN (SELECT place FROM ranked) WINDOW w AS (PARTITION BY place ORDER BY i DESC))
WHERE c IS NOT c0 OR v IS NOT v0 ORDER BY place, i DESC;
-- The hull goes on to the dearest agent: what is had for less is had for more.
CREATE TEMP TABLE hull AS
SELECT p.value ->> 0 AS c, p.value ->> 1 AS v
FROM (SELECT hull(a.cost, v) AS h FROM point p JOIN agents a ON a.agent = i WHERE place = -1), json_each(h) p;
SELECT 'hull of single agents' AS series, 12 AS _style, c AS x, v AS value FROM (
  SELECT c, v FROM hull UNION SELECT (SELECT max(cost) FROM agents), max(v) FROM hull HAVING count(*) > 0)
WHERE EXISTS (SELECT 1 FROM point WHERE place >= 0) ORDER BY c;
SELECT 'single agents' AS series, 11 AS _style, name AS row, cost AS x, v AS value, 1 AS _named
FROM agents a LEFT JOIN point ON i = a.agent AND place = -1 WHERE EXISTS (SELECT 1 FROM point WHERE place >= 0)
ORDER BY cost, a.agent;

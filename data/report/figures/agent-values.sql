-- title: SELECT 'Values of the agents against the truth' || iif(is_one, ', by ' || family, '') FROM valued ORDER BY place LIMIT 1
-- order: 160
-- part: values
-- when: SELECT seeds > 1 AND listed FROM run
-- kind: intervals
-- x: value of the agent
-- facts: whiskers: 95 % intervals of the mean error (Student's t over seeds), drawn about the mean estimate
-- caption: Value of recommending one agent to all reference contexts: the truth, and what the direct method (DM), doubly robust
--   (DR) and self-normalised DR (SNDR) make of it; means over cells and seeds, agents in the order of their true value. Where the
--   mark of the truth lies outside a whisker, the estimate is biased for that agent.
-- caption: SELECT 'Shown is the ranked family of lowest mean regret.' FROM valued WHERE is_one
-- Values and the truth; of a seed -1 there are none, so that a cell without lists is missed.
CREATE TEMP TABLE truth AS
SELECT agent, est(truth, cell, seed) AS truth FROM (
  SELECT agent, cell, seed, max(truth) AS truth FROM agent_values GROUP BY agent, cell, seed
  UNION ALL SELECT agent, cell, -1, NULL FROM agents, cells)
GROUP BY agent;
CREATE TEMP TABLE three AS
SELECT family, agent, est(dm, cell, seed) AS dm, est(dr, cell, seed) AS dr, est(sndr, cell, seed) AS sndr FROM (
  SELECT family, agent, cell, seed, dm, dr, sndr FROM agent_values WHERE family IN (SELECT family FROM valued)
  UNION ALL SELECT family, agent, cell, -1, NULL, NULL, NULL FROM valued, agents, cells)
GROUP BY family, agent;
CREATE TEMP TABLE value AS
SELECT family, agent, 0 AS i, dm AS v FROM three UNION ALL SELECT family, agent, 1, dr FROM three
UNION ALL SELECT family, agent, 2, sndr FROM three;
-- The interval is that of what an estimate is off the truth of its own seed, so that it holds the truth where that may be 0.
SELECT family AS panel, column2 AS series, column3 AS _style, name AS row, iif(i = 3, whole(truth), y) AS value, y - half AS low,
  y + half AS high
FROM (SELECT f.family, f.place, a.agent, a.name, truth, column1 AS i, column2, column3, whole(v) AS y,
    t_high(minus(v, truth)) - mean(minus(v, truth)) AS half
  FROM valued f JOIN agents a JOIN (VALUES (0, 'DM', 0), (1, 'DR', 1), (2, 'SNDR', 2), (3, 'truth', 12))
  LEFT JOIN truth t ON t.agent = a.agent LEFT JOIN value v ON v.family = f.family AND v.agent = a.agent AND v.i = column1)
ORDER BY place, whole(truth) IS NULL, round(whole(truth), 12) DESC, agent, i;

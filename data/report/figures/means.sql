-- title: SELECT iif(votes, 'Values of the agents by tag', 'Mean reward of the agents by tag') FROM run
-- order: 10
-- part: tags
-- kind: intervals
-- draw: overlaid
-- x: SELECT iif(votes, 'value', 'mean reward') FROM run
-- facts: whiskers: 95 % intervals of the mean over contexts (Student's t)
-- caption: SELECT iif(votes, 'Higher is better. The chance that an agent''s answer is preferred to that of another, drawn
--   uniformly, by all votes, or those of the tag. The best is marked where its lead, adjusted by Holm, tells it from the second.',
--   'Higher is better. The pool''s scores by the run''s reward, over training and held-out contexts together: nothing here was
--   estimated. The best is marked where a paired t test over contexts, adjusted by Holm, tells it from the second.') FROM run
-- caption: SELECT printf('Shown are %d of %d agents and %d of %d panels; the table means has all.', min(a, 30), a, min(p, 8), p)
--   FROM (SELECT count(*) AS a FROM agent_means WHERE item = 0 AND grp = 0),
--   (SELECT iif(max(item) > 0, max(item) + 1, count(*)) AS p FROM agent_leads) WHERE a > 30 OR p > 8
SELECT a.name AS row, column1 AS series, column2 AS _style
FROM agent_means JOIN agents a USING (agent), (VALUES ('mean', 0), ('best, separable from the second', 1))
WHERE item = 0 AND grp = 0 AND place < 30 ORDER BY place, column2;
-- The tags of most contexts of the one reward, or all contexts of each of several.
WITH panel AS (
  SELECT *, tag || ' (' || contexts || ')' AS panel, place AS o FROM agent_leads WHERE (SELECT max(item) FROM agent_leads) = 0
  UNION ALL SELECT *, heading, item FROM agent_leads WHERE grp = 0 AND (SELECT max(item) FROM agent_leads) > 0)
SELECT panel, iif(separable AND agent = first, 'best, separable from the second', 'mean') AS series, a.name AS row,
  mean AS value, m.low, m.high
FROM panel p JOIN agent_means m USING (item, grp) JOIN agents a USING (agent)
WHERE o < 8 AND mean IS NOT NULL AND agent IN (SELECT agent FROM agent_means WHERE item = 0 AND grp = 0 AND place < 30)
ORDER BY o, agent;

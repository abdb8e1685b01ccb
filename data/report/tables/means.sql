-- title: SELECT iif(votes, 'Values by agent and tag', 'Mean reward by agent and tag') FROM run
-- order: 10
-- part: tags
-- of: the pool itself, so that what rows lack does not matter
-- when: SELECT EXISTS (SELECT 1 FROM agent_leads)
-- otherwise: This run does not say what the pool's outputs are worth: of a generated pool without tags none does, nor of an older
--   program.
-- column Contexts | Pairs: .0
-- column Lead | 95 % low | 95 % high: +.4
-- column p: ~2
-- column *: .4
-- A page shows 2 rewards, 60 tags, 40 agents and 9 columns at most.
CREATE TEMP TABLE g AS
SELECT l.*, iif(heading = '', '', heading || ': ') AS of, l.item < 2 AS on_page, count(*) OVER (PARTITION BY l.item) AS groups,
  f.name AS best, s.name AS runner_up, a.mean AS its, b.mean AS second_mean
FROM agent_leads l LEFT JOIN agents f ON f.agent = first LEFT JOIN agents s ON s.agent = second
LEFT JOIN agent_means a ON a.item = l.item AND a.grp = l.grp AND a.agent = first
LEFT JOIN agent_means b ON b.item = l.item AND b.grp = l.grp AND b.agent = second;
CREATE TEMP VIEW best AS
SELECT item, of, place, on_page, groups, tag, contexts, best, its, runner_up, second_mean, lead, low, high, pairs, p,
  CASE WHEN second IS NULL THEN 'no second' WHEN p IS NULL THEN 'too few contexts' WHEN separable THEN 'separable'
  ELSE 'not separable' END AS verdict, iif(separable, 'Its mean', '') AS stress FROM g;
SELECT printf('%06d.1', item) AS _at, of || 'who is best' AS _block, iif(groups > 60, 'people', '') AS _for, stress AS _best,
  tag AS "Tag", contexts AS "Contexts", coalesce(best, '–') AS "Best", its AS "Its mean", coalesce(runner_up, '–') AS "Second",
  second_mean AS "Second mean", lead AS "Lead", low AS "95 % low", high AS "95 % high", pairs AS "Pairs", p, verdict AS "Best is"
FROM best WHERE on_page AND place < 60 ORDER BY item, place;
SELECT printf('%06d.2', m.item) AS _at, g.of || 'mean and 95 % interval over contexts' AS _block, 'people' AS _for,
  a.name AS "Agent", g.tag || ' (' || g.contexts || ')' AS _column, mean AS _value, m.low AS _low, m.high AS _high,
  g.separable AND m.agent = g.first AS _best
FROM agent_means m JOIN g USING (item, grp) JOIN agents a USING (agent)
WHERE on_page AND m.place < 40 AND g.place < 9 ORDER BY m.item, m.place, g.place;
SELECT printf('%06d.3', item) AS _at, of || 'who is best' AS _block, 'data' AS _for, stress AS _best,
  tag AS "Tag", contexts AS "Contexts", coalesce(best, '–') AS "Best", its AS "Its mean", coalesce(runner_up, '–') AS "Second",
  second_mean AS "Second mean", lead AS "Lead", low AS "95 % low", high AS "95 % high", pairs AS "Pairs", p, verdict AS "Best is"
FROM best WHERE NOT on_page OR groups > 60 ORDER BY item, place;
SELECT printf('%06d.4', m.item) AS _at, g.of || 'every agent' AS _block, 'data' AS _for, a.name AS "Agent", g.tag AS "Tag",
  m.n AS "Contexts", mean AS "Mean", m.low AS "95 % low", m.high AS "95 % high",
  iif(g.separable AND m.agent = g.first, 'yes', 'no') AS "Best and separable"
FROM agent_means m JOIN g USING (item, grp) JOIN agents a USING (agent) ORDER BY m.item, m.place, g.place;
SELECT printf('A page shows who is best for %d of %d tags, and %d of %d agents by %d of them, those of most contexts; CSV and JSON '
  || 'have all.', min(groups, 60) - 1, groups - 1, min(agents, 40), agents, min(groups, 9) - 1) AS note
FROM (SELECT groups, (SELECT count(*) FROM agent_means m WHERE m.item = 0 AND m.grp = 0) AS agents FROM g WHERE item = 0 LIMIT 1)
WHERE groups > 9 OR agents > 40;
SELECT printf('A page shows the first 2 of %d rewards; CSV and JSON have all.', n) AS note
FROM (SELECT count(DISTINCT item) AS n FROM g) WHERE n > 2;
SELECT CASE kind WHEN 'votes' THEN 'Of votes a mean is a value: the chance that the agent''s answer is preferred to that of another '
  || 'agent, drawn uniformly, by Bradley and Terry''s model of all votes of the grid, or of the tag. Intervals are over prompts. '
  || 'Lead: the difference of two values, by all votes; Pairs: the fewer votes of the two. Nothing is said where votes leave agents '
  || 'in parts that none joins. Separable, and in bold: p, adjusted by Holm for the rows of the block, is at most .05.'
WHEN 'within contexts' THEN 'Not every agent has answered every context: means are of all contexts, and leads on the same ones, by '
  || 'effects of agents and of contexts in each tag (or in five parts by how many agents words say have answered). An agent that too '
  || 'few common contexts join to the others has none. Intervals (Student''s t) are over contexts; separable, and in bold: p of the '
  || 'lead, adjusted by Holm for the rows of the block, is at most .05.'
ELSE 'The pool''s scores by the run''s reward, mu(x,a), 0 to 1: means over the contexts of the grid, training and held out together, '
  || 'that have an output of the agent; each context counts the same. Intervals are over contexts: what the mean would be on other '
  || 'contexts of the kind; near 0 and 1 they lean to the middle. Nothing here was estimated from OBS or EXP.' END AS note
FROM g WHERE item = 0 LIMIT 1;
SELECT 'Lead: the best less the second, paired over contexts where both have an output (Pairs). Separable, and in bold: by the '
  || 'two-sided test with p adjusted by Holm for the rows of the block, at most .05; of fewer than ten contexts nothing is said. The '
  || 'two were chosen by the same scores, which no correction makes up for; a third may be as good as the second.' AS note
FROM g WHERE item = 0 AND kind = 'means' LIMIT 1;

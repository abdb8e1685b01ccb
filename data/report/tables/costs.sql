-- title: Value against cost
-- order: 140
-- part: values
-- when: SELECT grids = 1 AND EXISTS (SELECT 1 FROM price_points WHERE value IS NOT NULL) AND EXISTS (SELECT 1 FROM agent_worth WHERE value IS NOT NULL) FROM run
-- otherwise: SELECT iif(observed > 0, 'Pairs of this run are unobserved: what one agent for everything is worth on the held-out contexts is not known, and so there are no single agents to hold curves of value against cost against.', 'This run keeps no curves of value against cost (costs.enabled), or its cells differ in their agents.') FROM run
-- column Over single agents ± SE: +.4
-- column Cost, price 0 | Its cost: ~4
-- column Cost: ~6
-- column Dear share for 50 % | Dear share for 80 %: .3
-- column *: .4
CREATE TEMP TABLE ends AS SELECT min(cost) AS lo, max(cost) AS hi, count(*) = 2 AS two, min(agent) AS one FROM agents;
-- Values and costs by seed, means over the cells of a block, of seeds that have every number: of single agents ('') and of policies.
CREATE TEMP TABLE raw AS
SELECT at, block, '' AS family, -1 AS place, agent AS i, seed, avg(value) AS v, max(cost) AS c, count(value) AS k
FROM agent_worth JOIN agents USING (agent) JOIN by_keys USING (cell) GROUP BY at, agent, seed
UNION ALL SELECT at, block, family, s.place, i, seed, avg(value), avg(cost), min(count(value), count(cost))
FROM price_points p JOIN subjects s USING (family, kind) JOIN by_keys USING (cell) WHERE ranked OR kind = 'baseline'
GROUP BY at, family, i, seed;
CREATE TEMP TABLE whole AS
SELECT f.at, f.family, f.seed FROM (
  SELECT at, family, seed FROM raw r GROUP BY at, family, seed HAVING min(k) = (SELECT count(*) FROM by_keys b WHERE b.at = r.at)) f
WHERE EXISTS (SELECT 1 FROM raw a WHERE a.at = f.at AND a.seed = f.seed AND a.family = '' GROUP BY a.seed
  HAVING min(k) = (SELECT count(*) FROM by_keys b WHERE b.at = f.at));
-- Hulls of the means over all of these seeds (without NULL) and over all but one; a mean cost that six digits do not tell from the
-- cheapest or dearest agent's is that one's.
CREATE TEMP TABLE hulls AS
WITH w AS (SELECT at, family, seed AS without FROM whole UNION ALL SELECT DISTINCT at, family, NULL FROM whole),
  m AS (SELECT r.at, w.family AS of, w.without, r.family, i, avg(v) AS v, avg(c) AS c
    FROM w JOIN whole s ON s.at = w.at AND s.family = w.family AND s.seed IS NOT w.without
    JOIN raw r ON r.at = s.at AND r.seed = s.seed AND r.family IN ('', w.family)
    GROUP BY w.at, w.family, w.without, r.family, i)
SELECT at, of, without, family, hull(CASE WHEN abs(c - lo) <= 1e-5 * abs(lo) THEN lo WHEN abs(c - hi) <= 1e-5 * abs(hi) THEN hi ELSE c END, v) AS h,
  max(v) FILTER (WHERE i = 0) AS v0, max(c) FILTER (WHERE i = 0) AS c0,
  max(v) FILTER (WHERE c = lo) AS cheap, max(v) FILTER (WHERE c = hi) AS dear
FROM m, ends GROUP BY at, of, without, family;
CREATE TEMP TABLE curve AS
SELECT x.at, x.of, x.without, x.v0, x.c0, hull_area(x.h, lo, hi) AS area, hull_area(x.h, lo, hi) - hull_area(a.h, lo, hi) AS gain,
  iif(two AND hi > lo AND a.dear > a.cheap, (hull_cost(x.h, a.cheap + .5 * (a.dear - a.cheap)) - lo) / (hi - lo), NULL) AS half,
  iif(two AND hi > lo AND a.dear > a.cheap, (hull_cost(x.h, a.cheap + .8 * (a.dear - a.cheap)) - lo) / (hi - lo), NULL) AS most
FROM hulls x JOIN hulls a ON a.at = x.at AND a.of = x.of AND a.without IS x.without AND a.family = '' AND x.family = x.of, ends;
CREATE TEMP TABLE jackknife AS
SELECT at, of, sqrt((count(*) - 1.0) * max(0, avg(area * area) - avg(area) * avg(area))) AS area_se,
  sqrt((count(*) - 1.0) * max(0, avg(gain * gain) - avg(gain) * avg(gain))) AS gain_se
FROM curve WHERE without IS NOT NULL GROUP BY at, of HAVING count(*) > 1;
CREATE TEMP TABLE within AS
SELECT at, family, est(value, cell, seed) AS value, est(cost, cell, seed) AS cost FROM budgets JOIN by_keys USING (cell)
GROUP BY at, family HAVING count(value) > 0;
CREATE TEMP VIEW policy AS
SELECT c.at || '1' AS _at, block || iif(block = '', '', ': ') || 'policies' AS _block, iif(c.of = '', 'single agents', c.of) AS "Policy",
  area AS "Area ± SE", area_se AS "Area ± SE±", iif(c.of = '', NULL, gain) AS "Over single agents ± SE",
  iif(c.of = '', NULL, gain_se) AS "Over single agents ± SE±", iif(c.of = '', NULL, v0) AS "Value, price 0",
  iif(c.of = '', NULL, c0) AS "Cost, price 0", whole(w.value) AS "Value within the budget ± SE",
  se(w.value) AS "Value within the budget ± SE±", whole(w.cost) AS "Its cost", iif(c.of = '', NULL, half) AS "Dear share for 50 %",
  iif(c.of = '', NULL, most) AS "Dear share for 80 %", iif(c.of = '', 100000, place) AS o
FROM curve c LEFT JOIN jackknife USING (at, of) JOIN (SELECT DISTINCT at, block, family, place FROM raw) r ON r.at = c.at AND r.family = c.of
LEFT JOIN within w ON w.at = c.at AND w.family = c.of
WHERE without IS NULL;
-- Columns of the budget and of two agents where there are any.
SELECT _at, _block, "Policy", "Area ± SE", "Area ± SE±", "Over single agents ± SE", "Over single agents ± SE±", "Value, price 0",
  "Cost, price 0"
FROM policy, ends WHERE NOT two AND NOT EXISTS (SELECT 1 FROM within) ORDER BY _at, o;
SELECT _at, _block, "Policy", "Area ± SE", "Area ± SE±", "Over single agents ± SE", "Over single agents ± SE±", "Value, price 0",
  "Cost, price 0", "Value within the budget ± SE", "Value within the budget ± SE±", "Its cost"
FROM policy, ends WHERE NOT two AND EXISTS (SELECT 1 FROM within) ORDER BY _at, o;
SELECT _at, _block, "Policy", "Area ± SE", "Area ± SE±", "Over single agents ± SE", "Over single agents ± SE±", "Value, price 0",
  "Cost, price 0", "Dear share for 50 %", "Dear share for 80 %"
FROM policy, ends WHERE two AND NOT EXISTS (SELECT 1 FROM within) ORDER BY _at, o;
SELECT _at, _block, "Policy", "Area ± SE", "Area ± SE±", "Over single agents ± SE", "Over single agents ± SE±", "Value, price 0",
  "Cost, price 0", "Value within the budget ± SE", "Value within the budget ± SE±", "Its cost", "Dear share for 50 %", "Dear share for 80 %"
FROM policy, ends WHERE two AND EXISTS (SELECT 1 FROM within) ORDER BY _at, o;
SELECT x.at || '2' AS _at, block || iif(block = '', '', ': ') || 'single agents' AS _block, a.name AS "Agent", x.c AS "Cost",
  whole(e) AS "Value ± SE", se(e) AS "Value ± SE±",
  iif(EXISTS (SELECT 1 FROM hulls h, json_each(h.h) p WHERE h.at = x.at AND of = '' AND family = '' AND without IS NULL
    AND p.value ->> 0 = x.c AND abs(p.value ->> 1 - whole(e)) < 1e-12), 'yes', 'no') AS "On the hull"
FROM (SELECT r.at, block, i, max(c) AS c, est(v, 0, seed) AS e FROM raw r JOIN whole USING (at, family, seed) WHERE family = ''
  GROUP BY r.at, i) x JOIN agents a ON a.agent = i ORDER BY x.at, x.c, i;
-- note: The policy argmax_a f(x,a) − p c_a on held-out contexts, for prices p from 0 to where the cheapest agent takes all. Area: of the
--   non-decreasing concave hull of the mean values by mean cost, the mean over costs from the cheapest to the dearest agent, in units of
--   value. Over single agents: that less the same of the hull of the agents by themselves, whose true values nobody knew beforehand.
--   best-exp and best-obs take one agent at each price, those by tag one for each tag. ± the jackknife's standard error over seeds.
-- note: Within the budget (costs.budget): the least price at which the mean cost on training contexts is within it; what that policy is
--   worth and costs on held-out ones. Dear share, of two agents: the least share of contexts sent to the dearer one at which the policy
--   gains that much of what it is worth more; "–": never, or it is worth no more.

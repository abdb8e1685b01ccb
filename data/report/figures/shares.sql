-- title: Recommendation shares of the agents
-- order: 180
-- part: diagnostics
-- when: SELECT listed FROM run
-- kind: shares
-- decimals: 0
-- x: share of the held-out contexts
-- facts: SELECT 'shares of all recommendations, without intervals'
--   || iif(n < of, printf('; %d of %d agents, the rest is never recommended', n, of), '')
--   FROM (SELECT count(DISTINCT choice) AS n, (SELECT count(*) FROM agents) AS of
--     FROM context_regrets JOIN subjects USING (family, kind) WHERE ranked OR rule = 'oracle')
-- caption: How often an agent is recommended to a held-out context, each replicate counting the same. The oracle recommends the
--   best agent of each context (equals: the first of the pool); agents stand in its order. A family that leans to agents the oracle
--   leaves out follows something else than value.
CREATE TEMP TABLE who AS SELECT family, kind, iif(ranked, place, -1) AS place FROM subjects WHERE ranked OR rule = 'oracle';
CREATE TEMP TABLE chosen AS
SELECT place, cell, seed, choice AS agent, count(*) AS k, sum(count(*)) OVER (PARTITION BY place, cell, seed) AS n
FROM context_regrets JOIN who USING (family, kind) WHERE choice IS NOT NULL GROUP BY place, cell, seed, choice;
CREATE TEMP TABLE share AS
SELECT place, agent, sum(1.0 * k / n) / replicates AS share
FROM chosen JOIN (SELECT place, count(*) AS replicates FROM (SELECT DISTINCT place, cell, seed FROM chosen) GROUP BY place)
  USING (place)
GROUP BY place, agent;
SELECT a.name AS row, w.family AS "column", iif(w.place IN (SELECT place FROM share), coalesce(s.share, 0), NULL) AS value
FROM (SELECT agent, round(total(share) FILTER (WHERE place < 0), 12) AS best,
    round(total(share) FILTER (WHERE place >= 0), 12) AS others FROM share GROUP BY agent) o
  JOIN agents a USING (agent) JOIN who w LEFT JOIN share s ON s.agent = o.agent AND s.place = w.place
ORDER BY w.place, best DESC, others DESC, o.agent;

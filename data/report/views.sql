-- What every table and figure may use; made once a run is opened.
-- The block of each cell: by every swept key but the main four and those of the reward design, which are averaged over; and the
-- same by reward map, too.
CREATE TABLE by_keys AS
SELECT cell, coalesce(group_concat(said, ', '), '') AS block, coalesce(group_concat(at, ''), '') AS at FROM (
  SELECT c.cell, v.key || ' = ' || v.value AS said, printf('%04d', v.place) AS at FROM cells c
  LEFT JOIN (cell_keys v JOIN keys k ON k.key = v.key AND swept AND NOT main AND NOT averaged) ON v.cell = c.cell
  ORDER BY c.cell, k.place)
GROUP BY cell;
CREATE TABLE by_map AS
SELECT cell, coalesce(group_concat(said, ', '), '') AS block, coalesce(group_concat(at, ''), '') AS at FROM (
  SELECT c.cell, v.key || ' = ' || v.value AS said, printf('%04d', v.place) AS at FROM cells c
  LEFT JOIN (cell_keys v JOIN keys k ON k.key = v.key AND swept AND (k.key = 'reward.map' OR NOT main AND NOT averaged))
    ON v.cell = c.cell
  ORDER BY c.cell, k.place)
GROUP BY cell;
CREATE INDEX by_keys_cell ON by_keys(cell);
CREATE INDEX by_map_cell ON by_map(cell);
-- Families that are compared with each other.
CREATE VIEW ranked AS SELECT family, place FROM subjects WHERE ranked;
-- Mean regrets by cell; and the ranks of families, from 1, equals (1e-12) sharing theirs, in cells in which all have one.
CREATE TABLE cell_means AS
SELECT cell, kind, family, mean(est(regret, cell, seed)) AS y FROM results WHERE kind <> 'fit' GROUP BY cell, kind, family;
CREATE TABLE standings AS
SELECT a.cell, a.family, a.y, sum(b.y < a.y - 1e-12) AS lower,
  sum(b.y < a.y - 1e-12) + (sum(abs(b.y - a.y) <= 1e-12) + 1) / 2.0 AS place, min(b.y) AS best
FROM cell_means a JOIN cell_means b USING (cell)
WHERE a.kind = 'family' AND b.kind = 'family' AND a.family IN (SELECT family FROM ranked) AND b.family IN (SELECT family FROM ranked)
GROUP BY a.cell, a.family
HAVING count(b.y) = (SELECT count(*) FROM ranked) AND a.y IS NOT NULL;
-- The lines of tables along a key: families and baselines by regret, fits by R².
CREATE VIEW lines AS
SELECT s.place AS line_at, r.family AS line, s.ranked AS is_family, 4 AS decimals, cell, seed, regret AS y
FROM results r JOIN subjects s USING (family, kind)
WHERE s.ranked OR kind = 'baseline' AND family IN (SELECT family FROM cell_means WHERE kind = 'baseline' AND y IS NOT NULL)
UNION ALL
SELECT 1000 + s.place, 'R² on ' || family, 0, 3, cell, seed, r2 FROM results r JOIN subjects s USING (family, kind)
WHERE kind = 'fit' AND family IN (SELECT family FROM results WHERE kind = 'fit' AND r2 IS NOT NULL)
UNION ALL
SELECT 2000 + s.place, 'clipped R² on ' || family, 0, 3, cell, seed, r2_clipped FROM results r JOIN subjects s USING (family, kind)
WHERE kind = 'fit' AND family IN (SELECT family FROM results WHERE kind = 'fit' AND r2_clipped IS NOT NULL);
-- What grids of hyper-parameters the run chose from: lists of numbers, the same in every cell; and families that chose any.
CREATE TABLE candidates AS
SELECT key FROM config WHERE key IN (SELECT key FROM hypers) AND key NOT IN (SELECT key FROM keys) AND json_valid(value)
  AND iif(json_valid(value), json_type(value) = 'array' AND json_array_length(value) > 1, 0)
  AND NOT EXISTS (SELECT 1 FROM json_each(iif(json_valid(value), value, '[]')) x WHERE x.type NOT IN ('integer', 'real'));
CREATE VIEW tuned AS
SELECT family FROM results WHERE kind = 'family' GROUP BY family
HAVING count(lambda) > 0 OR min(alpha) < max(alpha) OR min(rho) < max(rho) OR count(basis) > 0
UNION SELECT family FROM hypers WHERE key IN (SELECT key FROM candidates);
-- The map of winners. Rows are budgets and columns β; where β is not swept another key makes the columns, and where no budget is
-- either two keys make the map; the rest makes blocks.
CREATE VIEW winner_roles AS
WITH n AS (SELECT coalesce(max(swept) FILTER (WHERE key = 'beta'), 0) OR sum(swept AND NOT main) < 1 AS by_beta,
    coalesce(max(swept) FILTER (WHERE key IN ('n_obs', 'n_exp')), 0) AS by_budget, sum(swept AND NOT main) AS extra FROM keys),
  k AS (SELECT *, sum(swept AND NOT main) OVER (ORDER BY place) AS i FROM keys WHERE swept OR main)
SELECT key, name, place, swept, CASE
  WHEN key IN ('n_obs', 'n_exp') THEN iif(NOT by_beta AND NOT by_budget AND extra >= 2, 'none', 'row')
  WHEN key = 'beta' THEN iif(by_beta, 'column', 'none')
  WHEN key = 'reward.map' OR by_beta THEN 'block'
  WHEN NOT by_budget AND extra >= 2 THEN CASE i WHEN 1 THEN 'row' WHEN 2 THEN 'column' ELSE 'block' END
  ELSE iif(i = 1, 'column', 'block') END AS role
FROM k, n;
CREATE VIEW winner_places AS
SELECT c.cell,
  (SELECT coalesce(group_concat(said, ', '), '') FROM (SELECT r.key || ' = ' || v.value AS said FROM winner_roles r
    JOIN cell_keys v ON v.key = r.key AND v.cell = c.cell WHERE role = 'block' AND swept ORDER BY r.place)) AS block,
  (SELECT coalesce(group_concat(at, ''), '') FROM (SELECT printf('%04d', v.place) AS at FROM winner_roles r
    JOIN cell_keys v ON v.key = r.key AND v.cell = c.cell WHERE role = 'block' AND swept ORDER BY r.place)) AS block_at,
  (SELECT group_concat(said, ', ') FROM (SELECT r.name || ' ' || v.value AS said FROM winner_roles r
    JOIN cell_keys v ON v.key = r.key AND v.cell = c.cell WHERE role = 'row' ORDER BY r.place)) AS row,
  (SELECT group_concat(at, '') FROM (SELECT printf('%04d', v.place) AS at FROM winner_roles r
    JOIN cell_keys v ON v.key = r.key AND v.cell = c.cell WHERE role = 'row' ORDER BY r.place)) AS row_at,
  (SELECT r.name || ' ' || v.value FROM winner_roles r JOIN cell_keys v ON v.key = r.key AND v.cell = c.cell WHERE role = 'column') AS "column",
  (SELECT v.place FROM winner_roles r JOIN cell_keys v ON v.key = r.key AND v.cell = c.cell WHERE role = 'column') AS column_at
FROM cells c;
-- Of each place the family of lowest mean regret, the second, and the lead.
CREATE VIEW winners AS
WITH place AS MATERIALIZED (SELECT * FROM winner_places),
  e AS MATERIALIZED (SELECT block, block_at, row, row_at, "column", column_at, family, s.place, est(regret, r.cell, seed) AS e
    FROM results r JOIN place p USING (cell) JOIN ranked s USING (family) WHERE kind = 'family'
    GROUP BY block_at, row_at, column_at, family),
  n AS MATERIALIZED (SELECT *, row_number() OVER (PARTITION BY block_at, row_at, column_at ORDER BY round(mean(e), 12), place) AS i FROM e
    WHERE mean(e) IS NOT NULL)
SELECT a.block, a.block_at, a.row, a.row_at, a."column", a.column_at, a.family, b.family AS second,
  max(mean(b.e) - mean(a.e), 0.0) AS lead, minus(b.e, a.e) AS d
FROM n a LEFT JOIN n b ON b.block_at = a.block_at AND b.row_at = a.row_at AND b.column_at = a.column_at AND b.i = 2 WHERE a.i = 1;
-- What intervals by seeds and contexts say, in a sentence for below a table; or why there are none.
CREATE VIEW said_of_new_contexts AS
SELECT 1 AS known, 'New contexts: a 95 % interval by seeds and held-out contexts both (two-way jackknife). What "would hold" is to be '
  || 'expected of new requests of this kind, with surfaces trained on contexts of this pool; "these contexts only": of redraws from '
  || 'the same contexts, as all that is by seeds alone. Each row is for itself, not corrected for how many there are.' AS said
UNION ALL SELECT 0, 'Nothing is said of new contexts: that wants two seeds, ten contexts held out, and rows with lists of them '
  || '("details": true). Intervals over seeds speak of redraws from the same contexts.';
-- What figures show beside each other: the ranked families and all baselines but the oracle, whose regret is 0.
CREATE VIEW shown AS
SELECT family, kind, place, style FROM subjects WHERE ranked OR kind = 'baseline' AND rule IS NOT 'oracle';
-- Panels of figures along a swept key, or of one along none (''): by the other swept keys but budgets, β and those that are averaged
-- over, and with map 1 by the reward map, as many as make no more than eight; the rest is averaged over. Along λ_fix and ω the cells
-- that the paper shows alone stand beside the whole: those without weight of the worst quality, or of success.
CREATE TABLE panels AS
WITH RECURSIVE k AS (
    SELECT key, row_number() OVER (ORDER BY place) AS i, (SELECT count(DISTINCT place) FROM cell_keys v WHERE v.key = keys.key) AS n
    FROM keys WHERE swept AND (key = 'reward.map' OR NOT main AND NOT averaged)),
  made(map, i, n, key) AS (
    SELECT 0, count(*), 1, NULL FROM k WHERE key = 'reward.map' UNION ALL SELECT 1, 0, 1, NULL
    UNION ALL SELECT map, k.i, iif(made.n * k.n <= 8, made.n * k.n, made.n), iif(made.n * k.n <= 8, k.key, NULL)
    FROM made JOIN k ON k.i = made.i + 1),
  block AS (SELECT map, cell, coalesce(group_concat(said, ', '), '') AS panel, group_concat(at, '') AS at FROM (
      SELECT map, c.cell, made.key || ' = ' || v.value AS said, printf('%04d', v.place) AS at
      FROM cells c CROSS JOIN made LEFT JOIN cell_keys v ON v.cell = c.cell AND v.key = made.key ORDER BY map, c.cell, made.i)
    GROUP BY map, cell),
  other(along, key) AS (VALUES ('reward.lambda_fix', 'reward.omega'), ('reward.omega', 'reward.lambda_fix')),
  one AS (SELECT along, symbol, v.cell FROM other JOIN keys USING (key) JOIN cell_keys v USING (key) WHERE swept AND v.value = '0'),
  part AS (
    SELECT '' AS along, '0' AS at, '' AS part, cell FROM cells
    UNION ALL SELECT key, '0', coalesce((SELECT 'all ' || max(symbol) FROM one WHERE along = key), ''), cell
    FROM keys, cells WHERE swept
    UNION ALL SELECT along, '1', symbol || ' = 0', cell FROM one)
SELECT along, map, cell, part.at || block.at AS at, part || iif(part = '' OR panel = '', '', ', ') || panel AS panel
FROM part JOIN block USING (cell);
CREATE INDEX panels_along ON panels(along, map, cell);
-- The places of each cell in lines along a key.
CREATE VIEW along AS
SELECT p.along, p.map, p.at, p.panel, p.cell, v.place AS level, v.value + 0.0 AS x
FROM panels p JOIN cell_keys v ON v.cell = p.cell AND v.key = p.along;
-- Lines of regret; more than sixteen are no picture any more.
CREATE VIEW regret_along AS
SELECT along, map, at, level, s.place, panel, s.family AS series, style AS _style, x, mean(est(regret, cell, seed)) AS value,
  max(t_low(est(regret, cell, seed)), 0) AS low, t_high(est(regret, cell, seed)) AS high
FROM results r JOIN along USING (cell) JOIN (SELECT * FROM shown
  WHERE (family, kind) IN (SELECT family, kind FROM cell_means WHERE y IS NOT NULL) ORDER BY place LIMIT 16) s USING (family, kind)
GROUP BY along, map, at, level, s.place;
-- What captions say of baselines that not every run has.
CREATE VIEW said_of_baselines AS
SELECT nullif(trim(iif(EXISTS (SELECT 1 FROM subjects WHERE rule = 'by tag'),
    'best-by-tag-exp and best-by-tag-obs: one agent for every tag of contexts, likewise.', '')
  || iif(votes, ' best-bt and best-by-tag-bt: by strengths in votes.', '')), '') AS said FROM run;
-- Families whose values of agents are shown: the one of lowest mean regret where all would be more than 48 rows or six panels.
CREATE VIEW valued AS
SELECT family, place, is_one FROM (
  SELECT family, place, row_number() OVER (ORDER BY mean(e) IS NULL, round(mean(e), 12), place) AS i,
    count(*) OVER () > 6 OR count(*) OVER () * (SELECT count(*) FROM agents) > 48 AS is_one
  FROM (SELECT family, s.place, est(regret, cell, seed) AS e FROM results JOIN ranked s USING (family) WHERE kind = 'family'
    GROUP BY family))
WHERE i = 1 OR NOT is_one;

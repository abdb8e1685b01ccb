-- title: What recommends best as scores are spread otherwise
-- order: 90
-- part: sweep
-- when: SELECT count(*) > 1 AND (SELECT count(*) FROM ranked) > 1 FROM keys WHERE swept AND key GLOB 'spread.*'
-- kind: winners
-- decimals: 4
-- across: SELECT count(DISTINCT value) FROM cell_keys WHERE key = 'beta'
-- x: SELECT key FROM keys WHERE swept AND key GLOB 'spread.*' ORDER BY place LIMIT 1
-- facts: ≈ and dashed: the 95 % bootstrap interval of the lead over seeds holds 0
-- caption: Each tile is the family of lowest mean regret, or recommending one agent for all (best-exp, best-obs: exp and obs in a
--   tile) where that regrets less, on a pool whose scores were changed when it was read (spread.*). Of twenty tiles without a
--   difference about one is clear by chance; leads are in the numbers beside the figure.
-- caption: SELECT said FROM said_of_baselines
-- The first of spread.* makes columns, the second rows, inside n_exp; all others make panels, β the fastest.
CREATE TEMP TABLE role AS
SELECT key, symbol, CASE WHEN key = 'n_exp' OR i = 2 THEN 'row' WHEN i = 1 THEN 'column' ELSE 'block' END AS role,
  CASE key WHEN 'n_exp' THEN -1 WHEN 'reward.map' THEN 1001 WHEN 'n_obs' THEN 1002 WHEN 'beta' THEN 1003 ELSE place END AS o
FROM (SELECT *, iif(key GLOB 'spread.*', sum(key GLOB 'spread.*') OVER (ORDER BY place), 0) AS i FROM keys WHERE swept);
CREATE TEMP TABLE place AS
SELECT cell, coalesce(group_concat(key || ' = ' || value, ', ') FILTER (WHERE role = 'block'), '') AS block,
  coalesce(group_concat(at, '') FILTER (WHERE role = 'block'), '') AS block_at,
  group_concat(symbol || ' ' || value, ', ') FILTER (WHERE role = 'row') AS row,
  group_concat(at, '') FILTER (WHERE role = 'row') AS row_at,
  max(value) FILTER (WHERE role = 'column') AS "column", max(at) FILTER (WHERE role = 'column') AS column_at
FROM (SELECT cell, key, symbol, value, role, printf('%04d', place) AS at FROM cell_keys JOIN role USING (key) ORDER BY cell, o)
GROUP BY cell;
CREATE TEMP TABLE who AS
SELECT family, kind, style, row_number() OVER (ORDER BY ranked DESC, rule = 'by tag', place) AS i FROM subjects
WHERE ranked OR rule IN ('single', 'by tag');
SELECT family AS series, style AS _style FROM who ORDER BY i;
SELECT row FROM place GROUP BY row ORDER BY min(row_at);
SELECT "column" FROM place GROUP BY "column" ORDER BY min(column_at);
CREATE TEMP TABLE won AS
SELECT *, row_number() OVER (PARTITION BY block_at, row_at, column_at ORDER BY round(mean(e), 12), i) AS nr FROM (
  SELECT block, block_at, row, row_at, "column", column_at, family, i, count(DISTINCT cell) AS n, min(cell) AS cell,
    est(regret, cell, seed) AS e
  FROM results JOIN place USING (cell) JOIN who USING (family, kind) GROUP BY block_at, row_at, column_at, i)
WHERE mean(e) IS NOT NULL;
SELECT block AS panel, family AS series, row, "column", value, NOT coalesce(low(d) > 0 OR high(d) < 0, 0) AS _tie,
  iif(n = 1, cell, NULL) AS _cell
FROM (SELECT a.*, max(mean(b.e) - mean(a.e), 0.0) AS value, minus(b.e, a.e) AS d
  FROM won a JOIN won b USING (block_at, row_at, column_at) WHERE a.nr = 1 AND b.nr = 2)
ORDER BY block_at, row_at, column_at;

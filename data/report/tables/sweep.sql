-- title: Regret by each swept key
-- order: 150
-- part: sweep
-- when: SELECT max(swept) FROM keys
-- otherwise: This run sweeps no key: it has one cell.
-- note: Mean held-out regret over all cells that have the value (so averaged over every other swept key) and the seeds ± standard
--   error over seeds. R²: held-out linear fit of the target; clipped: its predictions moved into [0,1].
SELECT key AS _block, line AS "Family", name || ' ' || value AS _column, mean(e) AS _value, se(e) AS _se, decimals AS _decimals,
  is_family AND (SELECT count(*) FROM ranked) > 1
  AND mean(e) = min(mean(e)) FILTER (WHERE is_family) OVER (PARTITION BY key, value) AS _best
FROM (
  SELECT k.key, k.place AS key_at, k.name, line_at, line, is_family, decimals, v.value, v.place, est(y, l.cell, seed) AS e
  FROM lines l JOIN cell_keys v USING (cell) JOIN keys k USING (key) WHERE swept GROUP BY k.place, line_at, v.place)
ORDER BY key_at, line_at, place;

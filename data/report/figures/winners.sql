-- title: Which family recommends best where
-- order: 80
-- part: sweep
-- when: SELECT cells > 1 AND (SELECT count(*) FROM ranked) > 1 FROM run
-- kind: winners
-- decimals: 4
-- facts: ≈ and dashed: the 95 % bootstrap interval of the lead over seeds holds 0
-- caption: Each tile is the family of lowest mean regret and its lead over the second. Of twenty tiles without a difference about
--   one is clear by chance; the table winners has the corrected counts.
SELECT family AS series, style AS _style FROM subjects WHERE ranked ORDER BY place;
-- Labels, which all panels share, are short: they have the symbols of the reward's parameters.
CREATE TEMP TABLE place AS
SELECT block_at, row_at, column_at, coalesce(replace(row, r.name, r.symbol), row) AS row,
  coalesce(replace("column", c.name, c.symbol), "column") AS "column", n, cell
FROM (SELECT block_at, row_at, column_at, max(row) AS row, max("column") AS "column", count(*) AS n, min(cell) AS cell
  FROM winner_places GROUP BY block_at, row_at, column_at)
LEFT JOIN (SELECT k.* FROM winner_roles JOIN keys k USING (key) WHERE role = 'row' AND k.symbol <> k.name) r
LEFT JOIN (SELECT k.* FROM winner_roles JOIN keys k USING (key) WHERE role = 'column' AND k.symbol <> k.name) c;
SELECT row FROM place GROUP BY row ORDER BY min(row_at);
SELECT "column" FROM place GROUP BY "column" ORDER BY min(column_at);
SELECT w.block AS panel, family AS series, p.row, p."column", lead AS value, NOT coalesce(low(d) > 0 OR high(d) < 0, 0) AS _tie,
  iif(n = 1, p.cell, NULL) AS _cell
FROM winners w JOIN place p USING (block_at, row_at, column_at) WHERE second IS NOT NULL ORDER BY block_at, row_at, column_at;

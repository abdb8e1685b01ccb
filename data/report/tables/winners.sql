-- title: Winner and its lead over the second
-- order: 60
-- part: sweep
-- column Wins | Of them separable from the second | Holm | Benjamini–Hochberg: .0
-- column *: +.4
-- note: Each place names the family of lowest mean regret over seeds and by how much the second is worse. "a ≈ b": the 95 % bootstrap
--   interval of the paired difference over seeds between the two holds 0, so the win of a over b is not separable. Equal means: the
--   first in the run's order of families.
-- note: A block makes one comparison a cell, so that of twenty cells without a difference about one is separable by chance. Holm,
--   Benjamini–Hochberg: of the wins that are separable those whose p-value (Student's t of the paired difference over seeds), adjusted
--   for the cells of the block, is at most .05. The two lowest families were chosen by the same seeds, which no correction makes up
--   for.
CREATE TEMP TABLE won AS SELECT *, low(d) > 0 OR high(d) < 0 AS clear, p_value(d) AS p FROM winners;
SELECT block_at || '.1' AS _at, block AS _block, row AS "Cell", "column" AS _column, iif(second IS NULL, NULL, lead) AS _value,
  CASE WHEN clear OR second IS NULL THEN family ELSE family || ' ≈ ' || second END AS _text
FROM won ORDER BY block_at, row_at, column_at;
CREATE TEMP TABLE adjusted AS
SELECT block_at, block, family, clear, max(min(1, p * (n - i + 1))) OVER (PARTITION BY block_at ORDER BY i) AS holm,
  min(min(1, p * n / i)) OVER (PARTITION BY block_at ORDER BY i DESC) AS bh
FROM (SELECT *, count(p) OVER (PARTITION BY block_at) AS n,
  row_number() OVER (PARTITION BY block_at ORDER BY p IS NULL, p, row_at, column_at) AS i FROM won);
SELECT b.block_at || '.2' AS _at, iif(b.block = '', '', b.block || ': ') || 'cells won' AS _block, f.family AS "Family",
  count(a.family) AS "Wins", coalesce(sum(clear), 0) AS "Of them separable from the second",
  coalesce(sum(clear AND holm <= .05), 0) AS "Holm", coalesce(sum(clear AND bh <= .05), 0) AS "Benjamini–Hochberg"
FROM (SELECT DISTINCT block_at, block FROM won) b
JOIN (SELECT family, place FROM ranked UNION ALL SELECT 'all', 1000) f
LEFT JOIN adjusted a ON a.block_at = b.block_at AND f.family IN (a.family, 'all')
GROUP BY b.block_at, f.place ORDER BY b.block_at, f.place;

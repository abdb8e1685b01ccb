-- title: Hyper-parameters chosen, by β
-- order: 160
-- part: diagnostics
-- when: SELECT count(*) FROM tuned
-- otherwise: No family of this run chooses hyper-parameters.
CREATE TEMP TABLE f AS
SELECT r.*, r.rowid AS nr, s.place FROM results r JOIN subjects s USING (family, kind)
WHERE kind = 'family' AND family IN (SELECT family FROM tuned);
CREATE TEMP TABLE word AS
SELECT 3 AS line_at, family, 'basis ' || basis || ' (%)' AS line, basis AS word, min(nr) AS first FROM f WHERE basis IS NOT NULL
GROUP BY family, basis
UNION ALL SELECT 6, family, 'CV mode ' || cv || ' (%)', cv, min(nr) FROM f WHERE cv IS NOT NULL GROUP BY family, cv;
CREATE TEMP TABLE penalty AS
SELECT 4 AS line_at, family, printf('ρ = %.10g (%%)', rho) AS line, rho AS x FROM f WHERE rho IS NOT NULL GROUP BY family, rho
UNION ALL SELECT 5, family, printf('τ = %.10g (%%)', tau), tau FROM f WHERE tau IS NOT NULL GROUP BY family, tau;
CREATE TEMP TABLE y AS
SELECT family, place, cell, 1 AS line_at, 0 AS o, 'mean λ' AS line, lambda AS y, 3 AS decimals FROM f WHERE lambda IS NOT NULL
UNION ALL SELECT family, place, cell, 2, 0, 'mean α', alpha, 3 FROM f WHERE alpha IS NOT NULL
UNION ALL SELECT family, place, cell, line_at, first, line, 100.0 * (word = iif(line_at = 3, basis, cv)), 1 FROM f JOIN word USING (family)
WHERE iif(line_at = 3, basis, cv) IS NOT NULL
UNION ALL SELECT family, place, cell, line_at, x, line, 100.0 * (x = iif(line_at = 4, rho, tau)), 1 FROM f JOIN penalty USING (family)
WHERE iif(line_at = 4, rho, tau) IS NOT NULL;
SELECT printf('%04d', place) || at AS _at, family || iif(block = '', '', ': ' || block) AS _block, line AS "Chosen", level AS _column,
  avg(y) AS _value, decimals AS _decimals
FROM (
  SELECT y.place, at, family, block, line_at, o, line, decimals, 'β ' || v.value AS level, v.place AS level_at, y
  FROM y JOIN by_keys USING (cell) JOIN cell_keys v ON v.cell = y.cell AND v.key = 'beta'
  UNION ALL SELECT place, at, family, block, line_at, o, line, decimals, 'all', 10000, y FROM y JOIN by_keys USING (cell))
GROUP BY place, at, line_at, o, line, level_at ORDER BY place, at, line_at, o, line, level_at;
-- Where more than a third of the fits chose an end of a list that could go on, what lies beyond might do better.
WITH given AS (
  SELECT h.family, h.place AS h, h.key, h.field, h.least, h.most, value ->> 0 AS low, value ->> '$[#-1]' AS high
  FROM hypers h JOIN config USING (key) WHERE key IN (SELECT key FROM candidates)),
  chosen AS (SELECT family, field, x, 1.0 * count(*) / sum(count(*)) OVER (PARTITION BY family, field) AS share FROM (
    SELECT family, 'lambda' AS field, lambda AS x FROM f UNION ALL SELECT family, 'alpha', alpha FROM f
    UNION ALL SELECT family, 'rho', rho FROM f UNION ALL SELECT family, 'tau', tau FROM f) WHERE x IS NOT NULL GROUP BY family, field, x)
SELECT printf('%s: %.0f %% of the fits chose %.10g, the %s of %s: what lies beyond is untried.', family, 100 * share, x,
  iif(is_high, 'largest', 'smallest'), key) AS note
FROM (SELECT *, low AS end, 0 AS is_high FROM given WHERE low > least UNION ALL SELECT *, high, 1 FROM given WHERE high < most)
JOIN chosen USING (family, field) JOIN subjects s USING (family) WHERE s.kind = 'family' AND x = end AND share > 1 / 3.0
ORDER BY s.place, h, is_high;
-- note: Over the fits of a column that have the hyper-parameter: its mean, or the share of fits (in %) that chose the value. λ: the
--   weight of OBS in the pooled loss; α: the size of the correction; ρ: the ridge penalty; τ: the anchor's strength. CV mode rows is the
--   fall-back where EXP has fewer agents than folds.

-- title: Regret by the kind of context
-- order: 130
-- part: tags
-- when: SELECT EXISTS (SELECT 1 FROM contexts WHERE tag IS NOT NULL) AND EXISTS (SELECT 1 FROM context_regrets)
-- otherwise: SELECT iif(EXISTS (SELECT 1 FROM contexts WHERE tag IS NOT NULL), 'The rows of this run hold no lists by context.', 'The contexts of this run have no tags.')
-- column *: .4
CREATE TEMP TABLE tag AS
SELECT *, row_number() OVER (ORDER BY first) AS tag_at FROM (
  SELECT coalesce(tag, '') AS tag, coalesce(tag, 'no tag') || ' (' || sum(grids) || ')' AS line, min(context) AS first FROM contexts
  GROUP BY tag);
CREATE TEMP TABLE e AS
SELECT g.at, block, tag_at, line, family, kind, place, ranked, source, est(y, cell, seed) AS e
FROM (SELECT cell, seed, family, kind, coalesce(tag, '') AS tag, avg(loss) AS y FROM context_regrets JOIN contexts USING (context)
  GROUP BY family, kind, cell, seed, tag)
JOIN tag USING (tag) JOIN by_map g USING (cell) JOIN subjects USING (family, kind)
WHERE tag_at <= 60 AND (ranked OR kind = 'baseline' AND rule <> 'oracle') GROUP BY g.at, tag_at, family, kind;
SELECT at || '0' AS _at, block || iif(block = '', '', ': ') || 'regret' AS _block, line AS "Tag (contexts)", family AS _column,
  mean(e) AS _value, se(e) AS _se FROM e ORDER BY at, tag_at, place;
SELECT at || printf('1%04d', b_at) AS _at, block || iif(block = '', '', ': ') || 'less the regret of ' || base AS _block,
  line AS "Tag (contexts)", family AS _column, mean(d) AS _value, t_high(d) - mean(d) AS _se, 1 AS _signed, t_high(d) < 0 AS _best
FROM (
  SELECT e.at, e.block, b.place AS b_at, b.family AS base, e.tag_at, e.line, e.family, e.place, minus(e.e, b.e) AS d
  FROM e JOIN e b ON b.at = e.at AND b.tag_at = e.tag_at AND b.kind = 'baseline' AND b.source = 'EXP' WHERE e.ranked)
ORDER BY at, b_at, tag_at, place;
SELECT printf('%d more tags are not shown.', max(tag_at) - 60) AS note FROM tag HAVING max(tag_at) > 60;
-- note: Mean loss on the held-out contexts that have the tag, over cells and the seeds that held one out ± standard error over seeds; a
--   mean over tags, each with the share it has of the held-out contexts, is the regret.
-- note: Less the regret of best-exp, the best single agent by its EXP mean: paired over seeds, ± half of its 95 % interval by Student's
--   t, not corrected for the number of comparisons; in bold where the family is better for certain.
SELECT 'Less the regret of best-by-tag-exp: against the agent of the best EXP mean on training contexts of the tag, or of all where '
  || 'the tag has no row of EXP.' AS note WHERE EXISTS (SELECT 1 FROM subjects WHERE rule = 'by tag');

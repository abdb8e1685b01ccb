-- title:   MQM annotations of WMT: mqm_*.tsv, a row an error that a rater marked
-- docs:    https://github.com/google/wmt-mqm-human-evaluation, of 2020 to 2024; weights of Freitag et al., TACL 2021
-- card:    A segment is a context, a system an agent. mqm is minus the weight of a rater's errors, the mean of the raters:
--          25 a non-translation, 5 a major or critical error, 1 a minor one, .1 minor punctuation; 0 is best.
-- example: regret import wmt-mqm newstest2020/ende/mqm_newstest2020_ende.tsv -o ende
-- source row: lines('mqm_*.tsv')
-- detect:  SELECT 1 FROM row WHERE line = 1 AND text GLOB '*system*severity*'
CREATE TEMP TABLE cell AS   -- tabs part the fields, and quotes mean nothing; U+E000 stands in no text
SELECT file, line, f.key AS place, f.value AS value
FROM row, json_each('["' || substr(replace(json_quote(replace(text, char(9), char(57344))), char(57344), '","'), 2) || ']') f;
CREATE TEMP TABLE head AS SELECT file, place, lower(value) AS name FROM cell WHERE line = 1;
INSERT INTO refusal SELECT file, 1, 'the first line must name system, doc, seg_id, rater, source, target, category and severity' FROM head
GROUP BY file HAVING sum(name IN ('system', 'doc', 'seg_id', 'rater', 'source', 'target', 'category', 'severity')) < 8;
CREATE TEMP TABLE error AS   -- a row each, the error's span without its marks
SELECT c.file, c.line, max(value) FILTER (WHERE name = 'system') AS system, max(value) FILTER (WHERE name = 'doc') AS doc,
  max(value) FILTER (WHERE name = 'seg_id') AS segment, max(value) FILTER (WHERE name = 'rater') AS rater,
  without(max(value) FILTER (WHERE name = 'source'), '</?v>') AS source, without(max(value) FILTER (WHERE name = 'target'), '</?v>') AS target,
  lower(max(value) FILTER (WHERE name = 'category')) AS category, lower(max(value) FILTER (WHERE name = 'severity')) AS severity
FROM cell c JOIN head h ON h.file = c.file AND h.place = c.place WHERE c.line > 1 GROUP BY c.file, c.line;
INSERT INTO refusal SELECT file, line, printf('severity "%.40s": there are major, critical, minor, neutral and no-error', severity)
FROM error WHERE severity NOT IN ('major', 'critical', 'minor', 'neutral', 'no-error', 'hotw-test') OR severity IS NULL;
INSERT INTO note SELECT file, line, 'rows that try raters (HOTW-test)', 1 FROM error WHERE severity = 'hotw-test';
CREATE TEMP TABLE rated AS   -- a rater's errors in a translation
SELECT file, min(line) AS line, system, doc, segment, rater, max(source) AS source, max(target) AS target,
  sum(CASE WHEN category GLOB 'non-translation*' AND severity <> 'no-error' THEN 25.0 WHEN severity IN ('major', 'critical') THEN 5.0
    WHEN severity = 'minor' THEN iif(category = 'fluency/punctuation', .1, 1.0) ELSE 0.0 END) AS weight
FROM error WHERE severity <> 'hotw-test' GROUP BY file, system, doc, segment, rater;
INSERT INTO answer(file, line, id, content, agent, run, prompt, output, scores, main)
SELECT file, line, coalesce(doc, '') || ':' || segment, source, system, file, source, target, scores('mqm', mean, 0), 'mqm'
FROM (SELECT file, min(line) AS line, system, doc, segment, max(source) AS source, max(target) AS target, 0.0 - avg(weight) AS mean
  FROM rated GROUP BY file, system, doc, segment) GROUP BY file, system, doc, segment;

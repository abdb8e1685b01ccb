-- title:   WMT metrics data as mt-metrics-eval keeps them: systems by segments, with ratings
-- docs:    https://github.com/google-research/mt-metrics-eval: mt-metrics-eval-v2, wmt19 to wmt24
-- card:    A segment is a context, its domain the tag, a system an agent, a rating by people a score: mqm where there
--          is one, or that of --metric, which may also name a metric of metric-scores, such as COMET-22-refA. None is
--          no score. MQM is a penalty: 0 is best, and worse is further below. Texts and ratings belong to the
--          organisers of the task and to those who made them.
-- example: regret import mt-metrics mt-metrics-eval-v2/wmt22 --pair en-de -o ende
-- example: regret import mt-metrics wmt22 --pair zh-en --metric mqm=-25:0 --tag document -o zhen
-- source original: lines('sources/*.txt')
-- source part:     lines('documents/*.docs')
-- source human:    lines('references/*.txt')
-- source system:   lines('system-outputs/*/*.txt')
-- source rated:    lines('human-scores/*.seg.score')
-- source counted:  lines('metric-scores/*/*.seg.score')
-- option pair PAIR: the languages, such as en-de; needed where there are several pairs
-- option tag domain|document: what the tag of a segment is: domain (default), or document
-- option references: keep people's translations among the systems
-- detect:  SELECT 1 FROM original, system
CREATE TEMP TABLE source AS SELECT stem(file) AS pair, file, line, text FROM original;
CREATE TEMP TABLE chosen AS SELECT pair, file, max(line) AS n FROM source WHERE pair = coalesce(option('pair'), pair)
GROUP BY pair;
INSERT INTO refusal SELECT NULL, 0, CASE WHEN pairs IS NULL THEN
    'no sources/PAIR.txt; give the folder of a test set, such as wmt23'
  WHEN option('pair') IS NULL THEN printf('several language pairs; choose one of them by --pair: %s', pairs)
  ELSE printf('no sources of "%.40s"; there are: %s', option('pair'), pairs) END
FROM (SELECT group_concat(pair, ', ') AS pairs FROM (SELECT DISTINCT pair FROM source ORDER BY pair))
WHERE (SELECT count(*) FROM chosen) <> 1;
-- Texts of the pair; of references the first by name counts.
CREATE TEMP TABLE document AS SELECT file, line, field(text, 1) AS domain, rest(text) AS name FROM part
WHERE stem(file) IN (SELECT pair FROM chosen);
INSERT INTO refusal SELECT file, line, 'must be a domain and the name of a document' FROM document
WHERE domain IS NULL OR coalesce(name, '') = '';
CREATE TEMP TABLE reference AS SELECT file, line, text, substr(stem(file), instr(stem(file), '.') + 1) AS name
FROM human WHERE substr(stem(file), 1, instr(stem(file), '.') - 1) IN (SELECT pair FROM chosen);
CREATE TEMP TABLE output AS SELECT file, line, text, stem(file, '.txt') AS agent FROM system
WHERE stem(folder(file), '') IN (SELECT pair FROM chosen);
INSERT INTO refusal
SELECT NULL, 0, printf('%s has %d lines and %s %d; they must match line by line', o.file, o.n, c.file, c.n)
FROM (SELECT file, max(line) AS n FROM document GROUP BY file UNION ALL
      SELECT file, max(line) FROM reference WHERE name = (SELECT min(name) FROM reference) GROUP BY file UNION ALL
      SELECT file, max(line) FROM output GROUP BY file) o, chosen c WHERE o.n <> c.n;
CREATE TEMP TABLE score AS   -- a system's stand in the order of the segments
SELECT file, line, name, field(text, 1) AS system, rest(text) AS said, number(rest(text)) + 0.0 AS value,
  row_number() OVER (PARTITION BY file, field(text, 1) ORDER BY line) AS segment
FROM (SELECT r.file, line, text, substr(stem(r.file, '.seg.score'), length(pair) + 2) AS name FROM rated r, chosen
      WHERE stem(r.file) GLOB pair || '.?*' UNION ALL
      SELECT r.file, line, text, stem(r.file, '.seg.score') FROM counted r, chosen
      WHERE option('metrics') IS NOT NULL AND stem(folder(r.file), '') = pair
        AND stem(r.file, '.seg.score') IN (SELECT without(value, '=.*') FROM json_each(option('metrics'))));
CREATE INDEX score_of ON score(system, segment);
INSERT INTO refusal SELECT file, line, 'must be the name of a system and its score, a number or None' FROM score
WHERE value IS NULL AND (system IS NULL OR said IS NOT 'None');
INSERT INTO refusal SELECT NULL, 0, printf('%s: "%s" has been read before', max(file), name) FROM score GROUP BY name
HAVING min(file) < max(file);
INSERT INTO refusal SELECT NULL, 0, CASE WHEN system IN (SELECT agent FROM output) THEN
    printf('%s has %d scores of system "%.80s", and %s has %d lines; write None where there is no score', s.file, s.n,
      system, c.file, c.n)
  ELSE printf('%s rates system "%.80s", and there is no system-outputs/%s/%.80s.txt', s.file, system, pair, system) END
FROM (SELECT file, system, count(*) AS n FROM score WHERE system IS NOT NULL GROUP BY file, system) s, chosen c
WHERE s.n <> c.n OR system NOT IN (SELECT agent FROM output);
INSERT INTO refusal SELECT NULL, 0, printf('no %s of %s', iif((SELECT count(*) FROM output) = 0,
  'system-outputs/PAIR/SYSTEM.txt', 'human-scores/PAIR.RATING.seg.score'), pair) FROM chosen
WHERE NOT EXISTS (SELECT 1 FROM output) OR NOT EXISTS (SELECT 1 FROM score);
INSERT INTO answer(file, line, task, id, agent, prompt, output, reference, scores, main, status)
SELECT o.file, o.line, iif(option('tag') = 'document', d.name, d.domain),
  iif(d.name IS NULL OR option('tag') = 'document', '', d.name || ':') || o.line, agent, s.text, o.text, r.text,
  (SELECT scores(name, value, met(c.file)) FROM score c WHERE c.system = agent AND c.segment = +o.line), 'mqm',
  iif(agent IN (SELECT name FROM reference) AND option('references') IS NULL,
    'out: translations by people (--references keeps them)', 'ok')
FROM output o JOIN source s ON s.line = o.line AND s.pair IN (SELECT pair FROM chosen)
LEFT JOIN document d ON d.line = o.line
LEFT JOIN reference r ON r.line = o.line AND r.name = (SELECT min(name) FROM reference);

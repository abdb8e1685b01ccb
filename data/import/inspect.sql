-- title: logs of Inspect: .eval archives and JSON, or a folder of them
-- docs: log versions 1 to 3 (Inspect 0.3)
-- source member: json('header.json|start.json|samples/**/*_epoch_*.json') of version, status, eval, plan, id, epoch,
--   input, choices, target, output, scores, score, error, limit, model_usage, invalidation
-- source sample: list('*.json|!header.json|!start.json|!samples/**/*_epoch_*.json|!*.eval/**/*.json', '$.samples') of
--   id,
--   epoch, input, choices, target, output, scores, score, error, limit, model_usage, invalidation
-- source price: rows(--prices) of model, input, output
-- option prices CSV: a table of the columns model, input and output: prices of a million tokens
-- option cost tokens|recorded: without prices: tokens (default), or recorded: the dollars that the log has
-- card: Contexts are samples, tagged by their task; agents are models, with solver and settings where a model answered
--   one task with several. Scores are scorers': C, I, P and N are 1, 0, 1/2 and 0, keys of a score are scores of their
--   own. Epochs are draws. The cost of an agent is the mean of its answers' tokens, or of what they cost where prices
--   were given or the log's were asked for.
-- example: regret import inspect logs -o mine --dry-run
-- example: regret import inspect logs -o mine --prices prices.csv --runs last
CREATE TEMP TABLE head AS   -- what logs say of themselves; an archive at its beginning and, with its status, at its end
SELECT without(file, '(_journal/)?(start|header)\.json$') AS log, file, document FROM member
  WHERE file NOT GLOB '*_epoch_*'
UNION ALL SELECT file, file, document FROM sample_head WHERE json_type(document, '$.eval') IS NOT NULL;
CREATE TEMP VIEW said AS
SELECT log, file, document -> '$.eval' AS eval, document -> '$.plan.config' AS config,
  coalesce(document ->> '$.version', 1) AS format FROM head GROUP BY log HAVING file = min(file);
INSERT INTO refusal SELECT file, 0, iif(format > 3,
  printf('a log of version %s; up to 3 can be read: write it anew with an '
  || 'Inspect that writes that', format), '"eval" must have a "task" and a "model", which are texts') FROM said
WHERE format > 3 OR json_type(eval, '$.task') IS NOT 'text' OR json_type(eval, '$.model') IS NOT 'text';
CREATE TEMP VIEW pair AS   -- what tells tasks (0) and settings (1 and on) apart; how requests are sent does not
SELECT log, o.key AS part, p.key || '=' || plain(member(o.value, p.key)) AS text
FROM said, json_each(json_array(coalesce(eval -> '$.task_args_passed', eval -> '$.task_args'),
  eval -> '$.solver_args_passed',
    eval -> '$.model_args', eval -> '$.model_generate_config', config)) o, json_each(o.value) p
WHERE o.type = 'object' AND p.type <> 'null' AND p.key NOT IN ('max_connections', 'max_retries', 'timeout',
  'attempt_timeout', 'batch', 'cache_prompt', 'cache', 'adaptive_connections');
CREATE TEMP TABLE log AS
WITH named AS (
  SELECT s.log, eval ->> '$.model' AS model, plain(eval -> '$.task_version') AS version, eval ->> '$.task'
      || coalesce((SELECT ' (' || group_concat(text, ', ') || ')' FROM pair p WHERE p.log = s.log AND part = 0),
        '') AS task,
    coalesce((SELECT group_concat(text, ', ') FROM (SELECT eval ->> '$.solver' AS text
      UNION ALL SELECT text FROM pair p WHERE p.log = s.log AND part > 0)), '') AS settings,
    coalesce((SELECT max(document ->> '$.status') FROM head h WHERE h.log = s.log), 'started') AS status FROM said s),
split AS (SELECT DISTINCT model FROM named GROUP BY model, task HAVING count(DISTINCT settings) > 1)
SELECT *, model || iif(settings <> '' AND model IN split, ' (' || settings || ')', '') AS agent FROM named;
CREATE TEMP VIEW record AS
SELECT coalesce(capture(file, '^(.*/)?samples/.*_epoch_'), '') AS log, file, 1 AS line, 1 AS nr, document AS record
  FROM member
WHERE file GLOB '*_epoch_*' UNION ALL SELECT file, file, line, nr, record FROM sample;
CREATE TEMP TABLE picked AS
SELECT l.log, l.model, file, line, nr, coalesce(record ->> '$.epoch', 1) AS epoch,
  iif(json_type(record, '$.id') IN ('text', 'integer', 'real'), plain(record -> '$.id'), NULL) AS id,
  iif(json_type(record, '$.input') IN ('text', 'array'), turns(record -> '$.input', 'all'), NULL)
    || coalesce((SELECT group_concat(char(10) || char(65 + key) || ') ' || value, '')
      FROM json_each(record, '$.choices')
                 WHERE type = 'text' AND key < 26), '') AS prompt,
  record -> '$.target' AS target, coalesce(nullif(record ->> '$.output.completion', ''),
    turns(record -> '$.output.choices[0].message.content', 'parts'), '') AS output,
  coalesce(record ->> '$.error', record ->> '$.output.error', record ->> '$.invalidation') IS NOT NULL AS error,
  record ->> '$.limit' IS NOT NULL AS limited, coalesce(record ->> '$.output.choices[0].stop_reason', '') AS stop,
  record -> '$.scores' AS scores, record -> '$.score' AS score,
  coalesce(nullif(member(record -> '$.model_usage', l.model), 'null'),
    record -> '$.output.usage') AS usage   -- no judge's
FROM record r LEFT JOIN log l ON l.log = r.log;
INSERT INTO refusal SELECT file, line, CASE WHEN log IS NULL
    THEN 'a sample of a log that has neither header.json nor _journal/start.json: which model it is of is not said'
  WHEN id IS NULL THEN 'a sample without an "id" that is a text or a number'
  WHEN prompt IS NULL THEN '"input" must be a text or a list of messages'
  ELSE printf('"epoch" must be a whole number from 1 on, but is %s', epoch) END
FROM picked WHERE log IS NULL OR id IS NULL OR typeof(epoch) <> 'integer' OR epoch < 1 OR prompt IS NULL;
CREATE TEMP TABLE score AS   -- the oldest logs have one without a name; a dictionary is a score a key
WITH scorer AS (
  SELECT p.rowid AS n, s.key AS name, s.value -> '$.value' AS value, json_type(s.value, '$.value') AS type,
    s.id AS place
  FROM picked p, json_each(p.scores) s WHERE s.type = 'object' UNION ALL
  SELECT rowid, 'score', score -> '$.value', json_type(score, '$.value'), 1e9 FROM picked
    WHERE json_type(score) = 'object')
SELECT n, s.name || iif(s.type = 'object', '/' || v.key, '') AS name, s.place * 1000 + v.id AS place, v.type, v.value,
  grade(v.type, v.value) AS grade
FROM scorer s, json_each(iif(s.type = 'object', s.value, json_array(json(s.value)))) v WHERE s.type IS NOT 'array';
CREATE INDEX score_of ON score(n);
CREATE TEMP TABLE main AS   -- the first score of a log
SELECT log, name FROM (SELECT log, name, row_number() OVER (PARTITION BY log ORDER BY met(file), line, nr, place) AS k
  FROM score s JOIN picked p ON p.rowid = s.n) WHERE k = 1;
CREATE TEMP TABLE price_of AS
SELECT file, line, model ->> '$' AS model, number(input ->> '$') AS input, number(output ->> '$') AS output FROM price;
INSERT INTO refusal SELECT file, max(line), iif(count(*) > 1, printf('model "%s" has a price before', model),
  printf('prices of "%s" must be numbers of 0 or more', model)) FROM price_of
GROUP BY model HAVING count(*) > 1 OR coalesce(min(input, output), -1) < 0;
CREATE TEMP VIEW used AS
SELECT rowid AS n, *, coalesce(usage ->> '$.input_tokens', 0) + coalesce(usage ->> '$.input_tokens_cache_write', 0)
  + coalesce(usage ->> '$.input_tokens_cache_read', 0) AS input, coalesce(usage ->> '$.output_tokens', 0) AS tokens
    FROM picked;
INSERT INTO refusal
SELECT NULL, NULL, printf('%s has no price of model "%s"; add a line, or leave the model out with --agent',
  option('prices'), min(model)) FROM used JOIN log USING (log, model)
WHERE option('prices') IS NOT NULL AND input + tokens > 0 AND model NOT IN (SELECT model FROM price_of)
  AND wanted(task, agent)
HAVING count(*) > 0;
INSERT INTO answer(file, line, nr, task, id, content, agent, run, version, draw, prompt, output, reference, scores,
  main,
  cost, status)
SELECT file, line, nr, task, id, prompt, agent, u.log, version, epoch - 1, prompt, u.output,
  iif(target GLOB '[[]*', target, '[' || target || ']'), (SELECT scores(s.name, coalesce(grade, iif(type = 'text'
      AND lower(trim(value)) NOT IN ('na', 'n/a', 'nan', 'null', 'none', '<na>', '#n/a', '-', '--', '—'), value,
        'null')), place)
    FROM score s WHERE s.n = u.n AND (option('metric') IS NOT NULL OR s.name = m.name)), m.name,
  CASE WHEN option('prices') IS NULL AND option('cost') = 'recorded'
      THEN iif(input + tokens + coalesce(usage ->> '$.total_cost', 0) > 0, usage ->> '$.total_cost', NULL)
    WHEN input + tokens > 0 THEN iif(option('prices') IS NULL, input + tokens,
      (SELECT (u.input * p.input + u.tokens * p.output) / 1e6 FROM price_of p WHERE p.model = u.model)) END,
  CASE WHEN error OR stop = 'content_filter' THEN 'failed'
    WHEN limited OR stop IN ('max_tokens', 'length', 'model_length') THEN 'truncated' ELSE 'ok' END
FROM used u JOIN log USING (log) LEFT JOIN main m ON m.log = u.log;
INSERT INTO metric SELECT DISTINCT name, 0, 1, 0 FROM score WHERE name IN ('f1', 'exact') OR type IN ('true', 'false')
  OR (type = 'text' AND grade IS NOT NULL AND value NOT GLOB '*[0-9]*');
INSERT INTO note SELECT file, line, 'scores that are lists', 1 FROM picked, json_each(scores) s
WHERE json_type(s.value, '$.value') = 'array';
INSERT INTO note SELECT log, 0, 'logs without samples (status ' || status || ')', 1 FROM log
WHERE log NOT IN (SELECT log FROM picked WHERE log IS NOT NULL);
INSERT INTO refusal SELECT NULL, NULL, 'no file is a log of Inspect: a .eval archive, or JSON with "eval" and "samples"'
WHERE NOT EXISTS (SELECT 1 FROM head) AND NOT EXISTS (SELECT 1 FROM picked);

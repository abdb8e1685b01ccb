-- title: outputs of OpenAI's Batch API, vLLM's run_batch and their like, with scores from a file
-- source line: jsonl('*.jsonl|*.json|*.ndjson') of custom_id, response, error, body
-- source request: jsonl(--requests) of custom_id, body
-- source scored: rows(--scores)
-- source price: rows(--prices) of model, input, output
-- option scores FILE: custom_id, model where it is needed, and scores, CSV or JSONL; or a judge's batch output
-- option requests FILE: the input file of the batch, for the prompts (a folder or an archive, too)
-- option ids TEMPLATE: how custom_id is made, of {id}, {model}, {task} and {repeat} (default: {id})
-- option by-file: the name of an output file is that of its model
-- option prices CSV: a table of the columns model, input and output: prices of a million tokens
-- card: Answers from the output files of a batch service; the scores are from a file of the user's own. An agent's cost
--   is what its answers took on average, in tokens, or in the currency of --prices.
-- detect: SELECT 1 FROM line WHERE custom_id IS NOT NULL AND json_type(response, '$.body') = 'object'
-- example: regret import batch outputs/ --requests batch.jsonl --scores scores.csv -o pool
-- example: regret import batch outputs/ --ids '{task}/{id}@{model}' --scores judge.jsonl -o pool
INSERT INTO refusal
SELECT NULL, NULL, 'say where the scores are: --scores FILE (CSV or JSONL with custom_id and a number)'
WHERE option('scores') IS NULL;
CREATE TEMP VIEW template AS SELECT coalesce(option('ids'), '{id}') AS text;
INSERT INTO refusal
SELECT NULL, NULL, printf('--ids "%s": it must have {id}, may have {model}, {task} and {repeat}, each once, with a'
  || ' text between two of them, such as "{id}@{model}"', text)
FROM (SELECT *, without(text, '\{(id|model|task|repeat)\}', char(1)) AS marks FROM template)
WHERE text NOT GLOB '*{id}*' OR instr(marks, '{') OR instr(marks, char(1, 1)) OR text GLOB '*{id}*{id}*'
  OR text GLOB '*{model}*{model}*'
  OR text GLOB '*{task}*{task}*' OR text GLOB '*{repeat}*{repeat}*';
CREATE TEMP TABLE asked AS   -- the user's turns; a model where it is the only one that was asked
SELECT id, max(prompt) AS prompt, iif(count(DISTINCT model) = 1 AND count(model) = count(*), max(model), NULL) AS model,
  count(DISTINCT prompt) AS prompts, file, max(line) AS line, count(prompt) < count(*) AS is_blank
FROM (SELECT file, line, custom_id ->> '$' AS id, body ->> '$.model' AS model,
        coalesce(nullif(turns(body -> '$.messages', 'user'), ''), nullif(turns(body -> '$.input', 'user'), ''),
                 nullif(turns(body -> '$.prompt', 'user'), '')) AS prompt FROM request WHERE body IS NOT NULL)
                   GROUP BY id;
CREATE INDEX asked_id ON asked(id);
INSERT INTO refusal SELECT file, line, CASE WHEN id IS NULL THEN 'a request without a "custom_id"'
  WHEN is_blank THEN printf('request "%s" has no text in "messages", "input" or "prompt"', id)
  ELSE printf('custom_id "%s" had another prompt before; give the requests of one of the two', id) END
FROM asked WHERE id IS NULL OR is_blank OR prompts > 1;
INSERT INTO refusal SELECT option('requests'), 0, 'no requests there, lines with "custom_id" and "body"'
WHERE option('requests') IS NOT NULL AND NOT EXISTS (SELECT 1 FROM asked);
CREATE TEMP TABLE mark AS SELECT file, line, nr, file GLOB '*.[ct]sv*' AS is_csv, record FROM scored;
CREATE TEMP TABLE body AS   -- of outputs (1), and of a judge's (0); a refusal in words is an answer, too
SELECT own, file, line, nr, custom_id, model, is_error,
  iif(is_error, NULL, coalesce(said, nullif(refused, ''), '')) AS said,
  CASE WHEN is_error OR finish = 'content_filter' OR reason = 'content_filter' THEN 'failed'
    WHEN coalesce(said, nullif(refused, '')) IS NULL AND nullif(calls, 'null') IS NULL THEN 'failed'
    WHEN finish = 'length' OR reason = 'max_output_tokens' THEN 'truncated' ELSE 'ok' END AS status, input, tokens, more
FROM (SELECT own, file, line, nr, custom_id ->> '$' AS custom_id, response ->> '$.body.model' AS model,
    concat_text(turns(response -> '$.body.choices[0].message.content', 'agent'),
      turns(response -> '$.body.output', 'agent'),
      response ->> '$.body.choices[0].text') AS said,
    response ->> '$.body.choices[0].message.refusal' AS refused,
      response -> '$.body.choices[0].message.tool_calls' AS calls,
    response ->> '$.body.choices[0].finish_reason' AS finish, response ->> '$.body.incomplete_details.reason' AS reason,
    nullif(error, 'null') IS NOT NULL OR nullif(response, 'null') IS NULL
      OR coalesce(response ->> '$.status_code', 200) >= 400
      AS is_error,
    coalesce(response -> '$.body.usage.prompt_tokens', response -> '$.body.usage.input_tokens') ->> '$' AS input,
    coalesce(response -> '$.body.usage.completion_tokens', response -> '$.body.usage.output_tokens') ->> '$' AS tokens,
    max(json_array_length(response, '$.body.choices') - 1, 0) AS more
  FROM (SELECT 1 AS own, file, line, nr, custom_id, response, error FROM line WHERE response IS NOT NULL
    OR error IS NOT NULL
        UNION ALL SELECT 0, file, line, nr, record -> '$.custom_id', record -> '$.response', record -> '$.error'
          FROM mark
        WHERE NOT is_csv AND json_type(record, '$.response') IS NOT NULL) LIMIT -1 OFFSET 0);
CREATE TEMP VIEW field AS
SELECT s.nr, f.key, f.type, f.value, f.id AS place, is_csv FROM mark s, json_each(s.record) f
WHERE is_csv OR json_type(s.record, '$.response') IS NULL
UNION ALL SELECT s.nr, f.key, f.type, f.value, 1000 + f.id, 0 FROM mark s, json_each(s.record, '$.scores') f
WHERE NOT is_csv AND json_type(s.record, '$.response') IS NULL
  AND json_type(s.record, '$.scores') = 'object';
CREATE TEMP TABLE cell AS   -- of rows of scores; `value` is NULL of a text
SELECT nr, key AS metric, x AS value, value AS text, place FROM (SELECT *, number(value) AS x FROM field LIMIT -1 OFFSET 0)
WHERE key NOT IN ('custom_id', 'model', 'agent') AND iif(is_csv, x IS NOT NULL
    OR (trim(value, char(9, 32)) <> '' AND lower(trim(value)) NOT IN ('na', 'n/a', 'nan', 'null', 'none', '<na>', '#n/a',
      '-', '--', '—')), type IN ('integer', 'real', 'true', 'false'));
CREATE TEMP TABLE kind AS SELECT metric, value IS NOT NULL AS is_score, min(nr) FROM cell GROUP BY metric;
CREATE TEMP TABLE row AS   -- a row of scores; without a model it is of whoever answered
SELECT s.file, s.line, s.nr, record ->> '$.custom_id' AS id,
  iif(b.nr IS NULL, coalesce(nullif(record ->> '$.model', ''), nullif(record ->> '$.agent', '')), NULL) AS model, b.said
FROM mark s LEFT JOIN body b ON NOT b.own AND b.nr = s.nr;
INSERT INTO refusal SELECT file, line, '"custom_id" must be a text, and is not there' FROM row
  WHERE coalesce(id, '') = '';
INSERT INTO refusal SELECT file, max(line), iif(model IS NULL,
  printf('custom_id "%s" has scores before; add a column "model" where two models answered', id),
  printf('custom_id "%s" has scores before, of the same model; leave one of the two out', id)) FROM row GROUP BY id,
    model HAVING count(*) > 1;
INSERT INTO refusal SELECT file, line, printf('"%s" is "%s", and a number above; write a number or leave it empty',
  metric, text)
FROM cell JOIN kind USING (metric) JOIN row USING (nr) WHERE is_score AND value IS NULL;
CREATE INDEX row_id ON row(id, model);
CREATE TEMP TABLE given AS
SELECT r.rowid AS row, metric, value, place FROM cell c JOIN kind USING (metric) JOIN row r ON r.nr = c.nr
WHERE is_score
UNION ALL SELECT r.rowid, f.key, f.value, f.id FROM row r, json_each(verdict(coalesce(said, ''))) f
  WHERE said IS NOT NULL;
CREATE INDEX given_row ON given(row);
INSERT INTO refusal SELECT option('scores'), 0, 'no scores; a row has "custom_id" and a number in another column'
WHERE NOT EXISTS (SELECT 1 FROM given) AND option('scores') IS NOT NULL;
CREATE TEMP TABLE whose AS   -- by its id, the file's name, the body, of what failed the line before, or the request
WITH own AS (SELECT b.rowid AS n, b.file, b.line, custom_id, part(custom_id, t.text, 'id') AS id,
  part(custom_id, t.text, 'task') AS task,
    part(custom_id, t.text, 'repeat') AS draw, part(custom_id, t.text, 'model') AS said_model, model, status,
    count(model) OVER (PARTITION BY b.file ORDER BY nr) AS run FROM body b, template t WHERE own)
SELECT o.n, o.file, o.line, custom_id, o.id, task, draw, status, r.prompt,
  coalesce(said_model, iif(option('by-file') IS NOT NULL, stem(o.file),
    coalesce(o.model, first_value(o.model) OVER (PARTITION BY o.file, run ORDER BY n), r.model))) AS agent
FROM own o LEFT JOIN asked r ON r.id = o.custom_id;
INSERT INTO refusal SELECT file, line, CASE WHEN custom_id IS NULL THEN '"custom_id" must be a text, and is not there'
  WHEN id IS NULL THEN printf('custom_id "%s" is not made as --ids "%s" says', custom_id,
    coalesce(option('ids'), '{id}'))
  WHEN draw GLOB '*[^0-9]*' OR length(draw) > 9 THEN printf('{repeat} is "%s"; it must be a whole number', draw)
  ELSE printf('custom_id "%s" is not among the requests of %s', custom_id, option('requests')) END
FROM whose WHERE NOT EXISTS (SELECT 1 FROM refusal WHERE file IS NULL)
  AND (id IS NULL OR draw GLOB '*[^0-9]*' OR length(draw) > 9
  OR (agent IS NOT NULL AND prompt IS NULL AND option('requests') IS NOT NULL));
CREATE TEMP TABLE used AS   -- the row of scores of an answer: of its model, or of any
SELECT n, agent, custom_id, r.rowid AS row, r.model IS NULL AS is_of_any, w.file, w.line
FROM (SELECT w.*, coalesce((SELECT rowid FROM row r WHERE r.id = custom_id AND r.model = agent),
                           (SELECT rowid FROM row r WHERE r.id = custom_id AND r.model IS NULL)) AS k
                             FROM whose w) w JOIN row r ON r.rowid = k
WHERE wanted(task, agent);
CREATE INDEX used_n ON used(n);
CREATE TEMP TABLE price_of AS
SELECT file, line, model ->> '$' AS model, number(input ->> '$') AS input, number(output ->> '$') AS output FROM price;
INSERT INTO refusal SELECT file, max(line), iif(count(*) > 1, printf('model "%s" has a price before', model),
  printf('prices of "%s" must be numbers of 0 or more', model)) FROM price_of
GROUP BY model HAVING count(*) > 1 OR coalesce(min(input, output), -1) < 0;
INSERT INTO refusal
SELECT NULL, NULL, printf('%s has no price of model "%s"; add a line, or leave the model out with --agent',
  option('prices'), min(agent)) FROM whose
WHERE option('prices') IS NOT NULL AND status <> 'failed' AND agent NOT IN (SELECT model FROM price_of)
  AND wanted(task, agent)
HAVING count(*) > 0;
INSERT INTO answer(file, line, nr, task, id, content, agent, draw, prompt, output, scores, cost, status)
SELECT w.file, w.line, b.nr, task, w.id, prompt, agent, coalesce(CAST(draw AS INTEGER), 0), coalesce(prompt, w.id),
  said,
  (SELECT scores(metric, value, place) FROM given g WHERE g.row = (SELECT row FROM used u WHERE u.n = w.n)),
  CASE WHEN w.status = 'failed' OR min(b.input, tokens) < 0 THEN NULL
    WHEN option('prices') IS NULL THEN b.input + tokens
    ELSE (SELECT (b.input * p.input + tokens * p.output) / 1e6 FROM price_of p WHERE p.model = agent) END, w.status
FROM whose w JOIN body b ON b.rowid = w.n WHERE agent IS NOT NULL;
INSERT INTO note SELECT file, line, iif(status = 'failed', 'failed lines of which nobody knows the model (--requests)',
  'answers of which nobody knows the model (--by-file, or {model} in --ids)'), 1 FROM whose WHERE agent IS NULL;
INSERT INTO refusal
SELECT file, line, 'has neither "response" nor "error"; is it a line of a batch output? Scores go with --scores'
FROM line WHERE response IS NULL AND error IS NULL AND nullif(body, 'null') IS NULL;
INSERT INTO note SELECT file, line, 'requests among the outputs (--requests reads them)', 1 FROM line
WHERE response IS NULL AND error IS NULL AND nullif(body, 'null') IS NOT NULL;
INSERT INTO refusal SELECT NULL, NULL, 'no outputs of a batch: a .jsonl with "custom_id" and "response" on each line'
WHERE NOT EXISTS (SELECT 1 FROM line);
INSERT INTO refusal
SELECT file, max(line), printf('"%s" and "%s" answered "%s", and its scores do not say which of them they are of'
  || '; add a column "model" to --scores', min(agent), max(agent), custom_id)
FROM used WHERE is_of_any AND NOT EXISTS (SELECT 1 FROM refusal) GROUP BY row HAVING min(agent) < max(agent);
INSERT INTO note SELECT NULL, NULL, what, n FROM (
  SELECT 'further choices, which have no score of their own' AS what, sum(more) AS n
    FROM body b JOIN whose w ON w.n = b.rowid
  WHERE agent IS NOT NULL
  UNION ALL SELECT 'rows of scores that are of no answer', count(*) FROM row WHERE rowid NOT IN (SELECT row FROM used)
  UNION ALL SELECT 'columns of scores that hold no numbers', count(*) FROM kind WHERE NOT is_score
  UNION ALL SELECT 'outputs of the judge without a score', count(*) FROM body WHERE NOT own
    AND (said IS NULL OR verdict(said) IS NULL))
WHERE n > 0;

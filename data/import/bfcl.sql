-- title:   Berkeley Function Calling Leaderboard: result/MODEL/**/*_result.json and score/MODEL/**/*_score.json
-- docs:    https://github.com/ShishirPatil/gorilla (berkeley-function-call-leaderboard), BFCL v3 and v4
-- card:    A test is a context, its category the tag, a model an agent. A score file names the tests that failed; what
--          else its model has a result of is correct. Costs are numbers of tokens of one turn.
-- example: regret import bfcl bfcl_run --questions BFCL_v3_simple.json -o bfcl
-- source made:   jsonl('result/**/*_result.json') of id, result, input_token_count, output_token_count
-- source failed: jsonl('score/**/*_score.json') of id, valid, accuracy, prompt without function, tools
-- source asked:  jsonl(--questions) of id, question
-- option questions PATH: the tests, a file or a folder of them, for their texts (default: those of failed tests, or ids)
-- detect:  SELECT 1 FROM made, failed
-- every made
CREATE TEMP TABLE question AS   -- turns of turns
SELECT id, max(text) AS text FROM (SELECT plain(id) AS id, (SELECT group_concat(turns(t.value, 'user'), char(10) || char(10))
    FROM json_each(question) t) AS text FROM asked UNION ALL
  SELECT plain(id), (SELECT group_concat(turns(t.value, 'user'), char(10) || char(10)) FROM json_each(prompt, '$.question') t)
    FROM failed WHERE id IS NOT NULL) GROUP BY id;
CREATE INDEX question_id ON question(id);
CREATE TEMP TABLE verdict AS
SELECT file, line, capture(file, '(^|/)score/([^/]*)/', 2) AS model, capture(stem(file), '^(BFCL_v[0-9]+_)?(.*)_score$', 2) AS kind,
  plain(id) AS id, accuracy IS NOT NULL AND id IS NULL AS is_head, coalesce(valid, 'false') AS valid FROM failed;
CREATE INDEX verdict_id ON verdict(model, kind, id);
INSERT INTO answer(file, line, task, id, agent, run, prompt, output, scores, main, cost, status)
SELECT file, line, kind, m.id, model, 'one', coalesce(text, m.id), plain(result), (SELECT scores(column1, column2, 0) FROM (VALUES
    ('valid', NOT EXISTS (SELECT 1 FROM verdict v WHERE v.model = m.model AND v.kind = m.kind AND v.id = m.id AND valid = 'false')))),
  'valid', iif(json_type(input) IN ('integer', 'real'), number(input) + number(output), NULL),
  CASE WHEN NOT EXISTS (SELECT 1 FROM verdict v WHERE v.model = m.model AND v.kind = m.kind AND is_head)
    THEN 'out: results of which there is no score file' WHEN plain(result) GLOB 'Error during inference*' THEN 'failed' ELSE 'ok' END
FROM (SELECT file, line, plain(id) AS id, capture(file, '(^|/)result/([^/]*)/', 2) AS model, result, input_token_count AS input,
    output_token_count AS output, capture(stem(file), '^(BFCL_v[0-9]+_)?(.*)_result$', 2) AS kind FROM made) m
LEFT JOIN question q ON q.id = m.id;
INSERT INTO metric VALUES ('valid', 0, 1, 0);

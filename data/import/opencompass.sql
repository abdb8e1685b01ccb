-- title:   OpenCompass: outputs/NAME/TIME, results/MODEL/DATASET.json with details, predictions/MODEL/DATASET.json
-- docs:    https://github.com/open-compass/opencompass, 0.2 to 0.5, run with --dump-eval-details
-- card:    A record of a data set is a context, its data set the tag, a model an agent, called by its folder.
-- example: regret import opencompass outputs/default/20250101_120000 --task 'gsm8k*' -o compass
-- source result: json('results/*/*.json')
-- source said:   json('predictions/*/*.json')
-- detect:  SELECT 1 FROM result WHERE document -> '$.details' IS NOT NULL
CREATE TEMP TABLE judged AS   -- details of an evaluator may be a list, those of --dump-eval-details are an object
SELECT file, d.id AS nr, folder(folder(folder(file))) AS run, stem(folder(file), '') AS model, stem(file, '.json') AS dataset,
  d.key AS id, coalesce(d.value -> '$.correct', d.value -> '$.is_correct', d.value -> '$.score') AS correct, d.value -> '$.prompt' AS prompt,
  coalesce(d.value -> '$.origin_prediction', d.value -> '$.pred') AS output,
  coalesce(d.value -> '$.references', d.value -> '$.answer') AS reference
FROM result, json_each(document, '$.details') d WHERE d.type = 'object';
CREATE TEMP TABLE predicted AS
SELECT folder(folder(folder(file))) AS run, stem(folder(file), '') AS model, stem(file, '.json') AS dataset, p.key AS id,
  p.value -> '$.origin_prompt' AS prompt, p.value -> '$.prediction' AS output, p.value -> '$.gold' AS reference
FROM said, json_each(document) p WHERE p.type = 'object';
CREATE INDEX predicted_id ON predicted(run, model, dataset, id);
CREATE TEMP TABLE picked AS   -- a prompt is a text, or turns of which HUMAN's and the last are the request
SELECT j.file, j.nr, j.run, j.model, j.dataset, j.id, j.correct, coalesce(j.prompt, p.prompt) AS prompt,
  iif(json_type(j.output) = 'object', NULL, coalesce(p.output, j.output)) AS output, coalesce(j.reference, p.reference) AS reference
FROM judged j LEFT JOIN predicted p ON p.run = j.run AND p.model = j.model AND p.dataset = j.dataset AND p.id = +j.id;
INSERT INTO answer(file, line, nr, task, id, agent, run, prompt, output, reference, scores, main)
SELECT file, 0, nr, dataset, id, model, run, coalesce(iif(json_type(prompt) = 'array', (SELECT group_concat(t.value ->> '$.prompt',
    char(10) || char(10)) FROM json_each(prompt) t WHERE t.value ->> '$.role' IS NOT 'BOT'), plain(prompt)), dataset || ':' || id),
  plain(output), plain(reference), (SELECT scores(column1, column2, 0) FROM (VALUES ('correct',
    coalesce(number(correct), iif(json_type(correct) = 'array', (SELECT avg(number(c.value)) FROM json_each(correct) c), NULL))))),
  'correct' FROM picked;
INSERT INTO note SELECT file, 0, 'results without details (run the evaluation with --dump-eval-details)', 1 FROM result
WHERE document -> '$.details' IS NULL;
INSERT INTO metric VALUES ('correct', 0, 1, 0);

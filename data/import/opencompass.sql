-- title:   OpenCompass: outputs/NAME/TIME, results/MODEL/DATASET.json with details, predictions/MODEL/DATASET.json
-- docs:    https://github.com/open-compass/opencompass, 0.2 to 0.5, run with --dump-eval-details
-- card:    A record of a data set is a context, its data set the tag, a model an agent, called by its folder.
-- example: regret import opencompass outputs/default/20250101_120000 --task 'gsm8k*' -o compass
-- source detail: list('results/*/*.json', '$.details.*')
-- source listed: list('results/*/*.json', '$.details')
-- source said:   list('predictions/*/*.json', '$.*')
-- detect:  SELECT 1 FROM detail WHERE record -> '$.value.correct' IS NOT NULL
CREATE TEMP TABLE judged AS   -- members of --dump-eval-details; of an evaluator's own a list, told by its places
SELECT file, line, nr, folder(folder(folder(file))) AS run, stem(folder(file), '') AS model, stem(file, '.json') AS dataset, id, value
FROM (SELECT file, line, nr, record ->> '$.key' AS id, record -> '$.value' AS value FROM detail WHERE record ->> '$.key' <> 'type'
  UNION ALL SELECT file, line, nr, (nr - min(nr) OVER (PARTITION BY file)) || '', record FROM listed);
CREATE TEMP TABLE predicted AS
SELECT folder(folder(folder(file))) AS run, stem(folder(file), '') AS model, stem(file, '.json') AS dataset,
  record ->> '$.key' AS id, record -> '$.value.origin_prompt' AS prompt, record -> '$.value.prediction' AS output,
  record -> '$.value.gold' AS reference FROM said;
CREATE INDEX predicted_id ON predicted(run, model, dataset, id);
CREATE TEMP TABLE picked AS   -- a prompt is a text, or turns, of which those that are not the model's are the request
SELECT j.file, j.line, j.nr, j.run, j.model, j.dataset, j.id, coalesce(value -> '$.correct', value -> '$.is_correct') AS correct,
  coalesce(value -> '$.prompt', p.prompt) AS prompt, coalesce(p.output, value -> '$.origin_prediction', value -> '$.pred') AS output,
  coalesce(value -> '$.references', value -> '$.answer', p.reference) AS reference
FROM judged j LEFT JOIN predicted p ON p.run = j.run AND p.model = j.model AND p.dataset = j.dataset AND p.id = j.id;
INSERT INTO answer(file, line, nr, task, id, agent, run, prompt, output, reference, scores, main)
SELECT file, line, nr, dataset, id, model, run, coalesce(iif(json_type(prompt) = 'array', (SELECT group_concat(t.value ->> '$.prompt',
    char(10) || char(10)) FROM json_each(prompt) t WHERE t.type = 'object' AND t.value ->> '$.role' IS NOT 'BOT'), plain(prompt)), dataset || ':' || id),
  plain(output), plain(reference), (SELECT scores(column1, column2, 0) FROM (VALUES ('correct', coalesce(number(correct),
    iif(json_type(correct) = 'array', (SELECT avg(number(c.value)) FROM json_each(correct) c), NULL))))), 'correct' FROM picked;
INSERT INTO note SELECT file, 0, 'results without details (run the evaluation with --dump-eval-details)', 1 FROM detail_head
WHERE file NOT IN (SELECT file FROM judged);
INSERT INTO metric VALUES ('correct', 0, 1, 0);

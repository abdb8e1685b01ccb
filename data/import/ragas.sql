-- title:   ragas: results of evaluate() or an experiment as a table, a file a pipeline (to_pandas().to_csv, .to_json)
-- docs:    https://docs.ragas.io, ragas 0.1 to 0.4
-- card:    A question is a context, a file an agent, called by its name, or what its column model, pipeline or experiment_name
--          says. Every column of numbers from 0 to 1 is a metric; that of --metric counts.
-- example: regret import ragas naive.csv rerank.csv -m faithfulness -o rag
-- source result: rows('*.csv|*.jsonl|*.json')
-- detect:  SELECT 1 FROM result WHERE (record -> '$.user_input' IS NOT NULL OR record -> '$.ground_truth' IS NOT NULL)
--            AND (record -> '$.faithfulness' IS NOT NULL OR record -> '$.answer_relevancy' IS NOT NULL)
-- every result
CREATE TEMP TABLE picked AS
SELECT file, line, nr, coalesce(nullif(turns(record -> '$.user_input', 'user'), ''), plain(record -> '$.question')) AS input,
  coalesce(plain(record -> '$.response'), plain(record -> '$.answer')) AS output,
  coalesce(plain(record -> '$.reference'), plain(record -> '$.ground_truth')) AS reference,
  coalesce(record ->> '$.experiment_name', record ->> '$.pipeline', record ->> '$.model', stem(file)) AS agent, record FROM result;
INSERT INTO refusal SELECT file, line, 'has neither "user_input" nor "question"' FROM picked WHERE input IS NULL;
CREATE TEMP TABLE score AS   -- of CSV all are texts
SELECT p.file, p.line, p.nr, f.key AS name, number(f.value) AS value, f.id AS place FROM picked p, json_each(p.record) f
WHERE f.type IN ('integer', 'real') OR (f.type = 'text' AND f.value GLOB '[-0-9.]*' AND number(f.value) IS NOT NULL
  AND f.key NOT IN ('question', 'user_input', 'answer', 'response', 'reference', 'ground_truth', 'id', 'index', ''));
CREATE INDEX score_at ON score(file, line, nr);
INSERT INTO answer(file, line, nr, id, content, agent, run, draw, prompt, output, reference, scores, status)
SELECT file, line, nr, hash(input), input, agent, file, row_number() OVER (PARTITION BY file, agent, input ORDER BY line, nr) - 1, input,
  output, reference, (SELECT scores(name, value, place) FROM score s WHERE s.file = p.file AND s.line = p.line AND s.nr = p.nr),
  iif(output IS NULL, 'failed', 'ok') FROM picked p;
INSERT INTO metric SELECT name, 0, 1, 0 FROM score GROUP BY name HAVING min(value) >= 0 AND max(value) <= 1;

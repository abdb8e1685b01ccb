-- title:   LLMRouterBench's results: bench/DATASET/SPLIT/MODEL/*.json, records of a model on a data set
-- docs:    https://github.com/ynulihao/LLMRouterBench (arXiv 2601.07206), results of January 2026
-- card:    A record's query is a context, its data set the tag, a model an agent. Of two results of a model on a data set
--          the one with the later time in its name counts. Costs are in dollars, where the model has a price.
-- example: regret import llm-router-bench results/bench --task aime --task bbh -o routed
-- source record: list('*.json', '$.records') of index, origin_query, prompt, prediction, ground_truth, score, cost
-- detect:  SELECT 1 FROM record_head WHERE document ->> '$.model_name' <> '' AND document ->> '$.dataset_name' <> ''
-- every record
CREATE TEMP TABLE result AS   -- a file each; demo: a trial of the harness
SELECT file, plain(document -> '$.model_name') AS model, plain(document -> '$.dataset_name') AS dataset,
  plain(document -> '$.split') AS split, document ->> '$.demo' AS is_demo, capture(file, '([0-9]{8}_[0-9]{6})') AS time
FROM record_head;
INSERT INTO refusal SELECT file, 0, 'has no "model_name" and "dataset_name"' FROM result WHERE model IS NULL OR dataset IS NULL;
CREATE TEMP TABLE latest AS SELECT file, max(coalesce(time, '')) AS time FROM result WHERE NOT coalesce(is_demo, 0)
GROUP BY model, dataset, split;
CREATE TEMP TABLE several AS SELECT dataset FROM result GROUP BY dataset HAVING count(DISTINCT split) > 1;
INSERT INTO answer(file, line, nr, task, id, content, agent, run, prompt, output, reference, scores, main, cost, status)
SELECT r.file, r.line, r.nr, t.dataset || iif(t.dataset IN several, '/' || t.split, ''), plain("index"),
  plain(coalesce(nullif(origin_query, 'null'), r.prompt)), model, r.file, plain(coalesce(nullif(origin_query, 'null'),
    r.prompt)), plain(prediction), plain(ground_truth),
  (SELECT scores(column1, column2, 0) FROM (VALUES ('score', number(r.score)))), 'score', number(r.cost),
  CASE WHEN is_demo THEN 'out: records of a demo' WHEN r.file NOT IN (SELECT file FROM latest)
    THEN 'out: records of an earlier result of the model' WHEN number(r.score) IS NULL THEN 'failed' ELSE 'ok' END
FROM record r JOIN result t ON t.file = r.file;

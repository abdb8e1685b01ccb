-- title:   DeepEval: test runs, a file a model or a setting (.deepeval/.latest_test_run.json, DEEPEVAL_RESULTS_FOLDER)
-- docs:    https://deepeval.com/docs/evaluation-flags-and-configs, DeepEval 1 to 3
-- card:    A test case is a context, told by its input; a test run is an agent, called by the hyperparameter "model" where
--          that tells runs apart, else by its file. Scores are those of its metrics. Costs are of evaluation: not kept.
-- example: regret import deepeval results -m 'Answer Relevancy' -o cases
-- source case: list('*.json', '$.testRunData.testCases|$.testCases|$.test_cases')
-- detect:  SELECT 1 FROM case_head WHERE coalesce(document ->> '$.testRunData.metricsScores', document ->> '$.metricsScores') <> ''
-- every case
CREATE TEMP TABLE run AS
SELECT file, coalesce(document ->> '$.testRunData.hyperparameters.model', document ->> '$.hyperparameters.model') AS model
FROM case_head;
CREATE TEMP TABLE named AS SELECT file, iif(model IS NULL OR count(*) OVER (PARTITION BY model) > 1, stem(file, '.json'), model) AS agent
FROM run;
CREATE TEMP TABLE picked AS
SELECT file, line, nr, plain(record -> '$.input') AS input, coalesce(plain(record -> '$.actualOutput'),
    plain(record -> '$.actual_output')) AS output, coalesce(plain(record -> '$.expectedOutput'),
    plain(record -> '$.expected_output')) AS reference, coalesce(record -> '$.metricsData', record -> '$.metrics_data') AS metrics
FROM "case";
INSERT INTO note SELECT file, line, 'test cases of conversations, which have no one input', 1 FROM picked WHERE input IS NULL;
INSERT INTO answer(file, line, nr, id, content, agent, run, draw, prompt, output, reference, scores, status)
SELECT p.file, line, nr, hash(input), input, agent, p.file, row_number() OVER (PARTITION BY p.file, input ORDER BY line, nr) - 1, input,
  output, reference, (SELECT scores(s.value ->> '$.name', s.value ->> '$.score', s.key) FROM json_each(metrics) s
    WHERE s.type = 'object'),
  iif(output IS NULL, 'failed', 'ok') FROM picked p JOIN named n ON n.file = p.file WHERE input IS NOT NULL;
INSERT INTO metric SELECT DISTINCT s.value ->> '$.name', 0, 1, 0 FROM picked, json_each(metrics) s WHERE s.type = 'object';

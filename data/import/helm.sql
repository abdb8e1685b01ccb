-- title: runs of HELM: folders with scenario_state.json and per_instance_stats.json
-- docs: HELM 0.2 to 0.5
-- source state: list('scenario_state.json', '$.request_states') of instance, train_trial_index, reference_index,
--   request_mode, output_mapping, result without tokens, embedding
-- source instance: list('per_instance_stats.json', '$') of instance_id, train_trial_index, perturbation, stats
-- source spec: json('run_spec.json') of name
-- source known: rows(@helm-metrics.csv) of what, scenario, metric
-- source price: rows(--prices) of model, input, output
-- option prices CSV: a table of the columns model, input and output: prices of a million tokens
-- card: Contexts are instances that nobody perturbed, tagged by their scenario with its arguments; agents are models.
--   Trials with other examples in the prompt are draws. The main metric is the one that HELM's tables show of the
--   scenario. The cost of an agent is the mean of its answers' tokens, or of what they cost where prices were given.
-- example: regret import helm benchmark_output/runs/v1 -o helm --dry-run
-- example: regret import helm benchmark_output/runs/v1 -o mmlu -t 'mmlu:*' -m exact_match
CREATE TEMP TABLE rule AS   -- of HELM's schemas; the first of a scenario that a run has is its main metric
SELECT nr, what ->> '$' AS what, scenario ->> '$' AS scenario, metric ->> '$' AS metric FROM known;
CREATE TEMP TABLE run AS   -- "mmlu:subject=anatomy" of "mmlu:subject=anatomy,model=openai_davinci"
WITH named AS (
  SELECT h.file, folder(h.file) AS run, document -> '$.adapter_spec' AS adapter,
    coalesce((SELECT s.document ->> '$.name' FROM spec s WHERE folder(s.file) = folder(h.file)),
      stem(folder(h.file), '')) AS name
  FROM state_head h),
tasks AS (
  SELECT *, capture(name, '^([^:]*)') || coalesce(':' || nullif(trim(without(capture(name, ':(.*)'),
    '(^|,)(model|model_deployment)=[^,]*'), ','), ''), '') AS task FROM named)
SELECT file, run, task, capture(task, '^([^:,]*)') AS scenario, adapter ->> '$.model' AS agent,
  adapter ->> '$.method' AS method
FROM tasks;
INSERT INTO refusal SELECT file, 0, '"adapter_spec" with a "model" must stand before "request_states"' FROM run
  WHERE agent IS NULL;
CREATE TEMP TABLE stat AS
SELECT folder(file) AS run, file, line, nr, instance_id ->> '$' AS id, coalesce(train_trial_index ->> '$', 0) AS trial,
  s.value ->> '$.name.name' AS metric, s.value ->> '$.mean' AS mean
FROM instance, json_each(stats) s
WHERE coalesce(perturbation, 'null') = 'null' AND s.value ->> '$.name.perturbation' IS NULL
  AND json_type(s.value, '$.mean') IN ('integer', 'real');
CREATE INDEX stat_of ON stat(run, id, trial, metric, mean);
CREATE TEMP TABLE told AS   -- the metrics of runs
SELECT m.run, metric, first, (SELECT min(nr) FROM rule r
  WHERE what = 'main' AND n.scenario GLOB r.scenario AND r.metric = m.metric) AS rank
FROM (SELECT run, metric, min(rowid) AS first FROM stat GROUP BY run, metric) m JOIN run n USING (run)
WHERE NOT EXISTS (SELECT 1 FROM rule r WHERE what = 'bookkeeping' AND m.metric GLOB r.metric);
INSERT INTO refusal
SELECT file, line, printf('instance "%s" has %s %.6g and %.6g: take one of the two out', id, metric, least, most)
FROM (SELECT min(mean) AS least, max(mean) AS most, max(rowid) AS last FROM stat GROUP BY run, id, trial, metric
  HAVING least < most) d
JOIN stat s ON s.rowid = d.last WHERE (run, metric) IN (SELECT run, metric FROM told);
CREATE TEMP TABLE main AS
SELECT run, metric FROM told GROUP BY run HAVING count(*) = 1 OR (min(rank) IS NOT NULL AND rank = min(rank));
INSERT INTO refusal
SELECT file, 0, printf('which metric of scenario "%s" counts is not known; say it by --metric; there are: %s', task,
  coalesce((SELECT group_concat(metric, ', ') FROM (SELECT metric FROM told t WHERE t.run = r.run ORDER BY first)),
    'none'))
FROM run r WHERE option('metric') IS NULL AND wanted(task, agent) AND run NOT IN (SELECT run FROM main)
  AND run IN (SELECT run FROM stat);
INSERT INTO refusal
SELECT file, 0, 'no statistics of instances stand beside it; let HELM finish the run, or take it away'
FROM run WHERE wanted(task, agent) AND run NOT IN (SELECT run FROM stat);
INSERT INTO refusal
SELECT file, line, 'no scenario_state.json stands beside it; let HELM finish the run, or take it away'
FROM stat WHERE run NOT IN (SELECT folder(file) FROM state_head) GROUP BY run;
CREATE TEMP TABLE price_of AS
SELECT file, line, model ->> '$' AS model, number(input ->> '$') AS input, number(output ->> '$') AS output FROM price;
INSERT INTO refusal SELECT file, max(line), iif(count(*) > 1, printf('model "%s" has a price before', model),
  printf('prices of "%s" must be numbers of 0 or more', model)) FROM price_of
GROUP BY model HAVING count(*) > 1 OR coalesce(min(input, output), -1) < 0;
CREATE TEMP VIEW picked AS
SELECT s.file, line, nr, r.run, task, agent, instance ->> '$.id' AS id, coalesce(train_trial_index ->> '$', 0) AS trial,
  coalesce(instance ->> '$.input.text', iif(json_type(instance, '$.input') = 'text', instance ->> '$.input', NULL))
    || coalesce((SELECT group_concat(char(10) || key || '. ' || value, '') FROM json_each(output_mapping)
      WHERE type = 'text'), '')
    AS prompt,
  result -> '$.completions[0]' AS said, instance, reference_index ->> '$' AS option_index, request_mode ->> '$' AS mode,
    method, result
FROM state s CROSS JOIN run r WHERE r.run = folder(s.file) LIMIT -1;   -- each is made once
INSERT INTO answer(file, line, nr, task, id, content, agent, run, draw, prompt, output, reference, scores, main, cost,
  status)
SELECT file, line, nr, task, id, prompt, agent, p.run, trial, prompt, said ->> '$.text',
  (SELECT json_group_array(coalesce(o.value ->> '$.output.text', o.value ->> '$.output', ''))
    FROM json_each(instance, '$.references') o
   WHERE EXISTS (SELECT 1 FROM json_each(o.value, '$.tags') t WHERE t.value = 'correct')),
  (SELECT scores(metric, mean, s.rowid) FROM stat s WHERE s.run = p.run AND s.id = p.id AND s.trial = p.trial
   AND iif(option('metric') IS NULL, metric = m.metric, metric IN (SELECT metric FROM told))), m.metric,
  (SELECT CASE WHEN o.mean = 0 AND coalesce(said ->> '$.text', '') <> '' THEN NULL
    WHEN option('prices') IS NULL THEN i.mean + o.mean
     ELSE (SELECT (i.mean * f.input + o.mean * f.output) / 1e6 FROM price_of f WHERE f.model = agent) END
   FROM stat i JOIN stat o USING (run, id, trial) WHERE i.run = p.run AND i.id = p.id AND i.trial = p.trial
     AND i.metric = 'num_prompt_tokens' AND o.metric = 'num_output_tokens' LIMIT 1),
  CASE WHEN json_type(instance, '$.perturbation') <> 'null' THEN 'out: requests of perturbed instances'
    WHEN mode = 'calibration' THEN 'out: requests that calibrate'
    WHEN method GLOB 'multiple_choice_separate_*' AND option_index <> (SELECT mean FROM stat t WHERE t.run = p.run
      AND t.id = p.id
      AND t.trial = p.trial AND metric = 'predicted_index' LIMIT 1)
      THEN 'out: requests about options that were not chosen'
    WHEN said IS NULL OR result -> '$.success' = 'false' OR json_type(result, '$.error') = 'text' THEN 'failed'
    WHEN said ->> '$.finish_reason.reason' = 'length' THEN 'truncated' ELSE 'ok' END
FROM picked p LEFT JOIN main m ON m.run = p.run;
INSERT INTO refusal SELECT file, line, iif(id IS NULL, '"instance" has no "id"',
  '"instance" has no "input" with a "text"')
FROM answer WHERE status NOT GLOB 'out: *' AND (id IS NULL OR prompt IS NULL);
INSERT INTO refusal
SELECT NULL, NULL, printf('%s has no price of model "%s"; add a line, or leave the model out with --agent',
  option('prices'), min(agent)) FROM run JOIN stat USING (run)
WHERE option('prices') IS NOT NULL AND metric = 'num_prompt_tokens' AND agent NOT IN (SELECT model FROM price_of)
  AND wanted(task, agent)
HAVING count(*) > 0;
INSERT INTO metric SELECT metric, iif(share, 0, NULL), iif(share, 1, NULL), lower FROM (SELECT metric,
  EXISTS (SELECT 1 FROM rule r WHERE what = 'share' AND m.metric GLOB r.metric) AS share,
  EXISTS (SELECT 1 FROM rule r WHERE what = 'lower' AND m.metric GLOB r.metric) AS lower
    FROM (SELECT DISTINCT metric FROM told) m);

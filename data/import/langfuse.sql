-- title:   Langfuse: exported traces or observations, with their scores
-- docs:    https://langfuse.com/docs/api-and-data-platform/features/export-from-ui, Langfuse 2 and 3 (JSON, JSONL, CSV)
-- card:    An input is a context, or the dataset item of metadata.item_id; an agent is the model, else metadata.model, else
--          the name of the trace. Scores of one name are one metric; categories are no numbers. Repeats are draws. Requests
--          that were answered once, by whom users or a router chose, are a log: read that by regret init --obs.
-- example: regret import langfuse export.jsonl -m helpfulness -o traces
-- source trace: rows('*.jsonl|*.json|*.csv')
-- detect:  SELECT 1 FROM trace WHERE json_type(record, '$.scores') = 'array' AND record -> '$.input' IS NOT NULL
-- every trace
CREATE TEMP TABLE picked AS
SELECT file, line, nr, coalesce(nullif(turns(coalesce(record -> '$.input.messages', record -> '$.input'), 'user'), ''),
    plain(record -> '$.input')) AS input, plain(record -> '$.metadata.item_id') AS item,
  coalesce(record ->> '$.model', record ->> '$.modelId', record ->> '$.metadata.model', record ->> '$.name') AS agent,
  coalesce(nullif(turns(record -> '$.output', 'agent'), ''), plain(record -> '$.output.content'), plain(record -> '$.output')) AS output,
  record -> '$.scores' AS scores, record ->> '$.level' AS level,
  coalesce(record ->> '$.totalCost', record ->> '$.calculatedTotalCost', record ->> '$.costDetails.total') AS cost
FROM trace;
INSERT INTO note SELECT file, line, 'records without an input', 1 FROM picked WHERE input IS NULL;
INSERT INTO refusal SELECT file, line, 'has neither "model" nor "name": whose answer is it?' FROM picked
WHERE agent IS NULL AND input IS NOT NULL;
INSERT INTO answer(file, line, nr, id, content, agent, draw, prompt, output, scores, cost, status)
SELECT file, line, nr, coalesce(item, hash(input)), input, agent, row_number() OVER (PARTITION BY agent, coalesce(item, input)
    ORDER BY met(file), line, nr) - 1, input, output,
  (SELECT scores(name, value, place) FROM (SELECT s.value ->> '$.name' AS name, avg(coalesce(number(s.value -> '$.value'),
      number(s.value -> '$.stringValue'))) AS value, min(s.key) AS place FROM json_each(scores) s
      WHERE s.type = 'object' GROUP BY 1)),
  number(cost), iif(level = 'ERROR' OR output IS NULL, 'failed', 'ok') FROM picked WHERE input IS NOT NULL;

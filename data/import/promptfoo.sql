-- title: results of promptfoo: results.json or .jsonl, or a folder of them
-- docs: 0.118 and 0.121; results of versions 2 and 3
-- source listed: list('*.json', '$.results.results|$.results') of prompt, provider, vars, testCase, response, cost,
--   score,
--   success, namedScores, failureReason
-- source lined: jsonl('*.jsonl') of prompt, provider, vars, testCase, response, cost, score, success, namedScores,
--   failureReason
-- card: Contexts are test cases; agents are providers, with a prompt where there are several. score is promptfoo's: the
--   mean of a test's assertions by their weights; success, 1 where all hold, and named scores can be kept beside it.
--   Repeats are draws. Costs are those that the results state. Errors of a provider are failed answers, assertions that
--   do not hold are not.
-- example: regret import promptfoo results.json -o mine --dry-run
-- example: regret import promptfoo results.json -o mine -m score -m success
INSERT INTO refusal
SELECT file, 0, printf('results of version %s; up to 3 can be read: write them anew with a promptfoo that'
  || ' writes that', version) FROM (SELECT file, coalesce(document ->> '$.results.version',
    iif(json_type(document, '$.results') IS NULL, document ->> '$.version', NULL)) AS version FROM listed_head)
      WHERE version > 3;
CREATE TEMP TABLE template AS   -- results before 0.96 have prompts as they were sent; a table may have templates
SELECT h.file, p.value ->> '$.raw' AS raw, p.value ->> '$.display' AS display, p.key AS place
FROM listed_head h, json_each(h.document, '$.results.table.head.prompts') p;
CREATE TEMP TABLE picked AS
SELECT file, line, nr, prompt ->> '$.raw' AS raw, prompt ->> '$.label' AS label, prompt ->> '$.display' AS display,
  iif(json_type(testCase, '$.vars') = 'object', testCase -> '$.vars', vars) AS vars,
  testCase ->> '$.description' AS description,
  coalesce(plain(testCase -> '$.description'), testCase -> '$.description', '') AS described,
    testCase -> '$.assert' AS assertions,
  coalesce(iif(json_type(provider) = 'text', provider ->> '$', nullif(provider ->> '$.label', '')), provider ->> '$.id')
    AS provider,
  plain(response -> '$.output') AS output, response ->> '$.error' AS error, response ->> '$.finishReason' AS finish,
  coalesce(cost ->> '$', response ->> '$.cost') AS cost, score ->> '$' AS score, success ->> '$' AS success,
  namedScores AS named, failureReason ->> '$' AS reason
FROM (SELECT * FROM listed UNION ALL SELECT * FROM lined);
CREATE TEMP TABLE result AS
SELECT *, row_number() OVER (ORDER BY met(file), line, nr) AS place, told IS NULL AS is_made,
  coalesce(told, unrender(raw, vars)) AS called
FROM (SELECT *, coalesce(label, nullif(display, raw),
    (SELECT t.raw FROM template t WHERE t.file = p.file
      AND render(t.raw, p.vars) = p.raw ORDER BY t.place LIMIT 1)) AS told,
    (SELECT count(*) FROM json_each(vars)) AS variables FROM picked p);
INSERT INTO refusal SELECT file, line, iif(called IS NULL, 'a result without a "prompt" that has a "label" or "raw"',
  'a result without a "provider" that has an "id"') FROM result WHERE called IS NULL OR provider IS NULL;
CREATE TEMP TABLE prompt AS
SELECT called, row_number() OVER (ORDER BY min(place)) AS number, count(*) OVER () AS prompts, sum(is_made) AS made
FROM result GROUP BY called;
INSERT INTO refusal
SELECT NULL, NULL, printf('%s: results do not say which prompts are one ("%s" stands in %d of them, of %d tests):'
  || ' write a "label" into the "prompt" of each, or the results anew with promptfoo 0.96 or later', file, called, made,
    tests)
FROM prompt, (SELECT min(file) AS file, count(DISTINCT vars) AS tests FROM result WHERE is_made)
WHERE prompts > 1 AND made > 0 AND 2 * made < tests;
INSERT INTO card SELECT 'prompt ' || number || ': ' || called FROM prompt WHERE prompts > 1 ORDER BY number;
CREATE TEMP VIEW test AS   -- a test is known by what it holds: its number is another one where tests are filtered
SELECT r.*, prompts, provider || CASE WHEN prompts = 1 THEN ''
    WHEN length(CAST(called AS BLOB)) <= 40 AND called NOT GLOB '*[' || char(10, 13) || ']*' THEN ' ' || called
    ELSE ' prompt ' || number END AS agent,
  hash(coalesce(vars, '') || char(10) || described || char(10)
    || iif(prompts = 1 OR variables > 0, coalesce(assertions, ''), '')
    || char(10)) AS id,
  coalesce(iif(prompts = 1, raw, NULL),
    (SELECT group_concat(iif(variables > 1, key || ': ', '') || coalesce(plain(member(vars, key)), 'null'), char(10))
      FROM json_each(vars)),
    nullif(description, ''), '(a prompt without variables)') AS asked
FROM result r JOIN prompt p USING (called);
INSERT INTO answer(file, line, nr, id, content, agent, run, draw, prompt, output, reference, scores, main, cost, status)
SELECT file, line, nr, id, asked, agent, file, row_number() OVER (PARTITION BY file, agent, id ORDER BY place) - 1,
  asked,
  coalesce(output, ''), (SELECT json_array(value ->> '$.value') FROM json_each(assertions)
    WHERE json_type(value, '$.value') = 'text'
    AND value ->> '$.type' IN ('equals', 'similar', 'factuality', 'model-graded-factuality', 'rouge-n', 'bleu', 'gleu',
      'meteor',
      'levenshtein') ORDER BY key LIMIT 1),
  (SELECT scores(name, iif(typeof(value) = 'text', NULL, value), place) FROM (
     SELECT 'score' AS name, score AS value, -2 AS place UNION ALL SELECT 'success', success, -1
     UNION ALL SELECT key, value, id FROM json_each(named) WHERE key NOT IN ('score', 'success'))),
  'score', iif(typeof(cost) = 'text', NULL, cost),
  CASE WHEN reason = 2 OR error IS NOT NULL OR output IS NULL THEN 'failed' WHEN finish = 'length' THEN 'truncated'
    ELSE 'ok' END
FROM test;
INSERT INTO metric VALUES ('score', 0, 1, 0), ('success', 0, 1, 0);
INSERT INTO note SELECT NULL, NULL, 'values of variable "' || key || '", which the prompt does not show', count(*)
FROM test, json_each(vars) v WHERE asked <> '' AND asked NOT GLOB '[[{]*'
  AND instr(asked, coalesce(plain(member(vars, key)), 'null')) = 0
GROUP BY key;
INSERT INTO refusal
SELECT NULL, NULL, 'no results of promptfoo: "results" must hold a list of them, as "promptfoo eval -o results.json"'
  || ' writes it' WHERE NOT EXISTS (SELECT 1 FROM picked UNION ALL SELECT 1 FROM refusal);

-- title:   EvalPlus: *eval_results.json of HumanEval+ and MBPP+, a file a model
-- docs:    https://github.com/evalplus/evalplus, 0.2 and 0.3 (lists of samples with base_status, plus_status)
-- card:    A problem is a context, HumanEval or Mbpp the tag, a file an agent, called by its name, or by its folder where
--          that is samples_eval_results.json. Samples are draws. plus: all tests pass, base: those of the original.
-- example: regret import evalplus evalplus_results --problems HumanEvalPlus.jsonl -o evalplus
-- source result:  list('*eval_results.json', '$.eval.*')
-- source problem: jsonl(--problems) of task_id, prompt
-- option problems JSONL: the problems, HumanEvalPlus.jsonl or MbppPlus.jsonl, for their prompts (default: their ids)
-- every result
-- detect:  SELECT 1 FROM result WHERE record ->> '$.value[0].base_status' <> ''
CREATE TEMP TABLE asked AS SELECT plain(task_id) AS id, max(plain(prompt)) AS prompt FROM problem GROUP BY plain(task_id);
CREATE INDEX asked_id ON asked(id);
CREATE TEMP TABLE picked AS
SELECT file, line, nr, id, draw, samples, sample ->> '$.solution' AS solution, sample ->> '$.base_status' AS base,
  sample ->> '$.plus_status' AS plus
FROM (SELECT r.*, s.key AS draw, iif(s.type = 'object', s.value, '{}') AS sample
  FROM (SELECT file, line, nr, record ->> '$.key' AS id, record -> '$.value' AS list,
    json_type(record, '$.value') AS samples FROM result) r
  LEFT JOIN json_each(iif(samples = 'array', list, '[]')) s);
INSERT INTO refusal
SELECT file, line, printf('"%.40s" has no list of samples: the file is of EvalPlus before 0.2', id) FROM picked
WHERE samples <> 'array';
INSERT INTO note SELECT file, line, 'problems without a sample', 1 FROM picked WHERE draw IS NULL;
INSERT INTO answer(file, line, nr, task, id, agent, run, draw, prompt, output, scores, main)
SELECT file, line, nr, capture(p.id, '^(.*)/[^/]*$'), coalesce(capture(p.id, '^.*/([^/]*)$'), p.id),
  iif(name IN ('', 'samples'), stem(folder(file), ''), name), file, draw, coalesce(a.prompt, p.id), solution,
  (SELECT scores(column1, column2, column3) FROM (VALUES
    ('plus', iif(plus IS NULL, NULL, coalesce(base, 'pass') = 'pass' AND plus = 'pass'), 1), ('base', base = 'pass', 2))),
  iif(plus IS NULL, 'base', 'plus')
FROM (SELECT *, without(stem(file, '.json'), '([-]sanitized)?[._-]?eval_results$') AS name FROM picked WHERE draw >= 0) p
LEFT JOIN asked a ON a.id = p.id;
INSERT INTO metric VALUES ('plus', 0, 1, 0), ('base', 0, 1, 0);

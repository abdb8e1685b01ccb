-- title:   SWE-bench: patches of coding agents with the outcomes of the hidden tests
-- docs:    BouncerBench's all_patches.csv; SWE-bench's own: a folder a system with all_preds.jsonl and report.json
-- licence: issues: MIT (SWE-bench); patches: as their authors published them
-- origin:  SWE-bench, ICLR 2024, arXiv:2310.06770
-- card:    Contexts are issues of real projects, outputs the patches that published coding agents handed in for them,
--          unified diffs or nothing. success is 1 when the hidden tests of the issue passed with the patch; size,
--          locality and focus are formulas over the diff and the issue, aux labels statistics of the diff
--          (src/text/patch.h states them): nobody judged these. A cost is the mean number of lines that an agent's
--          patches change; its draws are several runs of one system. Jimenez et al., SWE-bench: Can Language Models
--          Resolve Real-World GitHub Issues? Patches belong to those who published them: look up their terms before
--          you pass this pool on.
-- example: regret import swebench all_patches.csv --issues issues.jsonl --benchmark lite --agent-coverage 0.9 -o lite
-- example: regret import swebench systems --issues issues.jsonl --group 'moatless=moatless_*' -o grouped
-- source row:    rows('*.csv|all_preds.jsonl') mended of instance_id, agent, patch, model_patch, resolved,
--                tests_status, benchmark
-- source item:   list('all_preds.json|preds.json', '$|$.*') of instance_id, model_patch, key, value
-- source report: json('report.json|results.json')
-- source issue:  rows(--issues) of instance_id, repo, problem_statement
-- option issues FILE:            the issues of SWE-bench: instance_id, repo, problem_statement (needed)
-- option benchmark NAME:         rows of this benchmark alone, such as lite or verified
-- option group AGENT=PATTERN...: runs that match become draws of one agent
-- option agent-coverage SHARE:   leave out agents with less than this share of the issues
-- option issue-coverage SHARE:   then leave out issues with less than this share of the agents
-- option duplicates first|last|refuse: of two rows of a run for an issue the first (default) or last with a patch
-- option skip-bad:               leave out bad rows instead of refusing the file
-- every row
-- every item
-- detect:  SELECT 1 FROM row WHERE instance_id IS NOT NULL AND coalesce(resolved, model_patch) IS NOT NULL
INSERT INTO refusal SELECT NULL, NULL, 'say where the issues are: --issues FILE' WHERE option('issues') IS NULL;
INSERT INTO refusal SELECT NULL, NULL, printf('--%s %s: a share is a number from 0 to 1', column1, option(column1))
FROM (VALUES ('agent-coverage'), ('issue-coverage'))
WHERE option(column1) IS NOT NULL AND coalesce(number(option(column1)), -1) NOT BETWEEN 0 AND 1;
CREATE TEMP TABLE asked AS
SELECT file, line, nr, plain(instance_id) AS id, plain(repo) AS repo, plain(problem_statement) AS text,
  trim(replace(plain(problem_statement), char(13), ''), char(9, 10, 11, 12, 32)) AS bare FROM issue;
INSERT INTO refusal SELECT file, line, 'an issue without an "instance_id"' FROM asked WHERE coalesce(id, '') = '';
CREATE TEMP TABLE known AS SELECT id, min(nr) AS place, repo, text, bare FROM asked WHERE text IS NOT NULL GROUP BY id;
CREATE INDEX known_id ON known(id);
INSERT INTO note SELECT a.file, a.line, iif(a.text IS NULL, 'issues without a problem_statement',
  'issues given again with another problem_statement: the first one counts'), 1
FROM asked a LEFT JOIN known k ON k.id = +a.id WHERE a.text IS NULL OR a.bare <> k.bare;
CREATE TEMP TABLE told AS   -- of a system the first report: the ids that are resolved, or a record an issue
SELECT system, file, coalesce(document -> '$.instances', document) AS cases,
  coalesce(document -> '$.resolved_ids', document -> '$.resolved') AS list, min(rank)
FROM (SELECT file, document, without(folder(file), '/results$') AS system,
  2 * (folder(file) GLOB '*/results') + (file GLOB '*/results.json') AS rank FROM report) GROUP BY system;
CREATE TEMP TABLE verdict AS
SELECT system, j.value AS id, 1 AS resolved FROM told, json_each(list) j WHERE json_type(list) = 'array' UNION
SELECT system, j.key, j.value ->> '$.resolved' FROM told, json_each(cases) j WHERE json_type(list) IS NOT 'array'
  AND iif(j.type = 'object', json_type(j.value, '$.resolved'), NULL) IN ('true', 'false');
CREATE INDEX verdict_of ON verdict(system, id);
INSERT INTO refusal
SELECT file, 0, 'says nothing of what is resolved; it must have a list "resolved_ids" or "resolved", or a record with '
  || '"resolved" under the id of each issue'
FROM told WHERE json_type(list) IS NOT 'array' AND system NOT IN (SELECT system FROM verdict);
CREATE TEMP TABLE picked AS   -- what is short stands before the patches
SELECT file, line, nr, id, run, benchmark, coalesce(resolved,
    (SELECT resolved FROM verdict v WHERE v.system = folder(r.file) AND v.id = r.id),
    (SELECT 0 FROM told WHERE system = folder(r.file) AND json_type(list) = 'array')) AS resolved,
  (SELECT iif(count(*) = 2 AND sum(failed + passed) > 0, sum(failed) = 0, NULL)
   FROM (SELECT coalesce(json_array_length(value, '$.failure'), 0) AS failed,
      coalesce(json_array_length(value, '$.success'), 0) AS passed
    FROM json_each(literal(tests)) WHERE key IN ('FAIL_TO_PASS', 'PASS_TO_PASS') AND type = 'object')) AS verdict, patch
FROM (SELECT file, line, nr, plain(instance_id) AS id, coalesce(plain(agent), stem(folder(file), '')) AS run,
    plain(benchmark) AS benchmark, truth(trim(plain(resolved))) AS resolved, plain(tests_status) AS tests,
    coalesce(plain(patch), plain(model_patch), '') AS patch FROM row UNION ALL
  SELECT file, line, nr, coalesce(plain(instance_id), plain(value -> '$.instance_id'), plain("key")),
    stem(folder(file), ''), NULL, NULL, NULL, coalesce(plain(model_patch), plain(value -> '$.model_patch'), '')
  FROM item) r;
CREATE TEMP TABLE chosen AS   -- of the rows of a run for an issue one counts
SELECT *, row_number() OVER (PARTITION BY id, run, out
  ORDER BY option('duplicates') IS NOT 'refuse' AND is_empty, iif(option('duplicates') = 'last', -n, n)) AS k
FROM (SELECT p.rowid AS n, p.id, run, place, patch = '' AS is_empty, coalesce(resolved, verdict) AS success,
    coalesce((SELECT substr(value, 1, instr(value, '=') - 1) FROM json_each(option('group'))
      WHERE run GLOB substr(value, instr(value, '=') + 1) ORDER BY key LIMIT 1), run) AS agent,
    CASE WHEN coalesce(benchmark, '') <> option('benchmark') THEN 'rows of other benchmarks'
      WHEN coalesce(p.id, '') = '' OR run = '' THEN 'bad rows: an instance_id or an agent is missing'
      WHEN place IS NULL THEN 'rows whose issue is not among the issues' WHEN coalesce(resolved, verdict) IS NULL
        THEN 'bad rows: neither resolved, tests_status nor a report.json says whether it is resolved' END AS out
  FROM picked p LEFT JOIN known k ON k.id = +p.id);
INSERT INTO refusal SELECT file, line, iif(out IS NULL,
  printf('"%s" has a row for issue "%s" before: say which counts with --duplicates', c.run, c.id),
  substr(out, 11) || '; --skip-bad leaves bad rows out') FROM chosen c JOIN picked p ON p.rowid = n
WHERE iif(out IS NULL, k > 1 AND option('duplicates') = 'refuse', out GLOB 'bad*' AND option('skip-bad') IS NULL)
  AND option('issues') <> '';
INSERT INTO refusal
SELECT NULL, NULL, printf('--group "%s": write AGENT=PATTERN, where runs match the pattern; there are: %s', value,
  (SELECT group_concat(run, ', ') FROM (SELECT DISTINCT run FROM chosen WHERE out IS NULL ORDER BY run)))
FROM json_each(option('group')) WHERE instr(value, '=') < 2
  OR NOT EXISTS (SELECT 1 FROM chosen WHERE run GLOB substr(value, instr(value, '=') + 1));
CREATE TEMP TABLE pair AS SELECT DISTINCT id, agent FROM chosen WHERE out IS NULL AND wanted(NULL, agent);
CREATE TEMP TABLE covered AS SELECT agent FROM pair GROUP BY agent
HAVING count(*) >= coalesce(number(option('agent-coverage')), 0) * (SELECT count(DISTINCT id) FROM pair);
CREATE TEMP TABLE covering AS SELECT id FROM pair WHERE agent IN covered GROUP BY id
HAVING count(*) >= coalesce(number(option('issue-coverage')), 0) * (SELECT count(*) FROM covered);
CREATE TEMP TABLE drawn AS
SELECT *, row_number() OVER (PARTITION BY id, agent, why ORDER BY length(run), run) - 1 AS draw
FROM (SELECT *, CASE WHEN out IS NOT NULL THEN out WHEN k > 1 THEN 'rows whose run has another one for the issue'
    WHEN wanted(NULL, agent) AND (agent NOT IN covered OR id NOT IN covering)
      THEN 'rows of agents or issues below the least coverage' END AS why FROM chosen);
INSERT INTO answer(file, line, nr, id, tag, place, agent, run, draw, prompt, output, scores, cost, status)
SELECT file, line, nr, id, repo, place, agent, agent, draw, text, patch,
  '{"success":' || success || ',' || substr(made, 2),
  made ->> '$.added_lines' + made ->> '$.removed_lines', coalesce('out: ' || why, 'ok')
FROM (SELECT d.*, file, line, nr, repo, text, patch, iif(why IS NULL, patch(patch, text), NULL) AS made
  FROM drawn d JOIN picked p ON p.rowid = n LEFT JOIN known k ON k.id = +d.id
  LIMIT -1 OFFSET 0);   -- each is made once
INSERT INTO note SELECT file, line, iif(output = '', 'outputs are empty', 'outputs have a text but no diff'), 1
FROM answer WHERE status = 'ok' AND scores ->> '$.files' = 0;
INSERT INTO note SELECT file, line, 'outputs are resolved without a diff', 1 FROM answer
WHERE status = 'ok' AND scores ->> '$.files' = 0 AND scores ->> '$.success' = 1;
INSERT INTO note SELECT file, line, 'outputs have a tests_status that contradicts resolved', 1
FROM drawn JOIN picked p ON p.rowid = n WHERE why IS NULL AND resolved <> verdict;
INSERT INTO metric SELECT column1, 0, 1, 0 FROM (VALUES ('success'), ('size'), ('locality'), ('focus'));
INSERT INTO keep SELECT 'success', 'component' UNION ALL
SELECT key, iif(key IN ('size', 'locality', 'focus'), 'component', 'aux') FROM json_each(patch('', ''));
INSERT INTO segment SELECT column1, key, value / 20.0 FROM (VALUES
  ('balanced', '{"success":5,"size":5,"locality":5,"focus":5}'),
  ('size-first', '{"success":5,"size":9,"locality":3,"focus":3}'),
  ('locality-first', '{"success":5,"size":3,"locality":9,"focus":3}'),
  ('focus-first', '{"success":5,"size":3,"locality":3,"focus":9}')), json_each(column2);

-- title: samples of lm-evaluation-harness (--log_samples): a folder a model, a file a task
-- docs: 0.4.3 to 0.4.10
-- source sample: jsonl('samples_*.jsonl') of doc_id, filter, arguments, target, resps, filtered_resps, metrics,
--   doc_hash, * without doc
-- source kind: jsonl('samples_*.jsonl') of filter, metrics
-- source results: json('results_*.json|*_20[0-9][0-9]-[0-9][0-9]-*.json') of model_name, config, versions, n-shot,
--   higher_is_better
-- option filter PATTERN...: rows of this filter, such as flexible-extract (default: the first of each file)
-- card: A context is a document of a task, which is its tag; the score is each task's first metric unless --metric says
--   another one, as results files call it (exact_match,strict-match). Of choices the output is the likeliest one. Texts
--   belong to the authors of the tasks and of the models.
-- example: regret import lm-eval results -o my/pool
-- example: regret import lm-eval results.tar.zst --task 'mmlu_*' --metric acc --dry-run
-- example: regret import lm-eval results --filter flexible-extract --runs last -o my/pool
CREATE TEMP TABLE said AS   -- of each file: its filters, and which metrics their rows have
SELECT file, coalesce(plain(filter), 'none') AS filter, metrics, min(nr) AS first, count(*) AS rows
FROM kind GROUP BY file, filter, metrics;
CREATE TEMP TABLE wanted AS
SELECT DISTINCT file, filter FROM said s
WHERE iif(option('filter') IS NULL, first = (SELECT min(first) FROM said o WHERE o.file = s.file),
          EXISTS (SELECT 1 FROM json_each(option('filter')) WHERE s.filter GLOB value));
INSERT INTO refusal
SELECT NULL, NULL, printf('--filter "%s" matches nothing; there are: %s', value,
  (SELECT group_concat('"' || filter || '"', ', ')
   FROM (SELECT filter FROM said GROUP BY filter ORDER BY min(met(file)), filter)))
FROM json_each(coalesce(option('filter'), '[]')) WHERE NOT EXISTS (SELECT 1 FROM said WHERE filter GLOB value);
INSERT INTO refusal
SELECT NULL, NULL, printf('"%s" is by a filter of which no row is read; say --filter ''%s''', option('metric'), filter)
FROM said WHERE filter NOT IN (SELECT filter FROM wanted) AND option('metric') GLOB '*,' || filter LIMIT 1;
INSERT INTO note SELECT NULL, NULL, 'rows of other filters (--filter)', sum(rows)
FROM said WHERE (file, filter) NOT IN (SELECT file, filter FROM wanted) HAVING sum(rows) > 0;
CREATE TEMP TABLE run AS
SELECT folder(file) AS folder, capture(file, '_([0-9]{4}-[^_/]*)\.json[^/]*$') AS date, document,
  coalesce(nullif(document ->> '$.model_name', ''), capture(a, 'peft=([^,]*)'), capture(a, 'delta=([^,]*)'),
           capture(a, 'pretrained=([^,]*)'), capture(a, 'model=([^,]*)'), capture(a, 'path=([^,]*)')) AS model
FROM (SELECT *, document ->> '$.config.model_args' AS a FROM results);
CREATE TEMP TABLE part AS   -- a file of samples, by what the results of its date say, or else others of its folder
WITH named AS (
  SELECT file, folder(file) AS folder, capture(file, '_([0-9]{4}-[^_/]*)\.jsonl[^/]*$') AS date,
    without(capture(file, 'samples_([^/]*)\.jsonl[^/]*$'), '_[0-9]{4}-[^_]*$') AS task FROM said GROUP BY file),
found AS (
  SELECT n.file, task, coalesce(nullif(r.model, ''), nullif(stem(n.folder, ''), ''), 'model') AS agent, document,
    row_number() OVER (PARTITION BY n.file ORDER BY r.date IS n.date DESC, r.rowid) AS k
  FROM named n LEFT JOIN run r ON r.folder = n.folder),
told AS (
  SELECT *, member(document -> '$.versions', task) AS version, member(document -> '$."n-shot"', task) AS shots,
    member(document -> '$.higher_is_better', task) AS better FROM found WHERE k = 1)
SELECT file, task, agent, better,   -- with another number of examples a task is another one
  replace(concat_text(iif(number(version) IS NULL, plain(version), printf('%.6g', number(version))),
    iif(number(shots) IS NULL, NULL, printf('%.6g shots', number(shots)))), char(10, 10), ', ') AS version
FROM told;
CREATE TEMP VIEW asked AS   -- a row that is wanted; responses of its first request that are texts are draws
SELECT s.*, p.task, agent, p.version, iif(w.filter = 'none', '', ',' || w.filter) AS by_filter,
  member(resps, 0) AS responses, iif(member(resps, 0) GLOB '[[]"*', json_array_length(member(resps, 0)), 1) AS draws,
  coalesce(metrics,   -- older rows do not say what is one
    (SELECT json_group_array(key) FROM json_each("*") WHERE key NOT IN ('doc', 'prompt_hash', 'target_hash'))) AS names
FROM sample s CROSS JOIN part p CROSS JOIN wanted w
WHERE p.file = s.file AND w.file = s.file AND w.filter = coalesce(plain(s.filter), 'none');
INSERT INTO answer(file, line, nr, task, id, content, agent, run, version, draw, prompt, output, reference, scores,
  main, status)
SELECT file, line, nr, task, id, content, agent, file, version, draw, prompt, output, reference, scores, main,
  iif(draw > 0 AND scores IS NULL, 'out: further responses, which have no score of their own', 'ok')
FROM (SELECT a.*, d.key AS draw, plain(doc_id) AS id, plain(doc_hash) AS content,
    turns(member(member(arguments, 0), 0), 'any') AS prompt,
    coalesce(choice(arguments, filtered_resps), iif(d.type = 'text', d.value, NULL),
             iif(responses GLOB '"*', plain(responses), NULL)) AS output,
    coalesce(iif(likeliest(filtered_resps) IS NULL, NULL,   -- the target of choices is a place among them
                 '[' || json_quote(choice(arguments, CAST(capture(target, '^"?([0-9]+)"?$') AS INTEGER))) || ']'),
             iif(target GLOB '[[]*', target, '[' || target || ']')) AS reference,
    (SELECT scores(n.value || by_filter, coalesce(iif(d.key = 0, number(member("*", n.value)), NULL),
      -- mostly a number
        CASE WHEN member("*", n.value) IS NULL THEN NULL
          WHEN member("*", n.value) NOT GLOB '[[]*' THEN iif(d.key = 0,
            coalesce(number(plain(member("*", n.value))), 'null'), NULL)
          WHEN json_array_length(member("*", n.value)) = draws
            THEN coalesce(number(plain(member(member("*", n.value), d.key))), 'null')   -- a value a response
          ELSE iif(d.key = 0, 'null', NULL) END), n.key) FROM json_each(names) n) AS scores,
    plain(member(names, 0)) || by_filter AS main
  FROM asked a, json_each(iif(responses GLOB '[[]"*', responses, '[null]')) d);
INSERT INTO refusal
SELECT file, line, 'no "doc_id"; is this a file of samples of lm-evaluation-harness?' FROM answer WHERE id IS NULL;
INSERT INTO refusal SELECT file, line, 'no prompt in "arguments"; samples are needed with what the model was asked'
FROM answer WHERE coalesce(prompt, '') = '';
CREATE TEMP VIEW metric_of AS
SELECT DISTINCT filter, n.value AS name, better
FROM said JOIN wanted USING (file, filter) JOIN part USING (file), json_each(metrics) n
UNION SELECT w.filter, iif(w.filter = 'none', s.key, substr(s.key, 1, length(s.key) - length(w.filter) - 1)), better
FROM answer a JOIN said w USING (file) JOIN part USING (file), json_each(a.scores) s WHERE w.metrics IS NULL;
INSERT INTO metric   -- a sample's perplexity is a log likelihood
SELECT name || iif(filter = 'none', '', ',' || filter), iif(share, 0, NULL), iif(share, 1, NULL), lower
FROM (SELECT *, name IN ('acc', 'acc_norm', 'acc_bytes', 'exact_match', 'em', 'f1') OR name GLOB 'pass@*' AS share,
        coalesce(member(better, name) = 'false' AND name <> 'perplexity', 0) AS lower FROM metric_of);

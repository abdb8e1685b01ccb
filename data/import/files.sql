-- title:   tables of your own, a file a model: CSV, TSV, JSONL or JSON with the same columns in each
-- card:    A row is an answer of the model that its file is called by. Rows of one request are told by the column --context,
--          or by the only one whose name says so and that is once in a file and alike in several. What differs from file to
--          file is an answer or a score, what does not is known of the request.
-- example: regret import files results -o mine
-- example: regret import files results --context question --answer reply -m correct -m fluency=1:5 -o mine
-- source row: rows('*.csv|*.tsv|*.jsonl|*.json')
-- option context COLUMN: the column that says which request a row is of
-- option prompt COLUMN: the request's text (default: the one that is named so)
-- option answer COLUMN: what a model wrote (default: likewise)
-- option reference COLUMN: a good answer (default: likewise)
-- option tag COLUMN: the kind of a request (default: likewise)
-- every row
CREATE TEMP TABLE said AS
SELECT r.key AS role, n.value AS name, n.key AS place FROM json_each('{
  "context": ["question_id", "prompt_id", "task_id", "item_id", "example_id", "sample_id", "instance_id", "problem_id",
    "doc_id", "qid", "uid", "id", "question", "prompt", "input", "instruction", "query", "problem"],
  "prompt": ["prompt", "question", "input", "instruction", "query", "problem", "text"],
  "answer": ["output", "response", "completion", "prediction", "generation", "answer", "model_output", "model_answer",
    "model_response", "generated_text", "summary", "translation"],
  "reference": ["reference", "expected", "expected_output", "gold", "ground_truth", "target", "correct_answer", "label",
    "answer"],
  "tag": ["tag", "category", "subject", "topic", "domain", "subset", "difficulty", "type", "task"]}') r, json_each(r.value) n;
CREATE TEMP TABLE cell AS
SELECT r.file, r.line, r.nr, f.key AS name, f.id AS place, nullif(plain(member(r.record, f.key)), '') AS value, number(f.value) AS x
FROM row r, json_each(r.record) f;
CREATE INDEX cell_at ON cell(file, nr, name);
CREATE INDEX cell_by ON cell(name, value);
-- The context: once in a file, and half of its values in another file, too.
CREATE TEMP TABLE once AS
SELECT o.name FROM (SELECT name, file, count(DISTINCT value) AS n, count(*) AS rows FROM cell GROUP BY name, file) o
GROUP BY o.name HAVING min(o.n = o.rows) AND count(*) = (SELECT count(DISTINCT file) FROM cell)
  AND 2 * (SELECT count(*) FROM (SELECT 1 FROM cell c WHERE c.name = o.name GROUP BY c.value HAVING count(*) > 1)) >= max(o.n);
CREATE TEMP TABLE chosen AS  -- ids before texts, and only where there is one
SELECT coalesce(option('context'), (SELECT name FROM (SELECT o.name, s.place > 11 AS is_text, min(s.place > 11) OVER () AS least
  FROM once o JOIN said s ON s.role = 'context' AND s.name = lower(o.name)) WHERE is_text = least GROUP BY least
  HAVING count(*) = 1)) AS context;
INSERT INTO refusal
SELECT NULL, NULL, iif(option('context') IS NULL, 'which column says what request a row is of? --context NAME, of ',
  'there is no column "' || option('context') || '"; there are ') || (SELECT group_concat('"' || name || '"', ', ')
  FROM (SELECT name FROM cell GROUP BY name ORDER BY min(place), name LIMIT 30))
FROM chosen WHERE context IS NULL OR context NOT IN (SELECT name FROM cell);
CREATE TEMP TABLE item AS SELECT file, line, nr, value AS id FROM cell, chosen WHERE name = context;
CREATE INDEX item_at ON item(file, nr);
-- What differs between files for one request, and what does not.
CREATE TEMP TABLE kind AS
SELECT name, min(place) AS place, max(n > 1) AS differs, min(numbers) AS is_number, count(DISTINCT one) AS many, count(*) AS ids
FROM (SELECT c.name, min(c.place) AS place, count(DISTINCT c.value) AS n, min(c.value) AS one,
  min(c.x IS NOT NULL OR c.value IS NULL) AS numbers FROM cell c JOIN item i USING (file, nr) GROUP BY c.name, i.id)
GROUP BY name;
CREATE TEMP TABLE role AS
SELECT role, coalesce(option(role), (SELECT k.name FROM said s JOIN kind k ON lower(k.name) = s.name
  WHERE s.role = r.role AND k.differs = (r.role = 'answer') AND (r.role <> 'tag' OR 2 * k.many <= k.ids)
  AND (r.role = 'prompt' OR k.name <> (SELECT context FROM chosen)) ORDER BY s.place LIMIT 1)) AS name
FROM (SELECT DISTINCT role FROM said WHERE role <> 'context') r;
INSERT INTO refusal SELECT NULL, NULL, 'there is no column "' || name || '" (--' || role || ')' FROM role
WHERE name IS NOT NULL AND name NOT IN (SELECT name FROM cell);
CREATE TEMP TABLE named AS SELECT name FROM role WHERE name IS NOT NULL UNION SELECT context FROM chosen;
CREATE TEMP TABLE measure AS
SELECT name, place FROM kind WHERE is_number AND differs AND name NOT IN (SELECT name FROM named);
INSERT INTO note SELECT NULL, NULL, 'columns that are neither scores nor named: ' || group_concat(name, ', '), count(*)
FROM (SELECT name FROM kind WHERE name NOT IN (SELECT name FROM measure UNION SELECT name FROM named) ORDER BY place)
HAVING count(*) > 0;
CREATE TEMP TABLE told AS
SELECT c.file, c.nr, max(iif(role = 'tag', value, NULL)) AS tag, max(iif(role = 'prompt', value, NULL)) AS prompt,
  max(iif(role = 'answer', value, NULL)) AS output, max(iif(role = 'reference', value, NULL)) AS reference
FROM cell c JOIN role r ON r.name = c.name GROUP BY c.file, c.nr;
CREATE INDEX told_at ON told(file, nr);
INSERT INTO answer(file, line, nr, tag, id, content, agent, run, prompt, output, reference, scores)
SELECT i.file, i.line, i.nr, tag, i.id, prompt, stem(i.file), i.file, coalesce(prompt, i.id), output, reference,
  (SELECT scores(m.name, s.x, m.place) FROM measure m JOIN cell s ON s.file = i.file AND s.nr = i.nr AND s.name = m.name)
FROM item i LEFT JOIN told t USING (file, nr) ORDER BY met(i.file), i.nr;

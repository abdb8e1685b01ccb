-- title:   SummEval: expert judgements of summaries of news articles
-- docs:    the file of G-Eval, and model_annotations.aligned.paired.jsonl of the authors, paired with the articles
-- licence: MIT (judgements); articles: rights of their publishers
-- origin:  SummEval, TACL 2021, doi:10.1162/tacl_a_00373
-- card:    Summaries of CNN/DailyMail articles by published systems; scores are means of experts, 1 to 5. faithfulness
--          is consistency, coverage relevance, clarity (coherence + fluency)/2; conciseness is made by formula from
--          the length beside the reference's and from repeated trigrams, unsupported_claims is round(5 - consistency),
--          a stand-in for a count, aux labels are text statistics: nobody judged these. An agent's cost is the mean
--          number of tokens of its summaries. Fabbri et al., SummEval: Re-evaluating Summarization Evaluation. The
--          articles are not covered by the licence: keep this pool to yourself unless you have their publishers'
--          leave.
-- example: regret import summeval summeval.json -o summeval
-- example: regret pool show summeval
-- source row: rows('*.json|*.jsonl') of doc_id, id, system_id, model_id, source, text, system_output, decoded,
--          reference, references, scores, expert_annotations
-- every row
-- detect:  SELECT 1 FROM row WHERE json_type(coalesce(expert_annotations -> '$[0]', scores), '$.coherence') IS NOT NULL
CREATE TEMP TABLE picked AS
SELECT file, line, nr, coalesce(plain(doc_id), plain(id)) AS id, coalesce(plain(system_id), plain(model_id)) AS agent,
  coalesce(plain(source), plain(text)) AS source, coalesce(plain(system_output), plain(decoded)) AS output,
  coalesce(nullif(trim(plain(reference), char(9, 10, 13, 32)), ''), (SELECT r.value FROM json_each("references") r
    WHERE trim(r.value, char(9, 10, 13, 32)) <> '' LIMIT 1)) AS reference,
  coalesce("references", json_array(plain(reference))) AS good,
  coalesce(expert_annotations, json_array(json(scores))) AS judges FROM row;
INSERT INTO refusal SELECT file, line, printf('has no %s', CASE WHEN coalesce(id, '') = '' THEN '"doc_id" or "id"'
    WHEN coalesce(agent, '') = '' THEN '"system_id" or "model_id"'
    WHEN output IS NULL THEN '"system_output" or "decoded"'
    ELSE '"source" or "text": pair the file of the authors with the articles as they say' END)
FROM picked WHERE coalesce(id, '') = '' OR coalesce(agent, '') = '' OR output IS NULL OR source IS NULL;
CREATE TEMP TABLE score AS   -- of a list, one number an expert, the mean; none where one of them is none
SELECT n, max(mean) FILTER (WHERE name = 'consistency') AS consistency,
  max(mean) FILTER (WHERE name = 'relevance') AS relevance, max(mean) FILTER (WHERE name = 'coherence') AS coherence,
  max(mean) FILTER (WHERE name = 'fluency') AS fluency, max(is_out) AS is_out
FROM (SELECT p.rowid AS n, s.key AS name, iif(count(number(v.value)) = count(*), avg(number(v.value)), NULL) AS mean,
    max(number(v.value) NOT BETWEEN 1 AND 5) AS is_out
  FROM picked p, json_each(p.judges) j, json_each(j.value) s,
    json_each(iif(s.type = 'array', s.value, json_array(s.value))) v
  WHERE s.key IN ('consistency', 'relevance', 'coherence', 'fluency') GROUP BY p.rowid, s.key) GROUP BY n;
INSERT INTO refusal SELECT file, line, 'experts'' scores are numbers from 1 to 5, and one of these is not: ' || judges
FROM picked p JOIN score ON n = p.rowid WHERE is_out;
CREATE TEMP TABLE reference AS SELECT id, reference, min(nr) FROM picked WHERE reference <> '' GROUP BY id;
CREATE INDEX reference_id ON reference(id);
INSERT INTO refusal
SELECT file, line, printf('the reference of "%s" is another one than before; give one to all its rows', p.id)
FROM picked p JOIN reference r ON r.id = +p.id WHERE p.reference <> r.reference;
INSERT INTO answer(file, line, nr, id, content, agent, prompt, output, reference, scores, cost)
SELECT p.file, p.line, p.nr, p.id, source, agent, source, output, good,
  rtrim((SELECT scores(column1, column2, column3) FROM (VALUES
    ('faithfulness', +consistency, 0), ('coverage', relevance, 1), ('clarity', (coherence + fluency) / 2, 2),
    ('conciseness', conciseness(output, r.reference, source), 3),
    ('unsupported_claims', round(5 - consistency), 4))), '}') || ',' || substr(statistics(output, source), 2),
  tokens(output)
FROM picked p LEFT JOIN score s ON s.n = p.rowid LEFT JOIN reference r ON r.id = +p.id;
INSERT INTO metric SELECT column1, 1, 5, 0 FROM (VALUES ('faithfulness'), ('coverage'), ('clarity'), ('conciseness'));
INSERT INTO keep VALUES ('faithfulness', 'component'), ('coverage', 'component'), ('clarity', 'component'),
  ('conciseness', 'component'), ('unsupported_claims', 'count');
INSERT INTO keep SELECT key, 'aux' FROM json_each(statistics('', ''));
INSERT INTO agent(name, title) SELECT key, value FROM json_each('{"M0":"LEAD-3","M1":"NEUSUM","M2":"BanditSum",
  "M5":"RNES","M8":"Pointer-generator","M9":"Fast-abs-rl","M10":"Bottom-up","M11":"Improve-abs","M12":"Unified-ext-abs",
  "M13":"ROUGESal","M14":"Multi-task (entailment and questions)","M15":"Closed-book decoder","M17":"T5",
  "M20":"GPT-2 from human preferences","M22":"BART","M23":"PEGASUS"}');

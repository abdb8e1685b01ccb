-- title:   Arena-Hard-Auto 0.1 and 2.0, MT-bench: question.jsonl, model_answer, model_judgment
-- docs:    https://github.com/lmarena/arena-hard-auto, https://github.com/lm-sys/FastChat (llm_judge), of 2023 to 2025
-- card:    A question is a context, its category the tag, a model an agent. Verdicts beside the baseline's answer
--          become preference: A>>B counts 1, A>B 3/4, A=B 1/2, B>A 1/4, B>>A 0 for A; the two games, in which answers
--          change places, count as their mean; the baseline has 1/2. Grades of the answer alone become rating, 1 to 10;
--          several, of turns, count as their mean. Costs are numbers of tokens, where files say them.
-- example: regret import arena-hard mt_bench --judge gpt-4 -o mt-bench
-- source question: jsonl('question.jsonl') of question_id, uid, category, prompt, turns, reference
-- source said:     jsonl('model_answer/**/*.jsonl')
--                  of question_id, uid, model_id, model, choices, messages, metadata, conv_metadata
-- source judged:   jsonl('model_judgment/**/*.jsonl') of question_id, uid, judge, model, baseline, games, score,
--                  model_1 without judgment, user_prompt, prompt
-- option judge NAME:     whose judgments are read; needed where there are several judges
-- option baseline MODEL: judgments against this model alone (default: that of the files; of 0.1 gpt-4-0314)
-- detect:  SELECT 1 FROM question, judged
-- every said
CREATE TEMP TABLE asked AS SELECT file, line, coalesce(plain(question_id), plain(uid)) AS id, plain(category) AS tag,
  nullif(turns(coalesce(nullif(prompt, 'null'), turns), 'user'), '') AS prompt,
  nullif(turns(reference, 'user'), '') AS reference FROM question;
INSERT INTO refusal SELECT file, line, iif(id IS NULL, 'has neither "question_id" nor "uid", a text or a number',
  printf('question "%.80s" has neither "prompt" nor "turns" with a text', id)) FROM asked
WHERE id IS NULL OR prompt IS NULL UNION ALL
SELECT file, max(line), printf('question "%.80s" stands there twice', id) FROM asked GROUP BY id HAVING count(*) > 1;
CREATE TEMP TABLE verdict AS   -- a row a judgment
SELECT j.file, j.line, a.id, plain(model) AS model, coalesce(plain(judge -> '$[0]'), plain(judge), '(nobody)') AS judge,
  coalesce(plain(baseline), option('baseline'), 'gpt-4-0314') AS baseline, games, json_array_length(games) AS n,
  iif(games IS NULL AND number(score) <> -1, number(score), NULL) AS grade,
  CASE WHEN model_1 IS NOT NULL THEN 'judgments of two models, which are votes (docs/guide.md)'
       WHEN a.id IS NULL THEN 'judgments on questions that question.jsonl lacks' END AS out
FROM judged j LEFT JOIN asked a ON a.id = coalesce(plain(j.question_id), plain(j.uid));
CREATE TEMP TABLE wanted AS SELECT * FROM verdict WHERE out IS NULL AND judge = coalesce(option('judge'), judge);
INSERT INTO note SELECT file, line, coalesce(out, 'judgments by judges that were not asked for'), 1 FROM verdict
WHERE out IS NOT NULL OR judge <> option('judge');
INSERT INTO refusal
SELECT file, line, printf('judged by "%.80s", and others by "%.80s": choose one of the judges with --judge', judge, one)
FROM (SELECT *, first_value(judge) OVER (ORDER BY met(file), line) AS one FROM wanted) WHERE judge <> one;
INSERT INTO refusal SELECT NULL, 0, CASE WHEN count(judge) FILTER (WHERE out IS NULL) > 0 THEN
    printf('no judgments by "%.80s"; there are some by: %s', option('judge'), group_concat(DISTINCT judge))
  WHEN count(*) > 0 THEN 'no judgment''s id is in question.jsonl; are they of the same benchmark?'
  ELSE 'no judgments; they belong in model_judgment/JUDGE/MODEL.jsonl beside question.jsonl' END
FROM (SELECT * FROM verdict ORDER BY judge) WHERE out IS NULL OR out GLOB '*lacks' HAVING NOT EXISTS (SELECT 1 FROM wanted);
CREATE TEMP TABLE game AS   -- the model's answer stands second in games 0, 2, …, first in the others
WITH worth(label, a) AS (VALUES ('A>>B', 1.0), ('A>B', .75), ('A=B', .5), ('B=A', .5), ('A<B', .25), ('B>A', .25),
  ('A<<B', .0), ('B>>A', .0), ('B<<A', 1.0), ('B<A', .75))
SELECT w.file, w.line, json_type(g.value, '$.score') AS type, g.value ->> '$.score' AS said,
  iif(g.key % 2, a, 1 - a) AS value FROM wanted w, json_each(games) g LEFT JOIN worth ON label = g.value ->> '$.score';
INSERT INTO refusal SELECT file, line, printf('the score of a game is "%.40s"; it must be A>>B, A>B, A=B, B>A, B>>A, '
  || 'or a number', said) FROM game WHERE type = 'text' AND value IS NULL;
CREATE TEMP TABLE judgment AS   -- none of one game alone: half of a pair shows the judge's liking of places
SELECT w.file, w.line, w.id, w.model, w.baseline, w.n,
  CASE WHEN w.n > 1 AND count(g.value) = w.n THEN sum(g.value) / w.n END AS preference,
  coalesce(w.grade, CASE WHEN sum(g.type IN ('integer', 'real')) = w.n THEN sum(g.said + 0.0) / w.n END) AS rating
FROM wanted w LEFT JOIN game g ON g.file = w.file AND g.line = w.line GROUP BY w.file, w.line;
CREATE TEMP TABLE kept AS SELECT *, rating IS NULL AND n IS NOT NULL AS is_pair FROM judgment
WHERE rating IS NOT NULL OR n IS NULL OR baseline = coalesce(option('baseline'), baseline);
INSERT INTO note SELECT file, line, CASE
    WHEN n IS NOT NULL AND baseline <> option('baseline') THEN 'judgments against baselines that were not asked for'
    WHEN n = 1 THEN 'judgments of one game alone, of two in which answers change places'
    ELSE 'judgments without a verdict' END, 1
FROM judgment WHERE rating IS NULL AND (preference IS NULL OR baseline <> option('baseline'));
CREATE TEMP TABLE mean AS   -- several judgments of an answer, of its turns or of the same
SELECT id, model, avg(preference) AS preference, avg(rating) AS rating FROM kept GROUP BY id, model;
CREATE TEMP TABLE base AS SELECT id, baseline, file, line,
  first_value(baseline) OVER (PARTITION BY id ORDER BY met(file), line) AS first FROM kept WHERE is_pair;
INSERT INTO refusal SELECT file, line, printf('question "%.80s" is judged against "%.80s" here, and against "%.80s" '
  || 'elsewhere: choose one with --baseline', id, baseline, first) FROM base WHERE baseline <> first;
CREATE TEMP TABLE named AS   -- a model is called by its file; where nobody judged it by that name, and in a file of
SELECT s.file, s.line, a.id, a.tag, a.prompt, a.reference, b.baseline, coalesce(choices, messages) IS NULL AS none,
  coalesce(concat_text(turns(coalesce(messages -> '$[#-1].content.answer', messages -> '$[#-1].content'), 'agent'),
    turns(choices -> '$[0].turns', 'agent')), '') AS output,
  number(coalesce(nullif(metadata, 'null'), conv_metadata) -> '$.token_len') AS tokens,
  iif(said <> first OR (said IS NOT NULL AND stem IS NOT b.baseline   -- several models, as its answers say
    AND (a.id, stem) NOT IN (SELECT id, model FROM mean WHERE model <> '')), said, stem) AS agent
FROM (SELECT *, first_value(said) OVER (PARTITION BY file ORDER BY said IS NULL, line) AS first FROM (SELECT *,
    coalesce(plain(model_id), plain(model)) AS said, stem(file) AS stem FROM said)) s
LEFT JOIN asked a ON a.id = coalesce(plain(s.question_id), plain(s.uid))
LEFT JOIN (SELECT DISTINCT id, first AS baseline FROM base) b ON b.id = a.id;
INSERT INTO refusal
SELECT file, line, 'has neither "choices" nor "messages"; is it an answer?' FROM named WHERE none AND id IS NOT NULL;
INSERT INTO answer(file, line, task, id, version, agent, prompt, output, reference, scores, main, cost, status)
SELECT file, line, tag, n.id, baseline, agent, prompt, output, reference, (SELECT scores(column1, column2, column3)
    FROM (VALUES ('preference', iif(agent IS baseline, .5, preference), 1), ('rating', rating, 2))),
  iif(agent IS baseline OR preference IS NOT NULL, 'preference', 'rating'), iif(tokens >= 0, tokens, NULL),
  CASE WHEN n.id IS NULL THEN 'out: answers to questions that question.jsonl lacks'
       WHEN m.id IS NULL AND agent IS NOT baseline THEN 'out: answers that nobody judged'
       WHEN output = '' OR instr(output, '$ERROR$') THEN 'failed' ELSE 'ok' END
FROM named n LEFT JOIN mean m ON m.id = n.id AND m.model = n.agent;
INSERT INTO metric VALUES ('preference', 0, 1, 0), ('rating', 1, 10, 0);
INSERT INTO note SELECT NULL, NULL, 'judged answers that model_answer lacks', count(*)
FROM (SELECT id, model FROM mean EXCEPT SELECT id, agent FROM named) HAVING count(*) > 0;

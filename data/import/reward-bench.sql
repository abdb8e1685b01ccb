-- title:   RewardBench: eval-set-scores, a file a reward model, columns of lists
-- docs:    https://github.com/allenai/reward-bench, https://huggingface.co/datasets/allenai/reward-bench-results, 2024
-- card:    A pair of answers is a context, its subset the tag, a reward model an agent: which of them to trust for which
--          kind of request. The score is 1 where it prefers the better answer, 1/2 of a tie.
-- example: regret import reward-bench eval-set-scores -o rewards
-- source scored: json('*.json')
-- detect:  SELECT 1 FROM scored WHERE json_type(document, '$.results') = 'array' AND json_type(document, '$.subset') = 'array'
INSERT INTO refusal SELECT file, 0, '"results", "id" and "subset" must be lists of one length' FROM scored
WHERE json_array_length(document, '$.results') IS NOT json_array_length(document, '$.id')
   OR json_array_length(document, '$.results') IS NOT json_array_length(document, '$.subset');
CREATE TEMP TABLE picked AS SELECT s.file, r.key AS place, plain(document -> '$.model') AS model, r.value AS result FROM scored s,
  json_each(document, '$.results') r;
CREATE TEMP TABLE pair AS SELECT s.file, i.key AS place, i.value AS id FROM scored s, json_each(document, '$.id') i;
CREATE INDEX pair_at ON pair(file, place);
CREATE TEMP TABLE kind AS SELECT s.file, i.key AS place, i.value AS tag FROM scored s, json_each(document, '$.subset') i;
CREATE INDEX kind_at ON kind(file, place);
CREATE TEMP TABLE chosen AS SELECT s.file, i.key AS place, coalesce(nullif(turns(iif(i.type = 'text', json_quote(i.value), i.value),
  'user'), ''), i.value) AS text FROM scored s, json_each(document, '$.text_chosen') i;
CREATE INDEX chosen_at ON chosen(file, place);
INSERT INTO answer(file, line, nr, task, id, agent, run, prompt, scores, main)
SELECT p.file, 0, p.place, k.tag, i.id, coalesce(p.model, stem(p.file, '.json')), p.file, coalesce(c.text, k.tag || ':' || i.id),
  (SELECT scores(column1, column2, 0) FROM (VALUES ('correct', number(p.result)))), 'correct'
FROM picked p JOIN pair i ON i.file = p.file AND i.place = p.place JOIN kind k ON k.file = p.file AND k.place = p.place
LEFT JOIN chosen c ON c.file = p.file AND c.place = p.place;
INSERT INTO metric VALUES ('correct', 0, 1, 0);

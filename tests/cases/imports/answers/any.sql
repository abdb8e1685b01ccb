-- title:   answers as they stand
-- source row: jsonl('a.jsonl') of task, id, content, agent, run, version, draw, prompt, output, reference, scores, main, cost, status
-- source known: jsonl('metrics.jsonl') of name, low, high, lower
INSERT INTO answer(file, line, nr, task, id, content, agent, run, version, draw, prompt, output, reference, scores, main, cost, status)
SELECT coalesce(plain(run), file), line, nr, nullif(coalesce(plain(task), 't'), '-'), nullif(coalesce(plain(id), '1'), '-'), plain(content),
  coalesce(plain(agent), 'a'), plain(run), plain(version), coalesce(draw ->> '$', 0), coalesce(plain(prompt), 'p'),
  nullif(coalesce(plain(output), 'o'), '-'), plain(reference), coalesce(scores, '{"acc": 0.5}'), plain(main), cost ->> '$', plain(status) FROM row;
INSERT INTO metric SELECT plain(name), low ->> '$', high ->> '$', lower ->> '$' FROM known;

-- title:   RouterArena's cached results: cached_results/MODEL.jsonl, a line an answer with what it is worth
-- docs:    https://github.com/RouteWorks/RouterArena, cached_results of 2025 and 2026
-- card:    A question is a context, its data set (AIME_112: AIME) the tag, a model an agent. The score is that of the data
--          set's own metric, 0 to 1; an agent's cost is the mean of what its answers cost, in dollars.
-- example: regret import router-arena RouterArena/cached_results -o arena
-- source cached: jsonl('*.jsonl') of global_index, question, llm_selected, generated_answer, generated_result, success,
--                error, evaluation_result
-- detect:  SELECT 1 FROM cached WHERE global_index IS NOT NULL AND evaluation_result IS NOT NULL
-- every cached
INSERT INTO answer(file, line, task, id, content, agent, run, prompt, output, reference, scores, main, cost, status)
SELECT file, line, capture(plain(global_index), '^(.*)_[^_]*$'), coalesce(capture(plain(global_index), '^.*_([^_]*)$'),
    plain(global_index)), plain(question), plain(llm_selected), file, plain(question),
  coalesce(plain(generated_answer), plain(generated_result -> '$.generated_answer')),
  plain(evaluation_result -> '$.ground_truth'),
  (SELECT scores(column1, column2, 0) FROM (VALUES ('score', number(evaluation_result -> '$.score')))), 'score',
  number(evaluation_result -> '$.inference_cost'), iif(success = 'false' OR plain(error) <> '', 'failed', 'ok')
FROM cached;
INSERT INTO metric VALUES ('score', 0, 1, 0);

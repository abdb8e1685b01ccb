-- title:   AlpacaEval: outputs of language models, judged against a reference
-- docs:    AlpacaEval 2's published results, RESULTS/MODEL/ANNOTATOR/annotations.json
-- licence: CC BY-NC 4.0
-- origin:  AlpacaEval 2, arXiv:2404.04475, published results
-- card:    Contexts are instructions, called by their hashes and tagged by their dataset; a model is an agent by the
--          name of its folder. preference is that of the judge, another language model, less 1: from 0, the
--          reference's output is better, to 1; no person judged it, and judges can be misled. brevity = r / (r + n)
--          for an output of n characters where the reference's has r, 1/2 at the same length. User types: one minds
--          brevity little (a tenth), one as much as the preference. A cost is the model's price, else the mean number
--          of characters of its outputs. Dubois, Galambosi, Liang and Hashimoto, Length-Controlled AlpacaEval, 2024:
--          not for commercial use, and to be named where this pool is passed on.
-- example: regret import alpacaeval alpaca_eval/results -o alpacaeval
-- example: regret import alpacaeval results --annotator weighted_alpaca_eval_gpt4_turbo --prices prices.csv -o mine
-- source judged: rows('annotations.json') of instruction, dataset, output_1, output_2, generator_2, preference
-- source apart:  rows('model_outputs.json') of instruction, output
-- source price:  rows(--prices) of model, price
-- option annotator NAME:     whose judgements to read, a folder's name; needed where models have several
-- option exclude PATTERN...: no models that match this shell pattern
-- option prices CSV:         a table of the columns model and price: their costs (default: their outputs' mean length)
-- option repeats first|last|draws|refuse: two records of a model about an instruction (default: first)
-- option skip-bad:           leave out bad records instead of refusing the file
-- every judged
-- detect:  SELECT 1 FROM judged WHERE instruction IS NOT NULL AND output_1 IS NOT NULL
CREATE TEMP TABLE picked AS   -- what is short stands before the texts
SELECT file, line, nr, stem(folder(folder(file)), '') AS agent, stem(folder(file), '') AS judge,
  plain(dataset) AS dataset, plain(generator_2) AS generator, nullif(preference ->> '$', 'NaN') AS p,
  hash(plain(instruction)) AS id,
  CASE WHEN instruction IS NULL OR instruction NOT GLOB '"*' THEN '"instruction" must be a text'
    WHEN output_1 IS NULL OR output_1 NOT GLOB '"*' THEN '"output_1" must be a text'
    WHEN output_2 <> 'null' AND output_2 NOT GLOB '"*' THEN '"output_2" must be a text'
    WHEN NOT (preference ->> '$' = 0 OR preference ->> '$' BETWEEN 1 - 1e-9 AND 2 + 1e-9) THEN printf('"preference" is '
      || '%s; it is from 1, the reference is better, to 2, the model is, or 0, a draw', preference) END AS bad,
  length(plain(output_1)) AS wanted, plain(output_2) AS output, plain(instruction) AS prompt
FROM judged;
CREATE TEMP TABLE judge AS
SELECT judge, count(DISTINCT agent) AS models FROM picked WHERE wanted(NULL, agent) GROUP BY judge;
INSERT INTO refusal SELECT NULL, NULL, printf(iif(option('annotator') IS NULL,
    'the judgements of %d annotators; choose one with --annotator: %s', 'none of %d annotators is that; there are: %s'),
  count(*), group_concat(judge || ' (' || models || ' models)', ', ')) FROM judge
HAVING iif(option('annotator') IS NULL, count(*) > 1, count(*) > 0 AND sum(judge = option('annotator')) = 0);
CREATE TEMP TABLE other AS   -- outputs that records lack
SELECT stem(folder(file), '') AS agent, hash(plain(instruction)) AS id, plain(output) AS output FROM apart;
CREATE INDEX other_of ON other(agent, id);
CREATE TEMP TABLE kept AS
SELECT n, other, k, iif(out IS NULL AND k <> CASE option('repeats') WHEN 'last' THEN of WHEN 'draws' THEN k
  WHEN 'refuse' THEN k ELSE 1 END, 'records whose model has another one about the instruction', out) AS out
FROM (SELECT *, row_number() OVER (PARTITION BY agent, id, out IS NULL ORDER BY nr) AS k,
  count(*) OVER (PARTITION BY agent, id, out IS NULL) AS of
  FROM (SELECT p.rowid AS n, o.rowid AS other, p.agent, p.id, p.nr, CASE
    WHEN judge <> option('annotator') THEN 'records of other annotators'
    WHEN EXISTS (SELECT 1 FROM json_each(option('exclude')) WHERE p.agent GLOB value)
      THEN 'records of models that are excluded'
    WHEN p IS NULL THEN 'records without a preference' WHEN bad IS NOT NULL THEN 'bad records'
    WHEN p.output IS NULL AND o.output IS NULL THEN 'records without an output' END AS out
  FROM picked p LEFT JOIN other o ON o.agent = +p.agent AND o.id = +p.id));
INSERT INTO refusal
SELECT file, line, bad || '; --skip-bad leaves bad records out' FROM kept JOIN picked p ON p.rowid = n
WHERE out = 'bad records' AND option('skip-bad') IS NULL AND wanted(NULL, p.agent);
INSERT INTO answer(file, line, nr, id, tag, agent, draw, prompt, output, scores, cost, status)
SELECT file, line, nr, id, dataset, agent, iif(option('repeats') = 'draws', k - 1, 0), prompt, said,
  (SELECT scores(column1, column2, column3) FROM (VALUES
    ('preference', iif(p = 0, 0.5, min(max(p - 1.0, 0.0), 1.0)), 0),
    ('brevity', iif(wanted + own > 0, 1.0 * wanted / (wanted + own), 0.5), 1))),
  iif(option('prices') IS NULL, own, NULL),
  coalesce('out: ' || out, 'ok')
FROM (SELECT p.*, k, out, coalesce(p.output, o.output) AS said, length(coalesce(p.output, o.output)) AS own
  FROM kept JOIN picked p ON p.rowid = n LEFT JOIN other o ON o.rowid = other LIMIT -1 OFFSET 0);
INSERT INTO note SELECT file, line, 'outputs judged are not those of model_outputs.json; they count', 1
FROM kept JOIN picked p ON p.rowid = n JOIN other o ON o.rowid = other WHERE out IS NULL AND p.output <> o.output;
INSERT INTO note SELECT file, line, 'records are draws, a preference of 0, taken for 1/2', 1
FROM kept JOIN picked p ON p.rowid = n WHERE out IS NULL AND p = 0;
INSERT INTO note SELECT file, line, 'outputs are empty', 1 FROM answer WHERE status = 'ok' AND output = '';
CREATE TEMP TABLE price_of AS SELECT file, line, plain(model) AS model, number(plain(price)) AS price FROM price;
INSERT INTO refusal SELECT file, max(line), iif(count(*) > 1, printf('model "%s" has a price before', model),
  printf('the price of "%s" must be a number of 0 or more', model)) FROM price_of
GROUP BY model HAVING count(*) > 1 OR coalesce(min(price), -1) < 0;
INSERT INTO agent SELECT agent, iif(generator <> agent, printf('%s (%.100s)', agent, generator), NULL),
  (SELECT price FROM price_of WHERE model = agent)
FROM (SELECT agent, generator, min(iif(generator IS NULL, NULL, nr)) FROM picked
  WHERE p IS NOT NULL AND judge = coalesce(option('annotator'), judge) GROUP BY agent);
INSERT INTO refusal
SELECT NULL, NULL, printf('%s has no price of model "%s"; add a line, or leave the model out with --exclude',
  option('prices'), min(agent)) FROM answer
WHERE option('prices') IS NOT NULL AND status = 'ok' AND wanted(NULL, agent)
  AND agent NOT IN (SELECT model FROM price_of) HAVING count(*) > 0;
INSERT INTO metric VALUES ('preference', 0, 1, 0), ('brevity', 0, 1, 0);
INSERT INTO keep VALUES ('preference', 'component'), ('brevity', 'component');
INSERT INTO segment VALUES ('thorough', 'preference', .9), ('thorough', 'brevity', .1), ('brief', 'preference', .5),
  ('brief', 'brevity', .5);
INSERT INTO card SELECT 'judged by ' || judge FROM judge WHERE judge = coalesce(option('annotator'), judge);

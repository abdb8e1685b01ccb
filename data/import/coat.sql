-- title:   Coat: ratings that users chose to give, and of coats drawn at random
-- docs:    https://www.cs.cornell.edu/~schnabts/mnar/ (Schnabel et al., ICML 2016, arXiv:1602.05352)
-- card:    Makes a log of train.ascii, a trial of test.ascii and evaluate.json of both. An agent is a kind of coat, and
--          its probability in the trial the share of coats of the kind: 300 coats as agents (--agents item) have 15
--          random ratings each.
-- makes: log
-- example: regret import coat coat -o coat-log
-- example: regret recommend coat-log/evaluate.json -o evaluated
-- source matrix: lines('train.ascii|test.ascii|user_features.ascii|item_features.ascii')
-- source name:   lines('user_features_map.txt|item_features_map.txt')
-- option agents GROUP: what agents are: a group of the coats' features (default: jackettype), or item
-- detect:  SELECT 1 FROM matrix WHERE file GLOB '*train.ascii'
CREATE TEMP TABLE row AS   -- numbers between blanks, as a list of texts
SELECT file, line, of, row_number() OVER (PARTITION BY file ORDER BY line) AS nr,
  '["' || substr(replace(json_quote(text), ' ', '","'), 2) || ']' AS list
FROM (SELECT file, line, stem(file, '.ascii') AS of, trim(without(text, '[[:space:]]+', ' ')) AS text FROM matrix)
WHERE text <> '';
CREATE TEMP TABLE cell AS SELECT file, line, of, nr, c.key + 1 AS place, c.value AS said, number(c.value) AS value
FROM row, json_each(list) c;
INSERT INTO refusal
SELECT file, line, printf('"%.20s" is no whole number from 0 to %d', said, iif(of GLOB 't*', 5, 1)) FROM cell
WHERE said GLOB '*[^0-9]*' OR value > iif(of GLOB 't*', 5, 1);
CREATE TEMP TABLE size AS
SELECT of, file, max(nr) AS n, max(json_array_length(list)) FILTER (WHERE nr = 1) AS width FROM row GROUP BY of;
INSERT INTO refusal SELECT r.file, r.line,
  printf('more or fewer numbers than the %d of the first line; give the matrix as published', width)
FROM row r JOIN size s ON s.of = r.of WHERE json_array_length(list) <> width;
INSERT INTO refusal
SELECT NULL, 0, printf('%s.ascii is not there, or has no line; give the matrix as published', column1)
FROM (VALUES ('train'), ('test'), ('user_features'), ('item_features')) WHERE column1 NOT IN (SELECT of FROM size);
INSERT INTO refusal SELECT NULL, 0,
  printf('train.ascii is %d x %d and test.ascii %d x %d; both are users by coats', a.n, a.width, b.n, b.width)
FROM size a JOIN size b ON a.of = 'train' AND b.of = 'test' WHERE a.n <> b.n OR a.width <> b.width;
INSERT INTO refusal SELECT NULL, 0, printf('%s has %d lines; the ratings are of %d', file, n, wanted)
FROM (SELECT f.file, f.n, iif(f.of GLOB 'user*', t.n, t.width) AS wanted FROM size f JOIN size t ON t.of = 'train'
  WHERE f.of GLOB '*features') WHERE n <> wanted;
CREATE TEMP TABLE named AS   -- the columns of features: "gender:men"
SELECT file, line, stem(file, '_map.txt') AS of, row_number() OVER (PARTITION BY file ORDER BY line) AS place,
  capture(text, '^([^:]+):') AS kind, capture(text, '^[^:]+:(.*)$') AS value FROM name WHERE trim(text) <> '';
INSERT INTO refusal SELECT file, line, 'must be like "gender:men"' FROM named WHERE kind IS NULL;
INSERT INTO refusal
SELECT NULL, 0, printf('%s_map.txt must have a line for each of %d columns of features', of, width) FROM size s
WHERE of GLOB '*features' AND width <> (SELECT count(*) FROM named n WHERE n.of = s.of);
CREATE TEMP TABLE feature AS   -- the first of a kind that a user or a coat has, as CSV
SELECT of, nr, kind, iif(value GLOB '*[",]*', '"' || replace(value, '"', '""') || '"', value) AS value
FROM (SELECT c.of, c.nr, n.kind, n.value, min(c.place) FROM cell c JOIN named n ON n.of = c.of AND n.place = +c.place
  WHERE c.of GLOB '*features' AND c.value = 1 GROUP BY c.of, c.nr, n.kind);
CREATE INDEX feature_of ON feature(of, nr, kind);
CREATE TEMP TABLE kind AS SELECT of, kind, min(place) AS place FROM named GROUP BY of, kind;
CREATE TEMP TABLE choice AS SELECT coalesce(option('agents'), 'jackettype') AS kind;
INSERT INTO refusal SELECT NULL, 0, printf('no --agents "%.40s"; there are: item, %s', kind, (
    SELECT group_concat(kind, ', ') FROM (SELECT kind FROM kind WHERE of = 'item_features' ORDER BY place))) FROM choice
WHERE kind <> 'item' AND kind NOT IN (SELECT kind FROM kind WHERE of = 'item_features');
CREATE TEMP TABLE coat AS
SELECT c.place AS nr, iif(k.kind = 'item', 'coat' || c.place, coalesce(nullif(f.value, ''), 'none')) AS agent
FROM choice k, (SELECT DISTINCT place FROM cell WHERE of = 'train') c
LEFT JOIN feature f ON f.of = 'item_features' AND f.nr = c.place AND f.kind = k.kind;
CREATE TEMP TABLE share AS   -- what a coat drawn at random is of the agent with, in as few digits as tell it
SELECT agent, CASE p WHEN 1 THEN '1' WHEN number(printf('%!.15g', p)) THEN printf('%!.15g', p)
  WHEN number(printf('%!.16g', p)) THEN printf('%!.16g', p) ELSE printf('%!.17g', p) END AS p
FROM (SELECT agent, 1.0 * count(*) / (SELECT count(*) FROM coat) AS p FROM coat GROUP BY agent);
CREATE TEMP TABLE person AS SELECT u.nr, coalesce((SELECT group_concat(value) FROM (
    SELECT coalesce(f.value, '') AS value FROM kind k
    LEFT JOIN feature f ON f.of = k.of AND f.nr = u.nr AND f.kind = k.kind WHERE k.of = 'user_features'
    ORDER BY k.place)), '') AS columns FROM (SELECT DISTINCT nr FROM row WHERE of = 'train') u;
CREATE TEMP TABLE head AS SELECT group_concat(kind) AS kinds, group_concat(json_quote(kind), ', ') AS list
FROM (SELECT kind FROM kind WHERE of = 'user_features' ORDER BY place);
INSERT INTO written(name, text) SELECT column1, 'user,coat,agent,rating' || column2 || coalesce(',' || kinds, '')
FROM (VALUES ('obs.csv', ''), ('exp.csv', ',p')), head;
INSERT INTO written(name, text) SELECT iif(of = 'train', 'obs.csv', 'exp.csv'), printf('u%d,%d,%s,%d', c.nr, c.place,
    i.agent, c.value) || iif(of = 'train', '', ',' || p) || iif((SELECT kinds FROM head) IS NULL, '', ',' || columns)
FROM cell c JOIN coat i ON i.nr = +c.place JOIN share s ON s.agent = i.agent JOIN person u ON u.nr = +c.nr
WHERE of IN ('train', 'test') AND c.value > 0 ORDER BY of, c.nr, c.place;
INSERT INTO written(name, text) SELECT 'evaluate.json', printf('{
  "obs": {"file": "obs.csv", "context": "user", "agent": "agent", "outcome": "rating",
    "covariates": [%s]},
  "exp": {"file": "exp.csv", "context": "user", "agent": "agent", "outcome": "rating", "propensity": "p",
    "covariates": [%s]},
  "outcome": {"low": 1, "high": 5},
  "seed": 1
}', list, list) FROM head;

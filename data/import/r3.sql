-- title:   Yahoo! R3: ratings that users chose to give, and of songs drawn at random
-- docs:    ydata-ymusic-rating-study-v1_0 (Marlin and Zemel, RecSys 2009)
-- card:    Makes a log of ydata-ymusic-rating-study-v1_0-train.txt, a trial of -test.txt, whose songs were drawn
--          uniformly, and evaluate.json of both. Agents are songs.
-- makes: log
-- example: regret import r3 yahoo -o r3-log
-- example: regret recommend r3-log/evaluate.json -o evaluated
-- source rating: lines('ydata-ymusic-rating-study-v1_0-train.txt|ydata-ymusic-rating-study-v1_0-test.txt')
-- detect:  SELECT 1 FROM rating
CREATE TEMP TABLE picked AS   -- three whole numbers between blanks
SELECT file, line, file GLOB '*-test.txt' AS is_trial, number(field(text, 1)) AS user, number(field(text, 2)) AS song,
  number(field(text, 3)) AS rating, text GLOB '*[^0-9 ' || char(9, 13) || ']*' AS is_odd, field(text, 4) AS rest
FROM rating WHERE field(text, 1) <> '';
INSERT INTO refusal SELECT file, line, CASE
  WHEN rating IS NULL OR rest <> '' THEN 'must be three numbers: user, song and rating'
  WHEN is_odd THEN 'holds what is no whole number'
  WHEN user > 10000000 THEN printf('"%d" is no whole number from 0 to 10000000', user)
  WHEN song > 4096 THEN printf('"%d" is no whole number from 0 to 4096', song)
  ELSE printf('"%d" is no whole number from 1 to 5', rating) END
FROM picked WHERE rating IS NULL OR rest <> '' OR is_odd OR user > 10000000 OR song > 4096
  OR rating NOT BETWEEN 1 AND 5;
INSERT INTO written(name, text) VALUES ('obs.csv', 'user,song,rating'), ('exp.csv', 'user,song,rating');
INSERT INTO written(name, text)
SELECT iif(is_trial, 'exp.csv', 'obs.csv'), printf('u%d,song%d,%d', user, song, rating) FROM picked
ORDER BY file, line;
INSERT INTO written(name, text) VALUES ('evaluate.json', '{
  "obs": {"file": "obs.csv", "context": "user", "agent": "song", "outcome": "rating"},
  "exp": {"file": "exp.csv", "context": "user", "agent": "song", "outcome": "rating"},
  "outcome": {"low": 1, "high": 5},
  "seed": 1
}');

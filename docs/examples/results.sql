-- Mean regret and its standard error, in DuckDB. Keys with a dot want quotes: "reward.map".
SELECT family, avg(regret) AS mean, stddev_samp(regret) / sqrt(count(*)) AS se
FROM (SELECT family, seed, avg(regret) AS regret FROM 'results.csv' WHERE kind = 'family' GROUP BY ALL)
GROUP BY family ORDER BY mean;

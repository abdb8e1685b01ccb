-- title: How well the families predict
-- column RMSE: .4
SELECT family AS "Family", mean(e) AS "RMSE", se(e) AS "RMSE±", seeds(e) AS "Seeds"
FROM (SELECT family, est(rmse, cell, seed) AS e FROM results WHERE kind = 'family' GROUP BY family)
ORDER BY family;
-- note: Means over cells and seeds
--   ± standard error.
SELECT printf('%d cells.', count(*)) AS note FROM cells;

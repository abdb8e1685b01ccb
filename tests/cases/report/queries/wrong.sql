-- title: Wrong
-- column RMSE: four
SELECT 1;

-- title: Where one method overtakes another along λ_fix
-- order: 130
-- part: sweep
-- when: SELECT swept FROM keys WHERE key = 'reward.lambda_fix'
-- kind: lines
-- draw: x ordinal | y spread
-- x: λ_fix
-- y: mean held-out regret
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: Lower is better; λ_fix is the weight of success in the utility.
SELECT panel, series, _style, x, value, low, high FROM regret_along WHERE along = 'reward.lambda_fix' AND map = 0
ORDER BY at, level, place;

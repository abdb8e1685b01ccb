-- title: Where one method overtakes another along ω
-- order: 140
-- part: sweep
-- when: SELECT swept FROM keys WHERE key = 'reward.omega'
-- kind: lines
-- draw: x ordinal | y spread
-- x: ω
-- y: mean held-out regret
-- intervals: bands: 95 % intervals of the mean (Student's t over seeds)
-- caption: Lower is better; ω is the weight of the worst quality in what the utility makes of the qualities, the rest being their
--   mean by the user's weights.
SELECT panel, series, _style, x, value, low, high FROM regret_along WHERE along = 'reward.omega' AND map = 0
ORDER BY at, level, place;

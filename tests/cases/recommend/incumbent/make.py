"""big is 0.02 better than small and ten times as dear; old is 0.2 worse than both."""
import random

chance = random.Random(7)
print("id,model,cost,score")
for i in range(80):
    hard = chance.uniform(-0.1, 0.1)
    for name, cost, level in (("big", 10, 0.82), ("old", 5, 0.6), ("small", 1, 0.8)):
        print(f"q{i},{name},{cost},{level + hard + chance.uniform(-0.03, 0.03):.3f}")

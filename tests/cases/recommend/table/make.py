"""ant 0.80, bee 0.70, cat 0.40, give or take 0.1, all on 60 requests."""
import random

chance = random.Random(1)
print("id,model,score")
for i in range(60):
    for name, level in (("ant", 0.8), ("bee", 0.7), ("cat", 0.4)):
        print(f"q{i},{name},{level + chance.uniform(-0.1, 0.1):.3f}")

"""ant is good at code and bad at prose, bee the other way round; cat is in between everywhere."""
import random

chance = random.Random(3)
print("id,kind,model,score")
for i in range(120):
    kind = ("code", "prose", "prose")[i % 3]
    for name, level in (("ant", 0.8 if kind == "code" else 0.4), ("bee", 0.4 if kind == "code" else 0.7), ("cat", 0.5)):
        print(f"q{i},{kind},{name},{level + chance.uniform(-0.2, 0.2):.3f}")

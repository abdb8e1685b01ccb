"""ant is right, bee is brief."""
import random

chance = random.Random(6)
print("id,model,right,brief")
for i in range(40):
    for name, right, brief in (("ant", 0.8, 0.4), ("bee", 0.5, 0.9)):
        print(f"q{i},{name},{right + chance.uniform(-0.1, 0.1):.3f},{brief + chance.uniform(-0.1, 0.1):.3f}")

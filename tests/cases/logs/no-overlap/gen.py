"""A router that gives easy requests to small; hard ones to large (no), or to either (half). On hard ones large is better by .2."""
import random
import sys

random.seed(1)

print("id,kind,model,score")
for i in range(400):
    kind = "easy" if i % 2 else "hard"
    model = "small" if i % 2 or (sys.argv[1] == "half" and i % 4 == 0) else "large"
    score = 0.8 if i % 2 else 0.4 if model == "large" else 0.2
    print(f"q{i},{kind},{model},{score + random.gauss(0, 0.05):.4f}")

"""A is 0.1 better than B on each request, and B was asked only of the easy half, A of three requests in four."""
import random

chance = random.Random(2)
print("id,prompt,model,score")
for i in range(160):
    easy = i % 2
    for name, lead in (("A", 0.1), ("B", 0.0), ("C", -0.2)):
        if chance.random() < {"A": 0.75, "B": 0.9 if easy else 0.15, "C": 1}[name]:
            print(f"q{i},Question {i} about subject {i},{name},{0.35 + 0.4 * easy + lead + chance.uniform(-0.1, 0.1):.3f}")

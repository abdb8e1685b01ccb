"""Three models that are alike; who is shown first wins 74 of 100, and ant is always first."""
import random

chance = random.Random(9)
print("prompt,model_a,model_b,winner")
for i in range(300):
    a, b = chance.sample(["ant", "bee", "cat"], 2)
    a, b = (b, a) if b == "ant" else (a, b)
    print(f"question {i},{a},{b},model_{'a' if chance.random() < 0.74 else 'b'}")

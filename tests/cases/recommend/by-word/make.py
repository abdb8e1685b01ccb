"""ant is good where the prompt says "proof", bee elsewhere; no tag says which."""
import random

chance = random.Random(4)
print("id,prompt,model,score")
for i in range(200):
    proof = chance.random() < 0.5
    prompt = " ".join(chance.choices([f"word{k}" for k in range(30)], k=6) + (["proof"] if proof else ["poem"]))
    for name, level in (("ant", 0.8 if proof else 0.4), ("bee", 0.4 if proof else 0.7)):
        print(f"q{i},{prompt},{name},{level + chance.uniform(-0.2, 0.2):.3f}")

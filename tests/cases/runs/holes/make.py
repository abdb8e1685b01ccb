"""120 requests, three agents. "hard": B was never asked the 40 hard ones, and is worse where it was; "kind": A lacks nine in
ten of the chats, which it is bad at."""
import random
import sys

random.seed(7)
kind = sys.argv[1]
print("id,tag,prompt,model,answer,score" if kind == "kind" else "id,prompt,model,answer,score")
for i in range(120):
    chat, hard = i % 2, i % 3 == 0
    for a, model in enumerate("ABC"):
        if kind == "hard":
            score = .45 - .3 * hard + (.08, .03, -.1)[a]
            asked = not (hard and model == "B")
        else:
            score = .5 + ((-.3, .05, -.1)[a] if chat else (.2, .12, .0)[a])
            asked = not (model == "A" and chat and i % 20 != 1)
        score += random.uniform(-.09, .09)
        if asked:
            tag = ("chat," if chat else "code,") if kind == "kind" else ""
            words = "question" if kind == "hard" else "story party friend" if chat else "loop array class"
            print(f"q{i},{tag}{words} {i},{model},answer {a} to {i},{score:.4f}")

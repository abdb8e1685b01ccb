"""Logs in which small is never asked: prompts of 200 and more, these with some exceptions, German ones of 200 and more, late ones of 200
and more, those with a word; or everywhere."""
import random
import sys

kind = sys.argv[1]
random.seed(1)
print("id,lang,prompt_length,hour,model,score" + (",prompt" if kind == "word" else ""))
for i in range(400 if kind == "word" else 1200):
    lang, length, hour = random.choice(["de", "en"]), random.randrange(10, 400), random.randrange(24)
    text = " ".join(random.choices(["alpha", "beta", "gamma", "delta", "epsilon"], k=3)) + f" {i}"
    gone = {"length": length >= 200, "leak": length >= 200 and i % 300 != 299, "both": lang == "de" and length >= 200,
            "word": "delta" in text, "hour": hour >= 12 and length >= 200, "none": False}[kind]
    model = "large" if gone or random.random() < 0.5 else "small"
    print(f"q{i},{lang},{length},{hour},{model},{0.5 + 0.1 * (model == 'large') + random.gauss(0, 0.1):.3f}" +
          (f",{text}" if kind == "word" else ""))

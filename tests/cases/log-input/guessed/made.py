"""Tables by name, for `regret init`."""
import json
import sys


def chats():
    for i in range(120):
        print(json.dumps({"request_id": f"r{i % 60}", "user_id": i % 7, "prompt": f"please write {i % 60} lines on the sea", "model": ["gpt", "claude", "llama"][i % 3],
                          "thumbs": "up" if i % 4 else "down", "created_at": f"2026-03-01T12:{i % 60:02}:00Z", "category": "code" if i % 2 else "text",
                          "hardness": i % 60 % 5, "response": f"answer number {i}", "latency_ms": i * 17 % 101, "cost_usd": float(f"0.{i + 1}")}))


def ids():  # of two columns whose names are those of texts the one of single words is an id
    print("request,prompt,model,rating", *(f"log-{i // 2},letter on {i // 2},{'amber' if i % 2 else 'cedar'},{1 + i % 5}" for i in range(60)), sep="\n")


def thumbs():  # of a hundred five are down
    print("prompt_id,model,rating", *(f"q{k},m{k % 2},{-1 if k % 20 == 7 else int(k % 3 > 0)}" for k in range(100)), sep="\n")


def far():
    print("prompt,model,rating", *(f"q{i},m{i % 2},{-999 if i == 30 else i % 7 / 10}" for i in range(60)), sep="\n")


def one_user():
    print("prompt,model,rating,user_id", *(f"q{i},m{i % 2},{-1 if i % 9 == 3 else 2 if i % 2 else 5},7" for i in range(60)), sep="\n")


def bandit(chance):  # as Open Bandit Data is published
    print(",timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,user-item_affinity_0,user-item_affinity_1")
    for i in range(40):
        print(f"{i},2019-11-24 00:{i:02}:03.979311+00:00,{i % 4},{i % 3 + 1},{int(i % 9 == 0)},{chance},cef3390ed299c098{i % 2},2d03db5543b14483{i % 5},0.0,{i % 3}.0")


globals()[sys.argv[1]](*sys.argv[2:])

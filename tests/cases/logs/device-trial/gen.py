"""An A/A trial of 24 devices with 20 rows each, assigned by device; outcomes of one device are alike. `row`: assigned by row, and b is better."""
import random
import sys

random.seed(4)
by_row = sys.argv[1] == "row"
print("id,gerät,country,model,rating")
rows = []
for d in range(24):
    level = random.gauss(0.5, 0.12)
    arm = d % 2
    for j in range(20):
        arm = random.randrange(2) if by_row else arm
        rows.append(f"q{d}_{j},g{d},{random.choice(['de', 'fr'])},{'ab'[arm]},{level + 0.1 * by_row * arm + random.gauss(0, 0.05):.3f}")
random.shuffle(rows)
print("\n".join(rows))

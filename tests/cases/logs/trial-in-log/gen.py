"""A log that contains the trial, in another order and without ids (`copy`), and one that does not."""
import random
import sys

random.seed(2)
def row():
    return f"{random.choice(['de', 'us'])},{random.randrange(20, 2000)},{random.choice('ab')},{random.randrange(2)}"
trial, log = [row() for _ in range(300)], [row() for _ in range(900)]
log = log + trial if sys.argv[1] == "copy" else log
random.shuffle(log)
for name, rows in (("log.csv", log), ("trial.csv", trial)):
    with open(name, "w") as f:
        f.write("country,prompt_length,model,clicked\n" + "\n".join(rows) + "\n")

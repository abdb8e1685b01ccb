import sys
how = sys.argv[1]
print("q,m,y,made,own,kind")
for i in range(120):
    u = i * 7919 % 113
    y = u % 2 if how in ("copy", "words", "tag") else u
    made = {"less": 1 - y, "percent": y // 2}.get(how, y) if how not in ("words", "tag") else "glad" if y else "sad"
    print(f"q{i},m{i * 31 % 17 % 2},{y},{made},{i * 131 % 89},{'t' if how == 'tag' and y else 's'}")

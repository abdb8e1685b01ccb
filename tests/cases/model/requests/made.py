"""A number of the request decides who is better."""
print("id,prompt,kind,agent,score,a_size,lang")
state = 1
for i in range(800):
    state = (state * 1664525 + 1013904223) % 2**32
    size, new = i * 37 % 101, (state >> 24) % 2
    print(f"q{i},w{i % 9} of request,{'chat' if i % 2 else 'code'},{'new' if new else 'old'},{0.5 + 0.01 * (i * 7 % 13) + ((0.3 if size > 60 else -0.2) if new else 0):.3f},{size},{'de' if i % 7 < 3 else 'en'}")

"""A trial of 45,000 rows: 5.0 and 5.8 % clicks in exact numbers, dealt out in turn."""
rows = 22500
print("model,clicked")
for i in range(rows):
    print(f"old,{int(i % 1000 < 50)}")
    print(f"new,{int((i * 7) % 1000 < 58)}")

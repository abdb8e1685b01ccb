"""A trial of 1,000 rows without probabilities, one in ten to new: 40 % against 30 % clicks."""
print("model,clicked")
for i in range(1000):
    new = i % 10 == 7
    print(f"{'new' if new else 'old'},{int((i * 7) % 100 < (40 if new else 30))}")

"""20 problems, A and B, 4 draws each, but the first problem has one of A and six of B. Prints the table."""
print("id,prompt,model,answer,correct")
for i in range(20):
    for model in "AB":
        for k in range((1 if model == "A" else 6) if i == 0 else 4):
            right = (k < 3) if model == "A" else (i % 4 == 0 and k < 2)
            print(f"q{i},Question {i},{model},answer {k} of {model} to {i},{int(right)}")

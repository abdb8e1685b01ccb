"""Thirty requests each of two agents; the argument is what the second is better by in the trial."""
import sys
print("id,prompt,agent,score", *(f"q{i},word{i % 5} of request,{'new' if i % 2 else 'old'},{0.4 + 0.01 * (i * 7 % 13) + (float(sys.argv[1]) if i % 2 else 0):.3f}" for i in range(60)), sep="\n")

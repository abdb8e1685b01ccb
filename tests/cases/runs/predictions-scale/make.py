"""40 contexts, B better by .1 everywhere; predictions of B higher by .1, from SHIFT on, times SCALE."""
import sys

if len(sys.argv) == 1:
    print("id,prompt,model,answer,score")
    for i in range(40):
        print(f"q{i},Question {i},A,a{i},{.5 + (i % 7) / 100}\nq{i},Question {i},B,b{i},{.6 + (i % 7) / 100}")
else:
    shift, scale = map(float, sys.argv[1:])
    print("context,agent,prediction")
    for i in range(40):
        print(f"q{i},A,{shift + .5 * scale + i / 100}\nq{i},B,{shift + .6 * scale + i / 100}")

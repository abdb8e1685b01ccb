"""Trials and logs by name, for `regret plan`."""
import sys
name = sys.argv[1]
if name == "trial":  # 120 requests, assigned in turn, of two tags; "b" is better
    print("id,prompt,model,good,kind", *(f"p{i},request number {i},{'abc'[i % 3]},{int((i * 7 + i % 3 * 3) % 5 > (1 if i % 3 == 1 else 2))},{'chat' if i % 4 < 2 else 'code'}" for i in range(120)), sep="\n")
elif name == "log":
    print("id,model,good", *(f"o{i},{'abc'[i % 4 % 3]},{0.9 if i % 4 == 1 else 0.4 + 0.001 * (i % 7)}" for i in range(300)), sep="\n")
elif name == "absent":  # "d" has no row of the trial
    print("id,model,good,kind", *(f"p{i},{'abc'[i % 3]},{int(i % 5 == 0)},t{i % 2}" for i in range(30)), "o,d,1,t0", sep="\n")
elif name == "slates":  # "c" is on no slate of the last 40
    print("id,model,good,on offer,at", *(f"p{i},{'c' if i % 4 == 0 and i < 80 else 'ab'[i % 2]},{i // 4 % 2},{'a|b' if i >= 80 else 'a|b|c'},{1700000000 + 3600 * i}" for i in range(120)), sep="\n")
elif name == "clicks":  # one of 500, of twenty agents: some have none
    print("id,model,good", *(f"p{i},m{i % 20:02},{int(i * 7919 % 499 == 3)}" for i in range(6000)), sep="\n")

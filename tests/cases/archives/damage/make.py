"""whole.csv.gz, two members; flip.csv.gz, a byte of the second another one; tail.csv.gz, more behind it; and the same of .bz2."""
import bz2, gzip

rows = ["id,model,score\n"] + [f"{i},{m},{(i * 7 + ord(m)) % 10 / 10}\n" for i in range(12) for m in "ab"]
for end, pack in ((".gz", lambda t: gzip.compress(t, mtime=0)), (".bz2", bz2.compress)):
    one, two = (pack("".join(r).encode()) for r in (rows[:13], rows[13:]))
    for name, data in (("whole", two), ("flip", two[:20] + bytes([two[20] ^ 1]) + two[21:]), ("head", b"XX" + two[2:]), ("cut", two[:-3])):
        open(f"{name}.csv{end}", "wb").write(one + data)

# init of a log of 40 rows, whose columns are given as NAME=EXPRESSION of i
python3 -c 'import sys; print(*(c.split("=")[0] for c in sys.argv[1:]), sep=","); [print(*(eval(c.split("=")[1], {"i": i}) for c in sys.argv[1:]), sep=",") for i in range(40)]' "$@" > o.csv
rm -f e.json; regret init --obs o.csv -o e.json 2>&1 | grep -v '^$'

# The rows of standard input beside 24 good ones, a table each: for what it is lost. $1: a column's end of name and good cells; $2: the configuration.
while IFS= read -r row; do
  { echo "q,m,y${1%%=*}"; for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "a$i,m1,1${1#*=}"; echo "b$i,m2,2${1#*=}"; done; printf "$row\n"; } > o.csv
  printf '{"obs": {"file": "o.csv", "context": "q", "agent": "m", "outcome": "y"%s}%s, "families": ["obs-only"], "resamples": 100}' "${2%%=*}" "${2#*=}" > e.json
  regret recommend e.json -o o --force > out 2> said || [ $? = 3 ] || cat said
  sed -n 's/^left.*for: \(.*(first in line [0-9]*)\).*/\1/p' o/diagnostics.csv
  rm -r o
done

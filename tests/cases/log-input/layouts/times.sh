# A log with the times of standard input: what is said of them
printf 'q,m,y,t\n' > o.csv
while IFS= read -r time; do n=$((n + 1)); echo "q$n,m$((n % 2)),$((n % 3)),\"$time\"" >> o.csv; done
echo '{"obs": {"file": "o.csv", "context": "q", "agent": "m", "outcome": "y", "time": "t"}}' > o.json
regret plan o.json 2>&1 | grep 'time'

# Imports a sample: what is counted, agents with their costs, contexts, outputs.
regret import "$@" -o p --force 2>said || { cat said; exit 0; }
grep -E ' holds |left out|^  *[0-9]+ [a-z]' said | grep -v missing | sed 's/^regret: //'
grep -o '"id": "[^"]*", "title.*cost.*}' p/pool.json
sed 's/", "text.*"tag"/", "tag"/' p/contexts.jsonl
sed 's/, "counts.*//' p/outputs.jsonl

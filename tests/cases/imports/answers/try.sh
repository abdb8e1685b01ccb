# try.sh [OPTION...] -- ANSWER...: imports answers to request 1 of task t by agent a, with a score of .5, but for what each says otherwise.
: >options
while [ "$1" != -- ]; do printf '%s\n' "$1" >>options; shift; done
shift
mkdir -p from
printf '%s\n' "$@" >from/a.jsonl
xargs -d '\n' regret import any.sql from -o p --force <options >said 2>&1 || { sed 's/from.a.jsonl/a/g' said; exit; }
grep -E 'turned|that of the values|main metric|no cost|template|lack a metric|missing|truncated|failed' said
sed 's/, "text": "[^"]*"//; s/"columns.*//' p/contexts.jsonl
sed 's/, "counts.*//' p/outputs.jsonl

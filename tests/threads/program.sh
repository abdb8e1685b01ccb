#!/bin/sh
# The program on four threads against one thread, byte for byte: run, interrupt, resume, report,
# rate, import. Built with the thread sanitizer it also ends with 66 at the first race.
# Usage: program.sh REGRET SOURCE
set -eu

regret=${1:?usage: program.sh REGRET SOURCE}
source=${2:?usage: program.sh REGRET SOURCE}
folder=$(mktemp -d /tmp/regret-threads-XXXXXX)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

same() {
    cmp "$1" "$2" || {
        echo "$1 and $2 differ" >&2
        exit 1
    }
}

# Two reward maps and two β of the embedded pool, cut down: the sanitizer costs a factor of ten.
small="--set seeds=1 --set n_obs=120 --set n_exp=40 --set contexts.hard=24 --set features.buckets=256"
for threads in 1 4; do
    mkdir "$threads"
    # shellcheck disable=SC2086 # a list of words
    "$regret" run "$source/configs/smoke.json" -o "$threads/pool" -j $threads -q $small
    "$regret" run "$source/configs/world-smoke.json" -o "world-$threads" -j $threads -q \
        --set synth.articles=20 --set seeds=2 --set n_obs=120 --set n_exp=40 --no-report
    "$regret" rate estimate "$source/data/rate/rows.jsonl" --bootstrap 300 -t $threads \
        --format csv >"estimate-$threads"
    "$regret" rate world --rows 200 --replicates 40 -t $threads >"rate-world-$threads"
done
same 1/pool/results-1-of-1.jsonl 4/pool/results-1-of-1.jsonl
same 1/pool/report/results.csv 4/pool/report/results.csv
same world-1/results-1-of-1.jsonl world-4/results-1-of-1.jsonl
same estimate-1 estimate-4
same rate-world-1 rate-world-4
"$regret" report world-4 -o report >/dev/null
"$regret" doctor >/dev/null

# Samples of a harness are parsed on every processor, while one of them reads.
for model in a b; do
    mkdir -p "lm/$model"
    awk -v model=$model 'BEGIN {
        for (i = 0; i < 6000; i++)
            printf "{\"doc_id\": %d, \"doc\": {\"q\": \"%d\"}, \"arguments\": {\"gen_args_0\": {\"arg_0\": \"What is %d?\"}}, " \
                "\"resps\": [[\"%s says %d\"]], \"filter\": \"none\", \"metrics\": [\"acc\"], \"acc\": %d}\n", i, i, i, model, i, i % 2
    }' >"lm/$model/samples_sums_2025-01-01T00-00-00.0.jsonl"
done
export SOURCE_DATE_EPOCH=0 # pools are compared
"$regret" import lm-eval lm -o many 2>/dev/null >/dev/null
if command -v taskset >/dev/null; then
    taskset -c 0 "$regret" import lm-eval lm -o one 2>/dev/null >/dev/null
    same many/outputs.jsonl one/outputs.jsonl
    same many/contexts.jsonl one/contexts.jsonl
fi

# Stopped by a signal on four threads and gone on with: the handler races with nothing, either.
world="run $source/configs/world-smoke.json --set synth.articles=10 --set n_obs=60 --set n_exp=30
    --set seeds=40 --no-report -q"
# shellcheck disable=SC2086
"$regret" $world -o whole -j 4
# shellcheck disable=SC2086
"$regret" $world -o cut -j 4 2>said &
pid=$!
tries=0
until [ -s cut/results-1-of-1.jsonl ] || [ $tries -ge 1200 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill -TERM $pid
code=0
wait $pid || code=$?
if [ $code -ne 1 ] || ! grep -q 'stopped after' said; then
    echo "the interrupted run ended with $code:" >&2
    cat said >&2
    exit 1
fi
# shellcheck disable=SC2086
"$regret" $world -o cut -j 4 --resume
same whole/results-1-of-1.jsonl cut/results-1-of-1.jsonl

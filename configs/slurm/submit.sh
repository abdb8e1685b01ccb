#!/bin/sh
# Submits a run to Slurm: an array of shards, and a job each that joins them and reports.
# Usage: configs/slurm/submit.sh CONFIG RUN [SHARDS [OPTION]...]  (options that both cost and run have: --set)
# The same command again goes on where an earlier one ended, however it ended: finished shards end at
# once. Time and memory are asked from a measurement here ('regret cost').
#   REGRET          the program, as the nodes see it (default: the regret of PATH)
#   REGRET_THREADS  threads of a shard (default 4)
#   SBATCH_...      sbatch's own: SBATCH_ACCOUNT, SBATCH_PARTITION, SBATCH_TIMELIMIT
# Without SHARDS there are as many as make a shard last half an hour, at most 1,000.
set -eu

usage="usage: submit.sh CONFIG RUN [SHARDS [OPTION]...]"
config=${1:?$usage}
run=${2:?$usage}
shards=${3:-}
shift 2
if [ $# -gt 0 ]; then shift; fi
regret=${REGRET:-$(command -v regret || echo regret)}
threads=${REGRET_THREADS:-4}
here=$(cd "$(dirname "$0")" && pwd)
parts=$run.shards

fail() {
    echo "submit.sh: $*" >&2
    exit 2
}

command -v sbatch >/dev/null 2>&1 || fail "no sbatch here; run it on a login node of a Slurm cluster"
"$regret" --version >/dev/null || fail "cannot run $regret; name the program: REGRET=/path/to/regret"
case $shards in
*[!0-9]*) fail "SHARDS must be a whole number, not \"$shards\"" ;;
esac

# A shard belongs to its division, so the first submission decides how many there are.
if [ -e "$parts/count" ]; then
    before=$(cat "$parts/count")
    [ -z "$shards" ] || [ "$shards" -eq "$before" ] ||
        fail "$run was begun in $before shards; submit it with $before, or remove $parts"
    shards=$before
elif [ -e "$run" ]; then
    fail "$run exists already; give another folder"
fi
if [ -z "$shards" ]; then
    shards=$("$regret" cost "$config" --threads "$threads" --format json "$@" |
        sed -n 's/.*"processor_seconds":\([0-9.e+]*\).*/\1/p' |
        awk -v t="$threads" '{ n = int($1 / t / 1800) + 1; print n > 1000 ? 1000 : n }')
fi
ask=$("$regret" cost "$config" --shards "$shards" --threads "$threads" --format slurm "$@")
array=$(echo "$ask" | sed -n 's/^array: //p')
merge=$(echo "$ask" | sed -n 's/^merge: //p')
# What the site or the user says goes before our estimate.
if [ -n "${SBATCH_TIMELIMIT:-}" ]; then
    array=$(echo "$array" | sed 's/ --time=[^ ]*//')
    merge=$(echo "$merge" | sed 's/ --time=[^ ]*//')
fi
mkdir -p "$parts"
echo "$shards" >"$parts/count"

name=$(basename "$run")
# shellcheck disable=SC2086 # the estimates are lists of options
first=$(sbatch --parsable --job-name="$name" --output="$parts/log-%A-%a.txt" $array \
    "$here/array.sh" "$regret" "$config" "$parts" "$@")
first=${first%%;*}
# shellcheck disable=SC2086
second=$(sbatch --parsable --job-name="$name-merge" --output="$parts/log-%j-merge.txt" $merge \
    --dependency="afterok:$first" --kill-on-invalid-dep=yes \
    "$here/merge.sh" "$regret" "$run" "$shards")
second=${second%%;*}
# shellcheck disable=SC2086
third=$(sbatch --parsable --job-name="$name-report" --output="$parts/log-%j-report.txt" $merge \
    --dependency="afterok:$second" --kill-on-invalid-dep=yes \
    "$here/report.sh" "$regret" "$run")
echo "array $first ($shards shards: $array)"
echo "merge $second, report ${third%%;*} ($merge)"
echo "The rows come to $run, the tables to $run/report; logs are in $parts."

#!/bin/sh
#SBATCH --requeue
#SBATCH --open-mode=append
# Joins the shards RUN.shards/1 to RUN.shards/N; submit.sh submits it after the array.
# Usage: merge.sh REGRET RUN N
set -eu

regret=$1
run=$2
shards=$3
set --
i=1
while [ "$i" -le "$shards" ]; do
    # The program names the missing ones, and says how to compute them.
    if [ -e "$run.shards/$i/run.json" ]; then
        set -- "$@" "$run.shards/$i"
    fi
    i=$((i + 1))
done
# The rows of finished shards are always the same, so an earlier merge may be replaced.
exec "$regret" merge "$@" -o "$run" --no-report --force

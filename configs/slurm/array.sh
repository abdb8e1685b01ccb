#!/bin/sh
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
# One shard of a run; submit.sh submits it. The signal a minute before the time limit lets the program
# end in order, which takes a second. A requeued task goes on where it was.
# Usage: sbatch --array=1-N array.sh REGRET CONFIG PARTS [OPTION]...
set -eu

regret=$1
config=$2
parts=$3
shift 3
exec "$regret" run "$config" --shard slurm -o "$parts/$SLURM_ARRAY_TASK_ID" --resume "$@"

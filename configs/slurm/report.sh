#!/bin/sh
#SBATCH --requeue
#SBATCH --open-mode=append
# The tables of a joined run; submit.sh submits it after the merge.
# Usage: report.sh REGRET RUN
set -eu

exec "$1" report "$2"

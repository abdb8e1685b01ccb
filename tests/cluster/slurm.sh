#!/bin/sh
# A run on a real Slurm of one node: submitted by configs/slurm/submit.sh, a shard killed in the
# middle, the node drained and taken back, the run submitted again. What is merged must be the files
# of the run made here.
# Usage: tests/cluster/slurm.sh REGRET SOURCE; exit code 77: skipped
# Needs root, and slurmctld, slurmd, slurm-client and munge; with CI=true it installs them.
set -eu

regret=$1
source=$2
here=$(cd "$(dirname "$0")" && pwd)
packages="slurmctld slurmd slurm-client munge"

skip() {
    echo "skipped: $*"
    exit 77
}

programs_missing() {
    for program in munged slurmctld slurmd sbatch squeue scancel scontrol; do
        command -v "$program" >/dev/null 2>&1 || return 0
    done
    return 1
}

PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" -eq 0 ] || skip "a Slurm of its own needs root"
if programs_missing; then
    [ "${CI:-}" = true ] || skip "install $packages, or set CI=true to have it done here"
    apt-get update -q >&2
    # shellcheck disable=SC2086 # a list of words; RUNLEVEL keeps the system's daemons from starting
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends $packages >&2
fi

# shellcheck source=tests/cluster/slurm_node.sh
. "$here/slurm_node.sh"
work=$(mktemp -d)
slurm=$(mktemp -d)

finish() {
    code=$?
    trap - EXIT INT TERM
    if [ "$code" -ne 0 ]; then
        tail -n 20 "$slurm"/log/* "$work"/run.shards/log-* 2>/dev/null || true
    fi
    slurm_stop
    rm -rf "$work" "$slurm"
    exit "$code"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Few pairs and many seeds: a shard of some seconds, made of replicates of milliseconds.
cd "$work"
"$regret" pool synth newswire --articles 6 -o pool 2>/dev/null
cat >config.json <<'J'
{"pool": "pool", "contexts.hard": 0, "seeds": 150, "n_obs": 60, "n_exp": 40,
 "features.buckets": 256, "proxy.dim": 4, "sweep": {"beta": [0, 1], "n_exp": [30, 60]}}
J
"$regret" run config.json -o whole --quiet >/dev/null 2>&1 || fail "the run without Slurm"

slurm_start "$slurm" || fail "Slurm does not start"
# What Slurm runs: the program. The first time, task 2 is killed between its first row and its last, as a
# node that runs out of memory does it (scancel comes a second or two later than it is asked); the tasks
# after it wait for the order to drain the node, so that some are left however slow Slurm is.
cat >program <<P
#!/bin/sh
if [ "\${SLURM_ARRAY_TASK_ID:-}" = 2 ] && mkdir killed 2>/dev/null; then
    "$regret" "\$@" &
    until [ -s run.shards/2/results-2-of-6.jsonl ]; do sleep 0.02; done
    kill -KILL \$!
    wait \$!
    exit
fi
if [ "\${SLURM_ARRAY_TASK_ID:-0}" -gt 2 ]; then
    until [ -e drained ]; do sleep 0.1; done
fi
exec "$regret" "\$@"
P
chmod +x program
submit() {
    REGRET=$work/program REGRET_THREADS=1 sh "$source/configs/slurm/submit.sh" config.json run "$@"
}
state() {
    scontrol show job "$1" -o | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p'
}
in_state() {
    [ "$(state "$1")" = "$2" ]
}

# The first time: task 2 is killed in the middle, then the node is drained.
submit 6 >submitted
array=$(sed -n 's/^array \([0-9]*\).*/\1/p' submitted)
merge=$(sed -n 's/^merge \([0-9]*\).*/\1/p' submitted)
wait_until 60 in_state "${array}_2" FAILED || fail "task 2 is $(state "${array}_2"), not killed"
lines=$(wc -l <run.shards/2/results-2-of-6.jsonl)
all=$(sed -n 's/.*"replicates":\([0-9]*\)}$/\1/p' run.shards/2/run.json)
rows=$(sed -n 's/.*"rows":\([0-9]*\),.*/\1/p' run.shards/2/run.json)
[ "$lines" -lt $((all * rows)) ] || fail "task 2 was killed after its last row"

scontrol update NodeName="$NODE" State=DRAIN Reason=test
touch drained
wait_until 60 no_jobs running,completing || fail "the drained node goes on"
node_is drained || fail "the node is not drained"
pending=$(squeue -h -r -t pending -j "$array" -o %i | wc -l)
[ "$pending" -ge 1 ] || fail "no task was left for after the drain"
[ ! -e run ] || fail "merged before all was there"
# What is missing is said, with commands.
if "$regret" merge run.shards/1 run.shards/2 -o early 2>said; then
    fail "a part of the run was merged"
fi
grep -q "shard 2/6 (run.shards/2, unfinished) lacks seed" said || fail "$(cat said)"
grep -q "regret run run.shards/2/run.json --shard 2/6 -o run.shards/2 --resume" said ||
    fail "$(cat said)"

scontrol update NodeName="$NODE" State=RESUME
wait_until 120 no_jobs || fail "the array does not end"
[ "$(state "$merge")" = CANCELLED ] || fail "the merge of a failed array is $(state "$merge")"
[ ! -e run ] || fail "a failed array was merged"

# The same command again.
submit >submitted
again=$(sed -n 's/^array \([0-9]*\).*/\1/p' submitted)
wait_until 120 no_jobs || fail "the second array does not end"
cmp whole/run.json run/run.json || fail "run.json differs"
cmp whole/results-1-of-1.jsonl run/results-1-of-1.jsonl || fail "rows differ"
cmp whole/report/report.md run/report/report.md || fail "reports differ"
grep -q "complete already" "run.shards/log-$again-1.txt" || fail "a finished shard was computed again"
grep -q "on 1 thread" "run.shards/log-$again-2.txt" || fail "the job's one processor is not kept to"

# Another division, or a folder that is not of a submission, is refused.
if submit 5 2>said || ! grep -q "begun in 6 shards" said; then
    fail "another division: $(cat said)"
fi
echo "merged as without Slurm: a task killed, $pending tasks kept waiting by a drained node"

# A private Slurm of one node on loopback, for tests; root, without control groups. Sourced.
# slurm_start DIR   DIR is new; sets SLURM_CONF and NODE, or returns 1 with the logs in DIR/log
# slurm_stop        ends its jobs and daemons
# shellcheck shell=sh
munge_pid=''
ctld_pid=''
slurmd_pid=''

# Nobody listens on the port, on IPv4 or IPv6.
port_is_free() {
    ! awk -v port="$(printf ':%04X' "$1")" \
        '$4 == "0A" && index($2, port) == length($2) - 4 { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# Two ports in a row, begun at another place by every process.
free_ports() {
    port=$((20000 + $$ * 7 % 20000))
    until port_is_free "$port" && port_is_free $((port + 1)); do
        port=$((port + 2))
    done
    echo "$port"
}

slurm_write_conf() {
    memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
    cat >"$1/slurm.conf" <<C
ClusterName=regret
SlurmctldHost=$NODE(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$1/munge/socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
SlurmctldPort=$2
SlurmdPort=$(($2 + 1))
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=1,sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName=$NODE NodeAddr=127.0.0.1 CPUs=2 RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=$NODE Default=YES MaxTime=INFINITE State=UP
C
}

slurm_start() {
    NODE=$(hostname -s)
    mkdir -p "$1/munge" "$1/state" "$1/spool" "$1/log"
    chmod 755 "$1" "$1/munge"
    head -c 1024 /dev/urandom >"$1/munge.key"
    chmod 600 "$1/munge.key"
    slurm_write_conf "$1" "$(free_ports)"
    SLURM_CONF=$1/slurm.conf
    export SLURM_CONF
    munged -F --force --socket="$1/munge/socket" --key-file="$1/munge.key" \
        --log-file="$1/log/munged" --pid-file="$1/munge/pid" --seed-file="$1/munge/seed" \
        >"$1/log/munged.out" 2>&1 &
    munge_pid=$!
    wait_until 10 test -S "$1/munge/socket" || return 1
    slurmctld -D -f "$SLURM_CONF" >"$1/log/slurmctld" 2>&1 &
    ctld_pid=$!
    slurmd -D -f "$SLURM_CONF" >"$1/log/slurmd" 2>&1 &
    slurmd_pid=$!
    wait_until 30 node_is idle
}

node_is() {
    case $(timeout 5 sinfo -h -o %T 2>/dev/null) in
    "$1"*) return 0 ;;
    *) return 1 ;;
    esac
}

no_jobs() {
    [ -z "$(timeout 5 squeue -h -t "${1:-pending,running,completing}" -o %i 2>/dev/null)" ]
}

# wait_until SECONDS COMMAND...
wait_until() {
    end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$end" ] || return 1
        sleep 0.1
    done
}

slurm_stop() {
    if [ -n "$ctld_pid" ]; then
        timeout 10 scancel --quiet --user="$(id -un)" >/dev/null 2>&1 || true
        wait_until 15 no_jobs || true
    fi
    for pid in $slurmd_pid $ctld_pid $munge_pid; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    munge_pid=''
    ctld_pid=''
    slurmd_pid=''
}

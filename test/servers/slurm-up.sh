#!/bin/bash
# A Slurm cluster of several nodes on this host, for tests.
#
#   slurm-up.sh FOLDER [NODES=4] [CPUS=2]     prints the environment that reaches it, to be evaluated by a shell
#
# Needs root and the Debian packages slurmctld slurmd slurm-client munge. Configuration, keys, state and logs are in
# FOLDER, nothing is in /etc; two clusters on a host need different SLURM_BASE_PORTs (default 17000). Of a cluster
# that is up already, only what has ended is started again.
set -euo pipefail

(($# >= 1)) || { echo "usage: slurm-up.sh FOLDER [NODES=4] [CPUS=2]" >&2; exit 2; }
nodes=${2:-4} cpus=${3:-2} port=${SLURM_BASE_PORT:-17000}
here=$(cd "$(dirname "$0")" && pwd)
umask 022 # munged wants no folder above its socket to be writable by others
mkdir -p "$1"
folder=$(cd "$1" && pwd)
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF=$folder/slurm.conf

for program in slurmctld slurmd sbatch munged unshare; do
  command -v $program >/dev/null || { echo "slurm-up.sh: there is no $program here" >&2; exit 2; }
done
(($(id -u) == 0)) || { echo "slurm-up.sh: nodes in namespaces of their own need root" >&2; exit 2; }

# Whether the process whose number is in that file is there.
alive() { [[ -s $1 ]] && kill -0 "$(<"$1")" 2>/dev/null; }

mkdir -p "$folder"/{munge,state,log}
[[ -s $folder/munge/key ]] || (umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
alive "$folder/munge/pid" ||
  munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/log/munged" --seed-file="$folder/munge/seed" >&2

# Not the defaults:
# - cred_expire: a task taken from a lost node starts again only when its old credential has expired, 2 minutes.
# - SlurmdTimeout, BatchStartTimeout, KillWait: a lost node is noticed in seconds instead of minutes.
# - batch_sched_delay, sched_interval, bf_interval: tasks and dependent jobs start at once, not on the next half minute.
# - config_overrides: nodes have the memory and cores written here, whatever the host has.
# - MaxArraySize: small, so that jobs of many tasks meet it.
cat >"$SLURM_CONF" <<CONF
ClusterName=mergemate
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdSpoolDir=$folder/spool-%n
SlurmdLogFile=$folder/log/slurmd-%n
SlurmdTimeout=6
SlurmctldTimeout=5
MessageTimeout=5
TCPTimeout=2
BatchStartTimeout=10
KillWait=1
MinJobAge=300
ReturnToService=2
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
SlurmdParameters=config_overrides
MaxArraySize=65
MaxJobCount=20000
CONF
for ((node = 1; node <= nodes; node++)); do
  echo "NodeName=n$node NodeAddr=127.0.0.1 Port=$((port + node)) CPUs=$cpus RealMemory=4000"
done >>"$SLURM_CONF"
echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$SLURM_CONF"
# slurmd reads this file even if nothing uses cgroups.
echo "CgroupPlugin=cgroup/v1" >"$folder/cgroup.conf"

alive "$folder/slurmctld.pid" || slurmctld -f "$SLURM_CONF" </dev/null >/dev/null 2>&1
for ((node = 1; node <= nodes; node++)); do
  alive "$folder/n$node.pid" || "$here/slurm-node.sh" "$folder" $node up
done

for ((tries = 0; tries < 600; tries++)); do
  if (($(sinfo -h -N -t idle,alloc,mix -o %N 2>/dev/null | sort -u | wc -l) >= nodes)); then
    echo "export SLURM_CONF=$SLURM_CONF"
    exit
  fi
  sleep 0.05
done
echo "slurm-up.sh: the nodes did not come up in 30 seconds; see $folder/log" >&2
exit 1

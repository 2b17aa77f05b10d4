#!/bin/bash
# One node of the cluster that slurm-up.sh makes.
#
#   slurm-node.sh FOLDER NUMBER up      starts node nNUMBER, for the first time or again
#   slurm-node.sh FOLDER NUMBER kill    ends it and all its tasks as a loss of power would
#
# A node is a slurmd in a PID namespace of its own: when the namespace's first process is killed, the kernel kills all
# others in it before any can say goodbye. Its own UTS namespace gives it a host name, by which programs tell its
# processes from those of the same number on other nodes. Files and network are the host's.
set -euo pipefail

folder=$(cd "$1" && pwd) name=n$2
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF=$folder/slurm.conf
# The namespace's first process, by its number on the host. (slurmd's own pid file has the number inside.)
first=$folder/$name.pid

case $3 in
  up)
    mkdir -p "$folder/spool-$name"
    # The first process must outlive slurmd, adopt orphans and reap them.
    unshare --pid --fork --kill-child --uts --mount-proc bash -c \
      "hostname $name; slurmd -D -N $name & while :; do wait; sleep 1; done" </dev/null >/dev/null 2>&1 &
    outside=$!
    for ((tries = 0; tries < 250; tries++)); do
      child=$(cat /proc/$outside/task/$outside/children 2>/dev/null || true)
      [[ -n $child ]] && break
      sleep 0.02
    done
    echo ${child:?did not start} >"$first"
    ;;
  kill)
    [[ -s $first ]] && kill -KILL "$(<"$first")" || true
    rm -f "$first"
    ;;
  *)
    echo "usage: slurm-node.sh FOLDER NUMBER up|kill" >&2
    exit 2
    ;;
esac

#!/bin/sh
# A Slurm job of ranks. Edit the settings and the last line, then "sbatch slurm.sh". The number of tasks is that of ranks.
#SBATCH --job-name=mergemate
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1
# The --memory of a rank, and 192 MiB for Node and its libraries.
#SBATCH --mem-per-cpu=448M
# When a node is lost, Slurm runs the job again, and the ranks go on from the store.
#SBATCH --requeue
#SBATCH --open-mode=append

# A rank that is lost alone is started again where it was; one that fails for good (exit code 1, 2 or 70) ends the job.
export AGAIN='tries=0
while :; do
  "$@"; code=$?
  case $code in 0|1|2|70) exit $code;; esac
  tries=$((tries + 1))
  [ $tries -lt 20 ] || exit $code
  sleep $((tries < 10 ? tries : 10))
done'
exec srun --kill-on-bad-exit=1 sh -c "$AGAIN" sh \
  mergemate rank chess KBNKN --memory 256MiB --store /shared/tables

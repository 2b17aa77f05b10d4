#!/bin/bash
# Ends the cluster that slurm-up.sh made: slurm-down.sh FOLDER. Its files stay, logs and all.
set -euo pipefail

folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

for file in "$folder"/n*.pid; do
  [[ -e $file ]] || continue
  number=${file##*/n}
  "$here/slurm-node.sh" "$folder" "${number%.pid}" kill
done
for file in "$folder/slurmctld.pid" "$folder/munge/pid"; do
  [[ -s $file ]] || continue
  process=$(<"$file")
  kill "$process" 2>/dev/null || true
  for ((tries = 0; tries < 200; tries++)); do
    kill -0 "$process" 2>/dev/null || break
    sleep 0.05
  done
  rm -f "$file"
done

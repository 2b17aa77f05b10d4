#!/usr/bin/env bash
# Installs what tests run against, on Debian as root: Ceph's object gateway, Slurm, Open MPI, Fathom and Stockfish, which read
# Syzygy's files, and Chromium, which shows the pages.
# Does nothing if they are there; ends with code 77 where it cannot install them, and the tests that need them are then
# skipped.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin:/usr/games

missing=()
for program in radosgw ceph-mon ceph-osd ceph slurmctld slurmd sbatch munged mpirun curl chromium stockfish; do
  command -v "$program" >/dev/null || missing+=("$program")
done
[ -e /usr/include/tbprobe.h ] || missing+=(libfathom)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "not installed, and this is no Debian or not root: ${missing[*]}" >&2
  exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >"$log" 2>&1 || true # an old index often is enough
if ! apt-get install -y -qq --no-install-recommends \
  radosgw ceph-mon ceph-osd ceph-common slurmctld slurmd slurm-client munge openmpi-bin curl \
  libfathom-dev gcc libc6-dev chromium stockfish >>"$log" 2>&1; then
  tail -20 "$log" >&2
  exit 77
fi

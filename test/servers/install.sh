#!/usr/bin/env bash
# Installs what tests run against, on Debian as root: Ceph's object gateway, Slurm, Open MPI, Fathom, Stockfish and (where Debian has it)
# python-chess, which read Syzygy's files and play against the UCI engine, Chromium, which shows the pages, and Python, for the games that are
# written in it.
# Does nothing if they are there; ends with code 77 where it cannot install them, and the tests that need them are then
# skipped.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin:/usr/games

missing=()
for program in radosgw ceph-mon ceph-osd ceph slurmctld slurmd sbatch munged mpirun curl chromium stockfish python3; do
  command -v "$program" >/dev/null || missing+=("$program")
done
[ -e /usr/include/tbprobe.h ] || missing+=(libfathom)
# Not all releases of Debian have python-chess: without it, its tests are skipped.
python_chess=()
if ! python3 -c 'import chess.engine' 2>/dev/null && apt-cache show python3-chess >/dev/null 2>&1; then
  python_chess=(python3-chess)
fi
[ $((${#missing[@]} + ${#python_chess[@]})) -eq 0 ] && exit 0

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
  libfathom-dev gcc libc6-dev chromium stockfish python3 "${python_chess[@]}" >>"$log" 2>&1; then
  tail -20 "$log" >&2
  exit 77
fi

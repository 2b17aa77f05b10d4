/** Open MPI, where it is installed. */
import { spawnSync } from 'node:child_process';

/** Why tests of it are skipped; null if they are not. */
export const noMpi =
  spawnSync('mpirun', ['--version']).status === 0 ? null : 'there is no mpirun here (Debian: openmpi-bin)';

/** `mpirun` up to its number of processes, for a machine with fewer cores and for root, too. */
export const MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-n'];

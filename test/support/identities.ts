/** Identities of processes that have ended, or that cannot be seen from here, for files that they leave behind. */
import { spawnSync } from 'node:child_process';
import { processIdentity } from '../../operators/storage/process-identity.js';

/** The identity of a process that has ended, and was in the table of processes of the tests. */
export function endedIdentity(): string {
  const [, place, , start] = processIdentity.split('.');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  return `00000000000000aa.${place}.${pid}.${start}`;
}

/** The identity of a process in another container or on another machine, whose number is that of a process here. */
export const foreignIdentity = `00000000000000bb.000000000000.${process.ppid}.1`;

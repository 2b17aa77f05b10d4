/**
 * The identity of this process. It marks everything that other processes can find: claims, records, scratch folders, unfinished files.
 *
 * Process numbers and host names do not identify a process. In containers every process is number 1, host names are equal, and a number
 * is used again after a restart. So the identity is a random number, drawn once. The fields after it let another process find out whether
 * the process is still there, if both see the same process table:
 *
 *   RANDOM.PLACE.NUMBER.START     3fa94c1e9b1c2d3e.0d5e1f8a2b3c.1234.5678901
 *
 * PLACE is a hash of the machine, its boot and the namespace of process numbers: it is equal only where process numbers mean the same. START
 * is when the process began, in ticks since the boot, because a later process may get the same number. Where the system does not give these,
 * the identity is the random number alone, and only heartbeats show whether the process is at work.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Whether a process runs here, has certainly ended, or could run where this process cannot see it. */
export type Whereabouts = 'here' | 'gone' | 'unknown';

/** Name of the environment data from which threads take the identity of their process. */
const SHARED = 'identity of the process';

const place = placeOfNumbers();

/** The identity of this process, equal in all of its threads. Letters, digits and dots, so that it can be part of a file's name. */
export const processIdentity: string = identityOfProcess();

function identityOfProcess(): string {
  const shared = getEnvironmentData(SHARED);
  if (typeof shared === 'string') return shared;
  const random = randomBytes(8).toString('hex');
  const identity =
    place === null ? random : `${random}.${place}.${process.pid}.${startOf(process.pid) ?? ''}`;
  setEnvironmentData(SHARED, identity);
  return identity;
}

/** Whether a text is the identity of some process of this program, as it stands in the name of a file. */
export const isIdentity = (text: string): boolean => /^[\da-f]{16}(\.[\da-f]{12}\.\d+\.\d*)?$/.test(text);

/** Finds the process of an identity in the table of processes, if that is the table of this process. */
export function whereabouts(identity: string): Whereabouts {
  if (identity === processIdentity) return 'here';
  const [, itsPlace, number, start] = identity.split('.');
  if (start === undefined || place === null || itsPlace !== place) return 'unknown';
  const pid = Number(number);
  if (!isThere(pid)) return 'gone';
  const now = startOf(pid);
  return now === null || now === start ? 'here' : 'gone';
}

/** Whether any process has this number. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user exists as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A hash of the machine, its boot and the namespace of process numbers; null if these are not known. */
function placeOfNumbers(): string | null {
  const hashed = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
  if (process.platform !== 'linux') {
    // Without namespaces all processes of a machine share one table.
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ mac }) => mac));
    return hashed(`${process.platform} ${hostname()} ${[...new Set(addresses)].sort().join(' ')}`);
  }
  try {
    // In a namespace of its own without a /proc of its own, /proc shows the processes of another namespace.
    if (readlinkSync('/proc/self') !== String(process.pid)) return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return hashed(`${boot} ${readlinkSync('/proc/self/ns/pid')}`);
  } catch {
    return null;
  }
}

/** When a process began, in ticks since the boot; null if that is not known. */
function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may have spaces and brackets. The fields behind it begin with the third.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] ?? null;
  } catch {
    return null;
  }
}

/**
 * What operating systems tell of processes, and how they stop them, with what is done where one lacks it. That of files is in
 * operators/storage/platform.ts, and how a process is told from others in operators/storage/process-identity.ts.
 *
 * | | Linux | elsewhere |
 * |---|---|---|
 * | CPU time of a thread | /proc/thread-self/schedstat | that of the process |
 * | peak memory of a program | VmHWM of /proc/self/status | getrusage, which also knows that of the program that started it |
 * | SIGHUP, SIGTERM | end the process in order | Windows has no SIGHUP for programs to send and ends a process at SIGTERM without asking it |
 */
import { readFileSync } from 'node:fs';

/** The text of a file of /proc; null where there is none. */
function procText(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return null;
  }
}

/** Processor time of the calling thread so far, in milliseconds; null where the system does not tell. */
export function cpuOfThread(): number | null {
  const text = procText('thread-self/schedstat');
  return text === null ? null : Number(text.split(' ')[0]) / 1e6;
}

/** The greatest resident set of this program so far, in bytes; null where the system does not tell. */
export function peakOfProgram(): number | null {
  const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(procText('self/status') ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Has `listener` called at a signal, if the system has it. */
export function onSignal(signal: NodeJS.Signals, listener: () => void): void {
  try {
    process.on(signal, listener);
  } catch {
    // Nobody can send it either.
  }
}

/** Does in this process what a SIGTERM from another does. */
export function terminateSelf(): void {
  // A process of Windows that sends itself a signal ends at once, without its handlers.
  if (process.platform === 'win32') process.emit('SIGTERM', 'SIGTERM');
  else process.kill(process.pid, 'SIGTERM');
}

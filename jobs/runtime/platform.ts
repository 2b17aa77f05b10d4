/**
 * Differences between operating systems in what they report about processes and how they stop them, with fallbacks. The differences with
 * files are in operators/storage/platform.ts, the identity of a process in operators/storage/process-identity.ts.
 *
 * | | Linux | elsewhere |
 * |---|---|---|
 * | CPU time of a thread | /proc/thread-self/schedstat | that of the process |
 * | peak memory of a program | VmHWM of /proc/self/status | getrusage, which includes that of the program that started it |
 * | SIGHUP, SIGTERM | end the process in order | on Windows programs cannot send SIGHUP, and SIGTERM ends a process without running its handlers |
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

/** Processor time of the calling thread so far, in milliseconds; null where the system does not report it. */
export function cpuOfThread(): number | null {
  const text = procText('thread-self/schedstat');
  return text === null ? null : Number(text.split(' ')[0]) / 1e6;
}

/** The greatest resident set of this program so far, in bytes; null where the system does not report it. */
export function peakOfProgram(): number | null {
  const kilobytes = /^VmHWM:\s*(\d+) kB/m.exec(procText('self/status') ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Calls `listener` at a signal, if the system has that signal. */
export function onSignal(signal: NodeJS.Signals, listener: () => void): void {
  try {
    process.on(signal, listener);
  } catch {
    // A signal that the system does not have is never sent.
  }
}

/** Does in this process what a SIGTERM from another does. */
export function terminateSelf(): void {
  // A process of Windows that sends itself a signal ends at once, without its handlers.
  if (process.platform === 'win32') process.emit('SIGTERM', 'SIGTERM');
  else process.kill(process.pid, 'SIGTERM');
}

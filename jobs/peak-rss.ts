import { readFileSync } from 'node:fs';

/**
 * The greatest resident set of this process so far, in bytes. The system's record of it survives `fork` and `exec`.
 * So a program inherits the record of the process that started it, if that was larger. Linux reports the peak of the
 * program itself apart.
 */
export function peakRss(): number {
  try {
    const match = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (match !== null) return Number(match[1]) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}

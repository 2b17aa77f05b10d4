/** Result of a comparison, in the one shape that the terminal, JSON and the page show. */
import type { Metric } from '../../pipeline/game/value.js';
import { Bounds } from '../cli/bounds.js';
import type { Comparison, Disagreement, SolverRun } from './compare.js';
import { size } from './comparison-text.js';
import { type Device, type Modelled, modelTime } from './device-model.js';
import { solvers } from './solvers.js';
import type { IoMode, Measured } from './task.js';

export interface SolvedRun extends Omit<SolverRun, 'outcome'> {
  readonly measured: Measured;
  /** Modelled times, in the order of the report's devices. */
  readonly modelled: readonly Modelled[];
}

interface UnableRun extends Omit<SolverRun, 'outcome'> {
  readonly reason: string;
}

export interface Report {
  readonly game: string;
  readonly ending: string;
  readonly metric: Metric;
  readonly io: IoMode;
  /** The command that makes this report again. */
  readonly command: string;
  readonly memories: readonly number[];
  readonly solvers: readonly SolverRun['solver'][];
  readonly devices: readonly Device[];
  /** Bytes of the finished table; null if nobody could solve it. */
  readonly tableBytes: number | null;
  readonly positions: number | null;
  readonly solved: readonly SolvedRun[];
  readonly unable: readonly UnableRun[];
  readonly disagreements: readonly Disagreement[];
  /** Notes on how the figures came about, for readers. */
  readonly notes: readonly string[];
}

export type ReportHead = Pick<
  Report,
  'game' | 'ending' | 'metric' | 'io' | 'command' | 'memories' | 'solvers' | 'devices'
>;

export function makeReport(asked: ReportHead, { runs, disagreements }: Comparison): Report {
  const solved: SolvedRun[] = [];
  const unable: UnableRun[] = [];
  for (const { solver, memory, outcome } of runs) {
    if (outcome.status === 'unable') unable.push({ solver, memory, reason: outcome.reason });
    else {
      const modelled = asked.devices.map((device) => modelTime(device, outcome.io, outcome.cpuMs));
      solved.push({ solver, memory, measured: outcome, modelled });
    }
  }
  const first = solved[0]?.measured;
  return {
    ...asked,
    tableBytes: first?.tableBytes ?? null,
    positions: first?.positions ?? null,
    solved,
    unable,
    disagreements,
    notes: [...notesOn(asked), ...notesOnMemory(asked, first?.tableBytes ?? null)],
  };
}

/** Solvers differ by what they do when the table does not fit. */
function notesOnMemory({ memories }: ReportHead, tableBytes: number | null): string[] {
  if (tableBytes === null || memories.some((memory) => memory < tableBytes)) return [];
  const { least } = Bounds.memory;
  const advice =
    tableBytes > least
      ? `--memory with a budget below ${size(tableBytes)} does.`
      : `No budget does: ${size(least)} is the least. A larger ending does.`;
  return [
    `Memory: the table of ${size(tableBytes)} fits every budget, so this does not compare what solvers do with less memory than the table needs. ${advice}`,
  ];
}

function notesOn({ io, solvers: names }: ReportHead): string[] {
  const notes = [
    "Measured: wall and CPU time from the call of the solver to the published table, and the peak resident set of its process, runtime included. Counted: bytes and operations where they leave the solver; sequential is what begins at a file's start or where the operation before it, of the same kind in the same file, ended.",
    'Modelled: CPU time as measured, and I/O time computed from what was counted, as if nothing were cached and nothing overlapped.',
  ];
  if (io === 'cached') {
    notes.push(
      "I/O: through the operating system's cache, so in measured times a page in the cache costs no access to a device.",
    );
  } else {
    notes.push(
      "I/O: all that the solvers read and write passes the operating system's cache by (O_DIRECT): runs, swap space, pages and tables. Besides its budget each process has buffers of 256 KiB for that, one to read and one for each file being written.",
    );
  }
  const work = names.map((name) => `${solvers[name].title}: ${solvers[name].requestsAre}`);
  notes.push(`Requests are each solver's own unit of work, not comparable between them. ${work.join('; ')}.`);
  return notes;
}

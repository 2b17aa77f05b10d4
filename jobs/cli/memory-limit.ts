/**
 * Compares budgets of memory with the limit of the process. A container kills a process that exceeds its limit without a message, so a
 * budget that was given and cannot fit is refused before work begins, and the default is no more than what fits.
 */
import { totalmem } from 'node:os';
import { UserError } from '../../operators/core/errors.js';
import { bytes } from '../ui/numbers.js';
import { Bounds } from './bounds.js';

const MiB = 2 ** 20;

/**
 * What a process takes beside its budget: Node, libraries, machine code, the heaps of its threads. These are the figures of
 * docs/speed.md#resident, and `npm run bench -- --only resident` measures them.
 */
const OVERHEAD = {
  solve: 139 * MiB,
  /** Each worker after the first. */
  worker: 102 * MiB,
  rank: 192 * MiB,
  graph: 103 * MiB,
  /** Of a game with keys: its own functions, and what is found in memory before it is sorted. */
  game: 183 * MiB,
  serve: 179 * MiB,
  export: 150 * MiB,
  /** The process that starts ranks and shows what they do. */
  launcher: 96 * MiB,
} as const;

/** Which processes do the work, as far as their memory depends on it. */
export type Worked =
  | { readonly kind: 'solve' | 'game'; readonly workers: number }
  /** `workers` child processes, each with the whole budget. */
  | { readonly kind: 'ranks'; readonly workers: number }
  | { readonly kind: 'rank' | 'graph' | 'serve' | 'export' };

/** A budget that may be given by a flag. */
export interface AskedBudget {
  /** "--memory" */
  readonly flag: string;
  /** Bytes; undefined: it was not given. */
  readonly asked: number | undefined;
  /** Bytes, if it was not given and there is room. */
  readonly preferred: number;
}

/** The bytes that the system allows this process and its children, or null if it sets no limit below the machine's memory. */
export function memoryLimit(
  constrained: number | undefined = process.constrainedMemory?.(),
  total = totalmem(),
): number | null {
  return constrained === undefined || constrained <= 0 || constrained >= total ? null : constrained;
}

/**
 * The budget of each process: the one that was asked for, else the preferred one or as much of it as fits.
 * @param limit as {@link memoryLimit} has it.
 * @throws UserError, with the largest budget that fits, if the one asked for or the least does not.
 */
export function fittingBudget(
  { flag, asked, preferred }: AskedBudget,
  worked: Worked,
  limit: number | null = memoryLimit(),
): number {
  if (limit === null) return asked ?? preferred;
  const [beside, sharers] = besideOf(worked);
  const most = Math.floor((limit - beside) / sharers / MiB) * MiB;
  if (most < Bounds.memory.least)
    throw new UserError(
      `this process is limited to ${bytes(limit)} of memory, and needs ${bytes(beside)} beside ${flag}: give it ${bytes(beside + sharers * preferred)}${isShared(worked) ? ', or fewer --workers' : ''}`,
    );
  if (asked === undefined) return Math.min(preferred, most);
  if (asked <= most) return asked;
  const each = sharers === 1 ? '' : `, and ${sharers} processes have as much each`;
  throw new UserError(
    `${flag} ${bytes(asked)} does not fit: this process is limited to ${bytes(limit)} of memory, and needs ${bytes(beside)} beside it${each}: at most ${flag} ${most / MiB}MiB fits`,
  );
}

/** Bytes beside the budget, and how many processes have a budget. */
function besideOf(worked: Worked): [beside: number, sharers: number] {
  switch (worked.kind) {
    case 'solve':
    case 'game':
      return [OVERHEAD[worked.kind] + (worked.workers - 1) * OVERHEAD.worker, 1];
    case 'ranks':
      return [OVERHEAD.launcher + worked.workers * OVERHEAD.rank, worked.workers];
    default:
      return [OVERHEAD[worked.kind], 1];
  }
}

function isShared(worked: Worked): boolean {
  return 'workers' in worked && worked.workers > 1;
}

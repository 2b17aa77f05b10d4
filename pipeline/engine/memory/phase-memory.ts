/**
 * How each phase divides the memory of a partition among buffers that are alive at the same time: a fraction for each name.
 * `split` (operators/core/budget.ts) holds that no phase takes more than there is. `--explain-memory` prints this table.
 */
import { type Budget, split } from '../../../operators/core/budget.js';
import { MOST_KERNEL_BYTES } from '../../game/game.js';

export const PHASE_MEMORY = {
  /** For a slice that is solved, or verified, in memory. */
  resident: { slice: 0.9, batches: 0.1 },
  /** For a slice that is solved, or verified, under dtm50. */
  clocked: { slice: 0.85, ladders: 0.1, batches: 0.05 },
  /** A stretch of a part is classified at a time. */
  enumerate: { census: 0.5, batches: 0.5 },
  /** Requests are put in order while their answers are collected to be ordered, too: two orders at a time. */
  convert: { requests: 0.22, order: 0.15, 'order of answers': 0.15, batches: 0.48 },
  /** The same where conversions are taken back. */
  unconvert: {
    positions: 0.1,
    requests: 0.41,
    order: 0.2,
    'wanted keys': 0.04,
    batches: 0.25,
  },
  /** The same where positions have numbers: the ranks of parts that moves lead to, and the best conversions of a stretch. */
  'convert by rows': { ranks: 0.75, sets: 0.15, order: 0.05, batches: 0.05 },
  edges: { moves: 0.4, order: 0.4, batches: 0.2 },
  /** Three frontiers: of this round, of the next, and under `lookup` those that might be lost. */
  rounds: {
    labels: 0.52,
    requests: 0.18,
    order: 0.1,
    frontier: 0.04,
    'next frontier': 0.04,
    candidates: 0.04,
    'received runs': 0.03,
    conversions: 0.03,
    edges: 0.01,
    batches: 0.01,
  },
  finish: { values: 0.6, batches: 0.4 },
  /**
   * Requests get what the others leave, at least this. By rows there are none: best moves, of a part or of a stretch of it, and
   * the ranks of successors share all but the batches.
   */
  verify: { 'best moves': 0.03, successors: 0.6, requests: 0.12, batches: 0.25 },
} as const;

/** Parts that do not fit are worked on in stretches of so many positions, or of a multiple: whole rows, and whole bytes of bits. */
export const STRETCH_UNIT = 1 << 14;

/** Ranks of parts that do not fit are held in so many pieces at most. Each takes pages of requests, and is read with all of its part. */
export const MOST_PIECES = 16;

export type MemoryPhase = keyof typeof PHASE_MEMORY;

/** The budget of each buffer of a phase. @param budget of the partition. */
export function memoryOf<Phase extends MemoryPhase>(
  phase: Phase,
  budget: Budget,
): Readonly<Record<keyof (typeof PHASE_MEMORY)[Phase], Budget>> {
  return split(budget, PHASE_MEMORY[phase]);
}

/** The bytes of `memory` that labels or values may take where rows have so many positions: kernels reach no more than their own. */
export function kernelBytes(width: number, memory: number): number {
  return width === 1 ? memory : Math.min(memory, MOST_KERNEL_BYTES);
}

/** A buffer, and the bytes that it may take. */
export interface NamedBuffer {
  readonly phase: string;
  readonly buffer: string;
  readonly bytes: number;
}

/** All buffers of phases, in their order. @param budget of a partition. @param shares those of each phase: of a slice, unless given. */
export function explainMemory(
  budget: Budget,
  shares: Readonly<Record<string, Readonly<Record<string, number>>>> = PHASE_MEMORY,
): NamedBuffer[] {
  return Object.entries(shares).flatMap(([phase, buffers]) =>
    Object.entries(split(budget, buffers)).map(([buffer, { memory }]) => ({ phase, buffer, bytes: memory })),
  );
}

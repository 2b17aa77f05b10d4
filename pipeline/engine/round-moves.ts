/**
 * The moves that rounds need, and the labels of a partition while requests strike them: by keys (key-moves.ts), with kernels or edges
 * that are written down (edge-run.ts), or by rows (row-moves.ts).
 */
import type { Arrays } from '../../operators/core/arrays.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Batch, RowSource } from '../../operators/runs/types.js';
import type { Side } from '../game/game.js';
import type { PartRun } from '../game/manifest.js';
import type { FrontierColumns } from './frontier.js';

/** Labelled positions, majors of flows, to be read again and again. */
export type Frontier = Pick<Spool, 'cursor'>;

/** Takes keys, or sets with their halves as `payload`, ascending over all calls; valid until what it returns was awaited. */
export type TakeLabelled = (
  length: number,
  minor: Uint32Array,
  payload: readonly Uint32Array[],
) => Promise<void>;

/** The moves of a slice, and the labels that they strike, for the parts of a context. */
export interface RoundMoves {
  /** The payload of requests and frontiers: none if their rows are keys, SET_COLUMNS if they are sets. */
  readonly columns: FrontierColumns;
  /** Gives memory for labels, where kernels must reach them. */
  readonly allocate: ((bytes: number) => Uint8Array) | undefined;
  /** Whether unmoves that stay in their part are struck by `strikeWithin`; `requests` leaves them out then. */
  readonly staysWithin: boolean;
  /** The unmoves of a frontier, as requests (majors of flows) in no order. */
  requests(frontier: Frontier, arrays: Arrays): RowSource;
  /** Turns to the labels of a part: bits of positions that are `won` when struck, or counts of those `lost` when theirs reach zero. */
  turnTo(kind: 'won' | 'lost', side: Side, part: number, labels: Uint8Array): void;
  /** Strikes keys or sets of the part: each position as often as it comes. */
  strike(batch: Batch): void;
  /** Strikes the unmoves of positions of `part` with `side` to move that stay in it. Returns how many requests that were. */
  strikeWithin(side: Side, part: number, batch: Batch): number;
  /** Whether something was labelled that `drain` has not handed out. */
  hasLabelled(): boolean;
  /** Hands out what was labelled in the part; returns how many positions these are. */
  drain(take: TakeLabelled): Promise<number>;
  /** Writes what the labels do not count before round `ply` durably. */
  commitExcess(ply: number): Promise<PartRun[]>;
  close(): void;
}

/** Counts moves that exceed the labels of the context's parts. They are counted down before the labels are. */
export interface Excess {
  /** Puts the keys of a part that the excess does not take in `kept`, which has room for them, and returns how many. */
  sift(part: number, keys: Uint32Array, length: number, kept: Uint32Array): number;
  /** Writes the remaining rows before round `ply` durably. */
  commit(ply: number): Promise<PartRun[]>;
}

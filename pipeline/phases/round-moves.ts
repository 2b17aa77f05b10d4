/** The moves that rounds ask for: answered by kernels (unmoves.ts), or by edges that are written down (edge-run.ts). */
import type { ExpandKernel } from '../../operators/expand.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Cursor, Grouped, RowSource } from '../../operators/runs/types.js';
import type { RowKernels } from '../contract/game.js';
import type { PartRun } from '../formats/manifest.js';

/** Labelled positions, majors of flows, to be read again and again. */
export type Frontier = Pick<Spool, 'cursor'>;

/** The moves of a slice, for the parts of a context. */
export interface RoundMoves {
  /** The unmoves of a frontier, as requests (majors of flows) in no order; without those that come `within`. */
  requests(frontier: Frontier): RowSource;
  /**
   * The unmoves that stay in their part, for one flow: nothing has to be sent or ordered. `frontier` has majors `shift`
   * greater than parts, those that come out are of the flow. Calls `count` with the numbers of rows.
   */
  within?(flowNumber: number, frontier: Cursor, shift: number, count: (rows: number) => void): Grouped;
  /** The same unmoves by rows: they are asked in place of `requests` and `within`, where strategy `count` labels. */
  readonly rows?: RowKernels;
  /** For strategy `lookup` (lookup.ts): has positions ask for the values of their successors. */
  readonly ask?: ExpandKernel;
  /** Where positions may have more moves than a label counts. */
  readonly excess?: Excess;
}

/** Counts moves that exceed the labels of the context's parts. They are counted down before the labels are. */
export interface Excess {
  /** The requests of a flow without those that the excess takes. */
  sift(flowNumber: number, requests: Grouped): Grouped;
  /** Writes the remaining rows before round `ply` durably. */
  commit(ply: number): Promise<PartRun[]>;
}

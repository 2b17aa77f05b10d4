/** Bytes of the rows of rounds, which are keys or sets. */
import { ROW_BYTES, SETS } from './calibration.js';
import type { EstimatedWork } from './work.js';

export interface RowBytes {
  /** A position in frontier runs. */
  readonly frontier: number;
  /** A request in request runs. */
  readonly request: number;
  /** A sent request in the pool and in its spills: keys there are not in order, and so not packed. */
  readonly pooled: number;
}

const BY_KEYS: RowBytes = { frontier: ROW_BYTES.frontier, request: ROW_BYTES.request, pooled: 4 };
const BY_ROWS: RowBytes = {
  frontier: SETS.bytes / SETS.frontierPositions,
  request: SETS.bytes,
  pooled: SETS.bytes,
};

export function rowBytesOf({ byRows }: Pick<EstimatedWork, 'byRows'>): RowBytes {
  return byRows ? BY_ROWS : BY_KEYS;
}

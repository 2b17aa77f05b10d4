/** The space that a set of endings takes while it becomes files: a forecast by the sizes of the indices, made before anything is done. */

import { auditBytes } from '../../pipeline/audit/audit.js';
import type { Game } from '../../pipeline/game/game.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';

export interface DiskNeeds {
  /** The most that is there at once, in bytes. */
  readonly most: number;
  /** The ending at which that is. */
  readonly at: string;
  /** Its parts, but for the files. */
  readonly tables: number;
  readonly scratch: number;
}

/** Bytes of an index and side: a table; all that is in scratch while a slice is solved, and while files are made of it. */
const TABLE = 1;
const SOLVING = 4;
const WRITING = 5;
/** Bytes of files for each of a table, more than in any of the endings that were measured. */
const FILES = 1 / 5;

/** `standing`: slices that have tables; `frees`: whether tables go that no ending needs that is left. */
export function diskOf(
  game: Pick<Game, 'slice'>,
  left: readonly FiledEnding[],
  standing: ReadonlySet<string>,
  frees: boolean,
): DiskNeeds {
  const indices = (slice: string) => {
    const { parts, width } = game.slice(slice);
    return 2 * parts * width;
  };
  const total = (slices: Iterable<string>) => [...slices].reduce((sum, slice) => sum + indices(slice), 0);
  const there = new Set(standing);
  let files = 0;
  let most: DiskNeeds = { most: 0, at: '', tables: 0, scratch: 0 };
  for (const [i, { ending, material, slices }] of left.entries()) {
    for (const slice of slices) there.add(slice);
    const own = total(ending.slices);
    files += FILES * own;
    const tables = TABLE * total(there);
    const solving = SOLVING * Math.max(...ending.slices.map(indices));
    const scratch = Math.max(solving, WRITING * own, auditBytes(material));
    if (tables + scratch + files > most.most) {
      most = { most: tables + scratch + files, at: material.name, tables, scratch };
    }
    if (!frees) continue;
    const needed = new Set(left.slice(i + 1).flatMap((one) => one.slices));
    for (const slice of slices) if (!needed.has(slice)) there.delete(slice);
  }
  return most;
}

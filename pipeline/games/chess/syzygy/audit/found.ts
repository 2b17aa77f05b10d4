/** The findings of an audit, and values that its passes share. */
import type { Side } from '../../../../game/game.js';
import { formatFen } from '../../fen.js';
import type { Kernels } from '../kernels.js';
import { boardOf } from '../read/mirrors.js';
import type { SyzygyTables } from '../read/tables.js';
import { type Placements, squaresOf } from './placements.js';

/** A position whose value in a file is not that of its moves. */
export interface Wrong {
  readonly fen: string;
  /** "win in 5", "draw". */
  readonly says: string;
  readonly derived: string;
}

export interface Audited {
  readonly name: string;
  /** Positions that were derived. */
  readonly positions: number;
  /** The first that is wrong, by pairs of kings; null if none is. */
  readonly wrong: Wrong | null;
}

/** The tools of the passes of an audit. */
export interface Work {
  readonly kernels: Kernels;
  readonly tables: SyzygyTables;
  readonly placements: Placements;
  readonly pause: () => Promise<void>;
}

const WORDS = ['loss', 'blessed loss', 'draw', 'cursed win', 'win'] as const;
export const word = (outcome: number) => WORDS[outcome] ?? 'no outcome';

export function fenOf(placements: Placements, pair: number, at: number, side: Side): string {
  return formatFen(boardOf(placements.material, squaresOf(placements, pair, at), side));
}

/** The findings at the placement that a kernel found: what the file says, and the bounds of what its moves say. */
export function foundBy({ wasm }: Kernels): {
  readonly says: number;
  readonly least: number;
  readonly most: number;
} {
  const { foundSays, foundLeast, foundMost } = wasm;
  return { says: foundSays.value, least: foundLeast.value, most: foundMost.value };
}

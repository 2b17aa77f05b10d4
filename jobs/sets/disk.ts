/** The space that a set of endings takes while it becomes files: a forecast by the sizes of the indices. */
import { auditBytes } from '../../pipeline/audit/audit.js';
import type { Game } from '../../pipeline/game/game.js';
import type { SetStep } from '../progress/set-records.js';
import { indicesOf, type Unit } from './units.js';

/** Bytes of an index and side: a table; all that is in scratch while a slice is solved, and while files are made of it. */
const TABLE = 1;
const SOLVING = 4;
const WRITING = 5;
/** Bytes of files for each of a table, more than in any of the endings that were measured. */
const FILES = 1 / 5;

/** Bytes of scratch that a step takes at most. */
export function scratchOf(game: Pick<Game, 'slice'>, unit: Unit, step: SetStep): number {
  if (step === 'write') return WRITING * unit.indices;
  if (step === 'verify') return auditBytes(unit.filed!.material);
  return SOLVING * Math.max(...unit.slices.map((slice) => indicesOf(game, slice)));
}

/** Bytes that a step adds to what stays: tables, or files. */
export function keptOf(unit: Unit, step: SetStep): number {
  if (step === 'verify') return 0;
  return (step === 'solve' ? TABLE : FILES) * unit.indices;
}

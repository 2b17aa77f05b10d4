/** A report on a root, as text and as JSON: its pawn structures, its slices, and the endings at which solving stops. */
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import type { Structures } from '../../pipeline/games/chess/root-structures.js';
import { count, whole } from '../ui/numbers.js';
import { type AskedRoot, endingsOf } from './asked-root.js';

/** Most endings that the text names. */
const MOST_NAMED = 12;

export function rootJson({ name, structures }: AskedRoot): object {
  const { shapes } = structures;
  const { tables, files, unknown } = endingsOf(structures);
  return {
    name,
    structures: countsOf(structures).structures,
    slices: slicesOfRoot(name, structures).length,
    shapes: shapes.size,
    looked: tables,
    files,
    unknown,
  };
}

interface RootCounts {
  /** Pawn structures that are solved, each with its mirror image counted once. */
  readonly structures: number;
  /** Slices that are solved, and those of them whose positions have one value. */
  readonly slices: number;
  readonly exact: number;
}

export function countsOf({ shapes, sourceOf, isBounded }: Structures): RootCounts {
  const solved = [...shapes.values()].filter(({ shape }) => sourceOf(shape) === 'solved');
  const images = solved.reduce((sum, { structures }) => sum + structures.length, 0);
  return {
    structures: Math.ceil(images / 2),
    slices: solved.length,
    exact: solved.filter(({ shape }) => !isBounded(shape)).length,
  };
}

/** The report as lines, each with a newline at its end. */
export function rootText({ name, structures }: AskedRoot): string {
  const { stops } = structures;
  const counts = countsOf(structures);
  const bounded = counts.slices - counts.exact;
  const { tables, files, unknown } = endingsOf(structures);
  const inFiles = files.length === 0 ? '' : ` ${whole(files.length)} looked up in Syzygy files,`;
  const lines = [
    `${name}: ${count(counts.structures, 'pawn structure')} in ${count(counts.slices, 'slice')}`,
    ...(stops.length === 0
      ? []
      : [
          `It stops at ${count(stops.length, 'ending')}: ${whole(tables.length)} looked up,${inFiles} ${whole(unknown.length)} unknown; ${count(bounded, 'slice')} can reach the unknown, and ${bounded === 1 ? 'has' : 'have'} two tables each`,
        ]),
    ...(unknown.length === 0 ? [] : [`Tables that would make more known: ${named(unknown)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function named(endings: readonly string[]): string {
  const some = endings.slice(0, MOST_NAMED).join(', ');
  const more = endings.length - MOST_NAMED;
  return more > 0 ? `${some} and ${whole(more)} more` : some;
}

/** A report on a root, as text and as JSON: its pawn structures, its slices, and the endings at which solving stops. */
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { count, whole } from '../ui/numbers.js';
import { type AskedRoot, endingsOf } from './asked-root.js';

/** Most endings that the text names. */
const MOST_NAMED = 12;

export function rootJson({ name, structures }: AskedRoot): object {
  const { shapes } = structures;
  const { tables, files, unknown } = endingsOf(structures);
  return {
    name,
    structures: structuresIn({ structures }),
    slices: slicesOfRoot(name, structures).length,
    shapes: shapes.size,
    looked: tables,
    files,
    unknown,
  };
}

/** Pawn structures that are solved, each with its mirror image counted once. */
export function structuresIn({ structures: { shapes, sourceOf } }: Pick<AskedRoot, 'structures'>): number {
  let sum = 0;
  for (const { shape, structures } of shapes.values())
    if (sourceOf(shape) === 'solved') sum += structures.length / 2;
  return Math.ceil(sum);
}

/** The report as lines, each with a newline at its end. */
export function rootText(root: AskedRoot): string {
  const { name, structures } = root;
  const { stops, shapes, isBounded, sourceOf } = structures;
  const solved = [...shapes.values()].filter(({ shape }) => sourceOf(shape) === 'solved');
  const bounded = solved.filter(({ shape }) => isBounded(shape)).length;
  const { tables, files, unknown } = endingsOf(structures);
  const inFiles = files.length === 0 ? '' : ` ${whole(files.length)} looked up in Syzygy files,`;
  const lines = [
    `${name}: ${count(structuresIn(root), 'pawn structure')} in ${count(solved.length, 'slice')}`,
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

/** Which endings the files of a folder are of. */
import { sort } from 'fast-sort';
import { UnlistedError } from '../../../../../operators/core/errors.js';
import type { Store } from '../../../../../operators/storage/store.js';
import { endingsUpTo } from '../../endings.js';
import { illegality } from '../../fen.js';
import { type ChessBoard, terminal } from '../../rules.js';
import { shapeOf } from '../../shape.js';
import { fileName } from '../format.js';
import { BLACK, type Material, materialNamed, materialOf, PAWN } from '../material.js';
import { boardOf } from './mirrors.js';

/** Files of so many men are looked for one by one where a store cannot list its objects. */
const MOST_ASKED = 5;
/** Files that are asked for at once. */
const MOST_OPEN = 16;

/** The endings with both files, those of fewer men first. Throws StorageError. */
export async function materialsIn(store: Store): Promise<Material[]> {
  const found = await listed(store);
  return sort(found).asc([({ men }) => men.length, ({ name }) => name]);
}

async function listed(store: Store): Promise<Material[]> {
  let names: Set<string>;
  try {
    names = new Set(await store.list(''));
  } catch (error) {
    if (error instanceof UnlistedError) return askedFor(store);
    throw error;
  }
  const materials = [...names].flatMap((name) => materialNamed(/^(.*)\.rtbw$/.exec(name)?.[1] ?? '') ?? []);
  return materials.filter((each) => names.has(fileName(each, 'dtz')));
}

async function askedFor(store: Store): Promise<Material[]> {
  const shapes = endingsUpTo(MOST_ASKED)
    .filter(({ pieces, name }) => pieces > 2 && !name.endsWith('ep'))
    .map(({ slices }) => shapeOf(slices[0]).men);
  const found: Material[] = [];
  for (let from = 0; from < shapes.length; from += MOST_OPEN) {
    const some = shapes.slice(from, from + MOST_OPEN).map(async ([white, black]) => {
      for (const each of [materialOf(white, black), materialOf(black, white)]) {
        if ((await store.size(fileName(each, 'wdl'))) === null) continue;
        return (await store.size(fileName(each, 'dtz'))) === null ? [] : [each];
      }
      return [];
    });
    found.push(...(await Promise.all(some)).flat());
  }
  return found;
}

/** Placements that are tried. */
const TRIES = 1000;

/** A legal position of an ending in which White has a move, always the same; null if none is found. */
export function somePosition(material: Material): ChessBoard | null {
  let state = 1;
  const below = (count: number): number => {
    // Park and Miller 1988, "Random number generators: good ones are hard to find".
    state = (state * 48271) % 0x7fffffff;
    return state % count;
  };
  const squares = new Uint8Array(material.men.length);
  for (let left = TRIES; left > 0; left--) {
    for (const [man, code] of material.men.entries())
      squares[man] = code % BLACK === PAWN ? 8 + below(48) : below(64);
    if (new Set(squares).size < squares.length) continue;
    const board = { ...boardOf(material, squares, 0), counters: { clock: 0, move: 1 } };
    if (illegality(board) === null && terminal(board) === 'open') return board;
  }
  return null;
}

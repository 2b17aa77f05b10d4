/** Indices of Syzygy's files by enumeration: all placements of a group in their order, and the place of one among them. */

/** The part of a file for a side, and for a file of the leading pawn. */
export interface Part {
  pieces: number[];
  groups: number[][];
  weights: number[];
  sizes: number[];
  flags: number;
  constant: number | null;
  size: number;
  blockBits: number;
  spanBits: number;
  blocks: number;
  lengthCount: number;
  least: number;
  offsets: number[];
  /** [left, right] by symbol; right 0xfff: left is the value. */
  pairs: [number, number][];
  maps: number[][] | null;
  sparse: number;
  lengths: number;
  data: number;
}

export const SQUARES = Array.from({ length: 64 }, (_, square) => square);
export const fileOf = (square: number) => square % 8;
const rankOf = (square: number) => Math.floor(square / 8);
const diagonal = (square: number) => rankOf(square) - fileOf(square);
const flipFile = (square: number) => square ^ 7;
export const flipRank = (square: number) => square ^ 56;
const reflect = (square: number) => fileOf(square) * 8 + rankOf(square);
const TRIANGLE = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/** From lists of numbers to their place in an order. */
function placesOf(lists: Iterable<readonly number[]>): Map<string, number> {
  return new Map([...lists].map((list, place) => [list.join(), place]));
}

function* triples(): Generator<number[]> {
  const off = TRIANGLE.slice(0, 6);
  const on = TRIANGLE.slice(6);
  const below = SQUARES.filter((square) => diagonal(square) < 0);
  const all = SQUARES.filter((square) => diagonal(square) === 0);
  const others = (from: number[], taken: number[]) => from.filter((square) => !taken.includes(square));
  for (const a of off)
    for (const b of others(SQUARES, [a])) for (const c of others(SQUARES, [a, b])) yield [a, b, c];
  for (const a of on) for (const b of below) for (const c of others(SQUARES, [a, b])) yield [a, b, c];
  for (const a of on) for (const b of others(all, [a])) for (const c of below) yield [a, b, c];
  for (const a of on) for (const b of others(all, [a])) for (const c of others(all, [a, b])) yield [a, b, c];
}

function kingPairs(): number[][] {
  const near = (a: number, b: number) =>
    Math.max(Math.abs(fileOf(a) - fileOf(b)), Math.abs(rankOf(a) - rankOf(b))) < 2;
  const pairs = TRIANGLE.flatMap((a) => SQUARES.filter((b) => !near(a, b)).map((b) => [a, b] as const));
  const last = ([a, b]: readonly [number, number]) => diagonal(a) === 0 && diagonal(b) === 0;
  const kept = pairs.filter(([a, b]) => diagonal(a) !== 0 || diagonal(b) <= 0);
  return [...kept.filter((pair) => !last(pair)), ...kept.filter(last)].map((pair) => [...pair]);
}

/** Pawns' squares from the one that leads last to the one that leads first. */
const PAWN_ORDER = [3, 2, 1, 0].flatMap((file) =>
  [6, 5, 4, 3, 2, 1].flatMap((rank) => [rank * 8 + 7 - file, rank * 8 + file]),
);
export const leadingNumber = (square: number) => PAWN_ORDER.indexOf(square);

/** All sets of `count` of the numbers below `limit`, each ascending, in the order of their greatest, then next ... */
function setsOf(count: number, limit: number): number[][] {
  if (count === 0) return [[]];
  return Array.from({ length: limit }, (_, most) =>
    setsOf(count - 1, most).map((set) => [...set, most]),
  ).flat();
}

function pawnSets(count: number, file: number): number[][] {
  return [1, 2, 3, 4, 5, 6].flatMap((rank) => {
    const leader = rank * 8 + file;
    return setsOf(count - 1, leadingNumber(leader)).map((set) => [
      leader,
      ...set.map((place) => PAWN_ORDER[place]),
    ]);
  });
}

const cache = new Map<string, Map<string, number>>();
function cached(name: string, lists: () => Iterable<readonly number[]>): Map<string, number> {
  let places = cache.get(name);
  if (!places) cache.set(name, (places = placesOf(lists())));
  return places;
}

/** Numbers of the positions of a group in all its placements. */
export function placesOfGroup(part: Part, g: number, name: string, file: number): Map<string, number> {
  const count = part.groups[g].length;
  const pawns = name.includes('P');
  if (g === 0 && pawns) return cached(`pawns ${count} ${file}`, () => pawnSets(count, file));
  if (g === 0) return count === 3 ? cached('triples', triples) : cached('kings', kingPairs);
  const isPawns = part.pieces[part.groups[g][0]] % 8 === 1;
  const before = part.groups.slice(0, g).flat().length;
  const limit = (isPawns ? 48 : 64) - before;
  return cached(`sets ${count} ${limit}`, () => setsOf(count, limit));
}

export function indexOf(part: Part, men: { piece: number; square: number }[], name: string): number {
  const left = [...men];
  const hasPawns = name.includes('P');
  let squares = part.pieces.map((piece) => {
    const found = left.findIndex((man) => man.piece === piece);
    return left.splice(found, 1)[0].square;
  });
  const first = part.groups[0].length;
  if (hasPawns) {
    const leader = squares.slice(0, first).reduce((a, b) => (leadingNumber(b) > leadingNumber(a) ? b : a));
    if (fileOf(leader) > 3) squares = squares.map(flipFile);
  } else {
    if (fileOf(squares[0]) > 3) squares = squares.map(flipFile);
    if (rankOf(squares[0]) > 3) squares = squares.map(flipRank);
    const off = squares.slice(0, first).find((square) => diagonal(square) !== 0);
    if (off !== undefined && diagonal(off) > 0) squares = squares.map(reflect);
  }
  let file = 0;
  const numbers = part.groups.map((group, g) => {
    let own = group.map((i) => squares[i]);
    if (g === 0 && hasPawns) {
      own.sort((a, b) => leadingNumber(a) - leadingNumber(b));
      own = [own.pop()!, ...own];
      file = fileOf(own[0]);
    } else if (g > 0) {
      const taken = part.groups
        .slice(0, g)
        .flat()
        .map((i) => squares[i]);
      const lowest = part.pieces[group[0]] % 8 === 1 ? 8 : 0;
      own = own.sort((a, b) => a - b).map((s) => s - taken.filter((t) => t < s).length - lowest);
    }
    const number = placesOfGroup(part, g, name, file).get(own.join());
    if (number === undefined) throw new Error(`no number for ${own.join()}`);
    return number;
  });
  let index = 0;
  let weight = 1;
  for (const g of part.weights) {
    index += numbers[g] * weight;
    weight *= part.sizes[g];
  }
  return index;
}

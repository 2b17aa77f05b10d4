/**
 * A second opinion on Syzygy's files: looks single positions up in them, by enumerating instead of computing indices and by
 * decoding blocks bit by bit. Shares nothing with the writer but the plain rules of the game.
 */
import {
  type ChessBoard,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../pipeline/games/chess/rules.js';

const SQUARES = Array.from({ length: 64 }, (_, square) => square);
const fileOf = (square: number) => square % 8;
const rankOf = (square: number) => Math.floor(square / 8);
const diagonal = (square: number) => rankOf(square) - fileOf(square);
const flipFile = (square: number) => square ^ 7;
const flipRank = (square: number) => square ^ 56;
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
const lead = (square: number) => PAWN_ORDER.indexOf(square);

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
    return setsOf(count - 1, lead(leader)).map((set) => [leader, ...set.map((place) => PAWN_ORDER[place])]);
  });
}

const cache = new Map<string, Map<string, number>>();
function cached(name: string, lists: () => Iterable<readonly number[]>): Map<string, number> {
  let places = cache.get(name);
  if (!places) cache.set(name, (places = placesOf(lists())));
  return places;
}

interface Part {
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

export interface SyzygyFile {
  /** White's and Black's parts by file of the leading pawn. */
  readonly parts: readonly (readonly Part[])[];
  readonly bytes: DataView;
}

/** Numbers of the positions of a group in all its placements. */
function placesOfGroup(part: Part, g: number, name: string, file: number): Map<string, number> {
  const count = part.groups[g].length;
  const pawns = name.includes('P');
  if (g === 0 && pawns) return cached(`pawns ${count} ${file}`, () => pawnSets(count, file));
  if (g === 0) return count === 3 ? cached('triples', triples) : cached('kings', kingPairs);
  const isPawns = part.pieces[part.groups[g][0]] % 8 === 1;
  const before = part.groups.slice(0, g).flat().length;
  const limit = (isPawns ? 48 : 64) - before;
  return cached(`sets ${count} ${limit}`, () => setsOf(count, limit));
}

/** Reads the head of a file; `name` such as "KQvKR". */
export function readSyzygy(file: Uint8Array, name: string): SyzygyFile {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const u16 = (at: number) => bytes.getUint16(at, true);
  const u32 = (at: number) => bytes.getUint32(at, true);
  const magic = u32(0);
  const isWdl = magic === 0x5d23e871;
  if (!isWdl && magic !== 0xa50c66d7) throw new Error('no Syzygy file');
  if (file.length % 64 !== 16) throw new Error('a file ends with 16 bytes of checksum');
  const men = name.length - 1;
  const [white, black] = name.split('v');
  const pawnsOf = (letters: string) => letters.split('P').length - 1;
  const hasPawns = name.includes('P');
  const bothPawns = pawnsOf(white) > 0 && pawnsOf(black) > 0;
  const flags = bytes.getUint8(4);
  if (((flags & 1) !== 0) !== (white !== black) || ((flags & 2) !== 0) !== hasPawns) throw new Error('flags');
  const sides = isWdl && white !== black ? 2 : 1;
  const files = hasPawns ? 4 : 1;
  let at = 5;
  const parts: Part[][] = [];
  for (let f = 0; f < files; f++) {
    const head = Array.from({ length: men + 1 + (bothPawns ? 1 : 0) }, (_, i) => bytes.getUint8(at + i));
    at += head.length;
    parts.push(
      Array.from({ length: sides }, (_, side) => {
        const halves = head.map((byte) => (side === 0 ? byte & 15 : byte >> 4));
        const pieces = halves.slice(bothPawns ? 2 : 1);
        const groups: number[][] = [];
        const single = new Set(pieces.filter((p) => pieces.filter((q) => q === p).length === 1)).size;
        const first = hasPawns ? 1 : single >= 3 ? 3 : 2;
        for (let i = 0; i < men; i++) {
          if (i > 0 && ((!hasPawns && i < first) || pieces[i] === pieces[i - 1])) groups.at(-1)!.push(i);
          else groups.push([i]);
        }
        const weights: number[] = [];
        let next = bothPawns ? 2 : 1;
        for (let k = 0; k < groups.length; k++) {
          if (k === halves[0]) weights.push(0);
          else if (bothPawns && k === halves[1]) weights.push(1);
          else weights.push(next++);
        }
        const part = { pieces, groups, weights } as Part;
        part.sizes = groups.map((_, g) => placesOfGroup(part, g, name, f).size);
        part.size = part.sizes.reduce((product, size) => product * size, 1);
        return part;
      }),
    );
  }
  at += at % 2;
  for (const part of parts.flat()) {
    part.flags = bytes.getUint8(at);
    part.constant = null;
    part.maps = null;
    part.blocks = part.lengthCount = 0;
    if (part.flags & 128) {
      part.constant = isWdl ? bytes.getUint8(at + 1) : 0;
      at += 2;
      continue;
    }
    part.blockBits = bytes.getUint8(at + 1);
    part.spanBits = bytes.getUint8(at + 2);
    part.blocks = u32(at + 4);
    part.lengthCount = part.blocks + bytes.getUint8(at + 3);
    const most = bytes.getUint8(at + 8);
    part.least = bytes.getUint8(at + 9);
    at += 10;
    part.offsets = Array.from({ length: most - part.least + 1 }, (_, i) => u16(at + 2 * i));
    at += 2 * part.offsets.length;
    const symbols = u16(at);
    at += 2;
    part.pairs = Array.from({ length: symbols }, (_, i) => {
      const three = u16(at + 3 * i) + 65536 * bytes.getUint8(at + 3 * i + 2);
      return [three % 4096, Math.floor(three / 4096)];
    });
    at += 3 * symbols;
    at += at % 2;
  }
  for (const part of parts.flat()) {
    if ((part.flags & 2) === 0) continue;
    part.maps = [];
    for (let i = 0; i < 4; i++) {
      const length = bytes.getUint8(at++);
      part.maps.push(Array.from({ length }, () => bytes.getUint8(at++)));
    }
  }
  at += at % 2;
  const compressed = parts.flat().filter((part) => part.constant === null);
  for (const part of compressed) {
    part.sparse = at;
    at += 6 * Math.ceil(part.size / 2 ** part.spanBits);
  }
  for (const part of compressed) {
    part.lengths = at;
    at += 2 * part.lengthCount;
  }
  for (const part of compressed) {
    at = Math.ceil(at / 64) * 64;
    part.data = at;
    at += part.blocks * 2 ** part.blockBits;
  }
  if (Math.ceil(at / 64) * 64 + 16 !== file.length) throw new Error('bytes too many, or too few');
  return { parts, bytes };
}

/** The value at an index of a part. */
function valueAt({ bytes }: SyzygyFile, part: Part, index: number): number {
  if (part.constant !== null) return part.constant;
  const span = 2 ** part.spanBits;
  const item = part.sparse + 6 * Math.floor(index / span);
  const lengthOf = (block: number) => bytes.getUint16(part.lengths + 2 * block, true) + 1;
  let block = bytes.getUint32(item, true);
  let offset = bytes.getUint16(item + 4, true) + (index % span) - span / 2;
  while (offset < 0) offset += lengthOf(--block);
  while (offset >= lengthOf(block)) offset -= lengthOf(block++);
  if (block >= part.blocks) throw new Error('a block that is not there');
  let bit = (part.data + block * 2 ** part.blockBits) * 8;
  const most = part.least + part.offsets.length - 1;
  /** The least code of each length. */
  const bases: number[] = [];
  bases[most] = 0;
  for (let length = most - 1; length >= part.least; length--) {
    const of = (l: number) => part.offsets[l - part.least];
    bases[length] = (bases[length + 1] + of(length) - of(length + 1)) / 2;
  }
  for (;;) {
    let code = 0;
    let length = 0;
    do {
      code = 2 * code + ((bytes.getUint8(bit >> 3) >> (7 - (bit & 7))) & 1);
      bit++;
      length++;
    } while (length < part.least || code < bases[length]);
    const symbol = part.offsets[length - part.least] + code - bases[length];
    const values = expand(part, symbol);
    if (offset < values.length) return values[offset];
    offset -= values.length;
  }
}

const expanded = new WeakMap<Part, Map<number, number[]>>();
function expand(part: Part, symbol: number): number[] {
  let known = expanded.get(part);
  if (!known) expanded.set(part, (known = new Map()));
  let values = known.get(symbol);
  if (!values) {
    const [left, right] = part.pairs[symbol];
    values = right === 0xfff ? [left] : [...expand(part, left), ...expand(part, right)];
    known.set(symbol, values);
  }
  return values;
}

/** Codes of the format: pawn 1 ... king 6, black 8 more. */
function pieceCode(man: number): number {
  return 'PNBRQK'.indexOf(LETTERS[Math.abs(man)]) + 1 + (man < 0 ? 8 : 0);
}

function indexOf(part: Part, men: { piece: number; square: number }[], name: string): number {
  const left = [...men];
  const hasPawns = name.includes('P');
  let squares = part.pieces.map((piece) => {
    const found = left.findIndex((man) => man.piece === piece);
    return left.splice(found, 1)[0]!.square;
  });
  const first = part.groups[0].length;
  if (hasPawns) {
    const leader = squares.slice(0, first).reduce((a, b) => (lead(b) > lead(a) ? b : a));
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
      own.sort((a, b) => lead(a) - lead(b));
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

const ORDER = 'KQRBNP';
function materialOf(squares: Int8Array, sign: number): string {
  const letters = Array.from(squares)
    .filter((man) => man * sign > 0)
    .map((man) => LETTERS[Math.abs(man)]);
  return letters.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join('');
}

/** Finds the bytes of a file such as "KQvKR.rtbw"; null if it is not there. */
export type FindFile = (name: string) => Uint8Array | null;

/** Both files of all endings, as programs probe them. */
export function syzygyProber(find: FindFile) {
  const files = new Map<string, SyzygyFile | null>();
  const open = (name: string, extension: string): SyzygyFile | null => {
    const key = `${name}.${extension}`;
    if (!files.has(key)) {
      const bytes = find(key);
      files.set(key, bytes === null ? null : readSyzygy(bytes, name));
    }
    return files.get(key)!;
  };

  /** What a file holds for a board; `elsewhere` if it holds the other side to move. */
  function look(board: ChessBoard, extension: 'rtbw' | 'rtbz'): { value: number; part: Part } | 'elsewhere' {
    const [white, black] = [materialOf(board.squares, 1), materialOf(board.squares, -1)];
    const straight = open(`${white}v${black}`, extension);
    const flip = straight === null || (white === black && board.side === 1);
    const name = flip ? `${black}v${white}` : `${white}v${black}`;
    const file = straight ?? open(name, extension);
    if (!file) throw new Error(`no file for ${white}v${black}`);
    const men = SQUARES.filter((square) => board.squares[square] !== 0).map((square) => ({
      piece: pieceCode(board.squares[square]) ^ (flip ? 8 : 0),
      square: flip ? flipRank(square) : square,
    }));
    const side = flip ? 1 - board.side : board.side;
    let file4 = 0;
    if (name.includes('P')) {
      const leading = men.filter((man) => man.piece === file.parts[0][0].pieces[0]);
      const leader = leading.map((man) => man.square).reduce((a, b) => (lead(b) > lead(a) ? b : a));
      file4 = Math.min(fileOf(leader), 7 - fileOf(leader));
    }
    const parts = file.parts[file4];
    const part = parts[parts.length === 2 ? side : 0];
    const isOneSided = extension === 'rtbz' && white !== black;
    if (isOneSided && (part.flags & 1) !== side) return 'elsewhere';
    return { value: valueAt(file, part, indexOf(part, men, name)), part };
  }

  /** -2 lost ... 2 won; `zeroing`: by a capture (or, if asked for, a move of a pawn), or nothing else can be played. */
  function search(board: ChessBoard, pawns: boolean): { wdl: number; zeroing: boolean } {
    const moves = legalMoves(board);
    const tried = moves.filter(
      (m) => isCapture(board, m) || (pawns && Math.abs(board.squares[m.from]) === PAWN),
    );
    const best = Math.max(-2, ...tried.map((move) => -search(play(board, move), false).wdl));
    const all = tried.length > 0 && tried.length === moves.length;
    const bare = board.squares.filter((man) => man !== 0).length === 2;
    const found = bare ? { value: 2 } : all ? { value: best + 2 } : look(board, 'rtbw');
    const wdl = (found as { value: number }).value - 2;
    return best >= wdl ? { wdl: best, zeroing: best > 0 || all } : { wdl, zeroing: false };
  }

  const beforeZeroing = (wdl: number) => [-1, -101, 0, 101, 1][wdl + 2];

  function dtz(board: ChessBoard): number {
    const { wdl, zeroing } = search(board, true);
    if (wdl === 0) return 0;
    if (zeroing) return beforeZeroing(wdl);
    const found = look(board, 'rtbz');
    if (found !== 'elsewhere') {
      const { part } = found;
      const plain = part.maps === null ? found.value : part.maps[[1, 3, -1, 2, 0][wdl + 2]][found.value];
      const exact = (wdl === 2 && part.flags & 4) || (wdl === -2 && part.flags & 8);
      const plies = (exact ? plain : 2 * plain) + 1 + (Math.abs(wdl) === 1 ? 100 : 0);
      return Math.sign(wdl) * plies;
    }
    let best = Number.POSITIVE_INFINITY;
    for (const move of legalMoves(board)) {
      const after = play(board, move);
      const isZeroing = isCapture(board, move) || Math.abs(board.squares[move.from]) === PAWN;
      let value = isZeroing ? beforeZeroing(-search(after, false).wdl) : -dtz(after);
      const mates = value === 1 && legalMoves(after).length === 0;
      if (!isZeroing && !mates) value += Math.sign(value);
      if (Math.sign(value) === Math.sign(wdl) && value < best) best = value;
    }
    return best === Number.POSITIVE_INFINITY ? -1 : best;
  }

  return { wdl: (board: ChessBoard) => search(board, false).wdl, dtz };
}

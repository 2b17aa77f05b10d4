import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { newCensus, readStatus } from '../../../../pipeline/game/fill-census.js';
import {
  type Address,
  type Emission,
  type Side,
  type Slice,
  Status,
} from '../../../../pipeline/game/game.js';
import { setBit } from '../../../../pipeline/game/labels.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { illegality } from '../../../../pipeline/games/chess/fen.js';
import { ALL_BOARDS, allPairs, REFLECTION } from '../../../../pipeline/games/chess/geometry.js';
import { hasImages, placeMen, placementRank, spaceOf } from '../../../../pipeline/games/chess/index-space.js';
import { type ChessBoard, legalMoves, PAWN, play } from '../../../../pipeline/games/chess/rules.js';

/** Rows of the kernels and the contract for endings, in a form that tests can compare. */
export function emission(rows: number): Emission {
  return {
    length: 0,
    major: new Uint32Array(rows),
    minor: new Uint32Array(rows),
    source: new Uint32Array(rows),
  };
}

/** The census of each index. */
export interface Positions {
  readonly status: Uint8Array;
  /** Legal moves that stay in the slice, and that leave it. */
  readonly moves: Uint8Array;
  readonly conversions: Uint8Array;
}

/** The census of an interval, checked to agree with itself. */
export function censusOf(slice: Slice, side: Side, part: number, first: number, length: number): Positions {
  const census = newCensus(length);
  for (const column of [census.counts, census.conversions, census.open]) column.fill(0xa5);
  slice.census(side, part, first, length, census);
  const status = new Uint8Array(length);
  readStatus(census, first, length, status);
  const { counts, conversions } = census;
  const open = new Uint8Array(census.open.length);
  const moves = new Uint8Array(length);
  let legal = 0;
  let drawn = 0;
  for (let i = 0; i < length; i++) {
    const found = status[i];
    if (found !== Status.broken) legal++;
    if (found === Status.open) {
      setBit(open, i);
      moves[i] = counts[i] - conversions[i];
    }
    if (found === Status.drawn) drawn++;
  }
  const again = { ...newCensus(length), conversions: null };
  slice.census(side, part, first, length, again);
  for (const other of [
    { ...census, open, legal, drawn },
    { ...again, conversions },
  ]) {
    if (!isDeepStrictEqual(other, census)) throw new Error('the census contradicts itself');
  }
  return { status, moves, conversions };
}

/** The census of a whole part. */
export function partCensus(slice: Slice, side: Side, part: number): Positions {
  return censusOf(slice, side, part, 0, slice.partSize(part));
}

/** Numbers of the pairs of kings that both stand on the a1-h8 diagonal. */
export const DIAGONAL_PAIRS = [...allPairs.boards.keys()].filter(
  (pair) => allPairs.boards[pair] !== ALL_BOARDS,
);

/** A part that has both kings on the diagonal in it, and one that has not, if there is such. */
export function twoParts(name: string): number[] {
  const { pairsPerPart, parts, pawnGroups } = spaceOf(name);
  if (pawnGroups > 0) return [...new Set([0, parts - 1])];
  const diagonal = DIAGONAL_PAIRS.map((pair) => Math.floor(pair / pairsPerPart));
  const other = Array.from({ length: parts }, (_, part) => part).filter((part) => !diagonal.includes(part));
  return [diagonal[3], ...other.slice(-1)];
}

/** Canonical legal keys of a part, ascending. */
export function legalKeys(slice: Slice, side: Side, part: number): Uint32Array {
  const length = slice.partSize(part);
  const census = newCensus(length);
  slice.census(side, part, 0, length, census);
  const status = new Uint8Array(length);
  readStatus(census, 0, length, status);
  const keys = new Uint32Array(length);
  let legal = 0;
  for (let key = 0; key < length; key++) if (status[key] !== Status.broken) keys[legal++] = key;
  return keys.slice(0, legal);
}

function menOn(board: ChessBoard): number {
  let men = 0;
  for (const man of board.squares) if (man !== 0) men++;
  return men;
}

/** Whether the right to capture en passant can have come about, and can be made use of. */
function isPassant(board: ChessBoard): boolean {
  try {
    return chess.parse(chess.format(board)).passant === board.passant;
  } catch {
    return false;
  }
}

/** An address as `locate` has it: of two indices that one position and its mirror image have, the one that stands for both. */
export function home(address: Address): Address {
  const size = new Uint8Array(1);
  chess.slice(address.slice).orbitSizes(address.part, Uint32Array.of(address.key), 1, size);
  return size[0] === 0 ? chess.locate(chess.board(address)) : address;
}

/** All indices of the position at an address: its own, and that of its mirror image if that has another one. */
export function imagesOf(at: Address): Address[] {
  const space = spaceOf(at.slice);
  const pairInPart = Math.floor(at.key / space.placements);
  const first = pairInPart * space.placements;
  if (!hasImages(space, at.part * space.pairsPerPart + pairInPart)) return [at];
  const squares = new Uint8Array(space.men + 1);
  placeMen(space, at.key - first, squares);
  const key = first + placementRank(space, squares, REFLECTION);
  return key === at.key ? [at] : [at, { ...at, key }];
}

/** The board at an index if it is an index of a legal position, by the plain rules; else null. */
export function boardAt(address: Address): ChessBoard | null {
  const board = chess.board(address);
  if (menOn(board) !== spaceOf(address.slice).men + 2 || illegality(board) !== null) return null;
  if (board.passant !== undefined && !isPassant(board)) return null;
  const { part, key } = chess.locate(board);
  const there = home(address);
  return part === there.part && key === there.key ? board : null;
}

/** A fixed pseudo-random sequence of unsigned 32-bit integers (xorshift). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

const BIAS = 7;
const DEPENDENCY_BIAS = 1_000_000;

/** In-slice and out-of-slice successors of a position by the kernels, as sorted strings. */
export function kernelSuccessors(slice: Slice, at: Address): { moves: string[]; conversions: string[] } {
  const out = emission(2 * slice.maxMoves);
  const keys = Uint32Array.of(0, at.key);
  const other = 1 - at.side;
  slice.moves(at.side, at.part, keys, 1, 2, BIAS, out);
  const moves: string[] = [];
  for (let row = 0; row < out.length; row++) {
    if (out.source[row] !== 1) throw new Error('moves: wrong source');
    moves.push(`${slice.name} ${other} ${out.major[row] - BIAS} ${out.minor[row]}`);
  }
  out.length = 0;
  const bias = slice.dependencies.flatMap((_, i) => [2 * i * DEPENDENCY_BIAS, (2 * i + 1) * DEPENDENCY_BIAS]);
  slice.conversions(at.side, at.part, keys, 1, 2, bias, out);
  const conversions: string[] = [];
  for (let row = 0; row < out.length; row++) {
    if (out.source[row] !== 1) throw new Error('conversions: wrong source');
    const which = Math.floor(out.major[row] / DEPENDENCY_BIAS);
    const name = slice.dependencies[which >> 1].slice;
    conversions.push(`${name} ${which & 1} ${out.major[row] % DEPENDENCY_BIAS} ${out.minor[row]}`);
  }
  return { moves: moves.sort(), conversions: conversions.sort() };
}

/** The positions of such strings as `locate` has them. */
function homes(texts: readonly string[]): string[] {
  const moved = texts.map((text) => {
    const [slice, side, ...at] = text.split(' ');
    const { part, key } = home({
      slice,
      side: Number(side) as Side,
      part: Number(at[0]),
      key: Number(at[1]),
    });
    return `${slice} ${side} ${part} ${key}`;
  });
  return moved.sort();
}

/** Successors of a board by the plain rules. */
export function ruleSuccessors(board: ChessBoard, name: string): { moves: string[]; conversions: string[] } {
  const moves: string[] = [];
  const conversions: string[] = [];
  const men = menOn(board);
  const pawns = board.squares.some((man) => Math.abs(man) === PAWN);
  for (const step of legalMoves(board)) {
    const after = play(board, step);
    const { slice, side, part, key } = chess.locate(after);
    const takes = pawns ? slice !== name : menOn(after) < men;
    // If the name is symmetric or kept, locate() must not have exchanged the colours.
    if (!takes && slice !== name) throw new Error(`a move leads from ${name} to ${slice}`);
    (takes ? conversions : moves).push(`${slice} ${side} ${part} ${key}`);
  }
  return { moves: moves.sort(), conversions: conversions.sort() };
}

/** Compares all kernels with the plain rules on keys [first, first + length) of a part; returns the legal positions. */
export function compareWithRules(
  name: string,
  side: Side,
  part: number,
  first: number,
  length: number,
): number {
  const slice = chess.slice(name);
  const census = censusOf(slice, side, part, first, length);
  let legal = 0;
  for (let i = 0; i < length; i++) {
    const at = { slice: name, side, part, key: first + i };
    const board = boardAt(at);
    const seen = [census.status[i], census.moves[i], census.conversions[i]];
    if (!board) {
      if (seen.some((value) => value !== 0)) expect({ at, seen }).toEqual({ at, seen: [0, 0, 0] });
      continue;
    }
    legal++;
    const rules = ruleSuccessors(board, name);
    const status = { broken: 0, open: 1, lost: 2, drawn: 3 }[chess.terminal(board)];
    const wanted = [status, rules.moves.length, rules.conversions.length];
    const found = kernelSuccessors(slice, at);
    const kernels = { moves: homes(found.moves), conversions: homes(found.conversions) };
    if (
      seen.join() !== wanted.join() ||
      rules.moves.join() !== kernels.moves.join() ||
      rules.conversions.join() !== kernels.conversions.join()
    ) {
      const fen = chess.format(board);
      expect({ fen, at, seen, ...kernels }).toEqual({ fen, at, seen: wanted, ...rules });
    }
  }
  return legal;
}

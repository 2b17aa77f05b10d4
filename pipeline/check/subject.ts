/** A slice under examination: answers of its kernels, and of the rules of its game, about single positions. */
import { newCensus, readStatus } from '../game/fill-census.js';
import type { Address, Emission, Ending, Game, Side, Slice } from '../game/game.js';
import { Status } from '../game/game.js';
import { countRepeats } from '../game/repeats.js';
import { newEmission } from '../game/run-kernel.js';
import { type ContractRule, Contradiction } from './violation.js';

/** The answers of the game's rules for a legal position. */
export interface Ruled {
  readonly board: unknown;
  readonly text: string;
  readonly terminal: 'open' | 'lost' | 'drawn';
  /** Where moves that stay in the slice, and that leave it, lead; sorted, see {@link addressText}. */
  readonly moves: readonly string[];
  readonly conversions: readonly string[];
}

export interface Subject {
  readonly game: Game;
  readonly slice: Slice;
  readonly ending: Ending;
  /** Whether there are boards: the end of a game, with no pieces left, is one index for all. */
  readonly hasBoards: boolean;
  /** Its own mirror image, with all its boards located on side 0. */
  readonly mirrored: boolean;
  /** By the census. */
  isLegal(side: Side, part: number, key: number): boolean;
  /** The board at an index, or why none has this index. */
  boardAt(address: Address): { readonly board: unknown; readonly text: string } | string;
  /** Only for an address that has a board. */
  ruled(address: Address): Ruled;
  /** Room for the rows of two positions and more; every user empties it first. */
  readonly out: Emission;
}

/** Indices of a slice that are classified at once, to be looked up. */
const MOST_CLASSIFIED = 1 << 20;
const MOST_REMEMBERED = 512;

export function newSubject(game: Game, name: string): Subject {
  const slice = game.slice(name);
  const ending = game.ending(name);
  const hasBoards = ending.pieces > 0;
  const remembered = new Map<string, Ruled>();
  const one = newCensus(1);
  const status = new Uint8Array(1);
  const planes: (Uint8Array | undefined)[] = [undefined, undefined];

  const subject: Subject = {
    game,
    slice,
    ending,
    hasBoards,
    mirrored: isMirrored(game, ending),
    isLegal(side, part, key) {
      if (slice.size > MOST_CLASSIFIED) {
        slice.census(side, part, key, 1, one);
        readStatus(one, key, 1, status);
        return status[0] !== Status.broken;
      }
      planes[side] ??= classify(slice, side);
      return planes[side][part * slice.width + key] !== Status.broken;
    },
    boardAt: (address) => boardAt(game, address, subject.mirrored),
    ruled(address) {
      const text = addressText(address);
      let known = remembered.get(text);
      if (known === undefined) {
        if (remembered.size >= MOST_REMEMBERED) remembered.clear();
        remembered.set(text, (known = askRules(subject, address)));
      }
      return known;
    },
    out: newEmission(4 * slice.maxMoves + 64),
  };
  return subject;
}

/** Text that differs between any two addresses. */
export function addressText({ slice, side, part, key }: Address): string {
  return `${slice}/${side}/${part}/${key}`;
}

/** How often each text is in a list. */
export function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

export function isMirrored(game: Game, { name, exchanged, pieces }: Ending): boolean {
  return game.locatesMirrored && exchanged === name && pieces > 0;
}

/** Whether an index repeats the position of another (`SliceIndex.repeats`). */
export function isRepeat(slice: Slice, { part, key }: Address): boolean {
  return countRepeats(slice, part, key, 1, () => true) > 0;
}

/**
 * Addresses as `locate` gives them: kernels tell the sides of a slice that is its own mirror image apart, and indices that have one
 * position, where `locate` does not.
 */
export function home(game: Game, address: Address): Address {
  if (isRepeat(game.slice(address.slice), address)) return game.locate(game.board(address));
  if (address.side === 0 || !game.locatesMirrored) return address;
  const ending = game.ending(address.slice);
  if (ending.pieces === 0) return { ...address, side: 0 };
  return isMirrored(game, ending) ? game.locate(game.board(address)) : address;
}

function classify(slice: Slice, side: Side): Uint8Array {
  const all = new Uint8Array(slice.size);
  for (let part = 0; part < slice.parts; part++) {
    const length = slice.partSize(part);
    const census = newCensus(length);
    slice.census(side, part, 0, length, census);
    readStatus(census, 0, length, all.subarray(part * slice.width));
  }
  return all;
}

/** A board belongs to an index if the text that the game writes of it is read, and located there, again. */
function boardAt(game: Game, address: Address, mirrored: boolean): ReturnType<Subject['boardAt']> {
  try {
    const board = game.board(address);
    const text = game.format(board);
    const there = game.locate(game.parse(text));
    const isHere =
      mirrored && address.side === 1
        ? there.slice === address.slice && game.format(game.board(there, true)) === text
        : addressText(there) === addressText(home(game, address));
    if (isHere) return { board, text };
    // Where the board itself is in its place, the text is at fault.
    return addressText(game.locate(board)) === addressText(address)
      ? `format writes ${text}, which parse reads as ${game.format(game.board(there))}`
      : `the board there, ${text}, is located at ${addressText(there)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function askRules({ game, slice, boardAt }: Subject, address: Address): Ruled {
  const found = boardAt(address);
  if (typeof found === 'string')
    throw new Contradiction('index', { kernel: 'census calls the index legal', rules: found });
  const { board, text } = found;
  const moves: string[] = [];
  const conversions: string[] = [];
  for (const { board: after } of game.moves(board)) {
    const there = game.locate(after);
    (there.slice === slice.name ? moves : conversions).push(addressText(there));
  }
  return {
    board,
    text,
    terminal: game.terminal(board),
    moves: moves.sort(),
    conversions: conversions.sort(),
  };
}

/** A kernel bound to side, part and the like. Kernels that emit keys only leave majors alone. */
export type BoundKernel = (keys: Uint32Array, from: number, to: number, out: Emission) => number;

/**
 * The rows that a kernel emits for one position, as [major, minor]. Throws Contradiction if it does not do the position
 * though there is room, or claims more rows than there is room for.
 */
export function rowsOf(
  { out, slice }: Subject,
  rule: ContractRule,
  kernel: BoundKernel,
  key: number,
): [major: number, minor: number][] {
  out.length = 0;
  out.source.fill(0);
  // The position is not the first, so that a kernel which takes its number for 0 is found out.
  const done = kernel(Uint32Array.of(key, key), 1, 2, out);
  if (done !== 2)
    throw new Contradiction('capacity', {
      kernel: `${rule} returns ${done} though there is room for ${out.minor.length} rows`,
      rules: `the position after the one asked about is number 2, and maxMoves is ${slice.maxMoves}`,
    });
  const rows = Array.from({ length: out.length }, (_, row): [number, number] => [
    out.major[row],
    out.minor[row],
  ]);
  if (rows.length > slice.maxMoves)
    throw new Contradiction('maxMoves', {
      kernel: `${rule} emits ${rows.length} rows`,
      rules: `maxMoves is ${slice.maxMoves}`,
    });
  return rows;
}

/** The positions that rows stand for; `bias` was added to their parts. Throws Contradiction for a row that is no index. */
export function addressesOf(
  rule: ContractRule,
  rows: readonly (readonly [major: number, minor: number])[],
  there: Slice,
  side: Side,
  bias: number,
): Address[] {
  return rows.map(([major, key]) => {
    const part = major - bias;
    if (part < 0 || part >= there.parts || key >= there.partSize(part))
      throw new Contradiction(rule, {
        kernel: `${rule} emits part ${part}, key ${key} of ${there.name}`,
        rules: 'there is no such index',
      });
    return { slice: there.name, side, part, key };
  });
}

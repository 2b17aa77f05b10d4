/**
 * The facts of a position that its value depends on: who is to move, the end, the score, and the keys that moves lead to. Positions
 * that are solved as one must have the same. Keys are words in arrays that are used again: a solve reads the facts of many positions.
 */
import type { NamedMove } from '../definition.js';
import { KeyList } from '../keyed/key-words.js';
import type { End, KeyedRules } from '../keyed/keyed-rules.js';

/** Positions with more moves are compared in the order of their keys: to look for each move among all would take squares. */
const MANY_MOVES = 256;

export interface Facts {
  mover: number;
  ended: End | null;
  /** Null where there are moves, and in games without scores. */
  score: number | null;
  /** How many moves there are. What they lead to is in the first entries of `keys` and `exchanged` (as `KeyedRules.listMoves`). */
  moves: number;
  readonly keys: KeyList;
  readonly exchanged: boolean[];
}

export function newFacts({ keyBits }: Pick<KeyedRules, 'keyBits'>): Facts {
  return { mover: 0, ended: null, score: null, moves: 0, keys: new KeyList(keyBits), exchanged: [] };
}

/** Calls each function that solving needs once. @param moves gets the moves. @throws UserError for an impossible result. */
export function readFacts(
  game: KeyedRules,
  position: unknown,
  out: Facts,
  moves: NamedMove<unknown>[],
): Facts {
  out.mover = game.mover(position);
  readMoves(game, position, out, moves);
  out.score = game.score !== null && out.moves === 0 ? game.score(position) : null;
  return out;
}

/** The same of the functions that list moves. */
export function readMoves(
  game: KeyedRules,
  position: unknown,
  out: Facts,
  moves: NamedMove<unknown>[],
): void {
  out.ended = game.ended(position);
  const { keys, exchanged } = out;
  out.moves = out.ended === null ? game.listMoves(position, { moves, keys, exchanged }) : 0;
}

/** Makes of the facts of a position those of the same with its colours exchanged. */
export function exchangeColours(facts: Facts): void {
  facts.mover = 1 - facts.mover;
  if (facts.score !== null) facts.score = 0 - facts.score;
  for (let i = 0; i < facts.moves; i++) facts.exchanged[i] = !facts.exchanged[i];
}

/** The first fact in which two positions differ, by the function that returns it; null if there is none. Changes the order of moves. */
export function differenceOf(a: Facts, b: Facts): 'mover' | 'ended' | 'score' | 'moves' | null {
  if (a.mover !== b.mover) return 'mover';
  if (a.ended !== b.ended) return 'ended';
  // Where only one has a score, only the other has moves.
  if (a.score !== null && b.score !== null && a.score !== b.score) return 'score';
  return haveSameMoves(a, b) ? null : 'moves';
}

/** Moves may come in another order: those of a mirror image do. */
function haveSameMoves(a: Facts, b: Facts): boolean {
  if (a.moves !== b.moves) return false;
  for (let i = 0; i < a.moves; i++) {
    if (leadToSame(a, i, b, i)) continue;
    if (a.moves > MANY_MOVES) {
      const keys = sortedKeys(b);
      return sortedKeys(a).every((key, at) => key === keys[at]);
    }
    let at = i + 1;
    while (at < b.moves && !leadToSame(a, i, b, at)) at++;
    if (at >= b.moves) return false;
    b.keys.copy(b.keys, i, at);
    b.exchanged[at] = b.exchanged[i];
    b.keys.copy(a.keys, i, i);
    b.exchanged[i] = a.exchanged[i];
  }
  return true;
}

/** Whether move i of one position leads to what move j of another leads to, in the same colours. */
function leadToSame(a: Facts, i: number, b: Facts, j: number): boolean {
  return a.keys.isSame(i, b.keys, j) && a.exchanged[i] === b.exchanged[j];
}

/** A key, and in the lowest bit whether the colours of its position are exchanged. */
export function colouredKey(key: bigint, exchanged: boolean): bigint {
  return (key << 1n) | BigInt(exchanged);
}

/** What moves lead to, as {@link colouredKey}, ascending. */
export function sortedKeys({ moves, keys, exchanged }: Facts): bigint[] {
  const coloured = Array.from({ length: moves }, (_, i) => colouredKey(keys.bigAt(i), exchanged[i]));
  return coloured.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

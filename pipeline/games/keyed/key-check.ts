/**
 * Whether keys hold all of a position. Reachable sets know a position by its key alone: all ways to it lead to what
 * `position` makes of the key. So the positions that moves lead to are held against those that their keys are read
 * back as. Compared are who is to move, whether the game is over, and the keys of the moves. If all agree, all ways
 * to a position agree with each other. A position whose symmetries exchange colours is compared with its colours exchanged: as the
 * position with the least key is played.
 *
 * That takes two more expansions a move. So moves are compared completely near the roots only, and then those to a
 * sample of the positions. The sample is the keys whose spread bits end in so many zeros. The more zeros the more was
 * spent (the adaptive sampling of Wegman; Flajolet 1990). All moves to a position of the sample are compared. What a
 * key forgets may show only many moves later; by then it was read back, and forgotten, many times. So there are a few
 * random games first whose positions are never read back.
 */
import type { UserError } from '../../../operators/core/errors.js';
import type { NamedMove } from '../../game/definition.js';
import { sharesObject } from '../../game/move-watch.js';
import { seededRandom } from '../../game/sample.js';
import { bigOf, type KeyWords } from './key-words.js';
import type { KeyedRules } from './keyed-rules.js';

/**
 * Costs are counted in keys that are taken (see {@link costOf}): so many at first, and then a share of those that are taken anyway. Counted
 * in positions, games with many moves would take squares of their moves.
 */
export const AT_FIRST = 1 << 17;
const SHARE = 1 / 40;
/** Before the sample is thinned out: that share of few positions is too little to begin with. */
const LEAST = 1 << 9;
/** Positions with more moves are compared in the order of their keys: to look for each move among all would take squares. */
const MANY_MOVES = 256;

/** Positions that are kept as they were read back, and their moves: some 50 bytes each. */
const MOST_KEPT = 1 << 13;

/** Random games: keys that are taken, moves of one game, and how many roots they begin at. */
const PLAYED = 1 << 15;
const LONGEST = 1 << 9;
const BEGINNINGS = 1 << 6;

/** A way to a position: the move of that name from another, or if it has no name, a symmetry; null if it is not known. */
export type Way = { readonly from: unknown; readonly move: string | null } | null;

export interface KeyCheck {
  /** A position with so many moves was expanded anyway. */
  expanded(moves: number): void;
  /** Whether ways to a position are compared; `bits`: 24, by which keys are spread. */
  wants(bits: number): boolean;
  /** @throws UserError if the position is not what its key is read back as. @returns what that cost, as {@link costOf} counts. */
  compare(way: Way, position: unknown): number;
  /** Plays random games from the first roots. @throws UserError as `compare`. */
  play(): void;
  /** Moves that were compared since the last call; neither roots nor those of random games. */
  take(): number;
}

export function newKeyCheck(game: KeyedRules): KeyCheck {
  let compared = 0;
  /** Of all positions that were expanded anyway, see {@link costOf}. */
  let expansions = 0;
  let spent = 0;
  /** Behind the first: by the zeros with which the bits end. */
  const spentAt = new Float64Array(25);
  let zeros = 0;
  let asked = 0;
  /** Positions as their keys were read back lately, by the lower words of these: many moves lead to the same few. */
  const readBack = new Map<number, { readonly high: number; readonly is: PlayedWords }>();
  let kept = 0;
  const key: KeyWords = { high: 0, low: 0 };
  const again: KeyWords = { high: 0, low: 0 };
  const play = newPlay(game);
  /** The position that is compared, in arrays that are used again. */
  const was: PlayedWords = newPlayedWords();

  function readBackAs({ high, low }: Readonly<KeyWords>): PlayedWords {
    const known = readBack.get(low);
    if (known?.high === high) return known.is;
    const is = play(game.atWords(high, low), false, newPlayedWords());
    kept += 1 + is.moves;
    if (kept > MOST_KEPT) {
      readBack.clear();
      kept = 1 + is.moves;
    }
    readBack.set(low, { high, is });
    return is;
  }

  /** Whether the key of a position is the one that is being compared. */
  function hasKey(position: unknown): boolean {
    game.keyInto(position, again);
    return again.high === key.high && again.low === key.low;
  }

  /** Returns what it cost. */
  function compare(way: Way, position: unknown): number {
    const exchanged = game.keyInto(position, key);
    const is = readBackAs(key);
    play(position, exchanged, was);
    if (!isSame(was, is) || !hasKey(position)) {
      const found = {
        position,
        key: bigOf(key.high, key.low),
        exchanged,
        was: unpacked(was),
        is: unpacked(is),
      };
      if (!isAlike(found.was, found.is) || game.keyOf(position) !== found.key)
        throw differenceOf(game, way, found);
    }
    for (const image of game.symmetries?.(position) ?? [])
      if (!hasKey(image))
        throw game.wrong(
          position,
          `symmetries gives ${game.format(image)}, whose own symmetries are not the same positions: it must give all that look alike, of each of them`,
        );
    return costOf(was.moves) + costOf(is.moves);
  }

  return {
    expanded: (moves) => void (expansions += costOf(moves)),
    wants(bits) {
      asked = zerosOf(bits);
      return asked >= zeros;
    },
    compare(way, position) {
      const cost = compare(way, position);
      if (way !== null) compared++;
      if (spent < AT_FIRST) {
        spent += cost;
        return cost;
      }
      spentAt[asked] += cost;
      const most = Math.max(LEAST, expansions * SHARE);
      while (zeros < spentAt.length - 1 && sumFrom(spentAt, zeros) > most) zeros++;
      return cost;
    },
    play() {
      const roots = listRoots(game, BEGINNINGS);
      const random = seededRandom(1);
      let cost = 0;
      for (const from of roots)
        for (const [move, after] of game.moves(from))
          if (cost < AT_FIRST) cost += compare({ from, move }, after);
      cost = 0;
      for (let games = 0; cost < PLAYED && games < BEGINNINGS; games++) {
        let at = roots[games % roots.length];
        for (let moves = 0; moves < LONGEST && cost < PLAYED; moves++) {
          const found = game.moves(at);
          cost += costOf(found.length);
          if (found.length === 0) break;
          const [move, after] = found[random(found.length)];
          cost += compare({ from: at, move }, after);
          at = after;
        }
      }
    },
    take() {
      const taken = compared;
      compared = 0;
      return taken;
    },
  };
}

/**
 * The first roots, at most so many. The key of each is taken when it is listed, and again after the last.
 * @throws UserError for roots that share what is changed between them.
 */
export function listRoots(game: KeyedRules, most: number): unknown[] {
  const roots: unknown[] = [];
  const keys: bigint[] = [];
  for (const root of game.roots()) {
    keys.push(game.ownKeyOf(root));
    if (roots.push(root) === most) break;
  }
  for (const [i, root] of roots.entries()) {
    const isChanged = game.ownKeyOf(root) !== keys[i];
    const isTwice = i > 0 && keys[i] === keys[i - 1] && sharesObject(roots[i - 1], root);
    if (isChanged || isTwice)
      throw game.wrong(
        game.at(keys[i]),
        `roots ${isChanged ? 'changes this root after it is listed' : 'gives one and the same object for two roots'}: make a position for each root`,
      );
  }
  return roots;
}

/** What it costs to expand a position with so many moves: its key, and those of the positions after them. */
export function costOf(moves: number): number {
  return 1 + moves;
}

function zerosOf(bits: number): number {
  return bits === 0 ? 24 : 31 - Math.clz32(bits & -bits);
}

/** The same as {@link Played}, with words for keys: what is compared is made of most positions that are looked at first. */
interface PlayedWords {
  mover: number;
  end: string | null;
  score: number | null;
  moves: number;
  readonly high: number[];
  readonly low: number[];
  readonly exchanged: boolean[];
}

function newPlayedWords(): PlayedWords {
  return { mover: 0, end: null, score: null, moves: 0, high: [], low: [], exchanged: [] };
}

/** Fills a reused object with the game's facts about a position, whose colours are exchanged if `exchanged`. */
function newPlay(game: KeyedRules): (position: unknown, exchanged: boolean, out: PlayedWords) => PlayedWords {
  const moves: NamedMove<unknown>[] = [];
  return (position, exchanged, out) => {
    out.mover = moverAs(game, position, exchanged);
    out.end = game.ended(position);
    const { high, low, exchanged: after } = out;
    out.moves = out.end === null ? game.listMoves(position, { moves, high, low, exchanged: after }) : 0;
    if (exchanged) for (let i = 0; i < out.moves; i++) after[i] = !after[i];
    out.score = game.score !== null && out.moves === 0 ? scoreAs(game, position, exchanged) : null;
    return out;
  };
}

/** The mover of a position, or of the one with its colours exchanged. */
export function moverAs(game: KeyedRules, position: unknown, exchanged: boolean): number {
  const mover = game.mover(position);
  return exchanged ? 1 - mover : mover;
}

/** The same of its score. */
export function scoreAs(game: KeyedRules, position: unknown, exchanged: boolean): number {
  const score = game.score!(position);
  return exchanged ? 0 - score : score;
}

/** Moves may come in another order: those of a mirror image do. False for some that are the same if they have many moves. */
function isSame(a: PlayedWords, b: PlayedWords): boolean {
  if (a.mover !== b.mover || a.end !== b.end || a.score !== b.score || a.moves !== b.moves) return false;
  for (let i = 0; i < a.moves; i++) {
    if (a.high[i] === b.high[i] && a.low[i] === b.low[i] && a.exchanged[i] === b.exchanged[i]) continue;
    // The caller compares them in the order of their keys.
    if (a.moves > MANY_MOVES || !findFrom(b, i, a.high[i], a.low[i], a.exchanged[i])) return false;
  }
  return true;
}

/** Whether a key is among those of the moves from `from` on. It then changes places with that move's. */
function findFrom(
  { moves, high, low, exchanged }: PlayedWords,
  from: number,
  wantedHigh: number,
  wantedLow: number,
  wantedExchanged: boolean,
): boolean {
  let at = from;
  while (
    at < moves &&
    (high[at] !== wantedHigh || low[at] !== wantedLow || exchanged[at] !== wantedExchanged)
  )
    at++;
  if (at === moves) return false;
  high[at] = high[from];
  low[at] = low[from];
  exchanged[at] = exchanged[from];
  high[from] = wantedHigh;
  low[from] = wantedLow;
  exchanged[from] = wantedExchanged;
  return true;
}

function sumFrom(numbers: Float64Array, from: number): number {
  let sum = 0;
  for (let i = from; i < numbers.length; i++) sum += numbers[i];
  return sum;
}

function unpacked({ mover, end, score, moves, high, low, exchanged }: PlayedWords): Played {
  const keys = Array.from({ length: moves }, (_, i) => coloured(bigOf(high[i], low[i]), exchanged[i]));
  return { mover, end, score, keys };
}

/** A key, and in the lowest bit whether the colours of its position are exchanged. */
function coloured(key: bigint, exchanged: boolean): bigint {
  return (key << 1n) | BigInt(exchanged);
}

/** What moves from a position lead to, as {@link coloured}. @param exchanged those of the position that it is solved as. */
function newMoveKeys(game: KeyedRules, exchanged: boolean): (after: unknown) => bigint {
  const key: KeyWords = { high: 0, low: 0 };
  return (after) => {
    const isExchanged = game.keyInto(after, key);
    return coloured(bigOf(key.high, key.low), isExchanged !== exchanged);
  };
}

/** All facts about a position that solving needs. */
interface Played {
  readonly mover: number;
  readonly end: string | null;
  /** Null if the game goes on, and in games without scores. */
  readonly score: number | null;
  /** As {@link coloured}. */
  readonly keys: readonly bigint[];
}

function playedAs(game: KeyedRules, position: unknown, exchanged: boolean): Played {
  const mover = moverAs(game, position, exchanged);
  const end = game.ended(position);
  const keyOf = newMoveKeys(game, exchanged);
  const keys = end === null ? game.moves(position).map(([, after]) => keyOf(after)) : [];
  const score = game.score !== null && keys.length === 0 ? scoreAs(game, position, exchanged) : null;
  return { mover, end, score, keys };
}

/** Moves may come in another order. */
function isAlike(a: Played, b: Played): boolean {
  if (a.mover !== b.mover || a.end !== b.end || a.score !== b.score || a.keys.length !== b.keys.length)
    return false;
  if (a.keys.every((key, i) => key === b.keys[i])) return true;
  const [some, others] = [sorted(a.keys), sorted(b.keys)];
  return some.every((key, i) => key === others[i]);
}

function sorted(keys: readonly bigint[]): readonly bigint[] {
  return [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** How often a position is asked again, for functions that do not give the same answer each time. */
const AGAIN = 8;

/** Says which of the author's functions is at fault. `was`: the position as it was reached; `is`: as its key was read back. */
function differenceOf(
  game: KeyedRules,
  way: Way,
  found: {
    readonly position: unknown;
    readonly key: bigint;
    /** `was` is the position with its colours exchanged. */
    readonly exchanged: boolean;
    readonly was: Played;
    readonly is: Played;
  },
): UserError {
  const { position, key, exchanged, was, is } = found;
  const { what, shown } = game.words;
  const after = game.keyOf(position);
  if (after !== key)
    return game.wrong(
      position,
      game.keyOf(position) === after
        ? `its ${what} was ${shown(key)}, and is ${shown(after)} after mover, ended and moves were asked: one of them changes the position that it is given, or ${what} does not give the same each time`
        : `${what} gives ${shown(key)}, and ${shown(after)} when it is asked again: it must give the same each time`,
    );
  for (let i = 0; i < AGAIN; i++) {
    const fickle =
      fickleOf(game, position, was, playedAs(game, position, exchanged)) ??
      fickleOf(game, position, is, playedAs(game, game.at(key), false));
    if (fickle !== null) return fickle;
  }
  const read = game.at(key);
  const [difference, left] = contrast(game, was, is, { position, read, exchanged });
  const from = way === null ? position : way.from;
  const there =
    way === null
      ? ''
      : `${way.move === null ? 'symmetries gives' : `its move ${JSON.stringify(way.move)} leads to`} ${game.format(position)}, `;
  if (game.ownKeyOf(position) !== key)
    return game.wrong(
      from,
      `${there}${there && 'which '}is taken for ${game.format(read)} by symmetries${exchanged ? ', with the colours exchanged' : ''}: ${difference}, so they are not alike`,
    );
  return game.wrong(
    from,
    `${there}${there ? 'whose' : 'its'} ${what} is ${shown(key)}, but ${game.words.position(key)} is ${game.format(read)}: ${difference}, so ${what} leaves out ${left}, or position does not read it back`,
  );
}

/** The error for a function that answers otherwise when it is asked again; null if none does. */
function fickleOf(game: KeyedRules, position: unknown, first: Played, again: Played): UserError | null {
  if (isAlike(first, again)) return null;
  const [what, was, is] = firstDifference(game, first, again);
  return game.wrong(
    position,
    `${what} differs when it is asked twice: ${was}, then ${is}; it must give the same each time`,
  );
}

function firstDifference({ words }: KeyedRules, a: Played, b: Played): readonly [string, string, string] {
  if (a.mover !== b.mover) return ['mover', String(a.mover), String(b.mover)];
  if (a.end !== b.end) return ['ended', quoted(a.end), quoted(b.end)];
  if (a.score !== b.score) return ['score', String(a.score), String(b.score)];
  if (a.keys.length !== b.keys.length) return ['moves', count(a.keys.length), count(b.keys.length)];
  const [some, others] = [sorted(a.keys), sorted(b.keys)];
  const at = some.findIndex((key, i) => key !== others[i]);
  return ['moves', `one to ${words.shown(some[at] >> 1n)}`, `one to ${words.shown(others[at] >> 1n)}`];
}

/** In which way two positions of one key differ, and what the key then leaves out. */
function contrast(
  game: KeyedRules,
  was: Played,
  is: Played,
  {
    position,
    read,
    exchanged,
  }: { readonly position: unknown; readonly read: unknown; readonly exchanged: boolean },
): readonly [what: string, leftOut: string] {
  if (was.mover !== is.mover) return [`mover is ${was.mover} there and ${is.mover} here`, 'who is to move'];
  if (was.end !== is.end)
    return [`ended is ${quoted(was.end)} there and ${quoted(is.end)} here`, 'what ended asks for'];
  if (was.score !== null && is.score !== null && was.score !== is.score)
    return [`score is ${was.score} there and ${is.score} here`, 'what score asks for'];
  const there = missingMove(game, position, exchanged, is);
  const [move, place] = there === null ? [missingMove(game, read, false, was), 'here'] : [there, 'there'];
  const numbers = `${count(was.keys.length)} there and ${is.keys.length} here`;
  return [`${numbers}, the move ${JSON.stringify(move)} only ${place}`, 'what moves asks for'];
}

/** A move of a position that leads to none of the keys of another's. */
function missingMove(
  game: KeyedRules,
  position: unknown,
  exchanged: boolean,
  { keys }: Played,
): string | null {
  const keyOf = newMoveKeys(game, exchanged);
  const left = new Map<bigint, number>();
  for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1);
  for (const [name, after] of game.moves(position)) {
    const key = keyOf(after);
    const times = left.get(key) ?? 0;
    if (times === 0) return name;
    left.set(key, times - 1);
  }
  return null;
}

function quoted(end: string | null): string {
  return end === null ? 'null' : `'${end}'`;
}

function count(moves: number): string {
  return moves === 1 ? '1 move' : `${moves} moves`;
}

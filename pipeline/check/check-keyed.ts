/**
 * Checks that a game of forward moves is what solving takes for granted. It goes through the positions in the order of their distance
 * from the roots, at most {@link WHOLE} of them: what the functions return of each must be possible, and each move must lead to what
 * its key is read back as. A game that is no larger is so compared whole. As many positions as were asked for are looked at
 * closely, by every rule of {@link keyedChecks}; so is every position where something came up. Of larger games some positions
 * farther away are looked at along random games, and some games are played to their ends.
 *
 * Cost: the keys of all moves once, as solving takes them, and a fixed number beside. Positions of one key are played against each other,
 * which takes the moves of both, until that number is spent. From then on they are compared by what they hold.
 */
import { UserError } from '../../operators/core/errors.js';
import { type NamedMove, ProgramEnd, TooMany, messageOf as thrownMessage } from '../game/definition.js';
import { isSameContent } from '../game/same-content.js';
import { type Random, seededRandom } from '../game/sample.js';
import { AT_FIRST, costOf, type KeyCheck, listRoots, newKeyCheck } from '../games/keyed/key-check.js';
import { bigOf } from '../games/keyed/key-words.js';
import type { KeyedRules, ListedMoves } from '../games/keyed/keyed-rules.js';

/** The rules, each with its requirement. The order is that in which one fault is best explained. */
export const keyedContract = {
  roots: 'there are roots',
  key: 'keys are numbers from 0 to 2^53 - 1 or bigints from 0 to 2^64 - 1, and the position of a key has that key',
  mover: 'mover is 0 or 1',
  ended: "ended is 'won', 'lost', 'drawn' or null",
  moves: 'moves lists names and positions, each with a key that is read back',
  score: 'score is an integer from -125 to 125 where the game is over',
  same: 'the position of a key, and each of its symmetries, is played as the position that the key was made of, whenever it is asked',
  turns: 'players move in turn, to positions that there are; unmoves, symmetries and slices agree with moves',
  text: 'parse reads what format writes, and the key holds all that format writes',
  diagram: 'diagram is text',
  board: 'board is rows of squares with text, or an <svg> element',
} as const;

/** A rule of {@link keyedContract}. */
export type KeyedRule = keyof typeof keyedContract;

/** Rules that ask for what another is about: while that is broken, nothing is known of them. */
const restsOn: Partial<Record<KeyedRule, readonly KeyedRule[]>> = {
  moves: ['key', 'ended'],
  score: ['ended', 'moves'],
  same: ['key', 'mover', 'ended', 'score', 'moves'],
  turns: ['key', 'mover', 'ended', 'moves', 'same'],
  text: ['key', 'same'],
  diagram: ['key'],
  board: ['key'],
};

/** The fault of a position, if the rules of the game do not throw by themselves. */
type CheckOfRule = (game: KeyedRules, position: unknown, keys: KeyCheck) => string | undefined;

/** Repetitions of a question: answers that differ by chance do not differ each time. */
const TIMES = 3;

const checksOfRules: Record<Exclude<KeyedRule, 'roots'>, CheckOfRule> = {
  key: (game, position) => void game.at(game.ownKeyOf(position)),
  mover: (game, position) => void game.mover(position),
  ended: (game, position) => void game.ended(position),
  moves(game, position) {
    const key = game.keyOf(position);
    let cost = 0;
    for (const [, after] of game.moves(position)) {
      if (cost++ === MOVES_READ_BACK) break;
      game.at(game.ownKeyOf(after));
    }
    return game.keyOf(position) === key ? undefined : 'moves changes the position that it is given';
  },
  score(game, position) {
    if (game.score !== null && game.moves(position).length === 0) game.score(position);
  },
  same(game, position, keys) {
    for (let time = 0; time < TIMES; time++) keys.compare(null, position);
    for (const image of game.symmetries?.(position) ?? [])
      keys.compare({ from: position, move: null }, image);
  },
  turns: (game, position) => void game.examine?.(position, true),
  text(game, position) {
    const { what, shown, position: at } = game.words;
    const key = game.ownKeyOf(position);
    const text = game.format(position);
    const written = game.format(game.at(key));
    if (written !== text)
      return `its ${what} is ${shown(key)}, but ${at(key)} is ${written}, so ${what} leaves out what format asks for, or position does not read it back`;
    const read = game.ownKeyOf(game.parse(text));
    if (read !== key)
      return `its ${what} is ${shown(key)}, but parse makes of its text ${game.format(game.at(read))}, whose ${what} is ${shown(read)}`;
  },
  diagram: (game, position) => void game.diagram(position),
  board: (game, position) => void game.board?.(position),
};
const keyedChecks = Object.entries(checksOfRules) as [KeyedRule, CheckOfRule][];

/** How closely a keyed game is checked. */
export interface CheckKeyedOptions {
  /** Positions that are looked at closely, at most, beside those where something came up. */
  readonly positions: number;
  /** The same seed, the same random games. */
  readonly seed: number;
  /** Waited for now and then, for programs with something else to do. */
  pause?(): Promise<void>;
  /** Called now and then with the number of positions since the last call. */
  report?(done: number): void;
}

/** A rule that a keyed game breaks. */
export interface KeyedViolation {
  readonly rule: KeyedRule;
  /** One line: the simplest position found, and its fault. */
  readonly message: string;
}

/** The result of a check of a keyed game. */
export interface KeyedReport {
  readonly positions: number;
  /** How many of them were looked at closely. */
  readonly closely: number;
  /** Whether these are all positions that can be reached. */
  readonly all: boolean;
  /** Games of at most so many positions and moves are gone through whole. */
  readonly whole: { readonly positions: number; readonly moves: number };
  /** Moves to positions that were compared with what their keys are read back as. */
  readonly compared: number;
  /** How many of them end the game. */
  readonly over: number;
  readonly moves: number;
  /** Random games from the roots, and how many of them ended within `longest` moves. None if positions were all looked at. */
  readonly games: { readonly played: number; readonly ended: number; readonly longest: number };
  /** The simplest case of each rule that is broken. */
  readonly violations: readonly KeyedViolation[];
  readonly seed: number;
}

interface Reached {
  readonly position: unknown;
  /** Moves from a root, by the way that was taken. */
  readonly distance: number;
}

interface Failure extends Reached {
  readonly message: string;
  /** The number of moves, if it is known. */
  readonly moves: number;
}

/** A game of at most so many positions and moves is gone through whole; of fewer, if few positions are asked for. */
const WHOLE = { positions: 20_000, moves: 200_000 } as const;
const WHOLE_OF_ASKED = { positions: 20, moves: 200 } as const;
/** Moves of a position whose keys are read back when it is looked at closely, and moves of all that are: some ten keys are taken for each. */
const MOVES_READ_BACK = 1 << 12;
const MOVES_CLOSELY = 1 << 14;
/** Positions with a fault after which the walk ends. Lists without an end take a second each to be found, so few of them are enough. */
const ENOUGH_FAULTS = 1024;
const ENDLESS_LISTS = 4;
/** Moves made from a failure to find a simpler one, and positions looked at after each. */
const SHRINKING = 200;
const NEIGHBOURS = 24;
/** A random game ends after so many moves, and random games after so many that led to nothing new. */
const LONGEST_GAME = 300;
const FRUITLESS = 50;
/**
 * Limits of games that are played to their ends: games, moves in each, keys in all as {@link costOf} counts, and keys for each position that
 * is asked for.
 */
const GAMES = 32;
const TO_THE_END = 10_000;
const KEYS_PLAYED = 1 << 18;
const PLAYED_OF_ASKED = 1 << 9;
/** Keys that are taken to play positions against each other, for each position asked for, of {@link AT_FIRST} at most. */
const COMPARED_OF_ASKED = 1 << 7;
/** Positions that people are shown first: so many are looked at. */
const STARTS = 64;

/**
 * Checks that a keyed game keeps the contract: the positions nearest to its roots, all of a small game, and others along random games.
 */
export async function checkKeyed(game: KeyedRules, options: CheckKeyedOptions): Promise<KeyedReport> {
  const { positions, seed } = options;
  const keys = newKeyCheck(game);
  const looking = newLooking(game, keys);
  const { looked } = looking;
  let reported = 0;
  const pause = async (): Promise<void> => {
    options.report?.(looked.positions - reported);
    reported = looked.positions;
    await options.pause?.();
  };
  const whole = {
    positions: Math.min(WHOLE.positions, WHOLE_OF_ASKED.positions * positions),
    moves: Math.min(WHOLE.moves, WHOLE_OF_ASKED.moves * positions),
  };
  const found = rootsOf(game, whole.positions + GAMES);
  if (!Array.isArray(found)) {
    const games = { played: 0, ended: 0, longest: TO_THE_END };
    return {
      ...looked,
      games,
      all: false,
      whole,
      compared: 0,
      violations: [{ rule: 'roots', message: found.wrong }],
      seed,
    };
  }
  const queue = newQueue(game, found);
  const extent = { closely: positions, whole, keys: Math.min(AT_FIRST, COMPARED_OF_ASKED * positions) };
  const { all, compared } = await walk(game, looking, keys, queue, extent, pause);
  const random = seededRandom(seed);
  const left = queue.reached.slice(queue.next);
  if (left.length > 0 && !looking.isEnough) await playOn(looking, left, positions / 2, random, pause);
  const isKnown = all || looking.isEnough;
  const played = Math.min(KEYS_PLAYED, PLAYED_OF_ASKED * positions);
  const games = await playToTheEnd(game, looking, isKnown ? [] : found, played, random, pause);
  return {
    ...looked,
    games,
    all,
    whole,
    compared,
    violations: violationsOf(game, keys, looking.failures),
    seed,
  };
}

/** Roots, at most so many with different keys; or why there are none. */
function rootsOf(game: KeyedRules, most: number): unknown[] | { readonly wrong: string } {
  const roots: unknown[] = [];
  const keys = new Set<bigint | null>();
  const wrong = messageOf(() => {
    for (const root of listRoots(game, most)) {
      const key = attempt(() => game.keyOf(root));
      if (key !== null && keys.has(key)) continue;
      keys.add(key);
      roots.push(root);
    }
    if (roots.length === 0) throw new UserError(`${game.name}: it has no roots: where do games begin?`);
    let starts = 0;
    for (const start of game.starts()) {
      game.keyOf(start);
      if (++starts === STARTS) break;
    }
  });
  return wrong === null ? roots : { wrong };
}

/** Moves with the keys that the positions after them are solved as. */
interface Keyed {
  readonly moves: readonly NamedMove<unknown>[];
  readonly keys: readonly bigint[];
}

const NONE: Keyed = { moves: [], keys: [] };

/** The moves of a position, none if the game is over. @throws UserError */
function keyedMoves(game: KeyedRules, position: unknown): Keyed {
  if (game.ended(position) !== null) return NONE;
  const listed: ListedMoves = { moves: [], high: [], low: [], exchanged: [] };
  game.listMoves(position, listed);
  return { moves: listed.moves, keys: listed.high.map((high, i) => bigOf(high, listed.low[i])) };
}

/** The positions that were checked, and what was found. */
interface Looking {
  readonly looked: { positions: number; closely: number; over: number; moves: number };
  /** The simplest failure of each rule that is broken. */
  readonly failures: ReadonlyMap<KeyedRule, Failure>;
  /** Whether so many positions have a fault that no more are looked for. */
  readonly isEnough: boolean;
  /** Whether more positions may be looked at closely: that takes time for each of their moves. */
  readonly hasTime: boolean;
  /** Checks a position by every rule if that was not done; its moves. */
  look(at: Reached): Keyed & { readonly isNew: boolean };
  /** Asks each function once; looks if one fails. Its moves. `closely`: see `examine` of KeyedRules. */
  glance(at: Reached, closely: boolean): Keyed;
  /** Looks at a position where something was thrown. If no rule explains it, it stands as a fault of `rule`. */
  suspect(at: Reached, rule: KeyedRule, thrown: string): void;
}

function newLooking(game: KeyedRules, keys: KeyCheck): Looking {
  const failures = new Map<KeyedRule, Failure>();
  const done = new Set<bigint>();
  let faults = 0;
  /** Of positions that were looked at closely. */
  let movesClosely = 0;
  const looked = { positions: 0, closely: 0, over: 0, moves: 0 };

  function fail(rule: KeyedRule, failure: Failure): void {
    const known = failures.get(rule);
    failures.set(rule, known === undefined ? failure : simpler(known, failure));
  }

  /** `moves`: null where they could not be had. */
  function count(listed: Keyed | null): void {
    looked.positions++;
    looked.moves += listed?.moves.length ?? 0;
    if (listed?.moves.length === 0) looked.over++;
  }

  /** Returns the moves, and how many rules are broken at the position. */
  function lookClosely({ position, distance }: Reached) {
    looked.closely++;
    // Before its moves are asked for: they might change it.
    const found = keyedChecks.map(([rule, check]) => [rule, tryCheck(game, keys, check, position)] as const);
    const listed = attempt(
      () => keyedMoves(game, position),
      (error) => {
        if (error instanceof TooMany) faults += ENOUGH_FAULTS / ENDLESS_LISTS;
      },
    );
    const moves = listed?.moves.length ?? 0;
    movesClosely += moves;
    const broken = found.flatMap(([rule, message]) => (message === null ? [] : [{ rule, message }]));
    if (broken.length > 0) faults++;
    for (const { rule, message } of broken) fail(rule, { position, distance, message, moves });
    return { listed, broken: broken.length };
  }

  function look(at: Reached) {
    const key = attempt(() => game.keyOf(at.position));
    if (key !== null && done.has(key))
      return { ...(attempt(() => keyedMoves(game, at.position)) ?? NONE), isNew: false };
    if (key !== null) done.add(key);
    const { listed } = lookClosely(at);
    count(listed);
    return { ...(listed ?? NONE), isNew: true };
  }

  function suspect(at: Reached, rule: KeyedRule, thrown: string): void {
    if (lookClosely(at).broken === 0) fail(rule, { ...at, message: thrown, moves: 0 });
  }

  return {
    looked,
    failures,
    get isEnough() {
      return faults >= ENOUGH_FAULTS;
    },
    get hasTime() {
      return movesClosely < MOVES_CLOSELY;
    },
    look,
    suspect,
    glance(at, closely) {
      const key = attempt(() => game.keyOf(at.position));
      if (key !== null) done.add(key);
      let listed: Keyed | null = null;
      const thrown = messageOf(() => {
        listed = ask(game, at.position);
        const read = game.at(game.ownKeyOf(at.position));
        if (game.format(read) !== game.format(at.position))
          throw game.wrong(at.position, `its ${game.words.what} is read back as ${game.format(read)}`);
        game.examine?.(at.position, closely);
      });
      count(listed);
      if (thrown !== null) suspect(at, 'same', thrown);
      return listed ?? NONE;
    },
  };
}

/** Calls each function that solving needs once, and returns the moves. @throws UserError for an impossible result. */
function ask(game: KeyedRules, position: unknown): Keyed {
  game.mover(position);
  const listed = keyedMoves(game, position);
  if (listed.moves.length === 0) game.score?.(position);
  return listed;
}

/** The positions in the order of their distance from the roots, each key once. */
interface Queue {
  readonly reached: readonly Reached[];
  /** The place of the first that was not looked at. */
  next: number;
  add(position: unknown, distance: number, key: bigint | null): void;
}

function newQueue(game: KeyedRules, roots: readonly unknown[]): Queue {
  const reached: Reached[] = [];
  const queued = new Set<bigint>();

  function add(position: unknown, distance: number, key: bigint | null): void {
    if (key !== null && queued.has(key)) return;
    if (key !== null) queued.add(key);
    reached.push({ position, distance });
  }

  for (const root of roots)
    add(
      root,
      0,
      attempt(() => game.keyOf(root)),
    );
  return { reached, next: 0, add };
}

/** How far the walk goes, and how many positions are looked at closely. */
interface Extent {
  readonly closely: number;
  readonly whole: KeyedReport['whole'];
  /** Keys that are taken to play positions against each other. */
  readonly keys: number;
}

/**
 * Goes through the queue, and looks at so many positions closely: half of them are kept for positions farther away, if there are such.
 * @returns whether that was the whole game, and how many of its moves were compared.
 */
async function walk(
  game: KeyedRules,
  looking: Looking,
  keys: KeyCheck,
  queue: Queue,
  { closely, whole, keys: most }: Extent,
  pause: () => Promise<void>,
): Promise<{ readonly all: boolean; readonly compared: number }> {
  const { looked, look, glance, suspect } = looking;
  const isReadBack = newReading(game);
  /** As {@link costOf} counts. */
  let cost = 0;
  let compared = 0;
  for (; queue.next < queue.reached.length; queue.next++) {
    if (looked.positions >= whole.positions || looked.moves >= whole.moves || looking.isEnough)
      return { all: false, compared };
    if (queue.next % 32 === 0) await pause();
    const at = queue.reached[queue.next];
    const isFirst = looked.closely < closely / 2 || queue.reached.length <= closely;
    const isClose = isFirst && looked.closely < closely && looking.hasTime;
    const { moves, keys: after } = isClose ? look(at) : glance(at, cost < most);
    for (const [i, [move, position]] of moves.entries()) {
      const reached = { position, distance: at.distance + 1 };
      queue.add(position, reached.distance, after[i]);
      if (looking.isEnough) continue;
      if (game.examine !== undefined) {
        // Games with rules of their own compare what moves lead to by these.
        if (isClose || cost < most) compared++;
        continue;
      }
      const thrown = messageOf(() => {
        if (cost < most) cost += keys.compare({ from: at.position, move }, position);
        else if (!isReadBack(position, after[i])) return;
        compared++;
      });
      if (thrown !== null) suspect(reached, 'same', thrown);
    }
    if (game.examine !== undefined) cost += moves.length * costOf(moves.length);
  }
  return { all: true, compared };
}

/** Whether positions hold the same as what their keys are read back as. Images of those are not known to. */
function newReading(game: KeyedRules): (position: unknown, key: bigint) => boolean {
  const known = new Map<bigint, unknown>();
  return (position, key) => {
    if (game.symmetries !== null && game.ownKeyOf(position) !== key) return false;
    let read = known.get(key);
    if (read === undefined) known.set(key, (read = game.at(key)));
    return isSameContent(position, read);
  };
}

/** Random games from where the walk stopped, until so many more positions were looked at. */
async function playOn(
  looking: Looking,
  from: readonly Reached[],
  positions: number,
  random: Random,
  pause: () => Promise<void>,
): Promise<void> {
  const { looked, look } = looking;
  const enough = looked.closely + positions;
  const isEnough = () => looked.closely >= enough || !looking.hasTime;
  for (let fruitless = 0; fruitless < FRUITLESS && !isEnough(); fruitless++) {
    await pause();
    let at = from[random(from.length)];
    for (let made = 0; made < LONGEST_GAME && !isEnough(); made++) {
      const { moves, isNew } = look(at);
      if (isNew) fruitless = -1;
      if (moves.length === 0) break;
      at = { position: moves[random(moves.length)][1], distance: at.distance + 1 };
    }
  }
}

/**
 * Random games from the roots, none if no roots are given. Each function is asked once on the way, and only the ends are looked at
 * closely, and positions at which a function failed: a game that a fault cuts off is a finding, not a game that did not end.
 */
async function playToTheEnd(
  game: KeyedRules,
  { look, suspect }: Looking,
  roots: readonly unknown[],
  keys: number,
  random: Random,
  pause: () => Promise<void>,
): Promise<KeyedReport['games']> {
  const games = { played: 0, ended: 0, longest: TO_THE_END };
  if (roots.length === 0) return games;
  for (let left = keys; games.played < GAMES && left > 0; games.played++) {
    let position = roots[games.played % roots.length];
    for (let distance = 0; distance < TO_THE_END && left > 0; distance++) {
      if (distance % 32 === 0) await pause();
      let moves: readonly NamedMove<unknown>[] = [];
      const thrown = messageOf(() => {
        ({ moves } = ask(game, position));
      });
      left -= costOf(moves.length);
      if (thrown !== null) {
        suspect({ position, distance }, 'same', thrown);
        break;
      }
      if (moves.length === 0) {
        games.ended++;
        look({ position, distance });
        break;
      }
      position = moves[random(moves.length)][1];
    }
  }
  return games;
}

/** The simplest failure of each broken rule, unless a rule that it rests on is broken, too. */
function violationsOf(
  game: KeyedRules,
  keys: KeyCheck,
  failures: ReadonlyMap<KeyedRule, Failure>,
): KeyedViolation[] {
  return keyedChecks.flatMap(([rule, check]) => {
    const known = failures.get(rule);
    const isUnknown = restsOn[rule]?.some((other) => failures.has(other)) === true;
    return known === undefined || isUnknown
      ? []
      : [{ rule, message: shrink(game, keys, check, known).message }];
  });
}

/** The fault that a check finds at a position; an error that it throws counts as a fault. */
function tryCheck(game: KeyedRules, keys: KeyCheck, check: CheckOfRule, position: unknown): string | null {
  let what: string | undefined;
  const thrown = messageOf(() => {
    what = check(game, position, keys);
  });
  return thrown ?? (what === undefined ? null : game.wrong(position, what).message);
}

/** Looks for a simpler failure among the positions that moves lead to. */
function shrink(game: KeyedRules, keys: KeyCheck, check: CheckOfRule, failure: Failure): Failure {
  let best = failure;
  for (let round = 0; round < SHRINKING; round++) {
    const before = best;
    const moves = attempt(() => game.moves(before.position)) ?? [];
    for (const [, position] of moves.slice(0, NEIGHBOURS)) {
      const message = tryCheck(game, keys, check, position);
      if (message === null) continue;
      const moves = attempt(() => game.moves(position))?.length ?? 0;
      best = simpler(best, { position, message, distance: before.distance + 1, moves });
    }
    if (best === before) break;
  }
  return best;
}

/** Fewer moves, then nearer to a root. */
function simpler(a: Failure, b: Failure): Failure {
  const difference = a.moves - b.moves || a.distance - b.distance;
  return difference <= 0 ? a : b;
}

function attempt<T>(call: () => T, failed: (error: unknown) => void = () => {}): T | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof ProgramEnd) throw error;
    failed(error);
    return null;
  }
}

function messageOf(call: () => void): string | null {
  try {
    call();
    return null;
  } catch (error) {
    if (error instanceof ProgramEnd) throw error;
    return thrownMessage(error);
  }
}

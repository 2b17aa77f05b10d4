/**
 * Checks that a keyed game is what reachable sets take for granted. First it checks the positions nearest to the
 * roots. If there are more than were asked for, it checks others along random games. At last some games are played to
 * their ends, which are looked at.
 */
import { UserError } from '../../operators/core/errors.js';
import type { KeyedRules } from '../games/keyed/keyed-rules.js';
import { afterMoves, type KeyedCheck, type KeyedRule, keyedChecks, restsOn } from './keyed-rules.js';
import { type Random, seededRandom } from './sample.js';

/** How closely a keyed game is checked. */
export interface CheckKeyedOptions {
  /** Positions that are looked at, at most. */
  readonly positions: number;
  /** The same seed, the same random games. */
  readonly seed: number;
  /** Waited for now and then, for programs with something else to do. */
  pause?(): Promise<void>;
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
  /** Whether these are all positions that can be reached. */
  readonly all: boolean;
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

/** Moves made from a failure to find a simpler one, and positions looked at after each. */
const SHRINKING = 200;
const NEIGHBOURS = 24;
/** A random game ends after so many moves, and random games after so many that led to nothing new. */
const LONGEST_GAME = 300;
const FRUITLESS = 50;
/** Games that are played to their ends, and their moves at most, in each and in all. */
const GAMES = 32;
const TO_THE_END = 10_000;
const MOVES = 50_000;
/** Positions that people are shown first: so many are looked at. */
const STARTS = 64;

/** Checks that a keyed game keeps the contract: the positions nearest to its roots, and others along random games. */
export async function checkKeyed(game: KeyedRules, options: CheckKeyedOptions): Promise<KeyedReport> {
  const { positions, seed, pause = async () => {} } = options;
  const looking = newLooking(game);
  const { looked } = looking;
  const found = rootsOf(game, 2 * positions + GAMES);
  if (!Array.isArray(found)) {
    const games = { played: 0, ended: 0, longest: TO_THE_END };
    return { ...looked, games, all: false, violations: [{ rule: 'roots', message: found.wrong }], seed };
  }
  const queue = newQueue(game, found);
  // Half of the sample is kept for positions farther away, if there are many.
  await lookInBreadth(looking, queue, positions / 2, pause);
  if (queue.reached.length <= positions) await lookInBreadth(looking, queue, positions, pause);
  const all = queue.next === queue.reached.length;
  const random = seededRandom(seed);
  if (!all) await playOn(looking, queue.reached.slice(queue.next), positions, random, pause);
  const games = await playToTheEnd(game, looking, all ? [] : found, random, pause);
  return { ...looked, games, all, violations: violationsOf(game, looking.failures), seed };
}

/** Roots, at most so many with different keys; or why there are none. */
function rootsOf(game: KeyedRules, most: number): unknown[] | { readonly wrong: string } {
  const roots: unknown[] = [];
  const keys = new Set<bigint | null>();
  const wrong = messageOf(() => {
    for (const root of game.roots()) {
      const key = attempt(() => game.keyOf(root));
      if (key !== null && keys.has(key)) continue;
      keys.add(key);
      if (roots.push(root) === most) break;
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

/** The positions that were checked, and what was found. */
interface Looking {
  readonly looked: { positions: number; over: number; moves: number };
  /** The simplest failure of each rule that is broken. */
  readonly failures: ReadonlyMap<KeyedRule, Failure>;
  /** Checks a position if that was not done; the positions after its moves. */
  look(at: Reached): { readonly after: readonly unknown[]; readonly isNew: boolean };
}

function newLooking(game: KeyedRules): Looking {
  const failures = new Map<KeyedRule, Failure>();
  const done = new Set<bigint>();
  const looked = { positions: 0, over: 0, moves: 0 };

  return {
    looked,
    failures,
    look({ position, distance }) {
      const key = attempt(() => game.keyOf(position));
      const isNew = key === null || !done.has(key);
      // Before its moves are asked for: they might change it.
      const found = isNew
        ? keyedChecks.map(([rule, check]) => [rule, tryCheck(game, check, position)] as const)
        : [];
      const after = attempt(() => afterMoves(game, position)) ?? [];
      if (!isNew) return { after, isNew };
      if (key !== null) done.add(key);
      looked.positions++;
      looked.moves += after.length;
      if (after.length === 0) looked.over++;
      for (const [rule, message] of found) {
        if (message === null) continue;
        const failure = { position, distance, message, moves: after.length };
        const known = failures.get(rule);
        failures.set(rule, known === undefined ? failure : simpler(known, failure));
      }
      return { after, isNew };
    },
  };
}

/** The positions in the order of their distance from the roots, each key once. */
interface Queue {
  readonly reached: readonly Reached[];
  /** The place of the first that was not looked at. */
  next: number;
  add(position: unknown, distance: number): void;
}

function newQueue(game: KeyedRules, roots: readonly unknown[]): Queue {
  const reached: Reached[] = [];
  const queued = new Set<bigint>();

  function add(position: unknown, distance: number): void {
    const key = attempt(() => game.keyOf(position));
    if (key !== null && queued.has(key)) return;
    if (key !== null) queued.add(key);
    reached.push({ position, distance });
  }

  for (const root of roots) add(root, 0);
  return { reached, next: 0, add };
}

async function lookInBreadth(
  { looked, look }: Looking,
  queue: Queue,
  limit: number,
  pause: () => Promise<void>,
): Promise<void> {
  for (; queue.next < queue.reached.length && looked.positions < limit; queue.next++) {
    if (queue.next % 32 === 0) await pause();
    const at = queue.reached[queue.next];
    for (const after of look(at).after) queue.add(after, at.distance + 1);
  }
}

/** Random games from where the search in breadth stopped, until so many positions were looked at. */
async function playOn(
  { looked, look }: Looking,
  from: readonly Reached[],
  positions: number,
  random: Random,
  pause: () => Promise<void>,
): Promise<void> {
  for (let fruitless = 0; fruitless < FRUITLESS && looked.positions < positions; fruitless++) {
    await pause();
    let at = from[random(from.length)];
    for (let moves = 0; moves < LONGEST_GAME && looked.positions < positions; moves++) {
      const { after, isNew } = look(at);
      if (isNew) fruitless = -1;
      if (after.length === 0) break;
      at = { position: after[random(after.length)], distance: at.distance + 1 };
    }
  }
}

/**
 * Random games from the roots, none if no roots are given. Only the ends are looked at: how long it takes to get there does
 * not depend on how many positions are to be checked.
 */
async function playToTheEnd(
  game: KeyedRules,
  { look }: Looking,
  roots: readonly unknown[],
  random: Random,
  pause: () => Promise<void>,
): Promise<KeyedReport['games']> {
  const games = { played: 0, ended: 0, longest: TO_THE_END };
  if (roots.length === 0) return games;
  for (let left = MOVES; games.played < GAMES && left > 0; games.played++) {
    let position = roots[games.played % roots.length];
    for (let distance = 0; distance < TO_THE_END && left > 0; distance++, left--) {
      if (distance % 32 === 0) await pause();
      const after = attempt(() => afterMoves(game, position));
      if (after === null) break;
      if (after.length === 0) {
        games.ended++;
        look({ position, distance });
        break;
      }
      position = after[random(after.length)];
    }
  }
  return games;
}

/** The simplest failure of each broken rule, unless a rule that it rests on is broken, too. */
function violationsOf(game: KeyedRules, failures: ReadonlyMap<KeyedRule, Failure>): KeyedViolation[] {
  return keyedChecks.flatMap(([rule, check]) => {
    const known = failures.get(rule);
    const isUnknown = restsOn[rule]?.some((other) => failures.has(other)) === true;
    return known === undefined || isUnknown ? [] : [{ rule, message: shrink(game, check, known).message }];
  });
}

/** The fault that a check finds at a position; an error that it throws counts as a fault. */
function tryCheck(game: KeyedRules, check: KeyedCheck, position: unknown): string | null {
  let what: string | null = null;
  const thrown = messageOf(() => {
    what = check(game, position);
  });
  return thrown ?? (what === null ? null : game.wrong(position, what).message);
}

/** Looks for a simpler failure among the positions that moves lead to. */
function shrink(game: KeyedRules, check: KeyedCheck, failure: Failure): Failure {
  let best = failure;
  for (let round = 0; round < SHRINKING; round++) {
    const before = best;
    for (const position of (attempt(() => afterMoves(game, before.position)) ?? []).slice(0, NEIGHBOURS)) {
      const message = tryCheck(game, check, position);
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

function attempt<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    return null;
  }
}

function messageOf(call: () => void): string | null {
  try {
    call();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

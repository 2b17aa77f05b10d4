/**
 * Samples the rules of a game, so that a table can be held against the rules that are there when it is read. Two samples are
 * equal if, at every sampled position, the side to move, the result and the positions after the moves are the same. The order of moves,
 * their names, and how positions are written may change: no value depends on them.
 *
 * The sample is the same in every process: the positions nearest to where games begin, layer by layer, and the positions of random
 * games to their ends, drawn by a fixed seed. A small game is sampled whole. In a large one a rule that matters in few positions can
 * escape the sample, so whoever accepts a changed module for its sample says so.
 *
 * There are two: the whole sample, for modules whose text was changed (40 to 400 ms of CPU time for the games in samples/), and a quick
 * one of {@link QUICK_POSITIONS} for modules whose text is the same (2 to 50 ms). Memory: the positions after the moves of those sampled.
 */
import { toHex } from '../../operators/core/bytes-as-text.js';
import { UserError } from '../../operators/core/errors.js';
import { sha256 } from '../../operators/core/sha256.js';
import type { Game } from '../game/game.js';
import type { RulesSample } from '../game/rules-sample.js';
import { moverAs, scoreAs } from './keyed/key-check.js';
import type { KeyedRules } from './keyed/keyed-rules.js';

/** The rules of a game of either kind, as the sample reads them. */
interface Sampled<Position> {
  /** Where games begin, for a sample of so many positions. Reading stops after some. */
  seeds(most: number): Iterable<Position>;
  /** Whether all positions are reached from those seeds. */
  reachesAll(most: number): boolean;
  /** The same for positions that are solved as one. */
  keyOf(position: Position): string;
  /** The positions after the moves, and all else that values depend on. */
  expand(position: Position): { readonly facts: string; readonly after: readonly Position[] };
}

const MOST_POSITIONS = 2048;
const QUICK_POSITIONS = 64;
/** Positions with more moves than these make the sample smaller. */
const MOVES_EACH = 64;
/** For each position of the sample: seeds that are read, and how many of them, spread evenly, are sampled. */
const SEEDS_READ = 4;
const SEEDS_SAMPLED = 1 / 4;
/** Random games, and plies of each. */
const MOST_GAMES = 256;
const MOST_PLIES = 256;

/** Takes samples of a game, each once. They never throw: a position where the rules fail is sampled as such. */
export interface RulesSampler {
  full(): RulesSample;
  quick(): string;
}

const keyed = new WeakMap<KeyedRules, RulesSampler>();

export function samplerOfKeyed<Position>(game: KeyedRules<Position>): RulesSampler {
  const rules = game as KeyedRules;
  let sampler = keyed.get(rules);
  if (sampler === undefined) keyed.set(rules, (sampler = newSampler(sampledKeyed(rules))));
  return sampler;
}

const bySlices = new WeakMap<Game, RulesSampler>();

/** Of a game by slices. */
export function samplerOfGame(game: Game): RulesSampler {
  let sampler = bySlices.get(game);
  if (sampler === undefined) bySlices.set(game, (sampler = newSampler(sampledGame(game))));
  return sampler;
}

function newSampler(rules: Sampled<unknown>): RulesSampler {
  let quick: string | undefined;
  let full: RulesSample | undefined;
  const sampler: RulesSampler = {
    quick: () => (quick ??= sampleOf(rules, QUICK_POSITIONS).digest),
    full: () => (full ??= { ...sampleOf(rules, MOST_POSITIONS), quick: sampler.quick() }),
  };
  return sampler;
}

function sampledKeyed(rules: KeyedRules): Sampled<unknown> {
  return {
    *seeds() {
      yield* rules.starts();
      yield* rules.roots();
    },
    reachesAll: () => true,
    keyOf: (position) => String(rules.keyOf(position)),
    expand(position) {
      // Symmetric positions are one for the sample, whichever it comes to, so facts are those of the one with the least key.
      const exchanged = rules.keyInto(position, { high: 0, low: 0 });
      const after = rules.moves(position).map(([, next]) => next);
      const end = rules.ended(position) ?? (after.length > 0 ? 'open' : rules.stuck);
      const score = after.length > 0 || rules.score === null ? '' : scoreAs(rules, position, exchanged);
      return { facts: `${moverAs(rules, position, exchanged)} ${end} ${score}`, after };
    },
  };
}

function sampledGame(game: Game): Sampled<unknown> {
  const all = slicesOf(game);
  const slices = evenly(all, MOST_SLICES);
  /** Addresses of each slice that are tried, with either side to move. */
  const tries = (most: number) => Math.ceil(most / Math.max(1, slices.length));
  return {
    seeds: (most) => spreadPositions(game, slices, tries(most)),
    reachesAll: (most) =>
      game.whole !== undefined &&
      slices.length === all.length &&
      slices.every((name) => game.slice(name).size <= tries(most)),
    keyOf(position) {
      const { slice, side, part, key } = game.locate(position);
      return `${slice} ${side} ${part} ${key}`;
    },
    expand: (position) => ({
      facts: `${game.mover(position)} ${game.terminal(position)}`,
      after: game.moves(position).map(({ board }) => board),
    }),
  };
}

const MOST_SLICES = 64;

/** Positions at so many addresses of each slice, spread evenly. */
function* spreadPositions(game: Game, slices: readonly string[], tries: number): Generator<unknown> {
  for (const name of slices) {
    const slice = game.slice(name);
    const step = Math.max(1, Math.ceil(slice.size / tries));
    for (let index = 0; index < slice.size; index += step) {
      const part = Math.floor(index / slice.width);
      for (const side of [0, 1] as const) {
        const position = boardAt(game, { slice: name, side, part, key: index - part * slice.width });
        if (position !== null) yield position;
      }
    }
  }
}

/** Null where no position is. Most addresses of some games have none, and the stack of an error takes longer than the rest. */
function boardAt(game: Game, address: Parameters<Game['board']>[0]): unknown {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return game.board(address);
  } catch {
    return null;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** All slices of a game that is solved as a whole; else those of few pieces. */
function slicesOf(game: Game): readonly string[] {
  if (game.whole !== undefined) return game.whole.slices;
  for (let pieces = 1; pieces <= MOST_PIECES; pieces++) {
    const slices = slicesUpTo(game, pieces);
    if (slices === null || slices.length >= ENOUGH_SLICES)
      return slices ?? slicesUpTo(game, pieces - 1) ?? [];
  }
  return slicesUpTo(game, MOST_PIECES) ?? [];
}

const MOST_PIECES = 8;
const ENOUGH_SLICES = 8;

/** Null if the game has no endings of so many pieces. */
function slicesUpTo(game: Game, pieces: number): string[] | null {
  try {
    return [...new Set(game.endingsUpTo(pieces).flatMap(({ slices }) => slices))];
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

function evenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  const found: T[] = [];
  for (let at = 0; at < all.length; at += step) found.push(all[Math.floor(at)]);
  return found;
}

/** A position with its key. */
interface Keyed<Position> {
  readonly key: string;
  readonly position: Position;
}

function sampleOf<Position>(rules: Sampled<Position>, most: number): Omit<RulesSample, 'quick'> {
  const lines: string[] = [];
  /** The positions after the moves of those that were sampled, by key. */
  const sampled = new Map<string, readonly Keyed<Position>[]>();
  let moves = 0;

  const isFull = (share: number): boolean =>
    sampled.size >= share * most || moves >= share * MOVES_EACH * most;

  function visit({ key, position }: Keyed<Position>): readonly Keyed<Position>[] {
    const known = sampled.get(key);
    if (known !== undefined) return known;
    let after: Keyed<Position>[] = [];
    let facts = 'fails';
    try {
      const expanded = rules.expand(position);
      after = inOrder(expanded.after, rules);
      facts = expanded.facts;
    } catch {
      // What is wrong, solving says with the place.
    }
    lines.push(`${key}: ${facts}: ${after.map((each) => each.key).join()}`);
    moves += after.length;
    sampled.set(key, after);
    return after;
  }

  const { seeds, areAll } = readSeeds(rules, most);
  let isWhole = areAll && rules.reachesAll(most);
  // Near the seeds everything; the other half of the sample is of random games.
  for (let layer: readonly Keyed<Position>[] = seeds; layer.length > 0; ) {
    const next: Keyed<Position>[] = [];
    for (const each of layer) {
      if (sampled.has(each.key)) continue;
      if (isFull(1 / 2)) isWhole = false;
      else for (const after of visit(each)) next.push(after);
    }
    layer = next;
  }
  if (!isWhole) {
    const random = newRandom();
    for (let game = 0; game < MOST_GAMES && !isFull(1); game++) {
      let at: Keyed<Position> | undefined = seeds[random(seeds.length)];
      for (let ply = 0; ply < MOST_PLIES && at !== undefined && !isFull(1); ply++) {
        const after = visit(at);
        at = after[random(after.length)];
      }
    }
  }
  const digest = toHex(sha256(new TextEncoder().encode(lines.join('\n'))));
  return { digest, positions: sampled.size, whole: isWhole };
}

/** Positions where games begin, and whether they are all of them. */
function readSeeds<Position>(
  rules: Sampled<Position>,
  most: number,
): { seeds: Keyed<Position>[]; areAll: boolean } {
  const read: Position[] = [];
  let areAll = true;
  try {
    for (const position of rules.seeds(most)) {
      if (read.length >= SEEDS_READ * most) {
        areAll = false;
        break;
      }
      read.push(position);
    }
    const sampled = evenly(read, SEEDS_SAMPLED * most);
    return { seeds: inOrder(sampled, rules), areAll: areAll && sampled.length === read.length };
  } catch {
    return { seeds: [], areAll: false };
  }
}

/** Each position once, by key: the rules may list them in any order. */
function inOrder<Position>(positions: readonly Position[], rules: Sampled<Position>): Keyed<Position>[] {
  const byKey = new Map<string, Position>();
  for (const position of positions) {
    const key = rules.keyOf(position);
    if (!byKey.has(key)) byKey.set(key, position);
  }
  return [...byKey].map(([key, position]) => ({ key, position })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Numbers below `most` from a fixed seed (xorshift32, Marsaglia 2003). */
function newRandom(): (most: number) => number {
  let state = 0x9e3779b9;
  return (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, most);
  };
}

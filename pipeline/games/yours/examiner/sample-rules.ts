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
import { toHex } from '../../../../operators/core/bytes-as-text.js';
import { sha256 } from '../../../../operators/core/sha256.js';
import type { Game } from '../../../game/game.js';
import { smallestEndings } from '../../../game/plan.js';
import type { RulesSample } from '../../../game/rules-sample.js';
import type { NamedMove } from '../definition.js';
import { newKey } from '../keyed/key-words.js';
import { isKeyedRules } from '../keyed/keyed-game.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import { exchangeColours, newFacts, readFacts } from './facts.js';
import { Queue, randomGames } from './walk.js';

/** The rules of a game of either kind, as the sample reads them. */
interface Sampled {
  /** Where games begin, for a sample of so many positions. Reading stops after some. */
  seeds(most: number): Iterable<unknown>;
  /** Whether all positions are reached from those seeds. */
  reachesAll(most: number): boolean;
  /** The same for positions that are solved as one. */
  keyOf(position: unknown): string;
  /** The positions after the moves, and all else that values depend on. */
  expand(position: unknown): { readonly facts: string; readonly after: readonly unknown[] };
}

const MOST_POSITIONS = 2048;
const QUICK_POSITIONS = 64;
/** Positions with more moves than these make the sample smaller. */
const MOVES_EACH = 64;
/** For each position of the sample: seeds that are read, and how many of them, spread evenly, are sampled. */
const SEEDS_READ = 4;
const SEEDS_SAMPLED = 1 / 4;
const GAMES = { games: 256, longest: 256 } as const;
/** Slices that are sampled, spread evenly; of a game without an end, all those of so few pieces that there are enough. */
const MOST_SLICES = 64;
const ENOUGH_SLICES = 8;
const MOST_PIECES = 8;

/** Takes samples of a game, each once. They never throw: a position where the rules fail is sampled as such. */
export class RulesSampler {
  private taken: { quick?: string; full?: RulesSample } = {};
  /** Digests of samples that were those of the game. */
  private readonly same = new Set<string>();

  constructor(private readonly rules: Sampled) {}

  full(): RulesSample {
    this.taken.full ??= { ...sampleOf(this.rules, MOST_POSITIONS), quick: this.quick() };
    return this.taken.full;
  }

  /**
   * Whether a sample that was kept is that of the game.
   * @param isSameText the module is that of then: a quick sample is enough to notice that it reads its environment.
   */
  matches({ digest, quick }: RulesSample, isSameText: boolean): boolean {
    const { same } = this;
    if (same.has(digest) || (isSameText ? this.quick() === quick : this.full().digest === digest))
      same.add(digest);
    return same.has(digest);
  }

  private quick(): string {
    this.taken.quick ??= sampleOf(this.rules, QUICK_POSITIONS).digest;
    return this.taken.quick;
  }
}

const samplers = new WeakMap<object, RulesSampler>();

export function samplerOf<Position>(game: KeyedRules<Position> | Game): RulesSampler {
  let sampler = samplers.get(game);
  if (sampler === undefined) {
    const rules = isKeyedRules(game) ? sampledKeyed(game) : sampledGame(game as Game);
    samplers.set(game, (sampler = new RulesSampler(rules)));
  }
  return sampler;
}

function sampledKeyed(rules: KeyedRules): Sampled {
  return {
    *seeds() {
      yield* rules.starts();
      yield* rules.roots();
    },
    reachesAll: () => true,
    keyOf: (position) => String(rules.keyOf(position)),
    expand(position) {
      const moves: NamedMove<unknown>[] = [];
      const facts = readFacts(rules, position, newFacts(rules), moves);
      // Symmetric positions are one for the sample, whichever it comes to, so facts are those of the one with the least key.
      if (rules.keyInto(position, newKey(rules.keyBits))) exchangeColours(facts);
      const { mover, ended, score } = facts;
      const end = ended ?? (facts.moves > 0 ? 'open' : rules.stuck);
      const after = moves.slice(0, facts.moves).map(([, next]) => next);
      return {
        facts: `${mover} ${typeof end === 'string' ? end : JSON.stringify(end)} ${score ?? ''}`,
        after,
      };
    },
  };
}

function sampledGame(game: Game): Sampled {
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
  const endings = smallestEndings(game, ENOUGH_SLICES, MOST_PIECES);
  return [...new Set(endings.flatMap(({ slices }) => slices))];
}

function evenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  const found: T[] = [];
  for (let at = 0; at < all.length; at += step) found.push(all[Math.floor(at)]);
  return found;
}

/** A position with its key. */
interface Keyed {
  readonly key: string;
  readonly position: unknown;
}

function sampleOf(rules: Sampled, most: number): Omit<RulesSample, 'quick'> {
  const lines: string[] = [];
  /** The positions after the moves of those that were sampled, by key. */
  const sampled = new Map<string, readonly Keyed[]>();
  let moves = 0;

  const isFull = (share: number): boolean =>
    sampled.size >= share * most || moves >= share * MOVES_EACH * most;

  function visit({ key, position }: Keyed): readonly Keyed[] {
    const known = sampled.get(key);
    if (known !== undefined) return known;
    let after: Keyed[] = [];
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
  // Near the seeds everything; the other half of the sample is of random games.
  const nearest = new Queue<Keyed>();
  const add = (each: Keyed) => nearest.add(each, each.key);
  seeds.forEach(add);
  for (const each of nearest) if (!isFull(1 / 2)) visit(each).forEach(add);
  const whole = areAll && rules.reachesAll(most) && sampled.size === nearest.length;
  const random = newRandom();
  const start = () => seeds[random(seeds.length)];
  const games = randomGames(GAMES, random, start, (at) => (isFull(1) ? [] : visit(at)));
  if (!whole) Array.from(games);
  const digest = toHex(sha256(new TextEncoder().encode(lines.join('\n'))));
  return { digest, positions: sampled.size, whole };
}

/** Positions where games begin, and whether they are all of them. */
function readSeeds(rules: Sampled, most: number): { seeds: Keyed[]; areAll: boolean } {
  const read: unknown[] = [];
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
function inOrder(positions: readonly unknown[], rules: Sampled): Keyed[] {
  const byKey = new Map<string, unknown>();
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

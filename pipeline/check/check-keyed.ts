/**
 * Checks that a game of forward moves keeps the contract that solving relies on. Positions are visited in the order of their distance from
 * the roots, at most {@link WHOLE} of them, so a game that is no larger is checked as a whole. For each position the functions must return
 * possible values, and each move must lead to the position that its key is read back as. As many positions as the caller asks for are
 * checked closely, by every rule of {@link keyedContract}, and so is every position with a finding. In larger games random games lead to
 * some positions farther away, and some games are played to their ends.
 *
 * Cost: the keys of all moves once, as in solving, and a fixed number of further keys. The position that a move leads to and the one that its
 * key is read back as are compared by their moves until that number is spent, and by their content from then on.
 */

import { isSameContent } from '../game/same-content.js';
import { seededRandom } from '../game/sample.js';
import {
  type NamedMove,
  ProgramEnd,
  TooMany,
  messageOf as thrownMessage,
} from '../games/yours/definition.js';
import { costOf, Examiner, listRoots } from '../games/yours/examiner/examiner.js';
import { newFacts, readMoves } from '../games/yours/examiner/facts.js';
import { withWay } from '../games/yours/examiner/faults.js';
import { type KeyedRule, keyedRules, type Rule } from '../games/yours/examiner/rules.js';
import {
  afterMoves,
  type Games,
  Queue,
  type Reached,
  randomGames,
  rootAt,
} from '../games/yours/examiner/walk.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';

export { type KeyedRule, keyedContract } from '../games/yours/examiner/rules.js';

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
  /** One line: the simplest position found, its fault, and the move that led there. */
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

interface Failure extends Reached {
  readonly message: string;
  /** The number of moves, if it is known. */
  readonly moves: number;
}

/** A game of at most so many positions and moves is gone through whole; of fewer, if few positions are asked for. */
const WHOLE = { positions: 20_000, moves: 200_000 } as const;
const WHOLE_OF_ASKED = { positions: 20, moves: 200 } as const;
/** The walk ends after this many positions with a fault, or this many lists without an end, each of which takes a second to detect. */
const ENOUGH_FAULTS = 1024;
const ENDLESS_LISTS = 16;
/** Moves made from a failure to find a simpler one, and positions looked at after each. */
const SHRINKING = 200;
const NEIGHBOURS = 24;
/** Random games from where the walk stopped, and from the roots. */
const FARTHER: Games = { games: 256, longest: 300 };
const TO_THE_END: Games = { games: 32, longest: 10_000 };
/** First positions that the game offers to people: at most so many are checked. */
const STARTS = 64;
/** Positions between two pauses. */
const STRETCH = 32;
/**
 * Most keys that may be computed, as {@link costOf} counts them, for each position that the caller asks for and in all: to compare positions
 * with those read back from their keys, and to play games to their ends.
 */
const COMPARED = { each: 1 << 7, most: 1 << 17 } as const;
const PLAYED = { each: 1 << 9, most: 1 << 17 } as const;
/** The same for all positions that are checked closely. */
const CLOSELY = 1 << 17;

/**
 * Checks that a keyed game keeps the contract: the positions nearest to its roots, all of a small game, and others along random games.
 */
export function checkKeyed(game: KeyedRules, options: CheckKeyedOptions): Promise<KeyedReport> {
  return new KeyedCheck(game, options).run();
}

class KeyedCheck {
  private readonly examiner: Examiner;
  private readonly queue = new Queue<Reached>();
  /** The simplest failure of each rule that is broken. */
  private readonly failures = new Map<KeyedRule, Failure>();
  /** Keys of positions that were visited. */
  private readonly done = new Set<bigint>();
  /** Positions as their keys were read back. */
  private readonly readBack = new Map<bigint, unknown>();
  private readonly looked = { positions: 0, closely: 0, over: 0, moves: 0 };
  private readonly whole: KeyedReport['whole'];
  private compared = 0;
  private faults = 0;
  /** Keys that may still be computed: to compare positions, and to check closely. */
  private toCompare: number;
  private toLook = CLOSELY;
  private visits = 0;
  private reported = 0;

  constructor(
    private readonly game: KeyedRules,
    private readonly options: CheckKeyedOptions,
  ) {
    this.examiner = new Examiner(game, COMPARED.most);
    const { positions, moves } = WHOLE_OF_ASKED;
    this.toCompare = this.limit(COMPARED);
    this.whole = {
      positions: this.limit({ each: positions, most: WHOLE.positions }),
      moves: this.limit({ each: moves, most: WHOLE.moves }),
    };
  }

  async run(): Promise<KeyedReport> {
    const { looked, whole } = this;
    const { seed } = this.options;
    const roots = this.roots();
    const all = roots.length > 0 && (await this.walk());
    let games: KeyedReport['games'] = { played: 0, ended: 0, longest: TO_THE_END.longest };
    if (roots.length > 0 && !all && !this.isEnough) {
      await this.play(this.queue.left, FARTHER, true);
      games = await this.play(roots, TO_THE_END, false);
    }
    return { ...looked, games, all, whole, compared: this.compared, violations: this.violations(), seed };
  }

  /** Whether so many positions have a fault that no more are looked for. */
  private get isEnough(): boolean {
    return this.faults >= ENOUGH_FAULTS;
  }

  private limit({ each, most }: { readonly each: number; readonly most: number }): number {
    return Math.min(most, each * this.options.positions);
  }

  /** Called for each position: reports, and gives way to other work, every {@link STRETCH} positions. */
  private async turn(): Promise<void> {
    if (this.visits++ % STRETCH > 0) return;
    const { options, looked } = this;
    options.report?.(looked.positions - this.reported);
    this.reported = looked.positions;
    await options.pause?.();
  }

  /** Adds the first roots to the queue, each key once. Returns them, or none if there is a fault in them. */
  private roots(): readonly Reached[] {
    const { game, queue } = this;
    const wrong = this.thrownBy(() => {
      for (const root of listRoots(game, this.whole.positions + TO_THE_END.games))
        queue.add(rootAt(root), this.keyOf(root));
      let starts = 0;
      for (const start of game.starts()) {
        game.keyOf(start);
        if (++starts === STARTS) break;
      }
    });
    if (wrong === null) return queue.left;
    this.fail('roots', { ...rootAt(null), message: wrong, moves: 0 });
    return [];
  }

  private keyOf(position: unknown): bigint | null {
    return attempt(() => this.game.keyOf(position));
  }

  /**
   * Goes through the queue. If it grows longer than the number of positions to check closely, half of these are kept for positions farther
   * away. @returns whether that was the whole game.
   */
  private async walk(): Promise<boolean> {
    const { queue, looked, whole } = this;
    const closely = this.options.positions;
    for (const at of queue) {
      await this.turn();
      const isClose = this.mayLook(queue.length <= closely ? closely : closely / 2);
      const { after, keys } = this.look(at, isClose);
      for (const [i, next] of after.entries()) {
        queue.add(next, keys[i]);
        if (this.isEnough) continue;
        const thrown = this.thrownBy(() => this.compareNext(next, keys[i]));
        if (thrown !== null) this.suspect(next, thrown);
      }
      if (looked.positions >= whole.positions || looked.moves >= whole.moves || this.isEnough) break;
    }
    return queue.left.length === 0;
  }

  /** Compares the position that a move leads to with the one that its key is read back as: by their moves, or by their content. The content of an image may differ. */
  private compareNext({ way, position }: Reached, key: bigint): void {
    const { game, readBack } = this;
    if (this.toCompare > 0) this.toCompare -= this.examiner.compare(way, position);
    else {
      if (game.symmetries !== null && game.ownKeyOf(position) !== key) return;
      const read = readBack.get(key) ?? game.at(key);
      readBack.set(key, read);
      if (!isSameContent(position, read)) return;
    }
    this.compared++;
  }

  /**
   * Plays random games. With `closely` new positions are checked closely, as many as the caller asks for. Else only ends are, and positions at
   * which a function failed: a game that a fault cuts off is a finding, not a game that did not end.
   */
  private async play(from: readonly Reached[], most: Games, closely: boolean) {
    const { positions, seed } = this.options;
    const random = seededRandom(seed);
    const games = { played: 0, ended: 0, longest: most.longest };
    let left = this.limit(PLAYED);
    const start = () => {
      games.played++;
      return from[random(from.length)];
    };
    const visit = (at: Reached) => {
      const { after, isOver, isNew } = this.look(at, closely);
      left -= costOf(after.length);
      if (isOver) games.ended++;
      if (isOver && isNew && !closely) this.hold(at);
      return after;
    };
    for (const _ of randomGames(most, random, start, visit)) {
      if (left <= 0 || (closely && !this.mayLook(positions))) break;
      await this.turn();
    }
    return games;
  }

  /** Whether fewer positions than these were looked at closely, and there is time for more. */
  private mayLook(positions: number): boolean {
    return this.looked.closely < positions && this.toLook > 0;
  }

  /** Checks a position by all rules if `closely`, else by what solving calls. Returns the positions that its moves lead to, with their keys. */
  private look(at: Reached, closely: boolean) {
    const { game, done, looked } = this;
    const { position } = at;
    const key = this.keyOf(position);
    const isNew = key === null || !done.has(key);
    if (key !== null) done.add(key);
    if (isNew && closely) this.hold(at);
    const facts = newFacts(game);
    const moves: NamedMove<unknown>[] = [];
    let isListed = false;
    let thrown = this.thrownBy(() => {
      readMoves(game, position, facts, moves);
      isListed = true;
    });
    const isOver = isListed && facts.moves === 0;
    if (isNew) {
      looked.positions++;
      looked.moves += facts.moves;
      if (isOver) looked.over++;
      if (!closely) thrown ??= this.thrownBy(() => this.glance(position, isOver));
      if (!closely && thrown !== null) this.suspect(at, thrown);
    }
    moves.length = facts.moves;
    const keys = Array.from({ length: facts.moves }, (_, i) => facts.keys.bigAt(i));
    return { after: afterMoves(at, moves), keys, isNew, isOver };
  }

  /** Calls the other functions that solving calls, for a position whose moves were listed. */
  private glance(position: unknown, isOver: boolean): void {
    const { game } = this;
    game.mover(position);
    if (isOver) game.score?.(position);
    const read = game.at(game.ownKeyOf(position));
    if (game.format(read) !== game.format(position))
      throw game.wrong(position, `its ${game.words.what} is read back as ${game.format(read)}`);
    this.toCompare -= game.examine?.(position, this.toCompare > 0) ?? 0;
  }

  /** Checks a position by all rules where a function threw. If no rule explains that, it is reported as a fault of the rule `same`. */
  private suspect(at: Reached, thrown: string): void {
    // The message names the move.
    if (!this.hold(at)) this.fail('same', { ...at, way: null, message: thrown, moves: 0 });
  }

  /** Holds a position to every rule. Returns whether it breaks one. */
  private hold(at: Reached): boolean {
    const { examiner, looked } = this;
    looked.closely++;
    const before = examiner.taken;
    const failed = new Map<KeyedRule, string>();
    for (const [name, rule] of keyedRules) {
      if (restsOnAny(rule, failed)) continue;
      const message = this.faultOf(rule, at.position);
      if (message !== null) failed.set(name, message);
    }
    this.toLook -= examiner.taken - before;
    if (failed.size === 0) return false;
    this.faults++;
    const moves = failed.has('moves') ? 0 : this.countMoves(at.position);
    for (const [name, message] of failed) this.fail(name, { ...at, message, moves });
    return true;
  }

  private faultOf({ hold }: Rule, position: unknown): string | null {
    return this.thrownBy(() => hold?.(this.game, position, this.examiner));
  }

  /** The message of what is thrown, null if nothing is. */
  private thrownBy(call: () => void): string | null {
    try {
      call();
      return null;
    } catch (error) {
      if (error instanceof ProgramEnd) throw error;
      if (error instanceof TooMany) this.faults += ENOUGH_FAULTS / ENDLESS_LISTS;
      return thrownMessage(error);
    }
  }

  private countMoves(position: unknown): number {
    return attempt(() => this.game.moves(position))?.length ?? 0;
  }

  private fail(rule: KeyedRule, failure: Failure): void {
    const known = this.failures.get(rule);
    this.failures.set(rule, known === undefined ? failure : simpler(known, failure));
  }

  /** The simplest failure of each broken rule, unless a rule that it rests on is broken, too. */
  private violations(): KeyedViolation[] {
    const { failures } = this;
    return keyedRules.flatMap(([name, rule]) => {
      const known = failures.get(name);
      if (known === undefined || restsOnAny(rule, failures)) return [];
      const { message, way } = this.shrink(rule, known);
      return [{ rule: name, message: attempt(() => withWay(this.game, message, way)) ?? message }];
    });
  }

  /** Looks for a simpler failure among the positions that moves lead to. */
  private shrink(rule: Rule, failure: Failure): Failure {
    const { game } = this;
    let best = failure;
    for (let round = 0; round < SHRINKING; round++) {
      const before = best;
      const moves = attempt(() => game.moves(before.position)) ?? [];
      for (const at of afterMoves(before, moves.slice(0, NEIGHBOURS))) {
        const message = this.faultOf(rule, at.position);
        if (message !== null) best = simpler(best, { ...at, message, moves: this.countMoves(at.position) });
      }
      if (best === before) break;
    }
    return best;
  }
}

/** Whether a rule that this one rests on is broken: nothing is known of it then. */
function restsOnAny({ restsOn = [] }: Rule, broken: ReadonlyMap<KeyedRule, unknown>): boolean {
  return restsOn.some((other) => broken.has(other as KeyedRule));
}

/** Fewer moves, then nearer to a root. */
function simpler(a: Failure, b: Failure): Failure {
  const difference = a.moves - b.moves || a.distance - b.distance;
  return difference <= 0 ? a : b;
}

function attempt<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof ProgramEnd) throw error;
    return null;
  }
}

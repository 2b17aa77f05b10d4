/**
 * Compares positions with what their keys are read back as. Reachable sets know a position by its key alone: all ways to it lead to what
 * `position` makes of the key. If the facts (facts.ts) of both are the same, all ways to a position agree with each other. A position
 * whose key is that of a symmetric one with the colours exchanged is compared with its own colours exchanged. Solves of keyed and of
 * numbered games and `check` compare by this.
 *
 * It takes two more expansions a move. So all moves are compared at first, and then those to a sample of the positions: the keys whose
 * spread bits end in so many zeros, the more the more was spent (the adaptive sampling of Wegman; Flajolet 1990). All moves to a position
 * of the sample are compared. What a key forgets may show only many moves later; by then it was read back, and forgotten, many times. So
 * there are a few random games first whose positions are never read back.
 */
import { seededRandom } from '../../../game/sample.js';
import { type NamedMove, noRoots } from '../definition.js';
import { bigOf, copyKey, isSameKey, type KeyWords, newKey } from '../keyed/key-words.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import { sharesObject } from '../move-watch.js';
import { differenceOf, exchangeColours, type Facts, newFacts, readFacts } from './facts.js';
import { faultOf, ledBy } from './faults.js';
import { afterMoves, type Reached, randomGames, rootAt, type Way } from './walk.js';

/**
 * Effort is counted in keys that are taken (see {@link costOf}): so many to compare everything at first, and then a share of those that
 * are taken anyway. Counted in positions, games with many moves would take squares of their moves. To take the least key of a position
 * takes those of its symmetries too, which counts at first; the share is of keys that take as many.
 */
const AT_FIRST = 1 << 15;
const SHARE = 1 / 40;
/** Before the sample is thinned out: that share of few positions is too little to begin with. */
const LEAST = 1 << 9;
/** How many bits of keys the sample is chosen by. */
const BITS = 24;

/** Facts that are kept of positions as they were read back, in keys: some 50 bytes each. */
const MOST_KEPT = 1 << 13;

/** Random games, from so many roots at most, and the keys that are taken for them. */
const GAMES = { games: 1 << 6, longest: 1 << 9 } as const;
const PLAYED = 1 << 14;

export class Examiner {
  /** Keys that were taken to compare. */
  taken = 0;
  private compared = 0;
  /** Keys of all positions that were expanded anyway. */
  private expansions = 0;
  private spent = 0;
  /** Spent after the first, as far as it went to keys that are still in the sample; and the zeros with which their bits end. */
  private sampled = 0;
  private zeros = 0;
  /** Facts as keys were read back lately, by their lower words: many moves lead to the same few positions. */
  private readonly readBack = new Map<number, { readonly key: KeyWords; readonly is: Facts }>();
  private kept = 0;
  /** How many positions were alike to the last one that was compared, with itself: their keys are taken for each of its own. */
  private alike = 1;
  private readonly key: KeyWords;
  private readonly again: KeyWords;
  private readonly was: Facts;
  private readonly moves: NamedMove<unknown>[] = [];

  constructor(
    private readonly game: KeyedRules,
    private readonly atFirst = AT_FIRST,
  ) {
    this.key = newKey(game.keyBits);
    this.again = newKey(game.keyBits);
    this.was = newFacts(game);
  }

  /** A position with so many moves was expanded anyway. */
  expanded(moves: number): void {
    this.expansions += costOf(moves);
  }

  /** Whether ways to a position are compared; `bits`: {@link BITS}, by which keys are spread. */
  wants(bits: number): boolean {
    return (bits & ((1 << this.zeros) - 1)) === 0;
  }

  /** @throws UserError if the position is not what its key is read back as. @returns what that cost, as {@link costOf} counts. */
  compare(way: Way, position: unknown): number {
    const cost = this.test(way, position);
    if (way !== null) this.compared++;
    if (this.spent < this.atFirst) this.spent += cost * this.alike;
    else {
      this.sampled += cost;
      const most = Math.max(LEAST, this.expansions * SHARE);
      // With one zero more half of the sample is left.
      for (; this.sampled > most && this.zeros < BITS; this.zeros++) this.sampled /= 2;
    }
    return cost;
  }

  /** Compares all moves of the first roots, and random games from there. @throws UserError as `compare`. */
  play(): void {
    const { game } = this;
    const roots = listRoots(game, GAMES.games).map(rootAt);
    let cost = 0;
    for (const root of roots)
      for (const { way, position } of afterMoves(root, game.moves(root.position)))
        if (cost < this.atFirst) cost += this.test(way, position) * this.alike;
    cost = 0;
    const visit = (at: Reached): Reached[] => {
      if (at.way !== null) cost += this.test(at.way, at.position) * this.alike;
      const moves = game.moves(at.position);
      cost += costOf(moves.length) * this.alike;
      return afterMoves(at, moves);
    };
    const start = (played: number) => roots[played % roots.length];
    for (const _ of randomGames(GAMES, seededRandom(1), start, visit)) if (cost >= PLAYED) break;
  }

  /** Moves that were compared since the last call; neither roots nor those of random games. */
  take(): number {
    const { compared } = this;
    this.compared = 0;
    return compared;
  }

  private test(way: Way, position: unknown): number {
    try {
      return this.played(way, position);
    } catch (error) {
      throw ledBy(this.game, error, () => way);
    }
  }

  /** Plays a position against what its key is read back as. */
  private played(way: Way, position: unknown): number {
    const { game, key, again, was } = this;
    const exchanged = game.keyInto(position, key);
    const is = this.readBackAs(key);
    readFacts(game, position, was, this.moves);
    if (exchanged) exchangeColours(was);
    this.taken += costOf(was.moves);
    if (!this.hasKey(position) || differenceOf(was, is) !== null) {
      const [before, after] = [key, again].map(bigOf);
      throw faultOf(game, { way, position, key: before, after, exchanged, was, is });
    }
    const images = game.symmetries?.(position) ?? [];
    this.alike = 1 + images.length;
    for (const image of images)
      if (!this.hasKey(image))
        throw game.wrong(
          position,
          `symmetries gives ${game.format(image)}, whose own symmetries are not the same positions: it must give all that look alike, of each of them`,
        );
    return costOf(was.moves) + costOf(is.moves) + images.length;
  }

  private readBackAs(key: Readonly<KeyWords>): Facts {
    const known = this.readBack.get(key.low);
    if (known !== undefined && isSameKey(known.key, key)) return known.is;
    const { game } = this;
    const is = readFacts(game, game.atWords(key), newFacts(game), this.moves);
    const cost = costOf(is.moves);
    this.taken += cost;
    this.kept += cost;
    if (this.kept > MOST_KEPT) {
      this.readBack.clear();
      this.kept = cost;
    }
    const own = newKey(game.keyBits);
    copyKey(key, own);
    this.readBack.set(key.low, { key: own, is });
    return is;
  }

  /** Whether the key of a position is the one that is being compared. */
  private hasKey(position: unknown): boolean {
    const { key, again } = this;
    this.game.keyInto(position, again);
    return isSameKey(again, key);
  }
}

/**
 * The first roots, at most so many. The key of each is taken when it is listed, and again after the last.
 * @throws UserError for no roots, and for roots that share what is changed between them.
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
  if (roots.length === 0) throw noRoots(game.name);
  return roots;
}

/** What it costs to expand a position with so many moves: its key, and those of the positions after them. */
export function costOf(moves: number): number {
  return 1 + moves;
}

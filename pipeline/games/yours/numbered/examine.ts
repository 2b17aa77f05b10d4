/**
 * Positions of a numbered game are looked at before its table is made: whether moves lead to positions in the slices that they may
 * lead to, and symmetries to the same positions from each image. A sample is compared as positions of keyed games are
 * (games/yours/examiner/examiner.ts), since a position is known by its number alone, which is its key; and `unmoves` is held against `moves`.
 */

import type { Side } from '../../../game/game.js';
import { type NamedMove, times } from '../definition.js';
import { costOf, Examiner } from '../examiner/examiner.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import type { CheckedDefinition } from './checked-definition.js';
import type { NumberedGame } from './numbered-definition.js';
import type { Places } from './places.js';
import type { NumberRange, Ranges } from './ranges.js';
import { forwardGame } from './whole-game.js';

export interface Examined {
  readonly terminal: 'open' | 'lost' | 'drawn';
  /** Moves that stay in the range, and that leave it. */
  readonly moves: number;
  readonly conversions: number;
}

/** Positions by number and side to move: canonical ones, of which alone tables have values. */
export interface Examination {
  /**
   * Null if the position is not canonical, else whether it is over, and how many moves there are if not. Each move leads to a
   * position with the other side to move, in the range or in a range that it may lead to. A sample is compared.
   */
  examine(index: number, side: Side, range: NumberRange): Examined | null;
  /** The same, for `check`, which compares by itself: but for `unmoves`, if `closely`. Returns how many keys that took. */
  hold(index: number, side: Side, range: NumberRange, closely: boolean): number;
}

export function newExaminer<Position>(
  definition: NumberedGame<Position>,
  checked: CheckedDefinition<Position>,
  places: Places<Position>,
  ranges: Ranges,
): Examination {
  const { symmetries, stuck = 'lost', unmoves } = definition;
  const { indexOf, mover, ended, movesOf, named, wrong } = checked;
  const { at, need, home, isHome, images } = places;
  const movesAt = (position: Position) => (ended(position) === null ? movesOf(position) : []);
  // What functions return was checked before: it is not checked again.
  const rules = () => ({ ...forwardGame(definition, movesAt), mover, ended, moves: movesAt }) as KeyedRules;
  let examiner: Examiner | undefined;

  /** Throws unless the images of a canonical position have one home, whichever of them is asked, in one slice. */
  function requireImages(position: Position, index: number, side: Side, range: NumberRange): void {
    for (const image of images(position)) {
      const fault = (what: string) => wrong(position, `its image ${named(image)} ${what}`);
      const there = indexOf(image);
      if (mover(image) !== side) throw fault('has another side to move');
      if (at(there, side) === null) throw fault('is not a position');
      if (ranges.of(there) !== range) throw fault(`is in the slice ${ranges.of(there).name}`);
      if (home(image) !== index) throw notClosed(position, image);
    }
  }

  const notClosed = (position: Position, image: Position) =>
    wrong(position, `symmetries of its image ${named(image)} do not lead to the same positions`);

  /** The number that a move leads to: of a position with the other side to move, canonical, in a slice that the move may lead to. */
  function homeAfter(position: Position, move: NamedMove<Position>, side: Side, range: NumberRange): number {
    const [called, after] = move;
    const fault = (what: string) => wrong(position, `the move ${called} leads to ${named(after)}${what}`);
    const other = (1 - side) as Side;
    if (mover(after) !== other)
      throw fault(" with the same side to move, which only games with turns: 'free' may have");
    const there = home(after);
    const canonical = at(there, other);
    if (canonical === null) throw fault(', which is not a position');
    if (symmetries !== undefined && home(canonical) !== there) throw notClosed(after, canonical);
    const target = ranges.of(there);
    if (target !== range && !range.leadsTo.includes(target.name))
      throw fault(` in the slice ${target.name}, which ${range.name} does not name in leadsTo`);
    return there;
  }

  /** A canonical position with its moves, and the number that each leads to; null if there is none. */
  function look(index: number, side: Side, range: NumberRange) {
    const position = at(index, side);
    if (position === null) return null;
    if (symmetries !== undefined) {
      if (!isHome(position, index)) return null;
      requireImages(position, index, side, range);
    }
    const over = ended(position);
    const moves = over === null ? movesOf(position) : [];
    if (indexOf(position) !== index)
      throw wrong(need(index, side), 'moves changes the position that it is given');
    const homes = moves.map((move) => homeAfter(position, move, side, range));
    return { position, over, moves, homes };
  }

  /** Compares the moves to and from a position, which lead to `homes`, with what `unmoves` gives. */
  function compareUnmoves(position: Position, index: number, side: Side, homes: readonly number[]): void {
    const other = (1 - side) as Side;
    const agree = (to: Position, from: Position, moves: number, given: number) => {
      if (moves === given) return;
      const lead = moves === 0 ? 'no move leads' : moves === 1 ? 'one move leads' : `${moves} moves lead`;
      throw wrong(to, `unmoves gives ${named(from)} ${times(given)}, but ${lead} from there to here`);
    };
    for (const there of homes) {
      const after = at(there, other)!;
      agree(after, position, timesIn(homes, there), timesIn(before(after), index));
    }
    const given = before(position);
    for (const each of new Set(given)) {
      const from = at(each, other)!;
      const led = movesAt(from).map(([, after]) => home(after));
      // Where the game is over, or nobody can move, it does not matter.
      if (led.length > 0) agree(position, from, timesIn(led, index), timesIn(given, each));
    }
  }

  /** From where moves lead to any image of a position: canonical positions alone. */
  function before(position: Position): number[] {
    const isCanonical = (from: Position, image: Position) => {
      if (mover(from) === mover(image))
        throw wrong(image, `unmoves gives ${named(from)}, with the same side to move`);
      const index = indexOf(from);
      return home(from) === index && checked.positionOf(index, mover(from)) !== null;
    };
    return images(position).flatMap((image) =>
      checked
        .askAll(image, 'unmoves', () => unmoves!.call(definition, image))
        .filter((from) => isCanonical(from, image))
        .map(indexOf),
    );
  }

  return {
    examine(index, side, range) {
      const looked = look(index, side, range);
      if (looked === null) return null;
      const { position, over, moves, homes } = looked;
      examiner ??= new Examiner(rules());
      examiner.expanded(moves.length);
      if (examiner.wants(bitsOf(index))) {
        examiner.compare(null, position);
        for (const image of images(position))
          if (indexOf(image) !== index) examiner.compare({ from: position, move: null }, image);
        if (unmoves !== undefined) compareUnmoves(position, index, side, homes);
      }
      for (const [i, [move, after]] of moves.entries())
        if (examiner.wants(bitsOf(homes[i]))) examiner.compare({ from: position, move }, after);
      if (over !== null) return { terminal: over, moves: 0, conversions: 0 };
      const conversions = homes.filter((there) => ranges.of(there) !== range).length;
      const terminal = moves.length === 0 ? stuck : 'open';
      return { terminal, moves: moves.length - conversions, conversions };
    },
    hold(index, side, range, closely) {
      const looked = look(index, side, range);
      if (looked === null || !closely || unmoves === undefined) return 0;
      const { position, homes } = looked;
      compareUnmoves(position, index, side, homes);
      return homes.length * costOf(homes.length);
    },
  };
}

/** 24 bits, spread over the numbers. */
function bitsOf(index: number): number {
  const mixed = Math.imul((index ^ Math.floor(index / 2 ** 32)) + 1, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 8;
}

const timesIn = (list: readonly number[], index: number) => list.filter((each) => each === index).length;

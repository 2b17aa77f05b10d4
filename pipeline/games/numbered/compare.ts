/**
 * Whether the functions of a numbered game agree with each other, at a sample of its positions. Where they do not, a
 * table would be wrong. A position is known by its number alone. So what a move leads to is held against what
 * `position` makes of its number. A position is held against its images, as to `ended` and where moves lead. `moves`
 * is asked twice, and `unmoves` is held against it.
 */
import type { Side } from '../../game/game.js';
import type { CheckedDefinition } from './checked-definition.js';
import type { NumberedGame } from './numbered-definition.js';
import type { Places } from './places.js';

/**
 * So many positions at least, with either side to move, and of many numbers each of so many. The functions are asked
 * a dozen times for each position.
 */
const LEAST = 256;
const WIDEST_SPACING = 512;

/** How often a position is asked again before another fault is reported. */
const AGAIN = 8;

/** The functions by which solving asks about a position. */
interface Played {
  readonly end: string | null;
  /** The name of each move, and the number that it leads to. */
  readonly moves: readonly (readonly [name: string, home: number])[];
}

/** @throws UserError for the first difference. `end`, `moves`: what was found of the position. */
export type Comparer<Position> = (position: Position, index: number, side: Side, found: Played) => void;

/** Whether the position with a number is in the sample of a game with so many. */
export function isSampled(index: number, size: number): boolean {
  const spacing = Math.min(WIDEST_SPACING, Math.ceil(size / LEAST));
  return Math.imul((index ^ Math.floor(index / 2 ** 32)) + 1, 0x9e3779b1) >>> 0 < 2 ** 32 / spacing;
}

export function newComparer<Position>(
  definition: NumberedGame<Position>,
  checked: CheckedDefinition<Position>,
  places: Places<Position>,
): Comparer<Position> {
  const { at, home, images } = places;
  const { ended, movesOf, named, wrong, indexOf } = checked;

  function played(position: Position): Played {
    const end = ended(position);
    const moves = end === null ? movesOf(position) : [];
    return { end, moves: moves.map(([name, after]) => [name, home(after)]) };
  }

  /** Throws if a position is not played as it was: a function that does not give the same answer each time. */
  function compareAgain(position: Position, found: Played): Played {
    const again = played(position);
    const differs = (what: string, first: string, then: string) =>
      wrong(
        position,
        `${what} differs when it is asked twice: ${first}, then ${then}; it must give the same each time`,
      );
    if (again.end !== found.end) throw differs('ended', quoted(found.end), quoted(again.end));
    if (differenceOf(found, again) !== null) throw differs('moves', listed(found), listed(again));
    return again;
  }

  function compareImages(position: Position, index: number, found: Played): void {
    for (const image of images(position)) {
      if (indexOf(image) === index) continue;
      const difference = differenceOf(compareAgain(image, played(image)), found);
      if (difference !== null)
        throw wrong(position, `symmetries gives ${named(image)}: ${difference}, so they are not alike`);
    }
  }

  function compareReached(position: Position, other: Side): void {
    for (const [name, after] of movesOf(position)) {
      const there = home(after);
      const read = at(there, other)!;
      const [was, is] = [played(after), played(read)];
      const difference = differenceOf(was, is);
      if (difference === null) continue;
      for (let i = 0; i < AGAIN; i++) {
        compareAgain(after, was);
        compareAgain(read, is);
      }
      const leads = `the move ${name} leads to ${named(after)}`;
      throw wrong(
        position,
        indexOf(after) === there
          ? `${leads}, whose index is ${there}, but position(${there}, ${other}) is ${named(read)}: ${difference}, so index leaves out what ended or moves asks for, or position does not read it back`
          : `${leads}, which is taken for ${named(read)} by symmetries: ${difference}, so they are not alike`,
      );
    }
  }

  const compareUnmoves =
    definition.unmoves === undefined
      ? null
      : newUnmoveComparer((image) => definition.unmoves!(image), checked, places, played);
  return (position, index, side, found) => {
    compareAgain(position, found);
    compareImages(position, index, found);
    if (found.end === null) compareReached(position, (1 - side) as Side);
    compareUnmoves?.(position, index, side, found);
  };
}

/** Moves that lead to a position from another, against how often `unmoves` gives that. */
function newUnmoveComparer<Position>(
  unmoves: (position: Position) => Iterable<Position>,
  checked: CheckedDefinition<Position>,
  { at, home, images }: Places<Position>,
  played: (position: Position) => Played,
): Comparer<Position> {
  const { named, wrong, indexOf } = checked;
  const timesIn = (list: readonly number[], index: number) => list.filter((each) => each === index).length;
  /** From where moves lead to any image of a position: canonical positions alone. */
  function before(position: Position): number[] {
    return images(position).flatMap((image) =>
      checked
        .askAll(image, 'unmoves', () => unmoves(image))
        .filter((from) => {
          if (checked.mover(from) === checked.mover(image))
            throw wrong(image, `unmoves gives ${named(from)}, with the same side to move`);
          const index = indexOf(from);
          return home(from) === index && checked.positionOf(index, checked.mover(from)) !== null;
        })
        .map(indexOf),
    );
  }

  return (position, index, side, found) => {
    const other = (1 - side) as Side;
    const held = (to: Position, from: Position, moves: number, given: number) => {
      if (moves === given) return;
      throw wrong(
        to,
        `unmoves gives ${named(from)} ${times(given)}, but ${moves === 0 ? 'no move leads' : moves === 1 ? 'one move leads' : `${moves} moves lead`} from there to here`,
      );
    };
    for (const [, there] of found.moves) {
      const after = at(there, other)!;
      const homes = found.moves.map(([, each]) => each);
      held(after, position, timesIn(homes, there), timesIn(before(after), index));
    }
    const given = before(position);
    for (const each of new Set(given)) {
      const from = at(each, other)!;
      const { moves } = played(from);
      // Where the game is over, or nobody can move, it does not matter.
      if (moves.length > 0)
        held(
          position,
          from,
          timesIn(
            moves.map(([, there]) => there),
            index,
          ),
          timesIn(given, each),
        );
    }
  };
}

/** In which way two positions are played otherwise, `there` the first; null if they are played alike. */
function differenceOf(there: Played, here: Played): string | null {
  if (there.end !== here.end) return `ended is ${quoted(there.end)} there and ${quoted(here.end)} here`;
  const left = here.moves.map(([, home]) => home);
  const only = there.moves.find(([, home]) => {
    const at = left.indexOf(home);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (only === undefined && left.length === 0) return null;
  const [name, place] =
    only === undefined ? [here.moves.find(([, home]) => home === left[0])![0], 'here'] : [only[0], 'there'];
  return `${count(there.moves.length)} there and ${here.moves.length} here, the move ${JSON.stringify(name)} only ${place}`;
}

function listed({ moves }: Played): string {
  return moves.length === 0 ? 'none' : moves.map(([name]) => name).join(', ');
}

function quoted(end: string | null): string {
  return end === null ? 'null' : `'${end}'`;
}

function count(moves: number): string {
  return moves === 1 ? '1 move' : `${moves} moves`;
}

function times(n: number): string {
  return n === 0 ? 'not at all' : n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`;
}

/**
 * Whether the functions of a numbered game agree with each other, at a sample of its positions. Where they do not, a
 * table would be wrong. A position is known by its number alone, which is its key. So it is examined as keyed games are: what a move
 * leads to, and each image, is held against what `position` makes of its number. `unmoves` is held against `moves`.
 */
import type { Side } from '../../game/game.js';
import { type KeyCheck, newKeyCheck } from '../keyed/key-check.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import type { CheckedDefinition } from './checked-definition.js';
import type { NumberedGame } from './numbered-definition.js';
import type { Places } from './places.js';
import { forwardGame } from './whole-game.js';

/**
 * So many positions at least, with either side to move, and of many numbers each of so many. The functions are asked
 * a dozen times for each position.
 */
const LEAST = 256;
const WIDEST_SPACING = 512;

/** The functions of a game that solving calls for a position. */
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

/** Compares as keyed games are compared (keyed/key-check.ts), and holds `unmoves` against `moves`. */
export function newComparer<Position>(
  definition: NumberedGame<Position>,
  checked: CheckedDefinition<Position>,
  places: Places<Position>,
): Comparer<Position> {
  const { home, images } = places;
  const { ended, mover, movesOf, indexOf } = checked;
  const movesAt = (position: Position) => (ended(position) === null ? movesOf(position) : []);
  const compareUnmoves =
    definition.unmoves === undefined
      ? null
      : newUnmoveComparer(
          (image) => definition.unmoves!(image),
          checked,
          places,
          (position) => ({
            end: ended(position),
            moves: movesAt(position).map(([name, after]) => [name, home(after)]),
          }),
        );
  /** What functions return was checked before: it is not checked again. */
  const rulesOf = (): KeyedRules<Position> => ({
    ...forwardGame(definition, movesAt),
    mover,
    ended,
    moves: movesAt,
  });
  let keys: KeyCheck | null = null;
  return (position, index, side, found) => {
    keys ??= newKeyCheck(rulesOf() as KeyedRules);
    keys.compare(null, position);
    for (const image of images(position))
      if (indexOf(image) !== index) keys.compare({ from: position, move: null }, image);
    for (const [move, after] of movesAt(position)) keys.compare({ from: position, move }, after);
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

function times(n: number): string {
  return n === 0 ? 'not at all' : n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`;
}

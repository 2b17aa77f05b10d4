/** A position of a numbered game is looked at closely before its table is made. */
import type { Side } from '../../game/game.js';
import type { CheckedDefinition } from './checked-definition.js';
import { isSampled, newComparer } from './compare.js';
import type { NumberedGame } from './numbered-definition.js';
import type { Places } from './places.js';
import type { NumberRange, Ranges } from './ranges.js';

export interface Examined {
  readonly terminal: 'open' | 'lost' | 'drawn';
  /** Moves that stay in the range, and that leave it. */
  readonly moves: number;
  readonly conversions: number;
}

export function newExaminer<Position>(
  definition: NumberedGame<Position>,
  checked: CheckedDefinition<Position>,
  places: Places<Position>,
  ranges: Ranges,
): (index: number, side: Side, range: NumberRange, closely?: boolean) => Examined | null {
  const { symmetries, stuck = 'lost', size } = definition;
  const { indexOf, mover, ended, movesOf, named, wrong } = checked;
  const { at, need, home, isHome, images } = places;
  const compare = newComparer(definition, checked, places);

  /** Checks that the images of a canonical position have one home, whichever of them is asked, in one slice. */
  function examineImages(position: Position, index: number, side: Side, range: NumberRange): void {
    for (const image of images(position)) {
      if (mover(image) !== side) throw wrong(position, `its image ${named(image)} has another side to move`);
      const there = indexOf(image);
      if (at(there, side) === null) throw wrong(position, `its image ${named(image)} is no position`);
      if (ranges.of(there) !== range)
        throw wrong(position, `its image ${named(image)} is in the slice ${ranges.of(there).name}`);
      if (home(image) !== index) throw notClosed(position, image);
    }
  }

  const notClosed = (position: Position, image: Position) =>
    wrong(position, `symmetries of its image ${named(image)} do not lead to the same positions`);

  /** The slice that a move leads to. The position after the move has the other side to move, and is canonical or has such an image. */
  function targetOf(
    position: Position,
    called: string,
    after: Position,
    side: Side,
    range: NumberRange,
  ): NumberRange {
    const leads = () => `the move ${called} leads to ${named(after)}`;
    const other = (1 - side) as Side;
    if (mover(after) !== other)
      throw wrong(
        position,
        `${leads()} with the same side to move, which only games with turns: 'free' may have`,
      );
    const there = home(after);
    const canonical = at(there, other);
    if (canonical === null) throw wrong(position, `${leads()}, which is no position`);
    if (symmetries !== undefined && home(canonical) !== there) throw notClosed(after, canonical);
    const target = ranges.of(there);
    if (target !== range && !range.leadsTo.includes(target.name))
      throw wrong(
        position,
        `${leads()} in the slice ${target.name}, which ${range.name} does not name in leadsTo`,
      );
    return target;
  }

  return (index, side, range, closely = false) => {
    const position = at(index, side);
    if (position === null) return null;
    if (symmetries !== undefined) {
      if (!isHome(position, index)) return null;
      examineImages(position, index, side, range);
    }
    const over = ended(position);
    const moves = over === null ? movesOf(position) : [];
    if (indexOf(position) !== index)
      throw wrong(need(index, side), 'moves changes the position that it is given');
    let conversions = 0;
    for (const [called, after] of moves)
      if (targetOf(position, called, after, side, range) !== range) conversions++;
    if (closely || isSampled(index, size))
      compare(position, index, side, {
        end: over,
        moves: moves.map(([called, after]) => [called, home(after)]),
      });
    if (over !== null) return { terminal: over, moves: 0, conversions: 0 };
    return {
      terminal: moves.length === 0 ? stuck : 'open',
      moves: moves.length - conversions,
      conversions,
    };
  };
}

/** Answers about positions, as the page shows them. */
import type { LineMove, PositionAnswer, ValueAnswer } from '../positions/shapes.js';
import { valueOfJson } from '../positions/value.js';
import type { ShownPosition, ShownValue } from './source.js';

export function shownPosition(answer: PositionAnswer): ShownPosition {
  const { game, metric, position, slice = '', root, mover, over, promotions, diagram, moves } = answer;
  return {
    game,
    metric,
    position,
    ending: root === undefined ? slice : menOf(position),
    mover,
    isOver: over,
    ...shownValue(answer),
    ...(promotions !== undefined && { promotions }),
    diagram,
    moves: moves.map((move) => ({
      ...stepOf(move),
      conversion: move.conversion === true,
      ...shownValue(move),
    })),
  };
}

/** A move by both its names: a game with one notation has one name. */
export function stepOf({
  move,
  uci = move,
  san = move,
  position,
}: Pick<LineMove, 'move' | 'uci' | 'san' | 'position'>) {
  return { uci, san, position };
}

function shownValue(answer: ValueAnswer): ShownValue {
  const { promotions: _, precise = true, ...value } = valueOfJson(answer);
  return { ...value, precise };
}

/** "KRPPKRP": the men of White and of Black. */
function menOf(fen: string): string {
  const [placement] = fen.split(' ');
  const of = (letters: string) =>
    [...letters].map((each) => each.repeat(placement.split(each).length - 1)).join('');
  return of('KQRBNP') + of('kqrbnp').toUpperCase();
}

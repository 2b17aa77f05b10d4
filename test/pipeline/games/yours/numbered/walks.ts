/** Games of one man who walks from square to square, moved by both players in turn. */
import type { Side } from '../../../../../pipeline/game/game.js';
import type { NumberedGame } from '../../../../../pipeline/games/yours/numbered/numbered-definition.js';

export interface At {
  readonly at: number;
  readonly side: Side;
}

/** From square n to any of `steps(n)`. */
export function walk(
  steps: (at: number) => number[],
  more: Partial<NumberedGame<At>> = {},
  size = 10,
): NumberedGame<At> {
  return {
    name: 'walk',
    size,
    index: ({ at }) => at,
    position: (at, side) => ({ at, side }),
    mover: ({ side }) => side,
    moves: ({ at, side }) =>
      steps(at).map((next) => [`to ${next}`, { at: next, side: (1 - side) as Side }] as const),
    parse: (text) => ({ at: Number.parseInt(text, 10), side: text.endsWith('w') ? 0 : 1 }),
    format: ({ at, side }) => `${at}${'wb'[side]}`,
    ...more,
  };
}

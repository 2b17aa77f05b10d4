/**
 * A numbered game as its author wrote it: positions by number and forward moves, in the form that keyed games are checked in. Slices
 * and their kernels are made of the definition, and nobody who wrote the definition should have to read about them.
 */
import type { Game } from '../../../game/game.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import type { NumberedGame } from './numbered-definition.js';
import type { Rules } from './rules.js';
import { everyPosition, forwardGame } from './whole-game.js';

/** A game that is solved by slices, by forward moves. @param slices whose positions are roots. */
type Forward = (slices: readonly string[]) => KeyedRules;

const forward = new WeakMap<object, Forward>();

/** The forward moves of a game that `numberedGame` made; null for other games. */
export function forwardRulesOf(game: Game, slices: readonly string[]): KeyedRules | null {
  return forward.get(game)?.(slices) ?? null;
}

export function keepForwardRules<Position>(
  game: Game<Position>,
  definition: NumberedGame<Position>,
  rules: Rules<Position>,
): void {
  forward.set(game, (slices) => {
    const { name, size } = definition;
    const names = new Set(slices);
    // At most as many moves as tables of slices count.
    const whole = forwardGame(definition, (position) => rules.moves(position));
    const checked: KeyedRules<Position> = {
      ...whole,
      roots: () => everyPosition(name, size, rules.at, (index) => names.has(rules.ranges.of(index).name)),
      starts: () => [],
      examine(position, closely) {
        const index = rules.home(position);
        return rules.hold(index, rules.mover(position), rules.ranges.of(index), closely);
      },
    };
    return checked as KeyedRules;
  });
}

import type { Slice } from '../../game/game.js';

/** Why the solver cannot solve a slice, in words; null if it can. It looks for predecessors, so it needs unmoves. */
export function whyNot({ name, unmoves }: Pick<Slice, 'name' | 'unmoves'>): string | null {
  return unmoves === undefined ? `slices with unmoves only, not ${name}` : null;
}

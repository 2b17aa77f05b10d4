import type { Slice } from '../../game.js';

/** What the solver solves, in words: why it cannot solve a slice, or null if it can. It looks for predecessors. */
export function whyNot({ name, unmoves }: Pick<Slice, 'name' | 'unmoves'>): string | null {
  return unmoves === undefined ? `slices with unmoves only, not ${name}` : null;
}

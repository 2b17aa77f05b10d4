import type { Shown } from '../explorer.js';

/** Why there is no main line; null if there is one. */
export function noLine({ answer, metric }: Shown): string | null {
  if (answer === null) return 'A position without a value has no main line';
  if (answer.terminal !== 'open') return 'The game is over';
  if (answer.wdl === 'draw') return 'A drawn position has no main line';
  return metric === 'wdl' ? 'This metric has no distances, and so no main line' : null;
}

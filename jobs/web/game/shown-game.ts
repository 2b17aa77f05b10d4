import type { KeyedRules } from '../../../pipeline/games/keyed/keyed-rules.js';

/** The facts of a game that the page shows. */
export type ShownGame = Pick<
  KeyedRules,
  'name' | 'colours' | 'starts' | 'format' | 'parse' | 'diagram' | 'board'
>;

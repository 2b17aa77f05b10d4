/** Which positions are legal, and in which the side to move is in check: whole words at a time. */
import {
  ATTACK_MASK,
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  LINE,
  PAIR_BLACK,
  PAIR_WHITE,
} from '../../games/chess/geometry.js';
import type { SetLayout } from './layout.js';
import { reach } from './words.js';

const word = new Int32Array(2);

/**
 * Writes into `legal` (2 * configs halves) the legal positions of a pair of kings with `side` to move: all men on
 * different squares, the king of the other side not attacked.
 */
export function legalPositions(layout: SetLayout, pair: number, side: number, legal: Int32Array): void {
  const kingsLow = BIT_LOW[PAIR_WHITE[pair]] | BIT_LOW[PAIR_BLACK[pair]];
  const kingsHigh = BIT_HIGH[PAIR_WHITE[pair]] | BIT_HIGH[PAIR_BLACK[pair]];
  const { occupied } = layout;
  for (let config = 0; config < layout.configs; config++) {
    const at = 2 * config;
    legal[at] = legal[at + 1] = 0;
    if ((occupied[at] & occupied[at + 1]) === -1) continue;
    if ((occupied[at] & kingsLow) | (occupied[at + 1] & kingsHigh)) continue;
    attacked(layout, pair, config, side, word);
    legal[at] = ~(occupied[at] | kingsLow | word[0]);
    legal[at + 1] = ~(occupied[at + 1] | kingsHigh | word[1]);
    if (layout.wordMan < 0) {
      legal[at] = 1;
      legal[at + 1] = 0;
    }
  }
}

/** Keeps those of `positions` in which the king of `side` is attacked. */
export function keepChecks(layout: SetLayout, pair: number, side: number, positions: Int32Array): void {
  for (let config = 0; config < layout.configs; config++) {
    const at = 2 * config;
    if ((positions[at] | positions[at + 1]) === 0) continue;
    attacked(layout, pair, config, 1 - side, word);
    positions[at] &= word[0];
    positions[at + 1] &= word[1];
  }
}

/**
 * The squares of the man in word for which some man of `side` attacks the other side's king: all of them if an array
 * man attacks past empty squares, less those of the line between if the man in word may be what stands in the way.
 */
function attacked(layout: SetLayout, pair: number, config: number, side: number, out: Int32Array): void {
  const { space, arrayMen, shift, wordMan, occupied } = layout;
  const king = side === 0 ? PAIR_BLACK[pair] : PAIR_WHITE[pair];
  const low = occupied[2 * config] | BIT_LOW[PAIR_WHITE[pair]] | BIT_LOW[PAIR_BLACK[pair]];
  const high = occupied[2 * config + 1] | BIT_HIGH[PAIR_WHITE[pair]] | BIT_HIGH[PAIR_BLACK[pair]];
  out[0] = out[1] = 0;
  if (wordMan >= 0 && space.sideOf[wordMan] === side) {
    reach(space.kindOf[wordMan], BIT_LOW[king], BIT_HIGH[king], ~low, ~high, out);
  }
  for (let i = 0; i < arrayMen.length; i++) {
    const man = arrayMen[i];
    if (space.sideOf[man] !== side) continue;
    const line = (((config >> shift[man]) & 63) << 6) | king;
    if ((LINE[line] & ATTACK_MASK[space.kindOf[man]]) === 0) continue;
    if ((BETWEEN_LOW[line] & low) | (BETWEEN_HIGH[line] & high)) continue;
    out[0] |= ~BETWEEN_LOW[line];
    out[1] |= ~BETWEEN_HIGH[line];
  }
}

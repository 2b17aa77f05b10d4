/** Room for what the `census` kernel tells (pipeline/game.ts). */
import type { Census } from './game.js';

/** Indices classified in one call by those who walk over a whole part. */
export const CENSUS_ROWS = 1 << 14;

export function newCensus(rows: number): Census {
  return {
    status: new Uint8Array(rows),
    moves: new Uint8Array(rows),
    conversions: new Uint8Array(rows),
  };
}

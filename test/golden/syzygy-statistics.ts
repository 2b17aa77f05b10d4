/** The published statistics of Syzygy's tables of three to five men, and what the ledger of a set of files has beside them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ledger } from '../../jobs/progress/set-records.js';
import type { Colour } from '../../pipeline/game/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { materialNamed } from '../../pipeline/games/chess/syzygy/material.js';
import { type CountedColour, waysOf } from './syzygy-counts.js';

/** The histograms are there for some endings only. */
type Published = Pick<CountedColour, 'counts' | 'longest'> & Partial<Pick<CountedColour, 'won' | 'lost'>>;

/** By the name of the ending: KQKR. */
export const published = (
  JSON.parse(readFileSync(resolve('test/golden/syzygy-statistics.json'), 'utf8')) as {
    endings: Record<string, Record<Colour, Published>>;
  }
).endings;

/** The published longest win of either side of an ending as files are named, cursed or not; null if nobody wins, undefined if unknown. */
export function publishedLongestWin(name: string): number | null | undefined {
  const both = published[name.replace('v', '')];
  if (both === undefined) return undefined;
  return Math.max(0, ...chess.colours.flatMap((colour) => longestWinOf(both[colour]) ?? 0)) || null;
}

/** Bytes of the published files of three to five men, WDL and DTZ, by the name of the ending: KQvKR. */
export const publishedSizes = (
  JSON.parse(readFileSync(resolve('test/golden/syzygy-sizes.json'), 'utf8')) as {
    endings: Record<string, readonly [rtbw: number, rtbz: number]>;
  }
).endings;

const longestWinOf = ({ longest: [win, cursed] }: Published) => cursed ?? win;

/**
 * The first figure of a ledger that differs from the published ones: "KQvKR: white: longest win: 61, published 60"; null if none does. The
 * longest win of each side to move is compared, and the numbers of positions, wins and losses. These count boards with like men
 * told apart, so they are compared where that multiplies all of them by the same number: with pawns, or if no men are alike.
 */
export function differenceOf({ ending, sides }: Ledger): string | null {
  const both = published[ending.replace('v', '')];
  if (both === undefined || sides === null) return null;
  const ways = waysOf(ending.replace('v', ''));
  const hasCounts = ways === 1 || materialNamed(ending)!.leadingPawns.length > 0;
  for (const colour of chess.colours) {
    const { positions, wins, losses, longestWin } = sides[colour as 'white' | 'black'];
    const [won, cursed, drawn, blessed, lost] = both[colour].counts;
    const pairs: [string, number | null, number | null][] = [
      ['longest win', longestWin, longestWinOf(both[colour])],
    ];
    if (hasCounts) {
      pairs.push(['positions', ways * positions, won + cursed + drawn + blessed + lost]);
      pairs.push(['wins', ways * wins, won + cursed]);
      pairs.push(['losses', ways * losses, blessed + lost]);
    }
    for (const [what, ours, theirs] of pairs) {
      if (ours !== theirs) return `${ending}: ${colour}: ${what}: ${ours}, published ${theirs}`;
    }
  }
  return null;
}

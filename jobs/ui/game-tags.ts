/** The tags and the result of a game in PGN (Edwards 1994, "Portable Game Notation Specification") or PDN. */
import type { Wdl } from '../../pipeline/game/value.js';

export type Result = '1-0' | '0-1' | '1/2-1/2';

/** @param isFirst whether the value is for the player who begins the game, and whose points come first: White in chess, Black in English draughts. */
export function resultOf(wdl: Wdl, isFirst: boolean): Result {
  if (wdl !== 'win' && wdl !== 'loss') return '1/2-1/2';
  return (wdl === 'win') === isFirst ? '1-0' : '0-1';
}

/** English draughts by the numbers that PDN gives to games. */
export const ENGLISH_DRAUGHTS = '21';

/** A line for each tag. */
export function tagLines(tags: Readonly<Record<string, string>>): string {
  const lines = Object.entries(tags).map(
    ([name, value]) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]\n`,
  );
  return lines.join('');
}

/** The tags of a game from a position on: the seven that come first, in their order, and those of the position. */
export function positionTags(
  fen: string,
  result: string,
  known: { readonly Event?: string; readonly GameType?: string; readonly Stipulation?: string } = {},
): string {
  return tagLines({
    Event: '?',
    Site: '?',
    Date: '????.??.??',
    Round: '?',
    White: '?',
    Black: '?',
    Result: result,
    ...known,
    FEN: fen,
    SetUp: '1',
  });
}

/** Games of a text held against the tables. Fetched with the first text: what reads PGN is not small. */

import { type Study, studiesOf } from '../../notation/read-game.js';
import { annotated, NO_FINDINGS } from '../../study/annotate.js';
import { type CheckedStudy, checkStudy, type Lookup } from '../../study/check-study.js';
import { claimsText, commentsOf, waysText } from '../../study/study-text.js';

export type { StudyMove } from '../../notation/read-game.js';
export type { CheckedMove } from '../../study/check-study.js';
export { lookupBy } from './lookup.js';

/** What was found, in words: the functions are fetched with all else that reads games. */
export const words = { claimsText, commentsOf, waysText };
export type StudyWords = typeof words;

export interface AnnotatedGame {
  readonly study: Study;
  readonly checked: CheckedStudy;
}

export interface AnnotatedText {
  readonly games: readonly AnnotatedGame[];
  /** What is wrong with games, or parts of them, that cannot be read. */
  readonly problems: readonly string[];
  /** The whole text again, with what was found as comments. Games that cannot be read are in it as they are. */
  readonly pgn: string;
}

/** Games of a text that are held against the tables. */
const MOST_GAMES = 100;

export async function annotateText(text: string, lookup: Lookup): Promise<AnnotatedText> {
  const games: AnnotatedGame[] = [];
  const problems: string[] = [];
  const written: string[] = [];
  let more = 0;
  for await (const read of studiesOf(text.split(/\r\n|\n|\r/), 'this text')) {
    if ('problem' in read) {
      if (read.problem !== null) problems.push(read.problem);
      written.push(read.text);
    } else if (games.length === MOST_GAMES) {
      more++;
      written.push(annotated(read.study, NO_FINDINGS));
    } else {
      const checked = await checkStudy(read.study, lookup);
      games.push({ study: read.study, checked });
      written.push(annotated(read.study, checked));
    }
  }
  if (more > 0)
    problems.push(`${more} more games are saved as they are: ${MOST_GAMES} at a time are annotated`);
  return { games, problems, pgn: written.join('') };
}

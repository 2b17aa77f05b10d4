/** Games of a text held against the tables. Fetched with the first text: what reads PGN is not small. */

import { type Study, studiesOf, textOf } from '../../notation/read-game.js';
import { annotated, NO_FINDINGS } from '../../study/annotate.js';
import type { CheckedStudy } from '../../study/check-study.js';
import { claimsText, commentsOf, summaryText, waysText } from '../../study/study-text.js';

export type { StudyMove } from '../../notation/read-game.js';
export type { CheckedMove } from '../../study/check-study.js';

/** What was found, in words: the functions are fetched with all else that reads games. */
export const words = { claimsText, commentsOf, summaryText, waysText };
export type StudyWords = typeof words;

export interface AnnotatedGame {
  readonly study: Study;
  readonly checked: CheckedStudy;
}

export interface AnnotatedText {
  readonly games: readonly AnnotatedGame[];
  /** Games that will be held against the tables. */
  readonly total: number;
  /** What is wrong with games, or parts of them, that cannot be read. */
  readonly problems: readonly string[];
  /** The whole text again, with what was found as comments. Games that cannot be read, or were not checked, are in it as they are. */
  readonly pgn: string;
}

/** Games of a text that are held against the tables. */
const MOST_GAMES = 100;

/** @param found what is known after each game. */
export async function annotateText(
  text: string,
  check: (study: Study, text: string) => Promise<CheckedStudy>,
  found: (now: AnnotatedText) => void,
): Promise<void> {
  const problems: string[] = [];
  const pieces: (string | Study)[] = [];
  for await (const read of studiesOf(text.split(/\r\n|\n|\r/), 'this text')) {
    if ('study' in read) pieces.push(read.study);
    else {
      if (read.problem !== null) problems.push(read.problem);
      pieces.push(read.text);
    }
  }
  const studies = pieces.filter((piece) => typeof piece !== 'string');
  const total = Math.min(studies.length, MOST_GAMES);
  if (studies.length > total)
    problems.push(
      `${studies.length - total} more games are saved as they are: ${MOST_GAMES} at a time are annotated`,
    );
  const games: AnnotatedGame[] = [];
  const checked = new Map<Study, CheckedStudy>();
  const tell = () =>
    found({
      games: [...games],
      total,
      problems,
      pgn: pieces
        .map((piece) =>
          typeof piece === 'string' ? piece : annotated(piece, checked.get(piece) ?? NO_FINDINGS),
        )
        .join(''),
    });
  if (total === 0) tell();
  for (const study of studies.slice(0, total)) {
    const { source } = study;
    const found = await check(study, 'position' in source ? source.position : textOf(source.tokens));
    checked.set(study, found);
    games.push({ study, checked: found });
    tell();
  }
}

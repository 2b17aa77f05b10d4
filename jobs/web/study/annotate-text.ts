/** Games of a text held against the tables. Fetched with the first text: what reads PGN is not small. */
import { annotated } from '../../study/annotate.js';
import { type CheckedStudy, checkStudy, type Lookup } from '../../study/check-study.js';
import { type Study, studiesOf } from '../../study/read-game.js';
import { findingOf } from '../../ui/study-text.js';

export type { CheckedMove } from '../../study/check-study.js';
export type { StudyMove } from '../../study/read-game.js';
export { findingOf };

export interface AnnotatedGame {
  readonly study: Study;
  readonly checked: CheckedStudy;
  /** The game again, as PGN, with what was found as comments. */
  readonly pgn: string;
}

/** Games that are read of a text. */
const MOST_GAMES = 100;

/** @returns the games, and what is wrong with those that cannot be read. */
export async function annotateText(
  text: string,
  lookup: Lookup,
): Promise<{ readonly games: readonly AnnotatedGame[]; readonly problems: readonly string[] }> {
  const games: AnnotatedGame[] = [];
  const problems: string[] = [];
  for await (const read of studiesOf(text.split(/\r\n|\n|\r/), 'this text')) {
    if ('problem' in read) problems.push(read.problem);
    else {
      const checked = await checkStudy(read.study, lookup);
      games.push({ study: read.study, checked, pgn: annotated(read.study, checked, findingOf) });
    }
    if (games.length + problems.length === MOST_GAMES) break;
  }
  return { games, problems };
}

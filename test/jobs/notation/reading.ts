/** Reads texts as `study` does. */
import type { Notation } from '../../../jobs/notation/notation.js';
import { type ReadStudy, type Study, type StudyMove, studiesOf } from '../../../jobs/notation/read-game.js';

export async function all(
  reads: AsyncIterable<ReadStudy>,
): Promise<{ readonly studies: Study[]; readonly problems: string[] }> {
  const studies: Study[] = [];
  const problems: string[] = [];
  for await (const read of reads) {
    if ('study' in read) studies.push(read.study);
    else if (read.problem !== null) problems.push(read.problem);
  }
  return { studies, problems };
}

export const readText = (text: string, path = 'x.pgn', notation?: Notation) =>
  all(studiesOf(text.split('\n'), path, notation));

/** Moves with their variations in brackets: "e4 (d4 d5) e5". */
export function sans(moves: readonly StudyMove[]): string {
  return moves
    .map(({ san, variations }) => [san, ...variations.map((line) => `(${sans(line)})`)].join(' '))
    .join(' ');
}

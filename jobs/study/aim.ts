/** The outcome that a study has to reach, as its text claims it: by a stipulation, by the code of a collection, or by the result. */
import type { Study } from '../notation/study.js';
import { winnerOf } from './position-text.js';

export interface ClaimedOutcome {
  readonly claim: 'Stipulation' | 'Result';
  /** As the text has it: "+", "1-0". */
  readonly text: string;
  /** The side that wins: "w" or "b"; null of a draw. */
  readonly winner: string | null;
}

const WHITE_WINS = /^(?:\+[-−–]?|±|(?:white\b.*\b)?wins?)$/i;
const BLACK_WINS = /^(?:[-−–]\+|∓|black\b.*\bwins?)$/i;
const DRAW = /^(?:=|(?:(?:white|black)\b.*\b)?draws?)$/i;
/** The code of Guy, Blandford and Roycroft, which collections have in the tag `Black`: "(+0400.10)" is won, "(=0400.10)" drawn. */
const GBR = /^\(([+=])\d{4}/;

/** The stipulation of a tag of PGN or an operation of EPD, as it is written; null if there is none. */
export function stipulationOf({ tags, operations }: Pick<Study, 'tags' | 'operations'>): string | null {
  const tag = Object.entries(tags).find(([name]) => name.toLowerCase() === 'stipulation')?.[1];
  const operation = operations.stip ?? operations.stipulation;
  const text = (tag ?? operation?.join(' ') ?? GBR.exec(tags.Black ?? '')?.[1] ?? '').trim();
  return text === '' || text === '?' ? null : text;
}

/** The side that wins by a stipulation, null of a draw; undefined if it is that of a problem, such as "h#3". */
export function winnerBy(stipulation: string): string | null | undefined {
  if (WHITE_WINS.test(stipulation)) return 'w';
  if (BLACK_WINS.test(stipulation)) return 'b';
  return DRAW.test(stipulation) ? null : undefined;
}

/** What a study claims of its outcome: the stipulation comes first. */
export function claimedOutcomes(
  study: Pick<Study, 'tags' | 'operations' | 'result' | 'fen'>,
): ClaimedOutcome[] {
  const claims: ClaimedOutcome[] = [];
  const text = stipulationOf(study);
  const winner = text === null ? undefined : winnerBy(text);
  if (winner !== undefined) claims.push({ claim: 'Stipulation', text: text!, winner });
  const { result, fen } = study;
  if (result !== null) claims.push({ claim: 'Result', text: result, winner: winnerOf(result, fen) });
  return claims;
}

/** The outcome that a study has to reach, as its text claims it: by a stipulation, by the code of a collection, or by the result. */
import type { Study } from '../notation/study.js';
import { winnerOf } from './position-text.js';

export interface ClaimedOutcome {
  readonly claim: 'Stipulation' | 'Result';
  /** As the text has it: "+", "1-0". */
  readonly text: string;
  /** The side that wins: "w" or "b"; null of a draw. */
  readonly winner: string | null;
  /** The side that has to reach it: the winner, or the one that a stipulation names; undefined where a draw is claimed by the result alone. */
  readonly solver?: string;
}

const SIGNS = [
  [/^(?:\+[-−–]?|±)$/, 'w', 'w'],
  [/^(?:[-−–]\+|∓)$/, 'b', 'b'],
  [/^=$/, null, 'w'],
] as const;
/** The side that is named last has to reach it: "Black to move, White wins". */
const WORDS = /^(?:.*\b(white|black)\b.*?)?\b(win|draw)s?[.!]?$/i;
/** The code of Guy, Blandford and Roycroft, which collections have in the tag `Black`: "(+0400.10)" is won, "(=0400.10)" drawn. */
const GBR = /^\(([+=])\d{4}/;

/** The stipulation of a tag of PGN or an operation of EPD, as it is written; null if there is none. */
export function stipulationOf({ tags, operations }: Pick<Study, 'tags' | 'operations'>): string | null {
  const tag = Object.entries(tags).find(([name]) => name.toLowerCase() === 'stipulation')?.[1];
  const operation = operations.stip ?? operations.stipulation;
  const text = (tag ?? operation?.join(' ') ?? GBR.exec(tags.Black ?? '')?.[1] ?? '').trim();
  return text === '' || text === '?' ? null : text;
}

/** What a stipulation asks for; undefined if it is that of a problem, such as "h#3". */
export function outcomeBy(stipulation: string): Required<Omit<ClaimedOutcome, 'claim' | 'text'>> | undefined {
  const sign = SIGNS.find(([form]) => form.test(stipulation));
  if (sign !== undefined) return { winner: sign[1], solver: sign[2] };
  const [, side = 'white', what] = WORDS.exec(stipulation) ?? [];
  if (what === undefined) return undefined;
  const solver = side[0].toLowerCase();
  return { winner: what.toLowerCase() === 'win' ? solver : null, solver };
}

/** What a study claims of its outcome: the stipulation comes first. */
export function claimedOutcomes(
  study: Pick<Study, 'tags' | 'operations' | 'result' | 'fen'>,
): ClaimedOutcome[] {
  const claims: ClaimedOutcome[] = [];
  const text = stipulationOf(study);
  const asked = text === null ? undefined : outcomeBy(text);
  if (asked !== undefined) claims.push({ claim: 'Stipulation', text: text!, ...asked });
  const { result, fen } = study;
  if (result !== null) {
    const winner = winnerOf(result, fen);
    claims.push({ claim: 'Result', text: result, winner, ...(winner !== null && { solver: winner }) });
  }
  return claims;
}

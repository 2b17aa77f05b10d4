/** Findings in studies, in words: one function for the text, for comments in games and for the page. */
import type { Game } from '../../pipeline/game/game.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { listed, pliesText, withPlies } from '../ui/move-lists.js';
import { count } from '../ui/numbers.js';
import { outcomeRange } from '../ui/range.js';
import { capital, verdict } from '../ui/verdict.js';
import {
  type Alternative,
  type CheckedMove,
  type CheckedStart,
  type CheckedStudy,
  MOST_DUALS,
} from './check-study.js';
import { menOf, moverOf } from './position-text.js';
import { isMinor, type Summary, type Tally } from './summary.js';

/** So many moves in a row without a decision are one remark. */
const RUN = 3;

/** Finding for a move: "only move", "gives the win away (draw): Kb3 wins; refuted by Kd5". */
function findingOf(move: CheckedMove): string {
  const { verdict, wdl, kind, others, refutations } = move;
  const [before, after] = [outcomeRange(move), outcomeRange({ wdl: move.after, most: move.mostAfter })];
  switch (verdict) {
    case 'forced':
      return 'the only legal move';
    case 'lost':
      return 'lost anyway';
    case 'only':
      return `only move (${after})`;
    case 'unknown':
      return `not known: ${before} before the move, ${after} after it`;
    case 'keeps':
      if (others.length === 0) return `keeps the ${wdl}; whether another move does is not known`;
      if (isMinor(move)) return `${KINDS[kind!]} (${wdl})`;
      return `${kind === undefined ? '' : 'a dual: '}${othersText(move)}`;
    case 'mistake': {
      const replies = refutations.length === 0 ? '' : `, for ${listed(refutations.map((san) => ({ san })))}`;
      return `gives ${move.most === undefined ? `the ${wdl}` : before} away (${after}${replies}); ${before} by ${listed(others)}`;
    }
  }
}

const KINDS = { dual: 'dual', 'loss of time': 'loss of time', transposition: 'transposes' } as const;

function othersText(move: CheckedMove): string {
  const { wdl, others, isLast, kind: own } = move;
  const of = (...kinds: readonly Alternative['kind'][]) => others.filter(({ kind }) => kinds.includes(kind));
  const duals = of('dual', undefined);
  const played = move.plies === null ? '' : `; played: ${pliesText(move)}`;
  const kept = `${wdl} also by ${listed(duals, withPlies)}${played}`;
  // A dual as the first move of a variation is called one already.
  const isDual = own === undefined && of('dual').length > 0;
  const word = isLast === true ? 'at the last move' : isDual ? 'dual' : null;
  const head = duals.length === 0 ? `only move (${wdl})` : word === null ? kept : `${word}: ${kept}`;
  const minor = (['loss of time', 'transposition'] as const).map((kind) => ({ kind, moves: of(kind) }));
  const flaws = minor.filter(({ moves }) => moves.length > 0);
  return [head, ...flaws.map(({ kind, moves }) => `${KINDS[kind]}: ${listed(moves)}`)].join('; ');
}

/** A move that needs a remark, or several in a row in which nothing is decided. */
export interface Remark {
  readonly moves: readonly [CheckedMove, ...CheckedMove[]];
  readonly words: string;
}

/** Moves in the order of the text; where nothing is decided for a while, as one remark. */
function remarksOf({ moves }: Pick<CheckedStudy, 'moves'>): Remark[] {
  const remarks: Remark[] = [];
  for (let at = 0; at < moves.length; ) {
    let end = at;
    while (end < moves.length && isQuiet(moves[end]) && (end === at || isNext(moves[end - 1], moves[end])))
      end++;
    if (end - at >= RUN) {
      const [first, ...others] = moves.slice(at, end);
      remarks.push({ moves: [first, ...others], words: runText(first, end - at) });
    } else {
      end = Math.max(end, at + 1);
      for (const move of moves.slice(at, end)) remarks.push({ moves: [move], words: findingOf(move) });
    }
    at = end;
  }
  return remarks;
}

/** False of a move of the side that has nothing to reach, but for its mistakes: what else it could play is no flaw of a study. */
function isOfSolver({ moves }: Remark, summary: Summary | null): boolean {
  return (
    summary === null ||
    moves.some(
      ({ fen, verdict }) =>
        moverOf(fen) === summary.solver[0] || verdict === 'mistake' || verdict === 'unknown',
    )
  );
}

/**
 * The words for each move that deserves some; moves without a choice and moves in lost positions do not.
 * @param replies also for the side that has nothing to reach.
 */
export function commentsOf(
  checked: Pick<CheckedStudy, 'moves' | 'summary'>,
  replies = false,
): Map<CheckedMove, string> {
  return new Map(
    remarksOf(checked)
      .filter((remark) => replies || isOfSolver(remark, checked.summary))
      .filter(
        ({ moves: { length, 0: first } }) =>
          length > 1 || (first.verdict !== 'lost' && first.verdict !== 'forced'),
      )
      .map(({ moves: [first], words }) => [first, words]),
  );
}

/** Every move keeps the outcome, or so many do that none of them is a solution, or it is not known which do. */
function isQuiet({ verdict, others, legal }: CheckedMove): boolean {
  if (verdict === 'lost' || verdict === 'forced' || verdict === 'unknown') return true;
  return verdict === 'keeps' && (others.length + 1 === legal || others.length > MOST_DUALS);
}

function isNext(before: CheckedMove, move: CheckedMove): boolean {
  return (
    before.depth === move.depth &&
    moverOf(before.fen) !== moverOf(move.fen) &&
    outcomeOf(before) === outcomeOf(move)
  );
}

function runText(first: CheckedMove, count: number): string {
  if (first.verdict === 'unknown')
    return `${count} moves of which it is not known whether they keep the outcome`;
  return `${count} moves that change nothing (${outcomeOf(first)})`;
}

function outcomeOf({ verdict, wdl, most, fen }: CheckedMove): string {
  if (verdict === 'unknown') return 'not known';
  const mover = moverOf(fen) === 'w' ? 'White' : 'Black';
  if (most !== undefined) return `${mover} to move: ${outcomeRange({ wdl, most })}`;
  if (wdl === 'draw') return wdl;
  const isMovers = wdl === 'win' || wdl === 'cursed win';
  const who = isMovers === (moverOf(fen) === 'w') ? 'White' : 'Black';
  return wdl === 'win' || wdl === 'loss' ? `${who} wins` : `a cursed win of ${who}`;
}

/** Result, `bm`, `am` and `dm` as the tables have them: "bm Ke5: right". */
export function claimsText({ claims }: Pick<CheckedStudy, 'claims'>): string[] {
  return claims.map(({ claim, text, says }) => `${claim} ${text}: ${says}`);
}

/** A study, a line a remark. `most`: the men of the largest positions that were looked up; `replies` as of {@link commentsOf}. */
export function studyText(checked: CheckedStudy, game: Game, most: number, replies: boolean): string {
  const { title, fen, start, summary } = checked;
  const remarks: { readonly name: string; readonly words: string }[] = [];
  /** By the depth of the line: moves without words, which stand before the next move of their line. */
  const silent: string[] = [];
  for (const remark of remarksOf(checked)) {
    const { 0: first, length } = remark.moves;
    const { depth } = first;
    if (first.isFirst === true) delete silent[depth];
    const last = length === 1 ? '' : ` … ${nameOf(remark.moves[length - 1])}`;
    const before = silent[depth] ?? '';
    // Behind a move of the first player, the reply needs no number.
    const isReply = before !== '' && first.number.endsWith('...');
    const name = `${before}${isReply ? first.san : nameOf(first)}${last}`;
    delete silent[depth];
    if (replies || isOfSolver(remark, summary))
      remarks.push({ name: `${'  '.repeat(depth + 1)}${name}`, words: remark.words });
    else silent[depth] = `${name} `;
  }
  const width = Math.max(0, ...remarks.map(({ name }) => name.length));
  const lines = remarks.map(({ name, words }) => `${name.padEnd(width)}  ${words}`);
  const head = start === null ? unknownText(fen, most) : `${fen}\n${startText(fen, start, game)}`;
  const all = [title, head, ...claimsText(checked), ...checked.remarks.map(capital), ...lines];
  return `${all.join('\n')}\n${countsText(checked)}`;
}

const nameOf = ({ number, san }: CheckedMove): string => `${number} ${san}`;

function unknownText(fen: string, most: number): string {
  const men = menOf(fen);
  return `${fen}: in no table${men > most ? ` (${men} men; positions of at most ${most} are looked up)` : ''}`;
}

function startText(fen: string, start: CheckedStart, game: Game): string {
  if (start.known !== undefined) return `${start.known}${waysText(start)}`;
  // Of chess, also with more men than any ending has.
  const board = game.name === 'chess' ? parseManyMen(fen) : game.parse(fen);
  return `${verdict(start, start.metric, game.mover(board), game, game.clock?.(board))}${waysText(start)}`;
}

/** ", by Ke5; also Ke4 (12), Kd4 (14) and 20 more": the moves that reach the best number, then others that keep the outcome. */
export function waysText({ wdl, keeping }: Pick<CheckedStart, 'wdl' | 'keeping'>): string {
  if (keeping.length === 0 || wdl === 'loss' || wdl === 'blessed loss') return '';
  const best = keeping.filter(({ plies }) => plies === keeping[0].plies);
  const others = keeping.slice(best.length);
  return `, by ${listed(best)}${others.length === 0 ? '' : `; also ${listed(others, withPlies)}`}`;
}

function countsText(checked: CheckedStudy): string {
  const { moves, unknown, summary } = checked;
  if (moves.length + unknown === 0) return '';
  const missing = unknown > 0 ? [`${unknown} in no table`] : [];
  if (summary !== null)
    return `${summaryText(summary)}\n${missing.map((each) => `${count(moves.length, 'move')} looked up, ${each}\n`).join('')}`;
  const of = (verdict: CheckedMove['verdict']) => moves.filter((move) => move.verdict === verdict).length;
  const parts = [
    `${count(moves.length, 'move')} looked up`,
    `${of('only')} only`,
    `${of('keeps')} with others as good`,
    count(of('mistake'), 'mistake'),
    ...(of('unknown') > 0 ? [`${of('unknown')} not known`] : []),
    ...missing,
  ];
  return `${parts.join(', ')}\n`;
}

/** "White to win: sound; main line: 7 only moves; variations: 2 mistakes". */
export function summaryText({ solver, aim, judgement, main, variations }: Summary): string {
  const lines = [
    { name: 'main line', text: tallyText(main) },
    { name: 'variations', text: tallyText(variations) },
  ].filter(({ text }) => text !== '');
  const head = `${capital(solver)}${aim === null ? '' : ` to ${aim}`}: ${JUDGEMENTS[judgement]}`;
  return [head, ...lines.map(({ name, text }) => `${name}: ${text}`)].join('; ');
}

const JUDGEMENTS: Readonly<Record<Summary['judgement'], string>> = {
  sound: 'sound',
  dual: 'dual',
  cooked: 'cooked',
  refuted: 'refuted',
  unknown: 'not known whether sound',
};

function tallyText({ only, minor, dual, mistake, unknown }: Tally): string {
  const parts = [
    ...(only > 0 ? [`${only} only`] : []),
    ...(minor > 0 ? [`${minor} with minor duals`] : []),
    ...(dual > 0 ? [count(dual, 'dual')] : []),
    ...(mistake > 0 ? [count(mistake, 'mistake')] : []),
    ...(unknown > 0 ? [`${unknown} not known`] : []),
  ];
  return parts.join(', ');
}

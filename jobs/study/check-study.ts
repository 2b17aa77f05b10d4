/**
 * Holds the moves of a study against the tables: only moves, duals, losses of time, mistakes and their refutations; and what the text
 * claims of its first position.
 */
import { newOnce } from '../../operators/core/once.js';
import {
  type KnownPosition,
  kindOfOther,
  type Lookup,
  type OtherKind,
  type SolutionPosition,
} from '../../pipeline/analysis/duals.js';
import { judgeMove, keepingMoves } from '../../pipeline/analysis/judge-move.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';
import type { Judged } from '../../pipeline/tables/probe/verdict.js';
import { isFirst } from '../notation/first-positions.js';
import type { Study, StudyMove } from '../notation/read-game.js';
import { type ClaimedOutcome, claimedOutcomes } from './aim.js';
import type { Alternative, CheckedMove } from './checked-move.js';
import { type CheckedClaim, checkClaims } from './claims.js';
import { moverOf } from './position-text.js';
import { type Summary, summaryOf } from './summary.js';

export type { KnownPosition, Lookup } from '../../pipeline/analysis/duals.js';
export type { Alternative, CheckedMove } from './checked-move.js';

/** The value of the first position, for the side to move. */
export interface CheckedStart extends Judged {
  readonly metric: Metric;
  /** As of {@link KnownPosition}. */
  readonly most?: Wdl;
  readonly known?: string;
  /** The moves that keep the outcome, best first. */
  readonly keeping: readonly Alternative[];
}

export interface CheckedStudy {
  readonly title: string;
  readonly fen: string;
  /** Null if no table has the first position. */
  readonly start: CheckedStart | null;
  /** What the text claims: its result, and `bm`, `am` and `dm` of EPD. Empty if it claims nothing, or no table has the position. */
  readonly claims: readonly CheckedClaim[];
  /** Moves whose position is in a table, in the order of the text. */
  readonly moves: readonly CheckedMove[];
  /** Moves whose position no table has. */
  readonly unknown: number;
  /** Null of games from the first position on, which nobody composed, and of positions without moves. */
  readonly summary: Summary | null;
  /** What is odd about the text: results that contradict each other. */
  readonly remarks: readonly string[];
}

/** With more other moves than these, a position has no one solution that could have duals. */
export const MOST_DUALS = 8;
/** Positions that are remembered: a search for duals comes to many of them again. */
const REMEMBERED = { most: 4096 };

export async function checkStudy(study: Study, lookup: Lookup): Promise<CheckedStudy> {
  return new StudyCheck(study, remembering(lookup)).run();
}

/** A move of a line in its place: the line from the first position of the study on, and the index of the move in it. */
interface Place {
  readonly line: readonly SolutionPosition[];
  readonly at: number;
}

class StudyCheck {
  private readonly checked: CheckedMove[] = [];
  private unknown = 0;
  private unknownInMain = 0;
  /** The side whose moves have to be the only ones: "w" or "b"; null in games from the first position on, which nobody composed. */
  private solver: string | null = null;

  constructor(
    private readonly study: Study,
    private readonly lookup: Lookup,
  ) {}

  async run(): Promise<CheckedStudy> {
    const { title, fen, moves } = this.study;
    const first = await this.lookup(fen);
    const last = moves.at(-1);
    const end = first !== null || last === undefined ? null : await this.lookup(last.after);
    const claimed = claimedOutcomes(this.study);
    const solver = solverOf(fen, claimed, first);
    this.solver = isFirst(fen) ? null : solver;
    await this.walk(moves, [], null);
    const start = first === null || first.most !== undefined ? null : { wdl: first.wdl, mover: moverOf(fen) };
    return {
      title,
      fen,
      start: first === null ? null : startOf(first),
      claims: checkClaims(this.study, first, end),
      moves: this.checked,
      unknown: this.unknown,
      summary:
        this.solver === null || last === undefined
          ? null
          : summaryOf({
              moves: this.checked,
              solver,
              winner: claimed[0]?.winner,
              start,
              begins: moves.find(({ before }) => moverOf(before) === solver)?.before,
              missing: this.unknownInMain,
            }),
      remarks: this.study.remarks,
    };
  }

  /** @param before the moves from the first position to the line. `replaced`: of a variation, the move that its first one replaces. */
  private async walk(
    moves: readonly StudyMove[],
    before: readonly SolutionPosition[],
    replaced: Place | null,
    depth = 0,
  ): Promise<void> {
    const line = [
      ...before,
      ...moves.map(({ before, uci }) => ({ position: before, uci })),
      ...moves.slice(-1).map(({ after }) => ({ position: after, uci: null })),
    ];
    const last = moves.findLastIndex((move) => moverOf(move.before) === this.solver);
    for (const [i, move] of moves.entries()) {
      const place = { line, at: before.length + i };
      const found = await this.check(move, depth, place, i === 0 ? replaced : null);
      if (found !== null) {
        this.checked.push({
          ...found,
          ...(depth > 0 && i === 0 && { isFirst: true }),
          ...(i === last && (depth > 0 || i > 1) && { isLast: true }),
        });
      } else {
        this.unknown++;
        if (depth === 0) this.unknownInMain++;
      }
      for (const variation of move.variations) {
        await this.walk(variation, line.slice(0, place.at), place, depth + 1);
      }
    }
  }

  /** A way back into the solution needs outcomes that are sure. */
  private readonly exact: Lookup = async (position) => {
    const known = await this.lookup(position);
    return known === null || [known, ...known.moves].some(({ most }) => most !== undefined) ? null : known;
  };

  private async check(
    move: StudyMove,
    depth: number,
    place: Place,
    replaced: Place | null,
  ): Promise<CheckedMove | null> {
    const position = await this.lookup(move.before);
    const judged = position === null ? null : judgeMove(position, move.uci);
    if (position === null || judged === null) return null;
    const { played, verdict, others } = judged;
    const isExamined = verdict === 'keeps' && this.mayHaveDuals(position, move, others.length);
    const alternatives: Alternative[] = [];
    for (const other of others) {
      const kind = isExamined ? await this.kindOf(other, place, position) : undefined;
      alternatives.push({ ...alternative(other), ...(kind !== undefined && { kind }) });
    }
    const kind = isExamined && replaced !== null ? await this.kindOf(played, replaced, position) : undefined;
    const replies = verdict === 'mistake' ? await this.lookup(move.after) : null;
    return {
      number: move.number,
      san: move.san,
      depth,
      fen: move.before,
      metric: position.metric,
      wdl: position.wdl,
      after: played.wdl,
      ...(position.most !== undefined && { most: position.most }),
      ...(played.most !== undefined && { mostAfter: played.most }),
      plies: played.plies,
      ...(played.precise === false && { precise: false }),
      verdict,
      ...(kind !== undefined && { kind }),
      legal: position.moves.length,
      others: alternatives,
      refutations: replies === null ? [] : keepingMoves(replies).map(({ san }) => san),
    };
  }

  /** Where every move keeps the outcome there is nothing to solve. */
  private mayHaveDuals({ wdl, moves }: KnownPosition, { before }: StudyMove, others: number): boolean {
    // With open outcomes, how many moves keep it is not sure.
    if (moves.some(({ most }) => most !== undefined)) return false;
    const isSolvers = moverOf(before) === this.solver && wdl !== 'blessed loss';
    return isSolvers && others <= MOST_DUALS && others + 1 < moves.length;
  }

  private kindOf(
    other: KnownPosition['moves'][0],
    { line, at }: Place,
    { wdl }: KnownPosition,
  ): Promise<OtherKind | undefined> {
    if (line[at].uci === other.uci) return Promise.resolve(undefined);
    return kindOfOther(other, line, at, wdl, this.exact);
  }
}

/** The side that has to reach the outcome: by the claim of the text, else the winner by the tables, in a draw the side to move. */
function solverOf(fen: string, [claimed]: readonly ClaimedOutcome[], first: KnownPosition | null): string {
  const mover = moverOf(fen);
  if (claimed !== undefined) return claimed.solver ?? mover;
  if (first === null || first.wdl === 'draw' || first.most !== undefined) return mover;
  const isMovers = first.wdl === 'win' || first.wdl === 'cursed win';
  return isMovers === (mover === 'w') ? 'w' : 'b';
}

function startOf(first: KnownPosition): CheckedStart {
  const { moves, ...value } = first;
  return { ...value, keeping: keepingMoves(first).map(alternative) };
}

function alternative({ san, plies, precise }: Alternative): Alternative {
  return precise === false ? { san, plies, precise } : { san, plies };
}

function remembering(lookup: Lookup): Lookup {
  const once = newOnce<string, KnownPosition | null>(REMEMBERED);
  // The number of the move, the last field of FEN, changes no value.
  return (position) => once(position.split(' ', 5).join(' '), () => lookup(position));
}

/**
 * Looks positions up under the first metric that has them. Once one had a position, it is asked first: so the plies of a study are of
 * one metric where that is possible.
 * @param lookups one a metric, in the order of preference.
 */
export function underAny(lookups: readonly Lookup[]): Lookup {
  let preferred: Lookup | undefined;
  return async (position) => {
    const others = lookups.filter((lookup) => lookup !== preferred);
    for (const lookup of preferred === undefined ? lookups : [preferred, ...others]) {
      const known = await lookup(position);
      if (known === null) continue;
      preferred = lookup;
      return known;
    }
    return null;
  };
}

/**
 * Tells a *dual* of a study, another move that reaches the outcome in a way of its own, from two lesser flaws (H. van der Heijden, "A
 * minor dual is not a big deal", EG 170, 2007): a loss of time, after which play comes back to the solution later, and a transposed
 * order of its moves.
 *
 * The criterion: take the positions of the solution away from the solver. If the move then no longer wins, or no longer draws, it is no
 * dual, for the opponent can lead all that keeps the outcome back into the solution. If each way there takes longer than the
 * solution itself does, the move loses time; else it transposes. A win that only repeats positions makes no progress and counts as
 * kept from its end; a draw is reached by repetition.
 *
 * The opponent's way back is searched for: one reply of his for every move of the solver that keeps the outcome. A won position that
 * is nearer to the end than all positions of the solution in view needs no search, as best play comes nearer with each move. The
 * search is bounded, so a way back that is longer or has more branches is missed, and its move is called a dual.
 */
import { stipulations } from '../game/stipulation.js';
import type { Metric, Wdl } from '../game/value.js';
import type { Judged } from '../tables/probe/verdict.js';
import { keepingMoves } from './judge-move.js';

export type OtherKind = 'dual' | 'loss of time' | 'transposition';

/** A position that was looked up, and its moves, best first. */
export interface KnownPosition extends Judged {
  readonly metric: Metric;
  /** The best case, where positions without a table leave the outcome open; `wdl` is then the worst case. */
  readonly most?: Wdl;
  /** What is known, in words, where outcome or plies are open. Plies that are open are null. */
  readonly known?: string;
  readonly moves: readonly KnownMove[];
}

export interface KnownMove extends Judged {
  /** As {@link KnownPosition.most}. */
  readonly most?: Wdl;
  readonly uci: string;
  readonly san: string;
  /** The position after it. */
  readonly position: string;
}

/** Looks positions up; null where no table has them. */
export type Lookup = (position: string) => Promise<KnownPosition | null>;

/** A position of a solution, and the move that the solution plays there; null at its end. */
export interface SolutionPosition {
  readonly position: string;
  readonly uci: string | null;
}

/** Positions of the solution that are looked at, in plies before and after the move. */
const BEHIND = 40;
const AHEAD = 6;
/** The bounds of a search: plies, positions looked up, and moves of the solver that keep the outcome, with and without plies to go by. */
const DEPTHS = [2, 4, 6, 8];
const MOST_LOOKUPS = 80;
const MOST_ANSWERS = 8;
const MOST_ANSWERS_UNGUIDED = 3;

/**
 * @param other a move that keeps the outcome at `solution[at]`, and is not the one that the solution plays.
 * @param wdl the outcome, for the side to move there.
 */
export async function kindOfOther(
  other: KnownMove,
  solution: readonly SolutionPosition[],
  at: number,
  wdl: Wdl,
  lookup: Lookup,
): Promise<OtherKind> {
  const view = await viewOf(solution, at, lookup);
  const isWin = wdl !== 'draw';
  if (await new WayBack(view, isWin, true, lookup).exists(other)) return 'loss of time';
  if (await isInterchange(other, solution, at, wdl, lookup)) return 'transposition';
  return (await new WayBack(view, isWin, false, lookup).exists(other)) ? 'transposition' : 'dual';
}

/** Whether the other move is the solver's next one in the solution, and it is best to go on with the one that it was played in place of. */
async function isInterchange(
  other: KnownMove,
  solution: readonly SolutionPosition[],
  at: number,
  wdl: Wdl,
  lookup: Lookup,
): Promise<boolean> {
  const [first, reply, second, reached] = solution.slice(at, at + 4);
  if (reached === undefined || second.uci !== other.uci) return false;
  const replied = (await lookup(other.position))?.moves.find(({ uci }) => uci === reply.uci);
  if (replied === undefined) return false;
  const { moves = [] } = (await lookup(replied.position)) ?? {};
  const last = moves.find(({ uci }) => uci === first.uci);
  if (last === undefined || last.wdl !== wdl || last.plies === null || last.plies !== moves[0].plies)
    return false;
  return positionKey(last.position) === positionKey(reached.position);
}

interface View {
  /** Positions of the solution, and their plies from the position in question: negative before it. */
  readonly places: ReadonlyMap<string, number>;
  readonly positions: readonly { readonly structure: string; readonly known: KnownPosition }[];
}

async function viewOf(solution: readonly SolutionPosition[], at: number, lookup: Lookup): Promise<View> {
  const places = new Map<string, number>();
  const positions: { structure: string; known: KnownPosition }[] = [];
  const here = structureOf(solution[at].position);
  for (let i = Math.max(0, at - BEHIND); i < Math.min(solution.length, at + AHEAD + 1); i++) {
    const { position } = solution[i];
    const structure = structureOf(position);
    // No move takes a capture or a step of a pawn back.
    if (i < at && structure !== here) continue;
    const key = positionKey(position);
    if (places.has(key)) continue;
    places.set(key, i - at);
    const known = await lookup(position);
    if (known !== null) positions.push({ structure, known });
  }
  return { places, positions };
}

/** The search for the opponent's way back into the solution. */
class WayBack {
  private lookups = 0;
  /** Whether the bound on plies ended a branch. */
  private wasCut = false;

  /** @param late only ways that take longer than the solution does. */
  constructor(
    private readonly view: View,
    private readonly isWin: boolean,
    private readonly late: boolean,
    private readonly lookup: Lookup,
  ) {}

  async exists(first: KnownMove): Promise<boolean> {
    for (const depth of DEPTHS) {
      this.wasCut = false;
      if (await this.isLedBack(first.position, 1, depth, new Set([positionKey(first.position)]))) return true;
      if (!this.wasCut || this.lookups >= MOST_LOOKUPS) return false;
    }
    return false;
  }

  /** The opponent is to move, `plies` after the position in question: whether a reply leads back. */
  private async isLedBack(
    position: string,
    plies: number,
    depth: number,
    path: ReadonlySet<string>,
  ): Promise<boolean> {
    const known = await this.look(position);
    if (known === null) return false;
    for (const reply of keepingMoves(known)) {
      const key = positionKey(reply.position);
      if (this.isInSolution(key, plies + 1)) return true;
      if (path.has(key)) {
        if (this.isWin) return true;
        continue;
      }
      if (await this.mustReturn(reply.position, plies + 1, depth - 1, new Set([...path, key]))) return true;
    }
    return false;
  }

  /** The solver is to move: whether all moves that keep the outcome lead back. */
  private async mustReturn(
    position: string,
    plies: number,
    depth: number,
    path: ReadonlySet<string>,
  ): Promise<boolean> {
    const known = await this.look(position);
    if (known === null || known.moves.length === 0) return false;
    const nearest = this.nearest(known, position);
    if (nearest === 'out of view') return false;
    if (nearest !== null && atMost(known) <= nearest) return false;
    if (depth <= 0) {
      this.wasCut = true;
      return false;
    }
    const keeping = keepingMoves(known);
    if (keeping.length > (nearest === null ? MOST_ANSWERS_UNGUIDED : MOST_ANSWERS)) return false;
    for (const move of keeping) {
      const key = positionKey(move.position);
      if (this.isInSolution(key, plies + 1)) continue;
      if (path.has(key)) {
        if (this.isWin) continue;
        return false;
      }
      if (!(await this.isLedBack(move.position, plies + 1, depth - 1, new Set([...path, key])))) return false;
    }
    return true;
  }

  private isInSolution(key: string, plies: number): boolean {
    const place = this.view.places.get(key);
    return place !== undefined && (!this.late || place < plies);
  }

  /**
   * The fewest plies that a position of the solution has which a line from here can still reach, as the metric counts them. Null if
   * plies do not compare: those that start again at a conversion.
   */
  private nearest(known: KnownPosition, position: string): number | 'out of view' | null {
    const here = structureOf(position);
    const { restartsAt, rule50 } = stipulations[known.metric];
    const toTheEnd = restartsAt === null && rule50 === 'ignored';
    const apart = this.view.positions.filter(({ structure }) => structure !== here);
    const alike = this.view.positions.filter(({ structure }) => structure === here);
    const canReach = apart.some(({ structure }) => mayBecome(here, structure));
    if (alike.length === 0 && !canReach) return 'out of view';
    if (known.plies === null || (canReach && !toTheEnd)) return null;
    const reachable = canReach ? this.view.positions : alike;
    if (reachable.some(({ known: { metric, plies } }) => metric !== known.metric || plies === null))
      return null;
    return Math.min(...reachable.map(({ known: { plies } }) => plies!));
  }

  private async look(position: string): Promise<KnownPosition | null> {
    if (++this.lookups <= MOST_LOOKUPS) return this.lookup(position);
    this.wasCut = true;
    return null;
  }
}

/** Plies that may be in pairs. */
function atMost({ plies, precise }: Pick<Judged, 'plies' | 'precise'>): number {
  return plies! + (precise === false ? 1 : 0);
}

/** A position without its counters. */
export function positionKey(position: string): string {
  return isPdn(position) ? position : position.split(' ', 4).join(' ');
}

/** What no move takes back: the men, and where pawns (in checkers, men that are no kings) stand. */
function structureOf(position: string): string {
  if (isPdn(position)) {
    const sides = position.slice(2).split(':');
    const men = sides.flatMap((side) =>
      side
        .slice(1)
        .split(',')
        .map((man) => side[0] + man.replace(/K\d+/, 'K')),
    );
    return men.sort().join(' ');
  }
  const men: string[] = [];
  for (const [row, rank] of position.split(' ', 1)[0].split('/').entries()) {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) {
        file += Number(letter);
        continue;
      }
      men.push(/p/i.test(letter) ? `${letter}${file}${row}` : letter);
      file++;
    }
  }
  return men.sort().join(' ');
}

/** False if it is sure that no line leads from a structure to the other one, as that has more men. */
function mayBecome(from: string, to: string): boolean {
  const menOf = (structure: string) => structure.split(' ').length;
  return menOf(to) <= menOf(from);
}

const isPdn = (position: string): boolean => /^[BW]:/.test(position);

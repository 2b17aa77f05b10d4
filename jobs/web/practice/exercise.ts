/** Random positions to practise on: won ones by how long the win takes, drawn ones by how few moves hold the draw. */
import { keepingMoves } from '../../../pipeline/analysis/judge-move.js';
import type { Metric } from '../../../pipeline/game/value.js';
import type { PlyRange } from '../../positions/ply-range.js';
import type { GameAnswer, PlayedEnding, PlayedHistogram } from '../../server/api-answers.js';
import { kindOf } from '../board/kinds.js';
import type { ShownPosition, TableSource } from '../source.js';

export const goals = ['win', 'draw'] as const;
export type Goal = (typeof goals)[number];
export const difficulties = ['easy', 'middling', 'hard'] as const;
export type Difficulty = (typeof difficulties)[number];

export interface Wanted {
  readonly game: GameAnswer;
  readonly metric: Metric;
  readonly ending: PlayedEnding;
  readonly goal: Goal;
  readonly difficulty: Difficulty;
}

/** Drawn positions that are looked up; the one that is as difficult as wanted is taken. */
const SAMPLE = 8;
/** So many are looked up at most, where each move of all before holds the draw. */
const MOST_TRIES = 64;

/** Null if the ending has no such position. Rejects as the source does. */
export async function newExercise(source: TableSource, wanted: Wanted): Promise<ShownPosition | null> {
  const { game, metric, ending, goal } = wanted;
  if (goal === 'draw') return drawnExercise(source, wanted);
  const histogram = await source.histogram(game.name, metric, ending.ending);
  if (!('longestCursed' in histogram)) return null;
  const plies = spanOf(histogram, wanted);
  if (plies === null) return null;
  const counts = histogram.sides.map(({ wins }) => countIn(wins, plies));
  const query = { result: 'win', plies } as const;
  let found: ShownPosition | null = null;
  for (let tries = 0; tries < SAMPLE; tries++) {
    found = await randomPosition(source, wanted, query, counts);
    if (found === null || !isDecidedByCapture(found)) break;
  }
  return found;
}

/** A best move that captures leaves nothing to be found. */
function isDecidedByCapture({ game, position, moves }: ShownPosition): boolean {
  const men = (text: string) => kindOf(game)?.read(text)?.men.size ?? 0;
  return moves.length > 0 && men(moves[0].position) < men(position);
}

/** A third of the plies that wins take; where no win is that long or short, all of them. */
function spanOf({ sides }: PlayedHistogram, { difficulty }: Wanted): PlyRange | null {
  const won = sides.flatMap((side) => side.wins);
  const longest = Math.max(0, ...won.map(([plies]) => plies));
  if (longest === 0) return null;
  const third = difficulties.indexOf(difficulty);
  const span = {
    least: 1 + Math.floor((longest * third) / 3),
    most: Math.floor((longest * (third + 1)) / 3),
  };
  return countIn(won, span) > 0 ? span : { least: 1, most: longest };
}

function countIn(counts: readonly (readonly [number, number])[], { least, most }: PlyRange): number {
  return counts.reduce((sum, [plies, count]) => sum + (plies >= least && plies <= most ? count : 0), 0);
}

/** One of so many positions with each side to move, all as likely. */
async function randomPosition(
  source: TableSource,
  { game, metric, ending }: Wanted,
  query: { readonly result: Goal; readonly plies?: PlyRange },
  counts: readonly number[],
): Promise<ShownPosition | null> {
  const [first = 0, second = 0] = counts;
  if (first + second === 0) return null;
  const number = Math.floor(Math.random() * (first + second));
  const [side, skip] = number < first ? [0, number] : [1, number - first];
  const asked = { game: game.name, metric, ending: ending.ending, skip, limit: 1 };
  const { positions } = await source.positions({ ...asked, query: { ...query, side: game.colours[side] } });
  const [found] = positions;
  return found === undefined ? null : (await source.probe(game.name, [metric], found.position))[0];
}

async function drawnExercise(source: TableSource, wanted: Wanted): Promise<ShownPosition | null> {
  const drawn: ShownPosition[] = [];
  for (let tries = 0; tries < SAMPLE || (drawn.length === 0 && tries < MOST_TRIES); tries++) {
    const found = await randomPosition(source, wanted, { result: 'draw' }, wanted.ending.draws);
    if (found === null) return null;
    // Nothing can be done wrong where every move holds, or there is none.
    if (keepingMoves(found).length < found.moves.length && !isDecidedByCapture(found)) drawn.push(found);
  }
  drawn.sort((a, b) => shareOf(b) - shareOf(a));
  const at = { easy: 0, middling: drawn.length >> 1, hard: drawn.length - 1 }[wanted.difficulty];
  return drawn[at] ?? null;
}

function shareOf(position: ShownPosition): number {
  return keepingMoves(position).length / position.moves.length;
}

/** The reply of a defence that gives nothing away; in a drawn position the one after which the fewest moves hold. */
export async function replyTo(source: TableSource, position: ShownPosition, goal: Goal) {
  const [best] = position.moves;
  if (goal === 'win' || best === undefined) return best;
  const drawing = keepingMoves(position);
  const shares = await Promise.all(
    drawing.map(async (move) => {
      const [after] = await source.probe(position.game, [position.metric], move.position);
      return after.isOver ? 1 : shareOf(after);
    }),
  );
  return drawing[shares.indexOf(Math.min(...shares))];
}

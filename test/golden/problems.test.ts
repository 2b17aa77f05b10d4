/**
 * Helpmates and help-stalemates by composers, with the solutions that were published: the tables have these and no others. Short problems of
 * five men are searched instead.
 */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { eachMove, isInCheck, type ProblemBoard } from '../oracle/problems.js';
import { newFolder } from '../support/folders.js';
import { sweep } from '../support/long.js';
import { putSolved, solveGame } from '../support/solving.js';

interface PublishedProblem {
  /** Null: nobody composed it; it is one of the deepest sound problems of its class. */
  readonly author: string | null;
  readonly source: string | null;
  readonly stipulation: string;
  readonly fen: string;
  readonly solutions: readonly (readonly string[])[];
}

const { problems }: { readonly problems: readonly PublishedProblem[] } = JSON.parse(
  readFileSync(new URL('problems.json', import.meta.url), 'utf8'),
);

const game = chess.sided!;
// Not in memory: slices of five men take hundreds of megabytes each.
const folder = newFolder();
const store = localStore(folder, { durable: false });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metrics: readonly Metric[] = ['help', 'help-stalemate'];
const metricOf = ({ stipulation }: PublishedProblem) => metrics[stipulation.startsWith('h#') ? 0 : 1];
const countOf = ({ fen }: PublishedProblem, men: RegExp) => (fen.split(' ')[0].match(men) ?? []).length;
const menOf = (problem: PublishedProblem) => countOf(problem, /[a-z]/gi);
const materialOf = ({ fen }: PublishedProblem) =>
  [...fen.split(' ')[0].replace(/[^a-z]/gi, '')].sort().join('');
const pliesOf = ({ solutions: [line] }: PublishedProblem) => line.length;

/** Plies that a naive search goes through. */
const FEW = 6;
const searched = problems.filter((problem) => menOf(problem) === 5 && pliesOf(problem) <= FEW);
const longestSearches = searched.filter((problem) => pliesOf(problem) === FEW);
/** The slices of five men with several pawns take an hour. */
const tabled = problems.filter(
  (problem) => menOf(problem) < 5 || (countOf(problem, /p/gi) <= 1 && !searched.includes(problem)),
);

test('checks at least seventy problems with an author, each once', () => {
  const named = [...searched, ...tabled].filter(({ author }) => author !== null && author !== '?');
  expect(named).toHaveLength(71);
  expect(new Set(problems.map(({ fen, stipulation }) => `${fen} ${stipulation}`)).size).toBe(problems.length);
});

test.each(
  sweep(
    searched.filter((problem) => pliesOf(problem) < FEW),
    longestSearches.slice(0, 1),
    longestSearches.slice(1),
  ),
)('a search of all moves finds as many solutions as $author published: $stipulation $fen', (problem) => {
  const { fen, stipulation, solutions } = problem;
  const start = boardOf(fen);
  const plies = pliesOf(problem);
  const lines = linesTo(stipulation[1] === '#');
  for (let fewer = plies - 2; fewer >= 0; fewer -= 2) expect(lines(start, fewer)).toBe(0);
  expect(lines(start, plies)).toBe(solutions.length);
});

describe.each(metrics)('%s', (metric) => {
  const solutions = new Solutions(game, newProber({ game, metric, store }));
  const ofMetric = tabled.filter((problem) => metricOf(problem) === metric);
  const ofMen = (men: number) => ofMetric.filter((problem) => menOf(problem) === men);
  const countOfMaterial = (problem: PublishedProblem, stipulation: Metric) =>
    tabled.filter((other) => metricOf(other) === stipulation && materialOf(other) === materialOf(problem))
      .length;
  // To solve an ending takes most of the time, so the long tests take those of several problems, to the goal that most of these have.
  const isShared = (problem: PublishedProblem) => {
    const [mates, stalemates] = metrics.map((each) => countOfMaterial(problem, each));
    return metric === 'help' ? mates > 1 && mates >= stalemates : stalemates > 1 && stalemates > mates;
  };
  // Each place of two facing pawns is a slice. To stalemate it takes most of a minute, so there is one in the long tests.
  const shared = ofMen(4).filter(isShared);
  const few = metric === 'help' ? shared : shared.slice(0, 1);
  const cases = sweep(ofMen(3), few, [...ofMen(4).filter((problem) => !few.includes(problem)), ...ofMen(5)]);

  test.each(cases)(
    'only the published solutions of $author, $source: $stipulation $fen',
    {
      timeout: 600_000,
    },
    async ({ fen, stipulation, solutions: published }) => {
      const board = game.parse(fen);
      const { slice } = game.locate(board);
      if (game.ending(slice).pieces < 5) await putSolved(store, game, [slice], { metric });
      else await solveGame(game, [slice], { metric, store });
      const lines: string[] = [];
      for await (const line of solutions.lines(board)) {
        lines.push(plain(line.map(({ san }) => san)));
        if (lines.length > published.length) break;
      }
      expect(lines.sort()).toEqual(published.map(plain).sort());
      for (const line of published) expect(`${stipulation.slice(0, 2)}${line.length / 2}`).toBe(stipulation);
    },
  );
});

function boardOf(fen: string): ProblemBoard {
  const squares = new Int8Array(64);
  const [men, side] = fen.split(' ');
  const ranks = men.replace(/\d/g, (empty) => ' '.repeat(Number(empty))).split('/');
  for (const [i, rank] of ranks.entries())
    for (const [file, letter] of [...rank].entries()) {
      const man = ' KQRBNP'.indexOf(letter.toUpperCase());
      squares[8 * (7 - i) + file] = letter === letter.toUpperCase() ? man : -man;
    }
  return { squares, side: side === 'w' ? 0 : 1, passant: -1 };
}

/** Counts the lines of so many plies after which Black is mated, or else stalemated. Positions that were met before are not searched again. */
function linesTo(mate: boolean): (board: ProblemBoard, plies: number) => number {
  const known = new Map<string, number>();
  return function count(board, plies) {
    const key = `${board.squares} ${board.side} ${board.passant} ${plies}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    let lines = 0;
    let isOver = true;
    eachMove(board, (after) => {
      isOver = false;
      if (plies > 0) lines += count({ ...after, squares: after.squares.slice() }, plies - 1);
    });
    if (plies === 0) lines = isOver && board.side === 1 && isInCheck(board.squares, 1) === mate ? 1 : 0;
    known.set(key, lines);
    return lines;
  };
}

/** In SAN, without signs of check. */
function plain(line: readonly string[]): string {
  return line.join(' ').replace(/[+#]/g, '');
}

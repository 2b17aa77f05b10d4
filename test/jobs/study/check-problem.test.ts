import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Study, studiesOf } from '../../../jobs/notation/read-game.js';
import { stipulationOf } from '../../../jobs/study/aim.js';
import { aimOf, type CheckedProblem, checkProblem } from '../../../jobs/study/check-problem.js';
import { problemVerdict } from '../../../jobs/study/problem-text.js';
import { solutionText } from '../../../jobs/ui/problem-notation.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import type { Prober } from '../../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../../pipeline/tables/probe/solutions.js';
import { fenOf, solveProblems } from '../../oracle/problems.js';
import { ifShort, LONG } from '../../support/long.js';
import { problemProber } from '../../support/problem-prober.js';

interface GoldenProblem {
  readonly author: string | null;
  readonly stipulation: string;
  readonly fen: string;
  readonly solutions: readonly (readonly string[])[];
}
const { problems } = JSON.parse(
  readFileSync(new URL('../../golden/problems.json', import.meta.url), 'utf8'),
) as { problems: GoldenProblem[] };
/** Men of White and of Black, the kings aside. */
const menOf = (fen: string) =>
  fen
    .split(' ')[0]
    .replace(/[^a-z]/gi, '')
    .replace(/k/gi, '');
const small = problems.filter(
  ({ fen, stipulation }) =>
    menOf(fen).length === 1 && stipulation.startsWith('h#') && (LONG || !/P/i.test(menOf(fen))),
);

const probers = new Map<string, Prober<unknown>>();
function prober(fen: string): Prober<unknown> {
  const ending = `K${menOf(fen)}vK`;
  if (!probers.has(ending)) probers.set(ending, problemProber(ending, 'help') as Prober<unknown>);
  return probers.get(ending)!;
}

async function studyOf(line: string): Promise<Study> {
  for await (const read of studiesOf([line], 'x')) if ('study' in read) return read.study;
  throw new Error(line);
}

async function check(line: string): Promise<CheckedProblem> {
  const study = await studyOf(line);
  const stipulation = stipulationOf(study)!;
  const aim = aimOf(study, stipulation);
  return checkProblem(study, stipulation, aim, { game: chess as Game, prober: prober(study.fen) });
}

/** A position of king and queen against king with three shortest solutions. */
function withThree() {
  const solved = solveProblems('KQvK', 'help');
  for (const board of solved.boards()) {
    const value = solved.value(board);
    if (value?.number === 3 && value.plies > 3) return { fen: fenOf(board), value };
  }
  throw new Error('there is none');
}

describe('published problems of three men', () => {
  it.each(small)(
    '$stipulation $fen by $author is sound, with its solution',
    async ({ fen, stipulation, solutions: [line] }) => {
      const checked = await check(`${fen} ${stipulation}`);
      const mover = fen.includes(' w ') ? 0 : 1;
      expect(checked).toMatchObject({ verdict: 'sound', number: 1, found: stipulation });
      expect(checked.solutions).toEqual([solutionText('help', line, mover)]);
    },
  );
});

describe('a problem', () => {
  const KING_AND_QUEEN = '8/8/7k/6Q1/8/8/8/K7';

  it.each([
    ['h#6', 'sound', 'h#6: sound'],
    ['h#7', 'short', 'h#7: short, h#6 with 1 solution'],
    ['h#5', 'longer', 'h#5: no solution in so many moves, h#6 with 1 solution'],
  ])('with the stipulation %s is %s', async (stipulation, verdict, words) => {
    const checked = await check(`${KING_AND_QUEEN} ${stipulation}`);
    expect(checked.verdict).toBe(verdict);
    expect(problemVerdict(checked)).toBe(words);
  });

  it('with more solutions than claimed is cooked, and they are listed', async () => {
    const { fen, value } = withThree();
    const stipulation = `h#${value.plies / 2}`;
    const cooked = await check(`${fen} ${stipulation}`);
    expect(cooked).toMatchObject({ verdict: 'cooked', number: 3, found: stipulation });
    expect(new Set(cooked.solutions).size).toBe(3);
    expect(problemVerdict(cooked)).toBe(`${stipulation}: cooked, 3 solutions`);
    expect(await check(`${fen} ${stipulation} 3.1...`)).toMatchObject({ verdict: 'sound', claimed: 3 });
  });

  it('from which mate is never reached has no solution', async () => {
    const stalemate = await check('7k/5K2/6Q1/8/8/8/8/8 h#2');
    expect(stalemate).toMatchObject({ verdict: 'none', found: null, solutions: [] });
    expect(problemVerdict(stalemate)).toBe('h#2: no solution');
  });

  it('that the other side begins is refused', async () => {
    const study = await studyOf(`8/8/8/8/8/8/5k2/K2Q4 w - - 0 1 h#6`);
    expect(() => aimOf(study, 'h#6')).toThrow('h#6 begins with Black, but White is to move in the position');
  });
});

it.skipIf(!LONG)(`counts the different first and last moves of solutions${ifShort}`, async () => {
  const board = chess.parse('8/8/8/8/8/8/5k2/K2Q4 w - - 0 1');
  const solutions = new Solutions(chess, problemProber('KQvK', 'help'));
  const lines: string[][] = [];
  for await (const line of solutions.lines(board)) lines.push(line.map(({ uci }) => uci));
  expect(await solutions.starts(board)).toBe(new Set(lines.map(([first]) => first)).size);
  expect(await solutions.ends(board)).toBe(new Set(lines.map((line) => line.at(-1))).size);
});

/** Helpmates and help-stalemates by composers, with the solutions that were published: the tables have these and no others. */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
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
const menOf = ({ fen }: PublishedProblem) => fen.split(' ')[0].match(/[a-z]/gi)!.length;

test('has at least fifty problems with an author, each once', () => {
  expect(problems.filter(({ author }) => author !== null).length).toBeGreaterThan(50);
  expect(new Set(problems.map(({ fen, stipulation }) => `${fen} ${stipulation}`)).size).toBe(problems.length);
});

describe.each(metrics)('%s', (metric) => {
  const solutions = new Solutions(game, newProber({ game, metric, store }));
  const cases = sweep([3], [4], [5]).flatMap((men) =>
    problems.filter((problem) => metricOf(problem) === metric && menOf(problem) === men),
  );

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

/** In SAN, without signs of check. */
function plain(line: readonly string[]): string {
  return line.join(' ').replace(/[+#]/g, '');
}

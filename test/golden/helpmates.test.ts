/** Helpmates beside those that others have published: counts of classes by plies, and problems of which one solution is known. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import { problemStats, type SideProblems } from '../../pipeline/analysis/problem-stats.js';
import { planSlices } from '../../pipeline/game/plan.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { openNumbers } from '../../pipeline/tables/numbers.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';
import { sweep } from '../support/long.js';
import { putSolved } from '../support/solving.js';

type Counts = Readonly<Record<string, number>>;

/** Positions are counted once up to symmetry, plies from the mate on, which counts as 0. Null: the class has no such position. */
interface PublishedClass {
  readonly longest: number | null;
  readonly solvable: number;
  readonly sound: number;
  readonly deepestSound: number | null;
  readonly deepestSoundPositions: number;
  readonly blackToMove: Counts;
  readonly whiteToMove: Counts;
  /** One of the deepest sound positions, with its solution. */
  readonly fen: string | null;
  readonly line: readonly string[];
}

interface PublishedProblem {
  readonly author: string;
  readonly source: string;
  readonly stipulation: string;
  readonly fen: string;
  readonly line: readonly string[];
}

const published: {
  readonly classes: Readonly<Record<string, PublishedClass>>;
  readonly problems: readonly PublishedProblem[];
} = JSON.parse(readFileSync(new URL('helpmates.json', import.meta.url), 'utf8'));

const metric = 'help';
const game = chess.sided!;
const menOf = (board: string) => board.match(/[KQRBNP]/gi)!.length;
const classes = sweep([3], [4]).flatMap((men) =>
  Object.keys(published.classes).filter((name) => menOf(name) === men),
);
const solved = new Set(
  planSlices(
    game,
    classes.flatMap((name) => game.ending(name).slices),
  ).map(({ slice }) => slice),
);

const store = memoryStore();
const solutions = new Solutions(game, newProber({ game, metric, store }));

/** The solutions as published lines have them: in SAN, without signs of check. */
async function linesOf(fen: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of solutions.lines(game.parse(fen))) {
    lines.push(plain(line.map(({ san }) => san)));
    if (lines.length > 2) break;
  }
  return lines;
}
const plain = (line: readonly string[]) => line.join(' ').replace(/[+#]/g, '');

function described({ white, black }: { white: SideProblems; black: SideProblems }) {
  const both = [white, black];
  const most = (found: 'longest' | 'deepestSound') =>
    both.reduce<number | null>((known, side) => {
      const plies = side[found]?.plies ?? null;
      return known === null || (plies !== null && plies > known) ? plies : known;
    }, null);
  const deepestSound = most('deepestSound');
  return {
    longest: most('longest'),
    solvable: white.solvable + black.solvable,
    sound: white.sound + black.sound,
    deepestSound,
    deepestSoundPositions:
      deepestSound === null ? 0 : both.reduce((sum, side) => sum + (side.soundByPly[deepestSound] ?? 0), 0),
    blackToMove: black.byPly,
    whiteToMove: white.byPly,
  };
}

describe.each(classes)('%s', (name) => {
  const { fen, line, ...counts } = published.classes[name];
  test('as many positions by plies and side to move, sound and deepest sound as published', async () => {
    const ending = game.ending(name);
    await putSolved(store, game, ending.slices, { metric });
    const found = await problemStats({
      game,
      metric,
      ending,
      open: (slice) => needTable(store, game, metric, slice),
      numbers: (table) => openNumbers(store, table as Table),
      report: async () => {},
    });
    expect(described(found)).toEqual(counts);
    if (fen !== null) expect(await linesOf(fen)).toEqual([plain(line)]);
  });
});

test.each(published.problems.filter(({ fen }) => solved.has(game.locate(game.parse(fen)).slice)))(
  'the solution of $author, $source is the only one: $fen',
  async ({ fen, line, stipulation }) => {
    const { slice } = game.locate(game.parse(fen));
    await putSolved(store, game, [slice], { metric });
    expect(stipulation).toBe(`h#${line.length / 2}`);
    expect(await linesOf(fen)).toEqual([plain(line)]);
  },
);

/**
 * The solves whose tables must never change by accident. Each is a command line of `mergemate solve`, run in one or several ways that
 * must give the same tables: by threads, or by ranks that share only the store.
 */

/** `short`: in every test run. `long`: where MERGEMATE_TEST_LONG is 1. `all`: where it is 2, and when the digests are written. */
export type Size = 'short' | 'long' | 'all';

export interface GoldenSolve {
  readonly size: Size;
  /** What `solve` is asked for. */
  readonly args: readonly string[];
  /**
   * Further arguments, one list for each way of solving; one way without any if there are none. A test run takes only the first of its
   * largest solves.
   */
  readonly ways?: readonly (readonly string[])[];
}

const TWO_WORKERS = ['--workers', '2'];
/** Ranks that cut every slice into partitions, small ones too. */
const ranks = (count: number) => [...processes(count), '--whole-below', '1B'];
const processes = (count: number) => ['--engine', 'processes', '--workers', `${count}`];

const chessMetrics = ['dtm', 'dtc', 'dtz', 'wdl', 'dtm50'] as const;
const game = (path: string) => `samples/${path}`;
const connectFour = (board: string) => `test/golden/games/connect-four-${board}.ts`;

export const goldenSolves: readonly GoldenSolve[] = [
  ...chessMetrics.map(
    (metric): GoldenSolve => ({
      size: metric === 'dtm' ? 'short' : 'long',
      args: ['chess', '--men', '3', '--metric', metric],
      ways: metric === 'dtm50' ? [ranks(2), [], TWO_WORKERS] : [[], ranks(2)],
    }),
  ),
  { size: 'long', args: ['checkers', '--men', '3', '--metric', 'dtw'], ways: [TWO_WORKERS, ranks(2), []] },
  { size: 'all', args: ['checkers', '--men', '3', '--metric', 'wdl'] },
  { size: 'long', args: ['checkers', '--men', '3', '--metric', 'dtc'] },
  { size: 'short', args: [game('nim.ts'), 'N2'] },
  { size: 'long', args: [game('nim.ts'), 'N3'] },
  // A graph; a keyed game with symmetries; a numbered game with scores.
  { size: 'short', args: [game('town.jsonl')] },
  { size: 'short', args: [game('tic-tac-toe/variants.ts')] },
  { size: 'long', args: [game('kalah/game.ts')] },
  ...[
    'dots-and-boxes/game.ts',
    'chomp/game.ts',
    'subtraction/game.ts',
    'tic-tac-toe/game.ts',
    'hex/game.ts',
    'dodgem/three.ts',
    'lion-and-chick/game.ts',
    'othello/game.ts',
  ].map((path): GoldenSolve => ({ size: 'long', args: [game(path)] })),
  // Threads find the positions together where these do not fit into memory.
  { size: 'long', args: [game('connect-four/game.ts')], ways: [[...TWO_WORKERS, '--memory', '2MiB'], []] },
  { size: 'long', args: ['chess', 'KQKR', '--metric', 'dtm'], ways: [ranks(4), TWO_WORKERS, []] },
  { size: 'all', args: ['chess', 'KBNK', '--metric', 'dtm'], ways: [ranks(4), TWO_WORKERS, []] },
  { size: 'all', args: ['chess', 'KBBK', '--metric', 'dtm50'], ways: [processes(2), TWO_WORKERS] },
  { size: 'all', args: ['checkers', '--men', '4', '--metric', 'dtw'], ways: [TWO_WORKERS, ranks(2)] },
  { size: 'all', args: [connectFour('4x5')], ways: [TWO_WORKERS, processes(2), []] },
  {
    size: 'all',
    args: ['chess', 'KQKR', 'KPPK', '--metric', 'dtm50'],
    ways: [TWO_WORKERS, processes(2)],
  },
  { size: 'all', args: [connectFour('5x4')], ways: [[], TWO_WORKERS, processes(2)] },
  // Hundreds of thousands of positions, of the kinds of games that the smaller ones are.
  ...['awari/game.ts', 'dodgem/game.ts', 'morris/game.ts'].map(
    (path): GoldenSolve => ({ size: 'all', args: [game(path)] }),
  ),
  { size: 'all', args: [game('dots-and-boxes/three.ts')] },
  { size: 'all', args: [game('hex/four.ts')], ways: [TWO_WORKERS] },
  ...chessMetrics.map(
    (metric): GoldenSolve => ({
      size: 'all',
      args: ['chess', '--men', '4', '--metric', metric],
      ways: [metric === 'dtm50' ? [] : TWO_WORKERS],
    }),
  ),
  ...['KBBKN', 'KRBKR', 'KBNKN', 'KQRKR', 'KRPKR'].map(
    (ending): GoldenSolve => ({
      size: 'all',
      args: ['chess', ending, '--metric', 'dtz'],
      ways: [TWO_WORKERS],
    }),
  ),
  { size: 'all', args: ['checkers', '--men', '5', '--metric', 'dtw'], ways: [TWO_WORKERS] },
];

/**
 * Connect Four as a keyed game, solved and verified, by turns with others. One is the solver that somebody would write
 * first (naive-keyed.ts). One is a solver that knows more (in-memory-keyed.ts). One is sidneycadot/connect4: C++ and the
 * system's `sort`. `MERGEMATE_BENCH_CONNECT4` is the folder `solver` of its source. The board's size is compiled in, so each is
 * built again. One worker beside two, and a game of a thousand positions beside `--version`. Two solves at once beside one tell
 * what a second processor of this machine is worth. Two workers without loss would take half of that ratio.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../operators/core/errors.js';
import { median } from './alternate.js';
import { measured, type ProgramCost } from './measured.js';

const PLAIN = fileURLToPath(new URL('./in-memory-keyed.js', import.meta.url));
const NAIVE = fileURLToPath(new URL('./naive-keyed.js', import.meta.url));
const MEMORY = '256MiB';

export interface KeyedBench {
  readonly cli: string;
  readonly folder: string;
  readonly pairs: number;
  /** 5x4 in place of 5x5. */
  readonly quick: boolean;
  /** Names of {@link KEYED_CONTESTS}. */
  readonly contests: readonly string[];
  print(title: string, head: string[], rows: (string | number)[][]): void;
}

type Board = readonly [width: number, height: number];

interface Way {
  readonly name: string;
  run(): Promise<ProgramCost>;
}

/** The costs of two that ran by turns. */
interface Contest {
  readonly what: string;
  readonly names: readonly [string, string];
  readonly pairs: readonly (readonly [ProgramCost, ProgramCost])[];
}

const HEAD = ['', 'CPU s', 'CPU s', 'ratio', 'wall s', 'wall s', 'ratio', 'MiB resident', 'GB of disk'];

/** All contests, in the order in which they are run; those of `connect4` only where there is its source. */
export const KEYED_CONTESTS = [
  '4x5-naive',
  '4x5-plain',
  '5x4-naive',
  '5x4-plain',
  'workers',
  'at-once',
  'small-keyed',
  'small-numbered',
  'small-sparse',
  'kalah',
  'fox',
  'amazons',
  'breakthrough',
  'hexapawn',
  'connect4',
] as const;

/** @throws UserError for a name that is none. @param only names with commas between them; all if undefined. */
export function contestsOf(only: string | undefined): readonly string[] {
  const asked =
    only?.split(',') ?? KEYED_CONTESTS.filter((name) => name !== 'connect4' || SOURCE !== undefined);
  for (const name of asked)
    if (!(KEYED_CONTESTS as readonly string[]).includes(name))
      throw new UserError(`--contest: there is no ${name} (there are: ${KEYED_CONTESTS.join(', ')})`);
  if (asked.includes('connect4') && SOURCE === undefined)
    throw new UserError(
      '--contest connect4: name the folder solver of its source by MERGEMATE_BENCH_CONNECT4',
    );
  return asked;
}

const SOURCE = process.env.MERGEMATE_BENCH_CONNECT4;

export async function benchKeyed(bench: KeyedBench): Promise<readonly Contest[]> {
  const { folder, quick, pairs, contests, print } = bench;
  const large: Board = quick ? [5, 4] : [5, 5];
  const naively = async (board: Board, way: Way, same: 'won' | 'root'): Promise<Contest> => {
    const contest = await byTurns(board.join('x'), [ours(bench, board), way], pairs);
    (same === 'won' ? requireSameWins : requireSameRoot)(contest);
    return contest;
  };
  const run: Record<(typeof KEYED_CONTESTS)[number], () => Promise<Contest>> = {
    '4x5-naive': () => naively([4, 5], naiveWay([4, 5]), 'root'),
    '4x5-plain': () => naively([4, 5], plainWay([4, 5]), 'won'),
    '5x4-naive': () => naively([5, 4], naiveWay([5, 4]), 'root'),
    '5x4-plain': () => naively([5, 4], plainWay([5, 4]), 'won'),
    workers: () => byTurns(large.join('x'), [ours(bench, large, 2), ours(bench, large)], pairs),
    'at-once': () => byTurns(large.join('x'), [twoAtOnce(bench, large), ours(bench, large)], pairs),
    'small-keyed': () =>
      smallGame(bench, 'keyed, 920 positions', smaller(folder, 'chomp', '= [8, 5]', '= [6, 5]')),
    'small-numbered': () =>
      smallGame(bench, 'numbered, 1,058 positions', smaller(folder, 'subtraction', '= 63', '= 22')),
    'small-sparse': () =>
      smallGame(bench, '765 positions of 39,366 numbers', resolve('samples/tic-tac-toe/game.ts')),
    kalah: () =>
      besideCpp(
        bench,
        'Kalah, 5.3 M positions',
        smaller(folder, 'kalah', 'kalah(3, 2)', 'kalah(3, 4)'),
        'naive-kalah',
        ['3', '4'],
      ),
    fox: () => besideCpp(bench, 'Fox and Hounds', resolve('samples/fox-and-hounds/game.ts'), 'naive-fox'),
    amazons: () => besideCpp(bench, 'Amazons 4x4', resolve('samples/amazons/game.ts'), 'naive-amazons'),
    breakthrough: () =>
      besideCpp(bench, 'Breakthrough 3x5', resolve('samples/breakthrough/game.ts'), 'naive-breakthrough'),
    hexapawn: () => besideCpp(bench, 'Hexapawn 5x5', resolve('samples/hexapawn/game.ts'), 'naive-hexapawn'),
    connect4: async () => {
      const theirs = await sortWay(SOURCE!, join(folder, 'connect4'), large);
      return byTurns(large.join('x'), [ours(bench, large), theirs], pairs);
    },
  };
  const found: Contest[] = [];
  for (const name of contests) {
    const contest = await run[name as keyof typeof run]();
    found.push(contest);
    print(`${name}, ${contest.pairs.length} pairs`, HEAD, [rowOf(contest)]);
  }
  print(
    `Keyed games, Connect Four, ${MEMORY}, verification included; medians of ${pairs} pairs. ${KNOWLEDGE}`,
    HEAD,
    found.map(rowOf),
  );
  return found;
}

const KNOWLEDGE = `
mergemate merges mirror images, writes the graph and the table, and verifies.
naive: a map of records, ways out counted, lists of predecessors. It knows no symmetries and no layers, and writes nothing.
plain: a map of numbers. It merges mirror images, knows that each move leads one layer on, and writes nothing.`;

function rowOf({ what, names, pairs }: Contest): (string | number)[] {
  const of = (who: 0 | 1, value: keyof ProgramCost) => median(pairs.map((pair) => Number(pair[who][value])));
  const ratio = (value: keyof ProgramCost) =>
    median(pairs.map(([a, b]) => Number(a[value]) / Number(b[value]))).toFixed(2);
  return [
    `${what}: ${names[0]} / ${names[1]}`,
    ...[of(0, 'cpuSeconds').toFixed(2), of(1, 'cpuSeconds').toFixed(2), ratio('cpuSeconds')],
    ...[of(0, 'wallSeconds'), of(1, 'wallSeconds'), ratio('wallSeconds')],
    ...[of(0, 'peakMiB').toFixed(0), of(0, 'diskGB').toFixed(2)],
  ];
}

async function byTurns(what: string, ways: readonly [Way, Way], count: number): Promise<Contest> {
  const pairs: [ProgramCost, ProgramCost][] = [];
  for (let i = 0; i < count; i++) {
    const first = i % 2;
    const a = await ways[first].run();
    const b = await ways[1 - first].run();
    pairs.push(first === 0 ? [a, b] : [b, a]);
  }
  return { what, names: [ways[0].name, ways[1].name], pairs };
}

/** The rules are read from beside the module, so that they are translated as those of a user are. `store`: the name of its folder. */
function ours({ cli, folder }: KeyedBench, [width, height]: Board, workers = 1, store = 'keyed'): Way {
  const rules = join(folder, 'rules.ts');
  const module = join(folder, `connect-four-${width}x${height}.ts`);
  const place = join(folder, store);
  cpSync(resolve('samples/connect-four/rules.ts'), rules);
  writeFileSync(
    module,
    `import { keyedGame } from 'mergemate';\nimport { connectFour } from './rules.js';\nexport default keyedGame(connectFour(${width}, ${height}));\n`,
  );
  const flags = ['--store', place, '--memory', MEMORY, '--workers', String(workers), '--json'];
  return {
    name: workers === 1 ? 'mergemate' : `${workers} workers`,
    run: () => solving(cli, place, [module, ...flags]),
  };
}

/** Two solves by one worker each, which share nothing but the machine. */
function twoAtOnce(bench: KeyedBench, board: Board): Way {
  const ways = ['first', 'second'].map((store) => ours(bench, board, 1, store));
  return {
    name: 'two at once',
    async run() {
      const [a, b] = await Promise.all(ways.map((way) => way.run()));
      return {
        ...a,
        wallSeconds: Math.max(a.wallSeconds, b.wallSeconds),
        // The one that ends last counts the processor time of both.
        cpuSeconds: Math.max(a.cpuSeconds, b.cpuSeconds),
        peakMiB: Math.max(a.peakMiB, b.peakMiB),
        diskGB: a.diskGB + b.diskGB,
      };
    },
  };
}

async function solving(cli: string, store: string, args: readonly string[]): Promise<ProgramCost> {
  rmSync(store, { recursive: true, force: true });
  const took = await measured(process.execPath, [cli, 'solve', ...args], { disk: store });
  rmSync(store, { recursive: true, force: true });
  return took;
}

function plainWay([width, height]: Board): Way {
  const args = [PLAIN, String(width), String(height)];
  return { name: 'plain', run: () => measured(process.execPath, args) };
}

function naiveWay([width, height]: Board): Way {
  const args = [NAIVE, String(width), String(height)];
  return { name: 'naive', run: () => measured(process.execPath, args) };
}

/** Both print JSON that says from how many positions each side wins. */
function requireSameWins({ what, pairs }: Contest): void {
  const [a, b] = pairs[0].map(({ stdout }) => JSON.stringify((JSON.parse(stdout) as { won: unknown }).won));
  if (a !== b) throw new Error(`${what}: won: ${a} by mergemate, ${b} by the plain way`);
}

/** How many positions there are with mirror images apart, and how the root ends. */
function requireSameRoot({ what, pairs: [[ours, theirs]] }: Contest): void {
  const said = JSON.parse(ours.stdout) as { boards: number; roots: [{ wdl: string; plies: number | null }] };
  const { positions, root, rootPlies } = JSON.parse(theirs.stdout) as Record<string, number>;
  const [{ wdl, plies }] = said.roots;
  const a = [said.boards, wdl, plies ?? 0].join(' ');
  const b = [positions, ['loss', 'draw', 'win'][root + 1], rootPlies].join(' ');
  if (a !== b) throw new Error(`${what}: ${a} by mergemate, ${b} by the naive solver`);
}

/** Builds the solver for a board, in a folder of its own. */
async function sortWay(source: string, folder: string, [width, height]: Board): Promise<Way> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true });
  const size = join(folder, 'board_size.h');
  const said = readFileSync(size, 'utf8');
  writeFileSync(
    size,
    said
      .replace(/(\bH_SIZE\s*=\s*)\d+/, `$1${width}`)
      .replace(/(\bV_SIZE\s*=\s*)\d+/, `$1${height}`)
      .replace(/(\bCONNECT_Q\s*=\s*)\d+/, '$14'),
  );
  // It wants a million open files, which few systems give; these boards have some tens to merge.
  const script = join(folder, 'connect4-script');
  const steps = readFileSync(script, 'utf8')
    .replace(/^ulimit .*$/m, '')
    .replaceAll(/--batch-size=\d+/g, '--batch-size=256');
  writeFileSync(script, steps);
  await measured('make', ['clean', 'connect4'], { cwd: folder });
  const made = join(folder, 'made');
  return {
    name: 'sidneycadot/connect4',
    async run() {
      rmSync(made, { recursive: true, force: true });
      for (const name of ['data', 'sort']) mkdirSync(join(made, name), { recursive: true });
      const env = { TMPDIR: join(made, 'sort'), DATADIR: join(made, 'data'), PWD: folder };
      const took = await measured('bash', ['./connect4-script'], { cwd: folder, env });
      rmSync(made, { recursive: true, force: true });
      return took;
    },
  };
}

/** A game of a thousand positions, and what loading the program takes: turns of three each, for they are short. */
function smallGame({ cli, folder, pairs }: KeyedBench, what: string, path: string): Promise<Contest> {
  const store = join(folder, 'small');
  const version: Way = { name: '--version', run: () => measured(process.execPath, [cli, '--version']) };
  const run = () => solving(cli, store, [path, '--store', store]);
  return byTurns(what, [{ name: 'mergemate', run }, version], 3 * pairs);
}

/** A sample beside C++ that somebody would write first, built by the system's compiler. @param args of that program. */
async function besideCpp(
  { cli, folder, pairs }: KeyedBench,
  what: string,
  path: string,
  source: string,
  args: string[] = [],
): Promise<Contest> {
  const store = join(folder, 'beside-cpp');
  const program = join(folder, source);
  await measured('g++', ['-O2', '-std=c++20', resolve(`test/bench/${source}.cpp`), '-o', program]);
  const contest = await byTurns(
    what,
    [
      { name: 'mergemate', run: () => solving(cli, store, [path, '--store', store]) },
      { name: 'naive C++', run: () => measured(program, args) },
    ],
    pairs,
  );
  const [[ours, theirs]] = contest.pairs;
  // Positions that each side wins.
  const [, first, second] = /(\d+) (\d+) \d+\n$/.exec(theirs.stdout) ?? [];
  const won = [...ours.stdout.replaceAll(',', '').matchAll(/ wins +(\d+) /g)].map(([, count]) => count);
  if (won[0] !== first || won[1] !== second)
    throw new Error(`${what}: naive C++ prints ${theirs.stdout}, and mergemate ${ours.stdout}`);
  return contest;
}

/** A sample with other numbers in it. @returns its path. */
function smaller(folder: string, sample: string, size: string, less: string): string {
  const copy = join(folder, `${sample}.ts`);
  const rules = readFileSync(`samples/${sample}/game.ts`, 'utf8');
  if (!rules.includes(size)) throw new Error(`${sample} has no "${size}"`);
  writeFileSync(copy, rules.replace(size, less));
  return copy;
}

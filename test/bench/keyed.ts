/**
 * Connect Four as a keyed game, solved and verified by sorting in little memory, by turns with others. One is the
 * plain way with maps. The other is sidneycadot/connect4: C++ and the system's `sort`. `MERGEMATE_CONNECT4` is the
 * folder `solver` of its source. The board's size is compiled in, so each is built again. One worker beside two, and
 * a game of a thousand positions beside `--version`.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './alternate.js';
import { measured, type ProgramCost } from './measured.js';

const PLAIN = fileURLToPath(new URL('./in-memory-keyed.js', import.meta.url));
const MEMORY = '256MiB';

export interface KeyedBench {
  readonly cli: string;
  readonly folder: string;
  readonly pairs: number;
  /** 5x4 in place of 5x5. */
  readonly quick: boolean;
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

export async function benchKeyed(bench: KeyedBench): Promise<readonly Contest[]> {
  const { folder, quick, pairs, print } = bench;
  const large: Board = quick ? [5, 4] : [5, 5];
  const contests = [
    await byTurns('4x5', [ours(bench, [4, 5]), plainWay([4, 5])], pairs),
    await byTurns('5x4', [ours(bench, [5, 4]), plainWay([5, 4])], pairs),
    await byTurns(large.join('x'), [ours(bench, large, 2), ours(bench, large)], pairs),
    ...(await smallGames(bench)),
  ];
  requireSameWins(contests.slice(0, 2));
  const show = (found: readonly Contest[]) =>
    print(
      `Keyed games, Connect Four with mirror images merged, ${MEMORY}, verification included; medians of ${pairs} pairs`,
      HEAD,
      found.map(rowOf),
    );
  show(contests);
  const { MERGEMATE_CONNECT4: source } = process.env;
  if (source === undefined) return contests;
  const theirs = await sortWay(source, join(folder, 'connect4'), large);
  const beside = await byTurns(large.join('x'), [ours(bench, large), theirs], pairs);
  show([beside]);
  return [...contests, beside];
}

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

/** The rules are read from beside the module, so that they are translated as those of a user are. */
function ours({ cli, folder }: KeyedBench, [width, height]: Board, workers = 1): Way {
  const rules = join(folder, 'rules.ts');
  const module = join(folder, `connect-four-${width}x${height}.ts`);
  const store = join(folder, 'keyed');
  cpSync(resolve('samples/connect-four/rules.ts'), rules);
  writeFileSync(
    module,
    `import { keyedGame } from 'mergemate';\nimport { connectFour } from './rules.js';\nexport default keyedGame(connectFour(${width}, ${height}));\n`,
  );
  const flags = ['--store', store, '--memory', MEMORY, '--workers', String(workers), '--json'];
  return {
    name: workers === 1 ? 'mergemate' : `${workers} workers`,
    run: () => solving(cli, store, [module, ...flags]),
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
  return { name: 'maps in memory, not verified', run: () => measured(process.execPath, args) };
}

/** Both print JSON that says from how many positions each side wins. */
function requireSameWins(contests: readonly Contest[]): void {
  for (const { what, pairs } of contests) {
    const [a, b] = pairs[0].map(({ stdout }) => JSON.stringify((JSON.parse(stdout) as { won: unknown }).won));
    if (a !== b) throw new Error(`${what}: won: ${a} by sorting, ${b} in memory`);
  }
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

/** Games of some thousand positions, and what loading the program takes: turns of three each, for they are short. */
async function smallGames({ cli, folder, pairs }: KeyedBench): Promise<Contest[]> {
  const store = join(folder, 'small');
  const version: Way = { name: '--version', run: () => measured(process.execPath, [cli, '--version']) };
  const bar = join(folder, 'chomp.ts');
  writeFileSync(bar, readFileSync('samples/chomp/game.ts', 'utf8').replace('= [8, 5]', '= [6, 5]'));
  const games = [
    ['keyed, 920 positions', bar],
    ['numbered, 765 positions', resolve('samples/tic-tac-toe/game.ts')],
  ] as const;
  const contests: Contest[] = [];
  for (const [what, path] of games) {
    const run = () => solving(cli, store, [path, '--store', store]);
    contests.push(await byTurns(what, [{ name: 'mergemate', run }, version], 3 * pairs));
  }
  return contests;
}

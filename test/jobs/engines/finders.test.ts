/** Threads that find the positions of a keyed game together: by the command, in too little memory to hold them. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start, until } from '../../support/cli.js';
import { program, succeed } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { LATE_FAULT, writeLateFault } from '../../support/late-fault.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../support/long.js';

const FOUR = 'samples/connect-four/game.ts';
const LITTLE = ['--memory', '2MiB'];

interface Said {
  readonly digests: string[];
  readonly layers: number[];
  readonly verified: number;
  readonly boards: number;
  readonly movesCompared: number;
}

test.skipIf(!LONG)(
  `any number of threads make the tables of one${ifShort}`,
  async () => {
    const folder = testFolder();
    const solved = async (workers: number): Promise<Said> => {
      const place = ['--store', join(folder, String(workers)), '--workers', String(workers)];
      return JSON.parse(await succeed(['solve', FOUR, ...place, ...LITTLE, '--json'])) as Said;
    };
    const one = await solved(1);
    expect(one).toMatchObject({ verified: 80_541, boards: 161_029 });
    for (const workers of LONGEST ? [2, 3, 4] : [3]) {
      const { digests, layers, verified, boards, movesCompared } = await solved(workers);
      expect({ digests, layers, verified, boards }).toEqual({
        digests: one.digests,
        layers: one.layers,
        verified: one.verified,
        boards: one.boards,
      });
      // Which are compared depends on the order in which the threads find positions.
      expect(movesCompared).toBeGreaterThan(2000);
    }
  },
  120_000,
);

test('several threads report the fault that one thread meets first', async () => {
  const folder = testFolder();
  const path = writeLateFault(folder);
  const messageOf = async (workers: number): Promise<string> => {
    const store = join(folder, `tables-${workers}`);
    const said = await program(store).run(['solve', path, '--workers', String(workers), ...LITTLE]);
    expect(said.code).toBe(2);
    return said.stderr;
  };
  const said = await messageOf(1);
  expect(said).toMatch(LATE_FAULT);
  for (const workers of LONGEST ? [2, 3] : [3]) expect(await messageOf(workers)).toBe(said);
}, 120_000);

test.skipIf(!LONG)(
  `a signal ends the threads, and the next call continues${ifShort}`,
  async () => {
    const store = join(testFolder(), 'tables');
    const args = ['solve', FOUR, '--workers', '3', '--store', store, ...LITTLE, '--json'];
    const running = start(args);
    await until(() => isReading(store), 'shares of a stride are being written');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
    const said = JSON.parse(await succeed(args.with(3, '2'))) as Said;
    expect(said.verified).toBe(80_541);
  },
  120_000,
);

/** Whether the runs of the third share are there. */
function isReading(store: string): boolean {
  try {
    return readdirSync(store, { recursive: true }).some((name) =>
      /steps\/stride-00000-2-/.test(String(name)),
    );
  } catch {
    return false;
  }
}

test.skipIf(!LONGEST)(
  `threads make the tables of a game of two million positions${ifNotLongest}`,
  async () => {
    const folder = testFolder();
    const path = join(folder, 'five.ts');
    const rules = JSON.stringify(join(process.cwd(), 'samples/connect-four/rules.js'));
    writeFileSync(
      path,
      `import { keyedGame } from 'mergemate';\nimport { connectFour } from ${rules};\nexport default keyedGame(connectFour(5, 4));\n`,
    );
    const solved = async (workers: string): Promise<Said> => {
      const place = ['--workers', workers, '--store', join(folder, workers)];
      const said = await succeed(['solve', path, ...place, '--memory', '24MiB', '--json']);
      expect(await succeed(['verify', path, ...place])).toContain('all values are right');
      return JSON.parse(said) as Said;
    };
    const one = await solved('1');
    const two = await solved('2');
    expect(two.digests).toEqual(one.digests);
    expect(two.verified).toBe(1_974_174);
  },
  600_000,
);

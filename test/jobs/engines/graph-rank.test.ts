/** Ranks as processes that find the positions of a keyed game: tables as one process makes them, after any kill. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { LATE_FAULT, writeLateFault } from '../../support/late-fault.js';
import { ifShort, LONG } from '../../support/long.js';

const FOUR = 'samples/connect-four/game.ts';
const LITTLE = ['--memory', '2MiB'];
const BY_RANKS = ['--engine', 'processes', '--workers', '2'];

interface Said {
  readonly digests: string[];
  readonly verified: number;
}

/** What one process makes. */
let one: Said;
const alone = newFolder();
beforeAll(async () => {
  if (LONG) one = await program(alone).succeedJson<Said>(['solve', FOUR, ...LITTLE]);
});
afterAll(() => rmSync(alone, { recursive: true, force: true }));

/** Processes of ranks at work in a store. */
function ranksIn(store: string): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return listed
    .filter((line) => line.includes(`--store ${store} `) && / rank /.test(line))
    .map((line) => Number.parseInt(line, 10));
}

/** Objects of an import under way that ranks have put into the store for each other. */
const sentIn = (store: string) => filesUnder(store).filter((file) => /\/steps\/of-2-/.test(file));

interface LogLine {
  readonly event: string;
  readonly figures?: { readonly rank?: number };
}

/** The beginnings and ends of ranks in the logs of a folder, ordered by their text. */
function lifeOfRanks(logs: string): string[] {
  const lines = filesUnder(logs)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as LogLine);
  return lines
    .flatMap(({ event, figures }) => (figures?.rank === undefined ? [] : [`${event} ${figures.rank}`]))
    .sort();
}

test.skipIf(!LONG)(
  `two ranks make the tables of one process, and leave no other objects${ifShort}`,
  async () => {
    const [together, logs] = [testFolder(), testFolder()];
    const by = [...BY_RANKS, '--logs', logs];
    const { code, stdout, stderr } = await program(together).run(['solve', FOUR, ...LITTLE, ...by, '--json']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('mergemate:')]);
    const two = JSON.parse(stdout) as Said;
    expect([two.digests, two.verified]).toEqual([one.digests, 80_541]);
    expect(lifeOfRanks(logs)).toEqual(['began 0', 'began 1', 'done 0', 'done 1']);
    expect(filesUnder(together).filter((file) => /\/steps\/|\/ranks\//.test(file))).toEqual([]);
  },
  240_000,
);

test.skipIf(!LONG)(
  `a fault of the game ends all ranks, with the message of the rank that met it${ifShort}`,
  async () => {
    const path = writeLateFault(testFolder());
    const store = testFolder();
    const said = await program(store).run(['solve', path, ...LITTLE, ...BY_RANKS]);
    expect([said.code, said.stderr]).toEqual([2, expect.stringMatching(LATE_FAULT)]);
    expect(ranksIn(store)).toEqual([]);
  },
  120_000,
);

test.skipIf(!LONG)(
  `ranks that are killed while they find positions are started again${ifShort}`,
  async () => {
    const store = testFolder();
    const solving = start(['solve', FOUR, ...LITTLE, ...BY_RANKS, '--store', store, '--json']);
    let isOver = false;
    void solving.ended.then(() => (isOver = true));
    let killed = 0;
    for (let seen = 0; !isOver && killed < 4; ) {
      await new Promise((done) => setTimeout(done, 20));
      const now = sentIn(store).length;
      // The launcher gives up after losses without progress.
      if (now < seen + 15) continue;
      seen = now;
      // The ranks by turns.
      const lost = ranksIn(store)[killed % 2];
      if (lost === undefined) continue;
      spawnSync('kill', ['-KILL', String(lost)]);
      killed++;
    }
    const { code, stdout, stderr } = await solving.ended;
    expect([code, stderr.includes('mergemate:')]).toEqual([0, false]);
    expect(killed).toBeGreaterThan(1);
    expect((JSON.parse(stdout) as Said).digests).toEqual(one.digests);
  },
  600_000,
);

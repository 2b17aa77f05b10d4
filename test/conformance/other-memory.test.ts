/** What docs/speed.md promises beside the budget is kept by exports in every format, and by graphs that are refused. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fittingBudget } from '../../jobs/cli/memory-limit.js';
import { succeed } from '../support/command.js';
import { ifShort, LONG, LONGEST, sweep } from '../support/long.js';
import { noPeaks, peakOf } from '../support/peak.js';

const MiB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), 'mergemate-other-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const store = ['--store', join(folder, 'tables')];
const isMeasured = LONG && noPeaks === null;
const why = noPeaks === null ? ifShort : ` (skipped: ${noPeaks})`;

/** Bytes that a command may take with a budget of so many MiB. */
function promised(kind: 'export' | 'graph', budget: number): number {
  const limit = 1024 * MiB;
  const most = fittingBudget({ flag: '', asked: undefined, preferred: limit }, { kind }, limit);
  return limit - most + budget * MiB;
}

/** Connect Four on 4 columns of 5 squares: 853,185 positions. */
const game = join(folder, 'four.ts');
const graph = join(folder, 'graph.jsonl');

describe.skipIf(!isMeasured)(`exports keep the budget${why}`, () => {
  beforeAll(async () => {
    const rules = JSON.stringify(resolve('samples/connect-four/rules.ts'));
    writeFileSync(
      game,
      `import { keyedGame } from 'mergemate';\nimport { connectFour } from ${rules};\nexport default keyedGame(connectFour(4, 5));\n`,
    );
    await writeNodes(graph, 300_000);
    for (const what of [[game], [graph], ['chess', 'KQKR']])
      await succeed(['solve', ...what, '--no-verify', ...store]);
  }, 300_000);

  // Each kind of table, each format, and all or some of the rows, in pairs; the longest tests combine more of them.
  const exports: [kind: 'keyed game' | 'graph' | 'chess', format: string, budget: number, flags: string[]][] =
    [
      ['keyed game', 'parquet', 16, []],
      ['keyed game', 'arrow', 16, ['--where', 'result=win']],
      ['graph', 'parquet', 16, ['--columns', 'position,plies,move']],
      ['chess', 'pgn', 16, ['--where', 'result=draw']],
      ['keyed game', 'jsonl', 16, []],
    ];
  const more: typeof exports = [
    ['keyed game', 'parquet', 16, ['--columns', 'position,outcome,plies,move']],
    ['keyed game', 'arrow', 16, []],
    ['keyed game', 'parquet', 16, ['--where', 'result=win']],
    ['keyed game', 'jsonl', 16, ['--where', 'result=win']],
    ['chess', 'parquet', 16, ['--limit', '200000']],
  ];
  test.each(sweep([], exports, more))(
    '%s as %s in %i MiB, %j',
    { timeout: 240_000 },
    async (kind, format, budget, flags) => {
      const what = { 'keyed game': [game], graph: [graph], chess: ['chess', 'KQKR'] }[kind];
      const given = ['--format', format, '--out', join(folder, 'out'), '--force', '--memory', `${budget}MiB`];
      const { peak } = await peakOf(resolve('dist/jobs/cli.js'), [
        'export',
        ...what,
        ...given,
        ...flags,
        ...store,
      ]);
      expect(peak).toBeGreaterThan(16 * MiB);
      expect(peak).toBeLessThan(promised('export', budget));
    },
  );
});

test.skipIf(!isMeasured)(`a refused graph keeps the budget${why}`, { timeout: 240_000 }, async () => {
  const huge = join(folder, 'huge.jsonl');
  const file = createWriteStream(huge);
  file.write('{"id":"n0","owner":0,"edges":[');
  for (let i = 0; i < 10_000_000; i += 1000) {
    const names = Array.from({ length: 1000 }, (_, j) => `"n${1 + ((i + j) % 1000)}"`);
    if (!file.write(`${i === 0 ? '' : ','}${names}`)) await once(file, 'drain');
  }
  file.end(']}\n');
  await once(file, 'close');
  // A command that fails has no peak: its process prints the system's count.
  const status = join(folder, 'status');
  const preload = join(folder, 'preload.cjs');
  writeFileSync(
    preload,
    `const { readFileSync, writeFileSync } = require('node:fs');
if (require('node:worker_threads').isMainThread)
  process.on('exit', () => writeFileSync(${JSON.stringify(status)}, readFileSync('/proc/self/status')));
`,
  );
  const args = ['solve', huge, '--memory', '32MiB', ...store];
  const env = { ...process.env, NODE_OPTIONS: `--require=${preload}` };
  const { status: code, stderr } = spawnSync(resolve('dist/jobs/cli.js'), args, { encoding: 'utf8', env });
  expect(code).toBe(2);
  expect(stderr).toContain('it has more than 8388608 edges');
  const peak = 1024 * Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(status, 'utf8'))![1]);
  expect(peak).toBeGreaterThan(16 * MiB);
  expect(peak).toBeLessThan(promised('graph', 32));
});

test.skipIf(!isMeasured)(
  `a graph with a node of millions of edges keeps the budget${why}`,
  { timeout: 240_000 },
  async () => {
    const hub = join(folder, 'hub.jsonl');
    const file = createWriteStream(hub);
    file.write('{"id":0,"owner":0,"edges":[');
    const again = Array.from({ length: 1024 }, (_, j) => 1 + (j % 1000)).join(',');
    for (let i = 0; i < 2 ** (LONGEST ? 23 : 21); i += 1024)
      if (!file.write(`${i === 0 ? '' : ','}${again}`)) await once(file, 'drain');
    file.end(`]}\n${Array.from({ length: 1000 }, (_, i) => `{"id":${i + 1},"winner":${i % 2}}\n`).join('')}`);
    await once(file, 'close');
    const args = ['solve', hub, '--memory', '32MiB', ...store];
    const { peak } = await peakOf(resolve('dist/jobs/cli.js'), args);
    expect(peak).toBeGreaterThan(16 * MiB);
    expect(peak).toBeLessThan(promised('graph', 32));
  },
);

/** Nodes with text for names, each with a few edges that lead on. */
async function writeNodes(path: string, nodes: number): Promise<void> {
  const file = createWriteStream(path);
  for (let i = 0; i < nodes; i++) {
    const edges = [1, 7, 50 + (i % 900)].map((step) => `"node-${Math.min(nodes - 1, i + step)}"`);
    const rest =
      i === nodes - 1 || i % 50 === 0 ? `"winner":${i % 2}` : `"owner":${i % 2},"edges":[${edges}]`;
    if (!file.write(`{"id":"node-${i}",${rest}}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

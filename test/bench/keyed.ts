/** Connect Four as a keyed game, solved and verified by sorting in little memory and the plain way, in processes of their own. */
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GraphBench } from './graphs.js';
import { runForJson } from './run-for-json.js';

const PLAIN = fileURLToPath(new URL('./in-memory-keyed.js', import.meta.url));
const MEMORY = '256MiB';

interface Found {
  readonly won: readonly number[];
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakRssBytes: number;
}

interface Solved extends Found {
  readonly nodes: number;
  readonly boards: number;
}

/** 5x5 is solved unless `quick`; the plain way has no memory for it. */
export function benchKeyed({ cli, folder, quick, print }: GraphBench) {
  const rules = resolve('samples/connect-four/rules.ts');
  const solve = (width: number, height: number): Solved => {
    const module = join(folder, `connect-four-${width}x${height}.ts`);
    const store = join(folder, 'keyed');
    writeFileSync(
      module,
      `import { keyedGame } from 'mergemate';\nimport { connectFour } from ${JSON.stringify(rules)};\nexport default keyedGame(connectFour(${width}, ${height}));\n`,
    );
    const found = runForJson<Solved>([cli, 'solve', module, '--store', store, '--memory', MEMORY, '--json']);
    rmSync(store, { recursive: true, force: true });
    return found;
  };
  const sorted = solve(5, 4);
  const plain = runForJson<Found>([PLAIN, '5', '4']);
  if (JSON.stringify(sorted.won) !== JSON.stringify(plain.won))
    throw new Error(`won: ${sorted.won} by sorting, ${plain.won} in memory`);
  const large = quick ? null : solve(5, 5);
  const row = (what: string, { nodes, boards }: Solved, { cpuMs, wallMs, peakRssBytes }: Found) => [
    what,
    nodes,
    boards,
    (cpuMs / 1000).toFixed(1),
    (wallMs / 1000).toFixed(1),
    Math.round((nodes / cpuMs) * 1000),
    (peakRssBytes / 2 ** 20).toFixed(0),
  ];
  print(
    'Connect Four, mirror images merged; verification included',
    ['', 'positions', 'apart', 'CPU s', 'wall s', 'positions a CPU s', 'MiB resident'],
    [
      row(`5x4 by sorting, ${MEMORY}`, sorted, sorted),
      row('5x4 in memory, not verified', sorted, plain),
      ...(large === null ? [] : [row(`5x5 by sorting, ${MEMORY}`, large, large)]),
    ],
  );
  return { sorted, plain, large };
}

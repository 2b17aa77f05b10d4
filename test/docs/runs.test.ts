/** samples/python/runs.py, which docs/runs.md uses, reads runs as our reader does. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { newBundle } from '../../operators/runs/bundle.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import { localStore } from '../../operators/storage/local.js';
import { SET_COLUMNS, setsOfKeys } from '../../pipeline/engine/memory/rows.js';
import { planesBytes } from '../../pipeline/game/labels.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import {
  denseRowsOf,
  open,
  rowsOf,
  type Segment,
  segmentsOf,
  specOf,
  writeRun,
} from '../operators/run-samples.js';
import { testFolder } from '../support/folders.js';

const ALL = { from: 0, to: 2 ** 32 };
const READER = readFileSync('samples/python/runs.py', 'utf8');
const PRINT = `
import json, sys
columns = read_run(sys.argv[1]).to_pydict().values()
print(json.dumps([list(row) for row in zip(*columns)]))
`;

const hasPyarrow = spawnSync('python3', ['-c', 'import numpy, pyarrow']).status === 0;

/** The rows that Python and our reader make of a run of these segments. */
async function readTwice(part: Partial<RunSpec>, segments: readonly Segment[]) {
  const folder = testFolder();
  const store = localStore(folder, { durable: false });
  await writeRun(store, 'run.arrow', specOf(part), segments, 1000);
  const reader = await open(store, 'run.arrow');
  const ours = part.dense ? await denseRowsOf(reader.denseCursor(ALL)) : await rowsOf(reader.cursor(ALL));
  return { python: readByPython(folder, 'run.arrow'), ours };
}

/** Minors whose differences take from 0 to 29 bits; with `strict` none is 0. */
function wide(strict: boolean): Segment[] {
  return Array.from({ length: 30 }, (_, bits) => {
    const minor = Uint32Array.from({ length: 131 }, (_, i) => {
      const steps = Math.min(2 ** bits - 1, 2 ** 24) * i;
      return strict ? steps + i : steps;
    });
    return { major: 7 * bits, minor, payload: [] };
  });
}

/** The rows that Python reads from a file; or its other output. */
function readByPython(folder: string, name: string, print = PRINT): unknown {
  const program = join(folder, 'read.py');
  writeFileSync(program, `${READER}${print}`);
  const python = spawnSync('python3', [program, join(folder, name)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(python.stderr).toBe('');
  return JSON.parse(python.stdout);
}

describe('samples/python/runs.py', () => {
  const lengths = [1, 127, 128, 129, 5000, 3];
  const columns = [
    { name: 'asker-major', type: 'u32' },
    { name: 'asker-minor', type: 'u32' },
  ] as const;
  const label = [{ name: 'label', type: 'u8' }] as const;
  const cases: [string, Partial<RunSpec>, Segment[]][] = [
    ['packed minors, each once', { strict: true }, segmentsOf(1, lengths, [])],
    ['packed minors with repeats', {}, segmentsOf(2, lengths, [], false)],
    ['differences of any width', {}, wide(false)],
    ['bitmaps and differences', { strict: true }, wide(true)],
    ['sets', { columns: SET_COLUMNS }, segmentsOf(5, lengths, SET_COLUMNS)],
    ['rows with payload', { columns }, segmentsOf(3, lengths, columns, false)],
    ['dense rows', { dense: true, strict: true, columns: label }, segmentsOf(4, lengths, label)],
  ];
  for (const [name, part, segments] of cases) {
    it(`reads ${name}`, async (test) => {
      if (!hasPyarrow) test.skip('there is no python3 with pyarrow and numpy here');
      const { python, ours } = await readTwice(part, segments);
      expect(ours.length).toBeGreaterThan(1000);
      expect(python).toEqual(ours);
    });
  }

  it('prints the positions of sets', async (test) => {
    if (!hasPyarrow) test.skip('there is no python3 with pyarrow and numpy here');
    const folder = testFolder();
    const store = localStore(folder, { durable: false });
    const keys = segmentsOf(6, [1, 500, 3000], []);
    const sets = keys.map(({ major, minor }) => {
      const {
        length,
        minor: rows,
        low,
        high,
      } = setsOfKeys({ major, minor, length: minor.length, payload: [] });
      const payload = [low.subarray(0, length), high.subarray(0, length)];
      return { major, minor: rows.subarray(0, length), payload };
    });
    await writeRun(store, 'run.arrow', specOf({ columns: SET_COLUMNS, strict: true }), sets, 1000);
    const rows = keys.flatMap(({ major, minor }) => [...minor].map((key) => [major, key]));
    expect(
      readByPython(
        folder,
        'run.arrow',
        PRINT.replace('read_run(sys.argv[1])', 'positions(read_run(sys.argv[1]))'),
      ),
    ).toEqual(rows);
  });

  it('prints counts that are stored as bit planes', async (test) => {
    if (!hasPyarrow) test.skip('there is no python3 with pyarrow and numpy here');
    const folder = testFolder();
    const store = localStore(folder, { durable: false });
    const { countPlanes, packCounts } = chess.slice('KRKN').rowKernels!;
    const planes = countPlanes[1];
    const parts = [0, 1].map((part) =>
      Uint8Array.from({ length: 64 * 100 }, (_, i) => (i * (7 + part)) % 2 ** planes),
    );
    const segments = parts.map((counts, major) => {
      const label = new Uint8Array(planesBytes(planes, counts.length));
      packCounts(1, counts, label);
      return { major, minor: Uint32Array.from(label, (_, i) => i), payload: [label] };
    });
    const columns = [{ name: 'label', type: 'u8' }] as const;
    await writeRun(store, 'run.arrow', specOf({ dense: true, strict: true, columns }), segments, 1000);
    const print = `
import json, sys
labels = read_run(sys.argv[1])
print(json.dumps([counts(labels, part, ${planes}).tolist() for part in (0, 1)]))
`;
    expect(readByPython(folder, 'run.arrow', print)).toEqual(parts.map((counts) => [...counts]));
  });

  it('reads all runs of a bundle', async (test) => {
    if (!hasPyarrow) test.skip('there is no python3 with pyarrow and numpy here');
    const folder = testFolder();
    const store = localStore(folder, { durable: false });
    const bundle = newBundle(store, 'bundle.arrow', { batchRows: 1000, counters: newCounters() });
    const runs = [segmentsOf(1, [400, 2], []), [], segmentsOf(2, [1], []), segmentsOf(3, [3000, 700], [])];
    for (const run of runs) {
      await bundle.add(specOf({}), async (writer) => {
        for (const { major, minor } of run) await writer.append(major, minor.length, minor, []);
      });
    }
    await bundle.close();
    const rows = runs.flat().flatMap(({ major, minor }) => [...minor].map((each) => [major, each]));
    expect(readByPython(folder, 'bundle.arrow')).toEqual(rows);
  });
});

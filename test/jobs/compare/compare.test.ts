/** `compare`: three solvers in processes of their own, their report, and a difference that is found. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Comparison, compare } from '../../../jobs/compare/compare.js';
import { devices, modelTime } from '../../../jobs/compare/device-model.js';
import { reportPage, reportText } from '../../../jobs/compare/document.js';
import { firstDifference } from '../../../jobs/compare/first-difference.js';
import { forkEach } from '../../../jobs/compare/fork.js';
import { countedPageFolder, countedStore, newIoCounts } from '../../../jobs/compare/io-counts.js';
import { reportJson } from '../../../jobs/compare/json.js';
import { makeReport } from '../../../jobs/compare/report.js';
import { solverNames, solversFor } from '../../../jobs/compare/solvers.js';
import { runGameTask } from '../../../jobs/engines/game-task.js';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { PAGE_BYTES } from '../../../operators/storage/page-folder.js';
import { commitManifest, type PartRun, TableManifest } from '../../../pipeline/game/manifest.js';
import type { ValueColumn } from '../../../pipeline/game/value.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { slicePrefix, tableManifestName } from '../../../pipeline/tables/table-names.js';
import { writeValues } from '../../../pipeline/tables/writer.js';
import { ifShort, LONG } from '../../support/long.js';
import { memoryPageFolder } from '../../support/memory-page-folder.js';
import { MiB, solveChess } from '../../support/solving.js';

const MEMORIES = [MiB, 64 * MiB];
const PROGRAM = new URL('../../../dist/jobs/solver-process.js', import.meta.url);

describe.skipIf(!LONG)(`KRK by all solvers${ifShort}`, () => {
  let folder: string;
  let found: Comparison;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'compare-'));
    found = await compare({
      game: chess,
      slice: 'KRK',
      metric: 'dtm',
      solvers: solverNames,
      memories: MEMORIES,
      io: 'cached',
      storeFolder: join(folder, 'store'),
      scratchFolder: join(folder, 'scratch'),
      launch: forkEach(PROGRAM),
      prepare: (task) => runGameTask(task, () => {}),
      progress: () => {},
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const report = () =>
    makeReport(
      {
        game: 'chess',
        ending: 'KRK',
        metric: 'dtm',
        io: 'cached',
        command: 'a <command>',
        memories: MEMORIES,
        solvers: solverNames,
        devices,
      },
      found,
    );
  const solvedBy = (name: string, memory: number) =>
    report().solved.find((run) => run.solver === name && run.memory === memory)!.measured;

  test('tables are identical', () => {
    expect(found.disagreements).toEqual([]);
    expect(found.runs.length).toBe(6);
    const { solved, unable } = report();
    expect(solved.length + unable.length).toBe(6);
    expect(solved.filter(({ memory }) => memory === 64 * MiB).length).toBe(3);
    expect(new Set(solved.map(({ measured }) => measured.digests.join(' '))).size).toBe(1);
  });

  test('memory, I/O and time of each solver are measured or counted', () => {
    for (const { measured } of report().solved) {
      expect(measured.wallMs).toBeGreaterThan(0);
      expect(measured.cpuMs).toBeGreaterThan(0);
      expect(measured.peakRssBytes).toBeGreaterThan(20 * MiB);
      // Runs are compressed a little, tables are not: bytes written are more than half of the table's.
      const { sequential, random } = measured.io.written;
      expect(sequential.bytes + random.bytes).toBeGreaterThan(measured.tableBytes / 2);
      expect(measured.requests).toBeGreaterThan(1000);
    }
    expect(solvedBy('sort', 64 * MiB).pageFaults).toBeNull();
    expect(solvedBy('paged', 64 * MiB).pageFaults).toBeGreaterThanOrEqual(0);
  });

  test('only the reference run keeps its table until the end', () => {
    expect(readdirSync(join(folder, 'scratch'))).toEqual(['run-0']);
  });

  test('JSON groups figures as measured, counted or modelled', () => {
    const json = JSON.parse(JSON.stringify(reportJson(report())));
    expect(json).toMatchObject({ ending: 'KRK', metric: 'dtm', identical: true, differences: [] });
    expect(json.runs.length).toBe(6);
    for (const run of json.runs.filter(({ status }: { status: string }) => status === 'solved')) {
      expect(Object.keys(run)).toEqual([
        'solver',
        'memory',
        'status',
        'digests',
        'measured',
        'counted',
        'modelled',
      ]);
      expect(run.modelled.map(({ device }: { device: string }) => device)).toEqual([
        'hdd',
        'ssd',
        'nvme',
        's3',
      ]);
      expect(run.counted.bytes).toBe(run.counted.sequentialBytes + run.counted.randomBytes);
    }
  });

  test('the page is one file without links, and escapes its text', () => {
    const page = reportPage(report());
    expect(page).not.toMatch(/https?:|<script|<link|@import|url\(|src=/);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).toContain('@media print');
    expect(page).toContain('a &#60;command&#62;');
    expect(page.match(/<figure>/g)!.length).toBe(4 + devices.length);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    expect(page.match(/<span class="origin">modelled/g)!.length).toBe(devices.length);
  });

  test('the terminal says which figures are modelled', () => {
    const text = reportText(report());
    expect(text).toContain('tables are identical');
    expect(text).toMatch(/Measured, and I\/O as counted:[\s\S]*Modelled time/);
  });
});

test('the bit-parallel solver is refused for other games than chess', () => {
  expect(solversFor(chess, 'KQK', undefined)).toEqual(['sort', 'paged', 'bitboard']);
  expect(solversFor(chess, 'KPK.2', undefined)).toEqual(['sort', 'paged']);
  expect(solversFor(checkers, '1100', undefined)).toEqual(['sort', 'paged']);
  expect(solversFor(checkers, '1100', ['paged'])).toEqual(['paged']);
  expect(() => solversFor(checkers, '1100', ['sort', 'bitboard'])).toThrow(
    '--solvers: bitboard (bit-parallel) solves chess only, not checkers',
  );
});

test('a solver that has too little memory is reported, not failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  try {
    const { runs, disagreements } = await compare({
      game: chess,
      slice: 'KRKN',
      metric: 'wdl',
      solvers: ['bitboard'],
      memories: [MiB],
      io: 'cached',
      storeFolder: join(folder, 'store'),
      scratchFolder: join(folder, 'scratch'),
      launch: forkEach(PROGRAM),
      prepare: (task) => runGameTask(task, () => {}),
      progress: () => {},
    });
    expect(disagreements).toEqual([]);
    expect(runs).toEqual([
      {
        solver: 'bitboard',
        memory: MiB,
        outcome: { status: 'unable', reason: expect.stringContaining('the budget is 1 MiB') },
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** KQK's table with the value at one index of black's side changed, and cut into other batches. */
async function planted(at: number, to: (value: number) => number) {
  const { store } = await solveChess(['KQK']);
  const right = await needTable(store, chess, 'dtm', 'KQK');
  const { manifest, slice } = right;
  const other = memoryStore();
  const env = { batchRows: 1000, counters: newCounters() };
  const values: PartRun[][] = [];
  for (const side of [0, 1] as const) {
    const { run } = await writeValues(
      other,
      slicePrefix('chess', 'dtm', 'KQK'),
      {
        slice: 'KQK',
        metric: 'dtm',
        side,
        type: 'i8',
        parts: { from: 0, to: slice.parts },
        partSize: slice.partSize(0),
      },
      env,
      async (writer) => {
        for await (const batch of right.values(side, 0, slice.parts)) {
          const column = Int8Array.from(batch.columns[0] as ValueColumn);
          const place = at - (batch.major * slice.width + batch.first);
          if (side === 1 && place >= 0 && place < column.length) column[place] = to(column[place]);
          await writer.append(batch.major, column);
        }
      },
    );
    values.push([run]);
  }
  const changed = { ...manifest, values: [values[0], values[1]] as TableManifest['values'] };
  await commitManifest(other, tableManifestName('chess', 'dtm', 'KQK'), changed, TableManifest);
  return [right, await needTable(other, chess, 'dtm', 'KQK')] as const;
}

test('a planted difference is found at its position', async () => {
  const { board, index } = await lostPosition();
  const tables = await planted(index, (value) => value - 2);
  const found = await firstDifference(chess, 'dtm', tables);
  expect(found).toMatchObject({ side: 1, index, fen: chess.format(board) });
  const [right, wrong] = found!.values;
  expect([right!.wdl, wrong!.wdl]).toEqual(['loss', 'loss']);
  expect(wrong!.plies).toBe(right!.plies! + 2);
  expect(await firstDifference(chess, 'dtm', [tables[0], tables[0]])).toBeNull();
});

async function lostPosition() {
  const { slice, side, part, key } = chess.locate(chess.parse('8/8/8/3k4/8/8/1K6/7Q b - - 0 1'));
  expect([slice, side]).toEqual(['KQK', 1]);
  return {
    index: part * chess.slice('KQK').width + key,
    board: chess.board({ slice, side, part, key }),
  };
}

test('an operation counts as sequential if it begins where the last one ended', async () => {
  const io = newIoCounts();
  const store = countedStore(memoryStore(), io);
  const sink = await store.create('a');
  for (let i = 0; i < 3; i++) await sink.write([new Uint8Array(60), new Uint8Array(40)]);
  await sink.close();
  for (const at of [0, 100, 50, 150]) await store.read('a', at, new Uint8Array(100));
  expect(io).toEqual({
    read: { sequential: { operations: 3, bytes: 300 }, random: { operations: 1, bytes: 100 } },
    written: { sequential: { operations: 3, bytes: 300 }, random: { operations: 0, bytes: 0 } },
    streams: 2,
  });
});

test('pages are counted likewise, and the device model charges for a random one', () => {
  const io = newIoCounts();
  const folder = countedPageFolder(memoryPageFolder(), io);
  const file = folder.open('pages', true);
  const pool = folder.pool(1);
  for (const page of [0, 1, 2, 9]) file.write(page, pool, 0);
  for (const page of [5, 6]) file.read(page, pool, 0);
  expect(io.written.sequential.operations).toBe(3);
  expect(io.written.random).toEqual({ operations: 1, bytes: PAGE_BYTES });
  expect(io.read.random.operations).toBe(1);
  const disk = { ...devices[0], latencyMs: 10, bandwidth: PAGE_BYTES * 1000, transfer: 4 * PAGE_BYTES };
  // Two random operations, one stream, a transfer of four sequential pages; six pages at 1 ms each.
  expect(modelTime(disk, io, 7).ioMs).toBeCloseTo(4 * 10 + 6, 9);
  expect(modelTime(disk, io, 7).totalMs).toBeCloseTo(53, 9);
});

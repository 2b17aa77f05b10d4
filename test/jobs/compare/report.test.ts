/** Notes of a comparison that follow from its figures. */
import { expect, test } from 'vitest';
import { newIoCounts } from '../../../jobs/compare/io-counts.js';
import { makeReport } from '../../../jobs/compare/report.js';
import { MiB } from '../../support/solving.js';

test.each([
  [2 * MiB, '--memory with a budget below 2 MiB does.'],
  [MiB, 'No budget does: 1 MiB is the least. A larger ending does.'],
  [59_187, 'No budget does: 1 MiB is the least. A larger ending does.'],
])('a budget below a table of %d bytes is advised only where there is one', (tableBytes, advice) => {
  const asked = {
    game: 'chess',
    ending: 'KRK',
    metric: 'dtm',
    io: 'cached',
    command: '',
    memories: [64 * MiB],
    solvers: ['sort'],
    devices: [],
  } as const;
  const outcome = {
    status: 'solved',
    digests: ['', ''],
    positions: 1,
    tableBytes,
    io: newIoCounts(),
    wallMs: 1,
    cpuMs: 1,
    peakRssBytes: 1,
    startRssBytes: 1,
    deviceReadBytes: 0,
    deviceWrittenBytes: 0,
    majorFaults: 0,
    counters: {},
    requests: 1,
    pageFaults: null,
  } as const;
  const { notes } = makeReport(asked, {
    runs: [{ solver: 'sort', memory: 64 * MiB, outcome }],
    disagreements: [],
  });
  expect(notes.filter((note) => note.startsWith('Memory: '))).toEqual([expect.stringContaining(advice)]);
});

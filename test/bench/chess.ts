/**
 * The section `chess`: all endings up to 4 men. They are solved within 128 MiB by one thread and by two, published with every
 * codec, and written as files of Syzygy's format.
 */
import { join } from 'node:path';
import { chess } from '../../pipeline/games/chess/chess.js';
import { codecs } from '../../pipeline/tables/codec/codec.js';
import type { CatalogueFile } from '../../pipeline/tables/published/catalogue.js';
import { MEMORY, run, type SetBench, solveSet, sum } from './sets.js';

export function benchChess(bench: SetBench): unknown {
  const pieces = bench.quick ? 3 : 4;
  const store = join(bench.folder, 'chess');
  const solved = solveSet(bench, { game: chess, pieces, metric: 'dtz', store });
  return {
    pieces,
    solved,
    byThreads: solveByThreads(bench, pieces),
    published: publishAll(bench, pieces, store),
  };
}

/** Figures of the whole run by several threads. */
function solveByThreads({ cli, folder, print }: SetBench, pieces: number): unknown {
  const rows = [1, 2].map((workers) => {
    const store = join(folder, `chess-by-${workers}`);
    const args = [
      'solve',
      'chess',
      '--pieces',
      String(pieces),
      '--metric',
      'dtz',
      '--workers',
      String(workers),
    ];
    const { slices, wallMs, cpuMs } = run(cli, [...args, '--memory', MEMORY, '--store', store, '--json']) as {
      slices: { peakRssBytes: number }[];
      wallMs: number;
      cpuMs: number;
    };
    const peakRssMiB = Math.max(...slices.map(({ peakRssBytes }) => peakRssBytes)) / 2 ** 20;
    return { workers, wallSeconds: wallMs / 1000, cpuSeconds: cpuMs / 1000, peakRssMiB };
  });
  print(
    `chess, all slices up to ${pieces} men, dtz, ${MEMORY}`,
    ['threads', 'wall s', 'CPU s', 'RSS MiB'],
    rows.map((row) => [String(row.workers), row.wallSeconds, row.cpuSeconds, row.peakRssMiB]),
  );
  return rows;
}

function publishAll({ cli, folder, print }: SetBench, pieces: number, store: string): unknown {
  const set = ['--pieces', String(pieces), '--store', store, '--json'];
  const own = codecs.map((codec) => {
    const to = join(folder, `chess-${codec}`);
    const args = ['publish', 'chess', ...set, '--metric', 'dtz', '--to', to, '--codec', codec, '--no-verify'];
    const { codebooks, files } = run(cli, args) as { codebooks: { bytes: number }[]; files: CatalogueFile[] };
    const bytes = sum(files, (file) => file.bytes) + sum(codebooks, (book) => book.bytes);
    return { format: codec as string, positions: sum(files, (file) => file.positions), bytes };
  });
  const { positions } = own[0];
  const { files } = run(cli, [
    'publish',
    'chess',
    '--as',
    'syzygy',
    ...set,
    '--to',
    join(folder, 'syzygy'),
  ]) as {
    files: { name: string; bytes: number }[];
  };
  const of = (ending: string) =>
    sum(
      files.filter(({ name }) => name.endsWith(ending)),
      ({ bytes }) => bytes,
    );
  const rows = [
    ...own,
    { format: '.rtbw', positions, bytes: of('.rtbw') },
    { format: '.rtbz', positions, bytes: of('.rtbz') },
  ];
  print(
    'Published: wins, draws and losses (.rtbw: five values; .rtbz: plies, one side to move)',
    ['format', 'M positions', 'KiB', 'positions a byte'],
    rows.map((row) => [row.format, row.positions / 1e6, row.bytes / 1024, row.positions / row.bytes]),
  );
  return rows;
}

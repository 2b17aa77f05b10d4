/**
 * The section `probing`: `mergemate probe --file` by Syzygy's files and by tables, processes in turns. Positions are of all endings of
 * the files together, and of KQKR (KQK with `--quick`) alone: there few blocks are read, and half of the positions have no plies in
 * their file, so that each takes hundreds of values.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chess } from '../../pipeline/games/chess/chess.js';
import { formatFen } from '../../pipeline/games/chess/fen.js';
import { randomPositions } from '../support/random-positions.js';
import { alternate, type Contestant, median } from './alternate.js';
import { run, type SetBench } from './sets.js';

const POSITIONS = 1000;

export interface ProbingBench extends SetBench {
  readonly pairs: number;
  /** Files of all endings up to four men (three with `quick`), wherever they are from; null: files are written of the tables. */
  readonly syzygy: string | null;
  readonly seed: number;
}

export async function benchProbing({
  cli,
  folder,
  quick,
  print,
  pairs,
  seed,
  ...given
}: ProbingBench): Promise<unknown> {
  const men = quick ? 3 : 4;
  const store = join(folder, 'probing');
  const set = ['--men', String(men), '--store', store, '--json'];
  run(cli, ['solve', 'chess', '--metric', 'dtz', '--no-verify', ...set]);
  const files = given.syzygy ?? join(folder, 'probing-files');
  if (given.syzygy === null) run(cli, ['publish', 'chess', '--as', 'syzygy', ...set, '--to', files]);
  const endings = chess
    .endingsUpTo(men)
    .map(({ name }) => name)
    .filter((name) => name !== 'KK' && !name.endsWith('ep'));
  const rows = [];
  for (const [what, names] of [
    [`${endings.length} endings`, endings],
    [quick ? 'KQK' : 'KQKR', [quick ? 'KQK' : 'KQKR']],
  ] as const) {
    const each = Math.ceil(POSITIONS / names.length);
    const boards = names.flatMap((name) => randomPositions(name, each, { seed, close: 0 }));
    const list = join(folder, 'probing.epd');
    writeFileSync(list, boards.map((board) => `${formatFen(board)}\n`).join(''));
    const probing = (...from: string[]): Contestant => ({
      prepare: async () => {},
      command: [cli, 'probe', 'chess', '--file', list, ...from],
    });
    const found = await alternate(
      probing('--syzygy', files),
      probing('--store', store, '--metric', 'dtz'),
      pairs,
    );
    rows.push({
      what,
      positions: boards.length,
      filesSeconds: median(found.map(({ ours }) => ours.cpuSeconds)),
      tablesSeconds: median(found.map(({ theirs }) => theirs.cpuSeconds)),
      ratio: median(found.map(({ ours, theirs }) => ours.cpuSeconds / theirs.cpuSeconds)),
    });
  }
  print(
    `Random positions of at most ${men} men by probe --file, CPU seconds of a process; medians of ${pairs} pairs`,
    ['positions of', 'positions', "Syzygy's files", 'tables', 'files / tables'],
    rows.map((row) => [
      row.what,
      String(row.positions),
      row.filesSeconds.toFixed(2),
      row.tablesSeconds.toFixed(2),
      row.ratio.toFixed(2),
    ]),
  );
  return rows;
}

/**
 * The section `checkers`: all slices up to 4 or 5 pieces solved within 128 MiB, published with every codec, and looked up.
 * Solving and publishing are processes of their own, as users run them; lookups are timed in this one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { localStore } from '../../operators/storage/local.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import type { CheckersBoard } from '../../pipeline/games/checkers/fen.js';
import { newPublishedProber } from '../../pipeline/probe/published-prober.js';
import type { CatalogueFile } from '../../pipeline/publish/catalogue.js';
import { openPublication } from '../../pipeline/publish/publication.js';
import type { ClassTally } from '../../pipeline/stats.js';
import { codecs } from '../../pipeline/table/published/codec.js';

export interface CheckersBench {
  readonly cli: string;
  readonly folder: string;
  readonly quick: boolean;
  readonly print: (title: string, head: string[], rows: (string | number)[][]) => void;
}

const MEMORY = '128MiB';

interface SolvedSlice {
  readonly slice: string;
  readonly positions: number;
  readonly requests: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssBytes: number;
  readonly phases: readonly { phase: string; cpuMs: number }[];
}

export async function benchCheckers(bench: CheckersBench): Promise<unknown> {
  const pieces = bench.quick ? 4 : 5;
  const store = join(bench.folder, 'checkers');
  const solved = solveAll(bench, pieces, store);
  expectCommitted(bench, pieces, store);
  const published = publishAll(bench, pieces, store);
  const lookups = await lookUp(bench, join(bench.folder, 'published-rows'), pieces);
  return { pieces, solved, published, lookups };
}

function run(cli: string, args: readonly string[]): unknown {
  // Not by `node cli.js`: its first line has settings that keep the resident set small.
  const output = execFileSync(cli, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output.toString());
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

function solveAll({ cli, print }: CheckersBench, pieces: number, store: string): unknown {
  const args = [
    'solve',
    'checkers',
    '--pieces',
    String(pieces),
    '--memory',
    MEMORY,
    '--store',
    store,
    '--json',
  ];
  const { slices } = run(cli, args) as { slices: SolvedSlice[] };
  const rows = Array.from({ length: pieces - 1 }, (_, i) => {
    const those = slices.filter(({ slice }) => checkers.ending(slice).pieces === i + 2);
    const phase = (name: string) =>
      sum(those, ({ phases }) =>
        sum(
          phases.filter((each) => each.phase === name),
          ({ cpuMs }) => cpuMs,
        ),
      ) / 1000;
    return {
      pieces: i + 2,
      slices: those.length,
      positions: sum(those, ({ positions }) => positions),
      requests: sum(those, ({ requests }) => requests),
      enumerate: phase('enumerate'),
      convert: phase('convert'),
      rounds: phase('rounds'),
      finish: phase('finish'),
      verify: phase('verify'),
      cpuSeconds: sum(those, ({ cpuMs }) => cpuMs) / 1000,
      wallSeconds: sum(those, ({ wallMs }) => wallMs) / 1000,
      peakRssMiB: Math.max(...those.map(({ peakRssBytes }) => peakRssBytes)) / 2 ** 20,
    };
  });
  print(
    `Checkers, all slices, dtw, ${MEMORY}, one thread; CPU seconds`,
    [
      'pieces',
      'slices',
      'M positions',
      'M requests',
      'enumerate',
      'convert',
      'rounds',
      'finish',
      'verify',
      'CPU s',
      'wall s',
      'RSS MiB',
    ],
    rows.map((row) => [
      String(row.pieces),
      String(row.slices),
      row.positions / 1e6,
      row.requests / 1e6,
      ...[row.enumerate, row.convert, row.rounds, row.finish, row.verify],
      ...[row.cpuSeconds, row.wallSeconds, row.peakRssMiB],
    ]),
  );
  return rows;
}

/** Holds the counts of all classes against the table that is committed. */
function expectCommitted({ cli }: CheckersBench, pieces: number, store: string): void {
  const file = new URL('../../../docs/checkers-classes.json', import.meta.url);
  const committed = JSON.parse(readFileSync(file, 'utf8')) as { classes: ClassTally[] };
  const args = ['stats', 'checkers', '--pieces', String(pieces), '--store', store, '--json'];
  const { classes } = run(cli, args) as { classes: ClassTally[] };
  for (const tally of classes) {
    const wanted = committed.classes.find((each) => each.class === tally.class);
    if (!isDeepStrictEqual(tally, wanted))
      throw new Error(`${tally.class}: ${JSON.stringify(tally)} is not what docs/checkers-classes.json has`);
  }
}

/** "3-2": the pieces of the two sides, the more numerous first. */
function splitOf({ class: digits }: Pick<CatalogueFile, 'class'>): string {
  const [blackKings, whiteKings, blackMen, whiteMen] = [...digits].map(Number);
  return [blackKings + blackMen, whiteKings + whiteMen].sort((a, b) => b - a).join('-');
}

function publishAll({ cli, folder, print }: CheckersBench, pieces: number, store: string): unknown {
  const publications = codecs.map((codec) => {
    const to = join(folder, `published-${codec}`);
    const args = ['publish', 'checkers', '--pieces', String(pieces), '--store', store, '--to', to];
    return run(cli, [...args, '--codec', codec, '--no-verify', '--json']) as {
      codebooks: { pieces: number; bytes: number }[];
      files: CatalogueFile[];
    };
  });
  const groups: {
    name: string;
    has: (file: CatalogueFile) => boolean;
    books: (pieces: number) => boolean;
  }[] = [];
  for (let n = 2; n <= pieces; n++) {
    for (const split of new Set(publications[0].files.filter((file) => file.pieces === n).map(splitOf))) {
      groups.push({ name: split, has: (file) => splitOf(file) === split, books: () => false });
    }
    groups.push({ name: `all ${n}`, has: (file) => file.pieces === n, books: (of) => of === n });
  }
  const rows = groups.map(({ name, has, books }) => {
    const [{ files }] = publications;
    const positions = sum(files.filter(has), (file) => file.positions);
    const dontCares = sum(files.filter(has), (file) => file.dontCares);
    const bytes = publications.map(
      ({ codebooks, files }) =>
        sum(files.filter(has), (file) => file.bytes) +
        sum(
          codebooks.filter((book) => books(book.pieces)),
          (book) => book.bytes,
        ),
    );
    return { name, positions, dontCares, bytes };
  });
  print(
    'Published tables: positions a byte of whole files; the sums over all of n pieces include the codebooks',
    ['split', 'M positions', 'left out %', ...codecs, 'rows / huffman'],
    rows.map(({ name, positions, dontCares, bytes }) => [
      name,
      (positions / 1e6).toFixed(3),
      (100 * dontCares) / positions,
      ...bytes.map((size) => positions / size),
      (bytes[1] / bytes[2]).toFixed(2),
    ]),
  );
  return rows;
}

/** Numbers that look random, the same in every run. */
function newRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Draw = () => CheckersBoard;

/** Draws a board of all slices, each position as likely as any other. */
function randomBoards(pieces: number): Draw {
  const random = newRandom(1);
  const slices = checkers.endingsUpTo(pieces).flatMap((ending) => ending.slices);
  const ends: number[] = [];
  for (const slice of slices) ends.push((ends.at(-1) ?? 0) + checkers.slice(slice).size);
  return () => {
    const index = random(ends.at(-1)!);
    const i = ends.findIndex((end) => index < end);
    const { width } = checkers.slice(slices[i]);
    const offset = index - (ends[i - 1] ?? 0);
    const side = checkers.ending(slices[i]).exchanged === slices[i] ? 0 : random(2);
    const part = Math.floor(offset / width);
    return checkers.board({ slice: slices[i], side: side as 0 | 1, part, key: offset - part * width });
  };
}

/** Draws the boards a player looks at: every move of a position, then one of them is played. */
function alongPlay(start: Draw): Draw {
  const random = newRandom(2);
  const { successors } = checkers.search!;
  let waiting: CheckersBoard[] = [];
  let at = start();
  let plies = 0;
  return () => {
    while (waiting.length === 0) {
      const next = successors(at);
      if (next.length === 0 || plies++ === 40) {
        at = start();
        plies = 0;
      } else {
        at = next[random(next.length)];
        waiting = next;
      }
    }
    return waiting.pop()!;
  };
}

const WARM = 200_000;
const COLD = 2_000;

async function lookUp({ print }: CheckersBench, folder: string, pieces: number): Promise<unknown> {
  const publication = await openPublication(localStore(folder, { durable: false }), checkers);
  const draws: [string, Draw][] = [
    ['random', randomBoards(pieces)],
    ['along play', alongPlay(randomBoards(pieces))],
  ];
  const rows = [];
  for (const [what, draw] of draws) {
    const boards = Array.from({ length: WARM }, draw);
    for (const [how, cacheBytes, positionBytes, count] of [
      ['warm', 2 ** 30, 0, WARM],
      ['warm, with a position cache of 4 MiB', 2 ** 30, 4 << 20, WARM],
      ['cold: no block is kept', 0, 0, COLD],
    ] as const) {
      const prober = newPublishedProber({ game: checkers, publication, cacheBytes, positionBytes });
      const asked = boards.slice(0, count);
      // Opens the files, and reads what the cache has room for.
      for (const board of asked) await prober.value(board);
      const before = structuredClone(prober.counters);
      const begun = performance.now();
      for (const board of asked) if (prober.valueAtHand(board) === null) await prober.value(board);
      const seconds = (performance.now() - begun) / 1000;
      const { blocks, search, asked: positions } = prober.counters;
      rows.push({
        what,
        how,
        positionsPerSecond: count / seconds,
        lookups: search.lookups - before.search.lookups,
        blocksRead: blocks.misses - before.blocks.misses,
        microsecondsEach: (seconds / count) * 1e6,
        lookupsPerPosition: (search.lookups - before.search.lookups) / count,
        known: (positions.known - before.asked.known) / count,
        bytesPerBlock:
          (blocks.bytesRead - before.blocks.bytesRead) / Math.max(1, blocks.misses - before.blocks.misses),
      });
    }
  }
  print(
    'Lookups of positions in the tables of codec rows, one thread; values that are left out are searched for',
    [
      'positions',
      'caches',
      'thousand a second',
      'us each',
      'table values each',
      'known %',
      'blocks read each',
      'bytes a read',
    ],
    rows.map((row) => [
      row.what,
      row.how,
      row.positionsPerSecond / 1e3,
      row.microsecondsEach,
      row.lookupsPerPosition.toFixed(2),
      100 * row.known,
      (row.blocksRead / (row.how.startsWith('cold') ? COLD : WARM)).toFixed(2),
      row.bytesPerBlock,
    ]),
  );
  return rows;
}

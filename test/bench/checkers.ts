/**
 * The section `checkers`: all slices up to 4 or 5 pieces solved within 128 MiB, published with every codec, and looked up.
 * Solving and publishing are processes of their own, as users run them; lookups are timed in this one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { localStore } from '../../operators/storage/local.js';
import type { ClassTally } from '../../pipeline/analysis/stats.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import type { CheckersBoard } from '../../pipeline/games/checkers/fen.js';
import { codecs } from '../../pipeline/tables/codec/codec.js';
import { newPublishedProber } from '../../pipeline/tables/probe/published-prober.js';
import type { CatalogueFile } from '../../pipeline/tables/published/catalogue.js';
import { openPublication } from '../../pipeline/tables/published/publication.js';
import { run, type SetBench, solveSet, sum } from './sets.js';

export async function benchCheckers(bench: SetBench): Promise<unknown> {
  const pieces = bench.quick ? 4 : 5;
  const store = join(bench.folder, 'checkers');
  const solved = solveSet(bench, { game: checkers, pieces, metric: 'dtw', store });
  expectCommitted(bench, pieces, store);
  const published = publishAll(bench, pieces, store);
  const lookups = await lookUp(bench, join(bench.folder, 'published-rows'), pieces);
  return { pieces, solved, published, lookups };
}

/** Holds the counts of all classes against the table that is committed. */
function expectCommitted({ cli }: SetBench, pieces: number, store: string): void {
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

function publishAll({ cli, folder, print }: SetBench, pieces: number, store: string): unknown {
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
export function randomBoards(pieces: number): Draw {
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
export function alongPlay(start: Draw): Draw {
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

async function lookUp({ print }: SetBench, folder: string, pieces: number): Promise<unknown> {
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
      // Opens the files, and reads as much as the cache has room for.
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

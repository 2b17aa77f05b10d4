/** Readers of input that others have written. Binary input gets new checksums, so that code behind them is reached. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersTo, LONGEST_LINE, positionReaderOf } from '../../jobs/asked/fen-lists.js';
import { jobOfFile } from '../../jobs/asked/job.js';
import { parseDuration, parseSize } from '../../jobs/cli/quantities.js';
import { decoded } from '../../jobs/cli/text-encoding.js';
import { linesOf } from '../../jobs/cli/text-lines.js';
import { arrow } from '../../jobs/export/arrow.js';
import { parquet } from '../../jobs/export/parquet.js';
import { writeSet } from '../../jobs/export/set.js';
import { jsonGraph } from '../../jobs/graph/json-graph.js';
import type { Notation } from '../../jobs/notation/notation.js';
import { PDN } from '../../jobs/notation/read-pdn.js';
import { PGN } from '../../jobs/notation/read-pgn.js';
import { readStudies } from '../../jobs/notation/read-studies.js';
import { findWaste } from '../../jobs/run/garbage.js';
import { storeFolder } from '../../jobs/stores.js';
import { annotated, NO_FINDINGS } from '../../jobs/study/annotate.js';
import { crc32 } from '../../operators/core/checksum.js';
import { newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import { openRun } from '../../operators/runs/reader.js';
import { createRun } from '../../operators/runs/writer.js';
import { listingBytes, parseListing } from '../../operators/storage/listing.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { parseS3Uri } from '../../operators/storage/s3-uri.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { digestOf } from '../../pipeline/game/record.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { cityCrc128 } from '../../pipeline/games/chess/syzygy/checksum/city-hash.js';
import { materialOf } from '../../pipeline/games/chess/syzygy/material.js';
import { openSyzygyFile } from '../../pipeline/games/chess/syzygy/read/file.js';
import { newPages } from '../../pipeline/games/chess/syzygy/read/pages.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/read/sound.js';
import { scrub } from '../../pipeline/share/scrub/scrub.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { catalogueName, publishedName, readCatalogue } from '../../pipeline/tables/published/catalogue.js';
import { readCodebook } from '../../pipeline/tables/published/codebook.js';
import { openPublication } from '../../pipeline/tables/published/publication.js';
import { openPublished } from '../../pipeline/tables/published/reader.js';
import { openTable } from '../../pipeline/tables/table.js';
import { readVerified } from '../../pipeline/tables/verified.js';
import { filesOf, solveEnding } from '../pipeline/games/chess/syzygy/making.js';
import { newToy } from '../simulator/scenes.js';
import { BY_ALL } from '../support/pace.js';
import { publishWhole } from '../support/publishing.js';
import { losingRanks, lostAfter } from '../support/ranks.js';
import { listening, smallStore } from '../support/serving.js';
import { solveChess } from '../support/solving.js';
import type { FuzzTarget } from './fuzz.js';

const textOf = (input: Uint8Array) => Buffer.from(input).toString('utf8');

async function put(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  await store.delete(name);
  await store.putIfAbsent(name, bytes);
}

/** Positions as people write them. */
function positions(name: string, game: Game): FuzzTarget {
  return {
    name,
    read(input) {
      const board = game.parse(textOf(input));
      game.format(board);
      game.locate(board);
      game.moves(board);
      game.terminal(board);
    },
  };
}

/** A file that a user writes. */
function userFile(name: string, read: (path: string) => Promise<unknown>): FuzzTarget {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-fuzz-'));
  const path = join(folder, `${name}.json`);
  return {
    name,
    async read(input) {
      writeFileSync(path, input);
      await read(path);
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Studies and games in PGN, and lists of positions in EPD; games of checkers in PDN. */
const studies = (): FuzzTarget =>
  userFile('studies', async (path) => {
    for (const notation of [PGN, PDN]) await readThrough(path, notation);
  });

/** Reads all, and writes it again: nothing but space may change. */
async function readThrough(path: string, notation: Notation): Promise<void> {
  let written = '';
  let hasPositions = false;
  for await (const read of readStudies(path, notation)) {
    if ('problem' in read) {
      if (read.problem?.includes('\n')) throw new Error(`more than a line: ${read.problem}`);
      written += read.text;
    } else {
      // A position becomes a game.
      hasPositions ||= 'position' in read.study.source;
      written += annotated(read.study, NO_FINDINGS);
    }
  }
  // A comment that does not end is ended.
  const bare = (text: string) => text.replace(/[\s}]/g, '');
  const wanted = bare(decoded(readFileSync(path)));
  if (!hasPositions && written !== '' && bare(written) !== wanted) throw new Error(`written as ${written}`);
}

/** Values of flags: each line goes to each of the readers. */
const settings: FuzzTarget = {
  name: 'settings',
  read(input) {
    const refused: unknown[] = [];
    for (const line of textOf(input).split('\n'))
      for (const read of [storeFolder, parseS3Uri, parseSize, parseDuration, parseNames])
        try {
          read(line, 'a setting');
        } catch (error) {
          refused.push(error);
        }
    // Readers run one by one: the first error would hide the others.
    const fault = refused.find((error) => !(error instanceof UserError) || error.message.includes('\n'));
    if (fault !== undefined) throw fault;
  },
};

/** Names of slices, classes and endings of both games. */
function parseNames(text: string): void {
  for (const game of [chess, checkers] as Game[]) game.ending(text);
}

/** Lists of positions: all lines that can be answered are; each other line gets its reason, in a line. */
function lists(name: string, game: Game, store: Store): FuzzTarget {
  const prober = newProber({ game, metric: game.metrics[0], store, cacheBytes: 1 << 20 });
  return {
    name,
    async read(input) {
      const pieces = async function* () {
        for (let at = 0; at < input.length; at += 100) yield textOf(input.subarray(at, at + 100));
      };
      const answered = async (position: string) => ({
        position,
        ...(await prober.probe(game.parse(position))),
      });
      for await (const { text } of answersTo(
        answered,
        linesOf(pieces(), name, LONGEST_LINE),
        positionReaderOf(game.name),
      ))
        if (JSON.parse(text).position === undefined || text.indexOf('\n') !== text.length - 1)
          throw new Error(`answered ${text}`);
    },
  };
}

/** Listings, by which a browser knows the objects there are. */
const listings: FuzzTarget = {
  name: 'listing',
  seeds: [listingBytes('chess/', new Map([['chess/dtm/KK/table.json', 1234]]))],
  read(input) {
    const found = parseListing(input);
    if (typeof found === 'string') throw new UserError(found);
    for (const [name, size] of found) if (!(size >= 0)) throw new Error(`${name} has ${size} bytes`);
  },
};

/** Files that are in the place of those of a set. */
function sets(store: Store): Promise<FuzzTarget[]> {
  const game = checkers as Game;
  const options = {
    game,
    metric: 'dtw' as const,
    store,
    endings: [game.ending('1100')],
    columns: ['mover', 'outcome'] as const,
    out: 'SET',
    force: false,
    memory: 2 ** 24,
    progress: () => {},
    breathe: async () => {},
  };
  return Promise.all(
    [arrow, parquet].map(async (format) => {
      const folder = memoryStore();
      const [file] = await writeSet({ ...options, format }, folder);
      const whole = (await readAll(folder, file.name))!;
      return {
        name: `${format.suffix}-set`,
        seeds: [whole],
        async read(input: Uint8Array) {
          await put(folder, file.name, input);
          const [again] = await writeSet({ ...options, format }, folder);
          if (!again.kept) throw new Error('a file that was there was overwritten');
        },
      };
    }),
  );
}

const SCRUBBED = 20;

/** Records of a slice that two ranks have left unfinished, each sealed again: scrubbing and `gc` read them. */
async function records(): Promise<FuzzTarget> {
  const { game } = newToy('toy', false, {});
  const games = new Map([[game.name, game]]);
  const store = memoryStore();
  const solving = { ranks: 2, pace: BY_ALL };
  const isThere = async () => (await store.list('toy/')).some((name) => /\/requests-/.test(name));
  for (let writes = 1; !(await isThere()); writes++)
    await losingRanks(game, ['above'], solving, lostAfter(store, writes));
  const names = (await store.list('')).filter((name) => name.endsWith('.json'));
  const seeds = await Promise.all(names.map(async (name) => (await readAll(store, name))!));
  return {
    name: 'records',
    seeds,
    async read(input) {
      const at = names.findIndex((name) => textOf(input).includes(`"object":"${name}"`));
      const name = names[Math.max(0, at)];
      await put(store, name, resealed(input, name));
      try {
        await findWaste(store, games, '/nowhere');
        // A scrub reads all runs as well, and takes long.
        if (input.length % SCRUBBED === 0) await scrub({ store, games, report: async () => {} });
      } finally {
        await put(store, name, seeds[Math.max(0, at)]);
      }
    },
  };
}

function graphs(): FuzzTarget {
  return {
    name: 'graph',
    async read(input) {
      const lines = input.length % 2 === 0;
      const bytes = async function* () {
        yield Buffer.from(input);
      };
      const source = await jsonGraph({ name: lines ? 'g.jsonl' : 'g.json', bytes });
      for await (const { nodes } of source.read())
        if (nodes.length > input.length) throw new Error('more nodes than bytes');
    },
  };
}

/** The footer of a run: all behind the last batch, sealed again. */
async function footers(): Promise<FuzzTarget> {
  const store = memoryStore();
  const counters = newCounters();
  const spec = {
    kind: 'values',
    dense: true,
    columns: [{ name: 'value', type: 'i8' }],
    strict: true,
    meta: { side: '0' },
  } as const;
  const writer = await createRun(store, 'r', spec, { batchRows: 100, counters });
  for (let major = 0; major < 5; major++)
    await writer.append(major, 70, null, [new Int8Array(70).fill(major)]);
  const ref = await writer.close();
  const whole = (await readAll(store, 'r'))!;
  return {
    name: 'footer',
    seeds: [whole],
    async read(input) {
      const bytes = Buffer.from(input);
      if (bytes.length > 42) {
        const length = bytes.readInt32LE(bytes.length - 10);
        const footer = bytes.length - 10 - length;
        if (length > 0 && footer > 32) {
          const crc = crc32(bytes.subarray(footer), crc32(bytes.subarray(footer - 16, footer - 8)));
          bytes.writeUInt32LE(crc, footer - 4);
        }
      }
      await put(store, 'r', bytes);
      const run = await openRun(store, ref, { counters });
      if (run.spec.dense)
        for await (const { length } of run.denseCursor())
          if (length > 100) throw new Error('more rows than a batch');
      if (!run.spec.dense)
        for await (const { length } of run.cursor()) if (length < 1) throw new Error('an empty batch');
    },
  };
}

/** Manifests whose checksums are right. */
async function manifests(): Promise<FuzzTarget> {
  const { store } = await solveChess(['KNK'], { metric: 'dtm', verify: true });
  const name = 'chess/dtm/KNK/table.json';
  const seeds = [(await readAll(store, name))!, (await readAll(store, 'chess/dtm/KNK/verified.json'))!];
  return {
    name: 'manifest',
    seeds,
    async read(input) {
      await put(store, name, resealed(input, name));
      const table = await openTable(store, chess, 'dtm', 'KNK');
      if (table === null) return;
      await readVerified(store, table.manifest);
      for (const side of [0, 1] as const)
        for await (const { length } of table.values(side, 0, 1)) if (length < 1) throw new Error('empty');
    },
  };
}

function resealed(input: Uint8Array, object: string): Uint8Array {
  try {
    const { checksum: _, ...record } = JSON.parse(textOf(input));
    const named = { ...record, object };
    return Buffer.from(JSON.stringify({ ...named, checksum: digestOf(named) }));
  } catch {
    return input;
  }
}

/** Tails of published files, and codebooks, with right checksums. */
async function published(): Promise<FuzzTarget[]> {
  const { store } = await solveChess(['KNK'], { metric: 'dtm' });
  const made = {
    game: chess as Game,
    slices: ['KNK'],
    metric: 'dtm',
    store,
    to: store,
    codec: 'huffman',
  } as const;
  await publishWhole(made);
  const name = publishedName(chess as Game, 'wdl', { slice: 'KNK', side: 0 });
  const book = await readCodebook(store, 'chess/codebook-3.bin');
  const catalogue = catalogueName('chess', 'wdl');
  return [
    {
      name: 'catalogue',
      seeds: [(await readAll(store, catalogue))!],
      async read(input) {
        await put(store, catalogue, resealed(input, catalogue));
        if ((await readCatalogue(store, 'chess', 'wdl')) !== null)
          await openPublication(store, chess as Game);
      },
    },
    {
      name: 'published',
      seeds: [(await readAll(store, name))!],
      async read(input) {
        const bytes = Buffer.from(input);
        if (bytes.length > 12) {
          const tail = bytes.length - 12 - bytes.readUInt32LE(bytes.length - 12);
          if (tail >= 0) bytes.writeUInt32LE(crc32(bytes.subarray(tail, -8)), bytes.length - 8);
        }
        await put(store, name, bytes);
        const file = await openPublished(store, name, [book]);
        for await (const { length } of file.values()) if (length < 1) throw new Error('empty');
      },
    },
    {
      name: 'codebook',
      seeds: [(await readAll(store, 'chess/codebook-3.bin'))!],
      async read(input) {
        const bytes = Buffer.from(input);
        if (bytes.length > 4) bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
        await put(store, 'book', bytes);
        await readCodebook(store, 'book');
      },
    },
  ];
}

function syzygy(): FuzzTarget {
  const store = memoryStore();
  return {
    name: 'syzygy',
    seeds: [
      new Uint8Array(16),
      Buffer.concat([Buffer.from('71e8235d31010e0602', 'hex'), new Uint8Array(71)]),
    ],
    async read(input) {
      await put(store, 'file', input);
      for (const [white, black] of [
        ['Q', ''],
        ['P', 'R'],
        ['PP', 'P'],
      ] as const)
        for (const kind of ['wdl', 'dtz'] as const)
          await checkFile(store, kind, materialOf(white, black), { name: 'file' });
    },
  };
}

/** Heads and blocks of Syzygy files, behind checksums that nobody looks at or that are right. */
async function syzygyValues(): Promise<FuzzTarget> {
  const files = await filesOf(await solveEnding('KQK'), 'exact', { alone: true });
  const store = memoryStore();
  const material = materialOf('Q', '');
  return {
    name: 'syzygy-values',
    seeds: [...files.values()],
    async read(input) {
      const bytes = Buffer.from(input);
      if (bytes.length > 16) bytes.set(cityCrc128(bytes.subarray(0, -16)), bytes.length - 16);
      await put(store, 'file', bytes);
      const kind = bytes[0] === 0x71 ? 'wdl' : 'dtz';
      const file = await openSyzygyFile(
        store,
        newPages(bytes.length % 2 === 0 ? 100 : 1 << 20),
        'file',
        kind,
        material,
      );
      for (const subtable of file!.subtables.flat()) {
        for (const index of [0, 12_345, subtable.size - 1]) await file!.value(subtable, index);
        await file!.values(subtable);
      }
    },
  };
}

/** Any bytes on a connection: the server answers no 500, and goes on. */
async function requests(store: Store): Promise<FuzzTarget> {
  const server = await listening(store, { headersMs: 300, requestMs: 300 });
  return {
    name: 'http',
    async read(input) {
      const answer = await answerTo(server.port, input);
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        if (status === '500') throw new Error(`answered ${answer.slice(0, 400)}`);
    },
    close: () => server.stop(),
  };
}

function answerTo(port: number, input: Uint8Array): Promise<string> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (more: string) => (text += more));
    socket.on('error', () => {});
    socket.on('close', () => done(text));
    // The end of the input stops a reader from waiting for more.
    socket.end(input);
  });
}

/** All targets; each is to be closed. */
export async function allTargets(): Promise<FuzzTarget[]> {
  const store = await smallStore();
  return [
    positions('chess-fen', chess as Game),
    positions('checkers-fen', checkers as Game),
    lists('chess-fen-list', chess as Game, store),
    lists('checkers-fen-list', checkers as Game, store),
    userFile('job', (path) => jobOfFile(path, {})),
    studies(),
    settings,
    graphs(),
    await footers(),
    await manifests(),
    await records(),
    listings,
    ...(await sets(store)),
    ...(await published()),
    syzygy(),
    await syzygyValues(),
    await requests(store),
  ];
}

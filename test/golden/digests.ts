/**
 * Runs the golden solves and collects what must not change by accident: for each table the digests of both sides, and the SHA-256 of each
 * published and each Syzygy file. How many rounds and requests a solve takes is no promise.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { TableManifest } from '../../pipeline/game/manifest.js';
import { program } from '../support/command.js';
import { filesUnder } from '../support/folders.js';
import { type GoldenSolve, goldenSolves, type Size } from './solves.js';

/** One table: the digests with White and with Black to move. Under dtm50 a digest of its values by clock follows. */
export type GoldenTable = readonly string[];

export interface Golden {
  /** By folder in the store: "chess/dtm/KQK". */
  readonly tables: Readonly<Record<string, GoldenTable>>;
  /** SHA-256 by how the file was made and its name: "checkers rows/0022.11.black.wdl". */
  readonly files: Readonly<Record<string, string>>;
}

/** Digests are cut to so many characters: 64 bits are enough to notice a change, and keep the file small. */
const DIGEST_CHARS = 16;
const SIZES: readonly Size[] = ['short', 'long', 'all'];

const isWithin = (size: Size, most: Size): boolean => SIZES.indexOf(size) <= SIZES.indexOf(most);

/** The golden solves up to a size. */
export const solvesWithin = (most: Size): readonly GoldenSolve[] =>
  goldenSolves.filter(({ size }) => isWithin(size, most));

/** Runs one solve in one way, and gives its tables by their folders in the store. */
export function tablesOf(
  { args }: GoldenSolve,
  way: readonly string[],
): Promise<Record<string, GoldenTable>> {
  return inFolder(async (store) => {
    await program(store).succeed(['solve', ...args, ...way, '--no-verify']);
    return tablesIn(store);
  });
}

function tablesIn(store: string): Record<string, GoldenTable> {
  const manifests = filesUnder(store).filter((file) => basename(file) === 'table.json');
  return Object.fromEntries(manifests.map((file) => [relative(store, dirname(file)), tableIn(file)]));
}

function tableIn(file: string): GoldenTable {
  const { digests, clocks } = JSON.parse(readFileSync(file, 'utf8')) as Pick<
    TableManifest,
    'digests' | 'clocks'
  >;
  const short = (digest: string) => digest.slice(0, DIGEST_CHARS);
  const [white, black] = digests.map(short);
  if (clocks === undefined) return [white, black];
  const byClock = [...clocks.digests, clocks.ladderDigest].join(' ');
  return [white, black, short(createHash('sha256').update(byClock).digest('hex'))];
}

/** A solve whose tables are written out as files, in one or several ways. */
interface Publication {
  readonly size: Size;
  readonly solve: readonly string[];
  /** The command that writes the files into the folder `OUT`, by the name of the way. */
  readonly ways: Readonly<Record<string, readonly string[]>>;
}

/** `publish` of these endings with each codec; the names of the ways begin with `name`. */
const byCodec = (size: Size, name: string, game: string, ...endings: readonly string[]): Publication => ({
  size,
  solve: [game, ...endings, '--metric', 'wdl'],
  ways: Object.fromEntries(
    ['packed', 'huffman', 'rows'].map((codec) => [
      `${name} ${codec}`,
      ['publish', game, ...endings, '--metric', 'wdl', '--codec', codec, '--no-verify', '--to', 'OUT'],
    ]),
  ),
});

/** A file is the same with whatever others it is published. */
const syzygy = (size: Size, ...endings: readonly string[]): Publication => ({
  size,
  solve: ['chess', ...endings, '--metric', 'dtz'],
  ways: Object.fromEntries(
    ['exact', 'halved'].map((plies) => [
      `syzygy ${plies}`,
      ['publish', 'chess', '--as', 'syzygy', ...endings, '--plies', plies, '--to', 'OUT'],
    ]),
  ),
});

const ownFile = (size: Size, name: string, path: string): Publication => ({
  size,
  solve: [path],
  ways: { [name]: ['publish', path, '--no-verify', '--to', 'OUT'] },
});

const publications: readonly Publication[] = [
  byCodec('short', '2100', 'checkers', '2100'),
  byCodec('all', 'KQK', 'chess', 'KQK'),
  byCodec('all', 'checkers', 'checkers', '--men', '3'),
  byCodec('long', 'chess', 'chess', '--men', '3'),
  ownFile('short', 'symmetric', 'samples/tic-tac-toe/variants.ts'),
  ownFile('short', 'graph', 'samples/town.jsonl'),
  ownFile('long', 'keyed', 'samples/kalah/game.ts'),
  syzygy('all', 'KRK'),
  syzygy('long', '--men', '3'),
  syzygy('all', '--men', '4'),
];

/** Publications up to a size. */
export const publicationsWithin = (most: Size): readonly Publication[] =>
  publications.filter(({ size }) => isWithin(size, most));

/** Files that are not data: a catalogue names versions, a ledger has times. */
const isData = (file: string): boolean => !/\.(json|jsonl)$/.test(file);

/** Solves and publishes: the tables, and the SHA-256 of each file. */
export function publicationOf({ solve, ways }: Publication): Promise<Golden> {
  return inFolder(async (folder) => {
    const store = join(folder, 'store');
    const { succeed } = program(store);
    await succeed(['solve', ...solve, '--no-verify']);
    const tables = tablesIn(store);
    const files: Record<string, string> = {};
    for (const [name, publish] of Object.entries(ways)) {
      const out = join(folder, name);
      await succeed([...publish.map((word) => (word === 'OUT' ? out : word))]);
      for (const file of filesUnder(out).filter(isData))
        files[`${name}/${relative(out, file)}`] = digestOf(file);
    }
    return { tables, files };
  });
}

const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, DIGEST_CHARS);

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mergemate-golden-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

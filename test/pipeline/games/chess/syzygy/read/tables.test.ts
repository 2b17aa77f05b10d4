/** The reader of Syzygy's files: values as the tables have them that the files were made of, and clear refusals. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { httpStore } from '../../../../../../operators/storage/http.js';
import { memoryStore } from '../../../../../../operators/storage/memory.js';
import type { Store } from '../../../../../../operators/storage/store.js';
import { chess } from '../../../../../../pipeline/games/chess/chess.js';
import { parseFen } from '../../../../../../pipeline/games/chess/fen.js';
import { legalMoves, play } from '../../../../../../pipeline/games/chess/rules.js';
import { materialOf } from '../../../../../../pipeline/games/chess/syzygy/material.js';
import { openSyzygyFile } from '../../../../../../pipeline/games/chess/syzygy/read/file.js';
import { newPages, type Paged } from '../../../../../../pipeline/games/chess/syzygy/read/pages.js';
import { codedBy, syzygyProber } from '../../../../../../pipeline/games/chess/syzygy/read/prober.js';
import { openSyzygyTables } from '../../../../../../pipeline/games/chess/syzygy/read/tables.js';
import { mainLine } from '../../../../../../pipeline/tables/probe/main-line.js';
import { newProber } from '../../../../../../pipeline/tables/probe/prober.js';
import { fileServer } from '../../../../../support/file-server.js';
import { LONG } from '../../../../../support/long.js';
import {
  expectedOf,
  type Files,
  filesOf,
  pawnFiles,
  positionsOf,
  type SolvedEnding,
  solveEnding,
} from '../making.js';
import { readSyzygy, valueAt } from '../syzygy-file.js';

let solved: SolvedEnding;
let files: Files;
beforeAll(async () => {
  solved = await solveEnding('KPK');
  files = await pawnFiles('exact');
});

async function storeOf(some: Files) {
  const store = memoryStore();
  for (const [name, bytes] of some) await store.putIfAbsent(name, bytes);
  return store;
}

/** Whole files are held, or pages of 16 KiB. */
const CACHES = [1 << 20, 100];

describe('pages', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => i);

  /** The file, with the sums of its pages, of four bytes each. */
  async function paged(store: Store, gap?: number): Promise<Paged> {
    const pages = newPages(1 << 10, { whole: 8, page: 4, gap });
    const opened = await pages.open(store, 'file', async ({ pageBytes }) => ({
      isSound: true,
      bytes: 64,
      subtables: [],
      pageBytes: pageBytes!(64),
      sums: Uint32Array.from({ length: 16 }, (_, page) => crc32(bytes.subarray(4 * page, 4 * page + 4))),
    }));
    return opened!.paged;
  }

  async function reads(gap?: number) {
    const store = memoryStore();
    await store.putIfAbsent('file', bytes);
    const asked: string[] = [];
    const watched = {
      ...store,
      read: (name: string, offset: number, into: Uint8Array) => {
        asked.push(`${offset}+${into.length}`);
        return store.read(name, offset, into);
      },
    };
    return { asked, file: await paged(watched, gap) };
  }

  it('are read at once, or together where they lie close', async () => {
    const places = [40, 0, 13, 5, 41, 30];
    for (const [gap, ranges] of [
      [undefined, ['40+4', '0+4', '12+4', '4+4', '28+4']],
      [0, ['0+8', '12+4', '28+4', '40+4']],
      [4, ['0+16', '28+4', '40+4']],
      [8, ['0+16', '28+16']],
    ] as const) {
      const { asked, file } = await reads(gap);
      const found = await Promise.all(places.map((place) => file.read(place, 1)));
      expect(found.map(([byte]) => byte)).toEqual(places);
      expect(asked).toEqual(ranges);
      await file.read(40, 4);
      expect(asked).toEqual(ranges);
    }
  });

  it('may be many for one read', async () => {
    for (const gap of [undefined, 0]) {
      const { file } = await reads(gap);
      for (const [from, count] of [
        [0, 64],
        [3, 18],
        [7, 2],
        [63, 1],
        [8, 8],
      ] as const)
        expect(await file.read(from, count)).toEqual(bytes.slice(from, from + count));
    }
  });

  it('that could not be read together are read at the next request', async () => {
    const store = memoryStore();
    const file = await paged(store, 8);
    for (const read of await Promise.allSettled([file.read(0, 1), file.read(9, 1)]))
      expect(read.status).toBe('rejected');
    await store.putIfAbsent('file', bytes);
    expect(await Promise.all([file.read(0, 1), file.read(9, 1)])).toEqual([
      bytes.slice(0, 1),
      bytes.slice(9, 10),
    ]);
  });
});

describe('the reader', () => {
  it.each(CACHES)('finds the values of the tables in the files (cache of %d bytes)', async (cache) => {
    const tables = openSyzygyTables(await storeOf(files), cache);
    for (const [ending, step] of [
      ['KPK', LONG ? 53 : 997],
      ['KQK', LONG ? 31 : 307],
      ['KRK', LONG ? 31 : 307],
      ['KBK', 211],
    ] as const) {
      for (const { fen, code } of await positionsOf(solved, ending, step)) {
        const found = await codedBy(tables, parseFen(fen));
        // No file distinguishes a position that is lost in no ply from one that is lost in one, but the rules do.
        expect(found, fen).toEqual({ code, precise: true });
      }
    }
  });

  it.each(CACHES)(
    'decodes all values as the reader of the tests does one (cache of %d bytes)',
    async (cache) => {
      const store = await storeOf(files);
      for (const [name, bytes] of files) {
        const [white, black] = [name.slice(1, name.indexOf('v')), name.slice(name.indexOf('v') + 2, -5)];
        const kind = name.endsWith('w') ? 'wdl' : 'dtz';
        const file = (await openSyzygyFile(store, newPages(cache), name, kind, materialOf(white, black)))!;
        const plain = readSyzygy(bytes, name.slice(0, -5));
        expect(file.subtables.map((some) => some.length)).toEqual(plain.parts.map((some) => some.length));
        for (const [f, some] of file.subtables.entries()) {
          for (const [s, subtable] of some.entries()) {
            const all = await file.values(subtable);
            const part = plain.parts[f][s];
            expect(all.length).toBe(part.size);
            for (let index = 0; index < all.length; index += 1 + (index % 97)) {
              expect(all[index], `${name} ${f} ${s} ${index}`).toBe(valueAt(plain, part, index));
              if (index % 7 === 0) expect(await file.value(subtable, index)).toBe(all[index]);
            }
          }
        }
      }
    },
  );

  it.each(CACHES)(
    'finds for a position and its moves together what it finds for each alone (cache of %d bytes)',
    async (cache) => {
      const store = await storeOf(files);
      const some = (await positionsOf(solved, 'KPK', 1999)).map(({ fen }) => parseFen(fen));
      const together = openSyzygyTables(store, cache);
      // All at once, as a server asks: each has to wait for what others read, too.
      const found = await Promise.all(some.map((board) => together.withMoves(board)));
      const alone = openSyzygyTables(store, 1 << 20);
      for (const [i, board] of some.entries()) {
        const after = legalMoves(board).map((move) => alone.plies(play(board, move)));
        expect(found[i]).toEqual({ own: await alone.plies(board), after: await Promise.all(after) });
      }
    },
  );

  it('reads each small file once, whole, however many positions it looks up', async () => {
    const reads = new Map<string, number>();
    const store = await storeOf(files);
    const tables = openSyzygyTables(
      {
        ...store,
        read(name, offset, into) {
          reads.set(name, (reads.get(name) ?? 0) + 1);
          return store.read(name, offset, into);
        },
      },
      1 << 20,
    );
    const some = await positionsOf(solved, 'KPK', 4001);
    await Promise.all(some.map(({ fen }) => tables.withMoves(parseFen(fen))));
    expect(reads.get('KPvK.rtbw')).toBe(1);
    expect([...reads.values()].every((times) => times === 1)).toBe(true);
  });

  it('reads halved plies, and marks that there may be one more', async () => {
    const tables = openSyzygyTables(
      await storeOf(await filesOf({ ...solved, name: 'KRK' }, 'halved')),
      1 << 20,
    );
    let imprecise = 0;
    for (const { fen, code } of await positionsOf(solved, 'KRK', LONG ? 17 : 71)) {
      const { outcome, plies, precise } = await tables.plies(parseFen(fen));
      const should = expectedOf(code);
      expect(outcome, fen).toBe(should.outcome);
      if (code === -1) continue;
      expect(should.plies - plies, fen).toBeGreaterThanOrEqual(0);
      expect(should.plies - plies, fen).toBeLessThanOrEqual(precise ? 0 : 1);
      if (!precise) imprecise++;
    }
    expect(imprecise).toBeGreaterThan(LONG ? 1000 : 200);
  });

  it('is probed like tables of dtz', async () => {
    const store = await storeOf(files);
    const prober = syzygyProber(openSyzygyTables(store, 1 << 20));
    const other = newProber({ game: chess, metric: 'dtz', store: solved.store });
    for (const { fen } of await positionsOf(solved, 'KPK', 4001)) {
      const board = parseFen(fen);
      expect(await prober.probe(board), fen).toEqual(await other.probe(board));
    }
    const board = parseFen('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1');
    const names = async (by: typeof prober) => (await mainLine(chess, by, board)).steps.map(({ san }) => san);
    expect(await names(prober)).toEqual(await names(other));
  });

  it('reads by ranges over HTTP', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mergemate-syzygy-http-'));
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    const server = await fileServer(folder);
    try {
      const board = parseFen('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1');
      const here = openSyzygyTables(await storeOf(files), 1 << 20);
      const there = openSyzygyTables(httpStore(server.endpoint), 100);
      expect(await there.plies(board)).toEqual(await here.plies(board));
      const sent = server.sent();
      expect(sent.some(({ text }) => /KPvK\.rtbw bytes=/.test(text))).toBe(true);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('refuses missing and damaged files', async () => {
    const asking = async (some: Files) => {
      const tables = openSyzygyTables(await storeOf(some), 1 << 20);
      return tables.plies(parseFen('4k3/8/4K3/4P3/8/8/8/8 w - - 0 1'));
    };
    await expect(asking(new Map())).rejects.toThrow(
      /has no files of KPvK, KQvK, KRvK, KBvK, KNvK \(\.rtbw and \.rtbz\)$/,
    );
    const without = new Map(files);
    without.delete('KPvK.rtbz');
    await expect(asking(without)).rejects.toThrow(/has no KPvK.rtbz$/);
    const bytes = files.get('KPvK.rtbw')!;
    const changed = (at: number, to = bytes.length) => {
      const other = bytes.slice(0, to);
      if (at < to) other[at] ^= 16;
      return asking(new Map([...files, ['KPvK.rtbw', other]]));
    };
    await expect(changed(0)).rejects.toThrow(/KPvK.rtbw: does not begin as a Syzygy file of WDL/);
    await expect(changed(bytes.length - 200)).rejects.toThrow(/KPvK.rtbw: does not match its checksum/);
    await expect(changed(8)).rejects.toThrow(/KPvK.rtbw: is not of the men of KPvK/);
    await expect(changed(bytes.length, 40)).rejects.toThrow(/KPvK.rtbw: ends before its head does/);
    await expect(changed(bytes.length, 7000)).rejects.toThrow(
      /KPvK.rtbw: has 7000 bytes, its head states another number/,
    );
    await expect(asking(new Map([...files, ['KPvK.rtbw', files.get('KRvK.rtbw')!]]))).rejects.toThrow(
      /is not of/,
    );
  });

  it('refuses a file with a flipped bit, at any byte and with any cache', { timeout: 300_000 }, async () => {
    const bytes = files.get('KQvK.rtbz')!;
    const store = memoryStore();
    for (let at = 0; at < bytes.length; at += LONG ? (at < 400 ? 1 : 13) : at < 400 ? 5 : 97) {
      for (const bit of [1, 128]) {
        const other = bytes.slice();
        other[at] ^= bit;
        const name = `${at}.${bit}`;
        await store.putIfAbsent(name, other);
        const reading = openSyzygyFile(store, newPages(100), name, 'dtz', materialOf('Q', ''));
        await expect(reading, name).rejects.toThrow(new RegExp(`^memory:/?${name}: `));
      }
    }
  });
});

/** Files with flipped bits, read with small caches and large ones: each is refused by name, and no answer is another than that of the sound files. */
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DamageError } from '../../../../../../operators/core/errors.js';
import { httpStore } from '../../../../../../operators/storage/http.js';
import { localStore } from '../../../../../../operators/storage/local.js';
import { memoryStore } from '../../../../../../operators/storage/memory.js';
import { putOver, type Store } from '../../../../../../operators/storage/store.js';
import { parseFen } from '../../../../../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../../../../../pipeline/games/chess/rules.js';
import {
  openSyzygyTables,
  type SyzygyMoves,
} from '../../../../../../pipeline/games/chess/syzygy/read/tables.js';
import { fileServer } from '../../../../../support/file-server.js';
import { testFolder } from '../../../../../support/folders.js';
import { LONG, LONGEST, sweep } from '../../../../../support/long.js';
import { type Files, filesOf, positionsOf, solveEnding } from '../making.js';

const KiB = 1024;
const CACHES = [64, 256, 1024, 8 * KiB, 64 * KiB].map((size) => size * KiB);
/** The first is of three men. Of KBBBvK, whose files are of five, those of plies have some 2 MB: no cache holds them whole. */
const ENDINGS = sweep(['KPK'], ['KQKR'], ['KBBBK']);
const TRIALS = LONGEST ? 2000 : LONG ? 120 : 40;
const POSITIONS = 4;

/** Park and Miller 1988: whole numbers below a bound, always the same of a seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 0x7fffffff;
    return state % below;
  };
}

/** The bytes with so many bits flipped. */
function flipped(bytes: Uint8Array, bits: number, random: (below: number) => number): Uint8Array {
  const other = bytes.slice();
  const places = new Set<number>();
  while (places.size < bits) places.add(random(8 * bytes.length));
  for (const place of places) other[place >> 3] ^= 1 << (place & 7);
  return other;
}

interface Asked {
  readonly board: ChessBoard;
  readonly right: SyzygyMoves;
}

/** Files of an ending and all that it converts to, and for each of its files positions with the right answers. */
async function made(ending: string): Promise<{ files: Files; store: Store; asked: readonly Asked[] }> {
  const solved = await solveEnding(ending);
  const files = await filesOf(solved, 'halved');
  const store = memoryStore();
  for (const [name, bytes] of files) await putOver(store, name, bytes);
  const tables = openSyzygyTables(store, 64 << 20);
  const asked: Asked[] = [];
  for (const { fen } of (await positionsOf(solved, ending, 1777)).slice(0, 400)) {
    const board = parseFen(fen);
    asked.push({ board, right: await tables.withMoves(board) });
  }
  return { files, store, asked };
}

describe('files with flipped bits', () => {
  it.each(ENDINGS)(
    `are refused (%s, ${TRIALS} files of all endings)`,
    { timeout: 600_000 },
    async (ending) => {
      const random = randomFrom(ending.length * 1000 + ending.charCodeAt(1));
      const { files, store, asked } = await made(ending);
      const names = [...files.keys()].filter((name) => name.startsWith(ending.slice(0, 2)));
      const wrong: string[] = [];
      let refused = 0;
      const trials = Math.ceil(TRIALS / ENDINGS.length);
      for (let trial = 0; trial < trials; trial++) {
        const name = names[random(names.length)];
        const sound = files.get(name)!;
        const bits = 1 + random(trial % 2 === 0 ? 8 : 400);
        await putOver(store, name, flipped(sound, bits, random));
        const cache = CACHES[random(CACHES.length)];
        const tables = openSyzygyTables(store, cache);
        for (let i = 0; i < POSITIONS; i++) {
          const { board, right } = asked[random(asked.length)];
          const found = await tables.withMoves(board).catch((error: unknown) => error);
          const isRefusal = found instanceof DamageError && found.object.endsWith(name);
          if (isRefusal) refused++;
          else if (JSON.stringify(found) !== JSON.stringify(right))
            wrong.push(`${name} ${bits} bits, cache ${cache}: ${found}`);
        }
        await putOver(store, name, sound);
      }
      expect(wrong).toEqual([]);
      // Positions that do not need the damaged file have their answers.
      expect(refused).toBeGreaterThan((trials * POSITIONS) / 4);
    },
  );

  it('are noticed while a program has the file open, and a sound copy is used as soon as it is there', async () => {
    const solved = await solveEnding('KRK');
    const folder = testFolder();
    for (const [name, bytes] of await filesOf(solved, 'exact')) writeFileSync(join(folder, name), bytes);
    const path = join(folder, 'KRvK.rtbz');
    const sound = readFileSync(path);
    const boards = (await positionsOf(solved, 'KRK', 97)).map(({ fen }) => parseFen(fen));
    // So small that pages are read again for each position.
    const tables = openSyzygyTables(localStore(folder, { durable: false }), 100);
    const right = await Promise.all(boards.map((board) => tables.plies(board)));
    const { length } = boards;
    expect(length).toBeGreaterThan(100);
    const outcomes = async (): Promise<{ right: number; refused: number }> => {
      const found = await Promise.all(boards.map((board) => tables.plies(board).catch((error) => error)));
      const isRight = found.filter((each, i) => JSON.stringify(each) === JSON.stringify(right[i]));
      const refused = found.filter((each) => each instanceof DamageError && each.object === `file:${path}`);
      return { right: isRight.length, refused: refused.length };
    };
    const all = { right: length, refused: 0 };
    // Written into, with the time it had before.
    const { atime, mtime } = { atime: new Date(), mtime: new Date(0) };
    utimesSync(path, atime, mtime);
    expect(await outcomes()).toEqual(all);
    writeFileSync(
      path,
      sound.map((byte) => byte ^ 8),
    );
    utimesSync(path, atime, mtime);
    const damaged = await outcomes();
    expect(damaged.right + damaged.refused).toBe(length);
    expect(damaged.refused).toBeGreaterThan(length / 4);
    // Another file in its place, and the folder moved away and back.
    writeFileSync(`${path}.new`, sound);
    renameSync(`${path}.new`, path);
    expect(await outcomes()).toEqual(all);
    rmSync(path);
    writeFileSync(path, sound.fill(0, 100, 200));
    const again = await outcomes();
    expect(again.right + again.refused).toBe(length);
  });

  it('are read once a change, and not for each question', async () => {
    const { files, store, asked } = await made('KPK');
    await putOver(store, 'KPvK.rtbw', flipped(files.get('KPvK.rtbw')!, 3, randomFrom(1)));
    let reads = 0;
    const counted: Store = {
      ...store,
      read: (name, offset, into) => {
        if (name === 'KPvK.rtbw') reads++;
        return store.read(name, offset, into);
      },
    };
    const tables = openSyzygyTables(counted, 64 * KiB);
    let refused = 0;
    for (const { board } of asked.slice(0, 50)) await tables.plies(board).catch(() => refused++);
    expect(refused).toBeGreaterThan(10);
    expect(reads).toBe(1);
  });

  it('are refused over HTTP', async () => {
    const solved = await solveEnding('KRK');
    const folder = testFolder();
    const random = randomFrom(7);
    for (const [name, bytes] of await filesOf(solved, 'exact'))
      writeFileSync(join(folder, name), name === 'KRvK.rtbz' ? flipped(bytes, 2, random) : bytes);
    const server = await fileServer(folder);
    try {
      const tables = openSyzygyTables(httpStore(server.endpoint), 100);
      const board = parseFen('8/8/8/8/8/2k5/8/K6R w - - 0 1');
      await expect(tables.plies(board)).rejects.toThrow(/KRvK\.rtbz: /);
      writeFileSync(join(folder, 'KRvK.rtbz'), (await filesOf(solved, 'exact')).get('KRvK.rtbz')!);
      utimesSync(join(folder, 'KRvK.rtbz'), 0, 0);
      expect((await tables.plies(board)).plies).toBeGreaterThan(10);
    } finally {
      await server.close();
    }
  });
});

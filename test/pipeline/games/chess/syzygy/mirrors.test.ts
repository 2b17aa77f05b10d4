/**
 * Endings with two leading pawns: where they mirror each other, a board and its left-right image have an index each. In the
 * long tests every position of KPPK and its image are asked about.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../../../../operators/storage/memory.js';
import { newScratch } from '../../../../../operators/storage/scratch.js';
import { formatFen, parseFen } from '../../../../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../../../../pipeline/games/chess/rules.js';
import { bytesAt, newKernels } from '../../../../../pipeline/games/chess/syzygy/kernels.js';
import { materialOf } from '../../../../../pipeline/games/chess/syzygy/material.js';
import { mirrorsAgree } from '../../../../../pipeline/games/chess/syzygy/read/mirrors.js';
import { openSyzygyTables } from '../../../../../pipeline/games/chess/syzygy/read/tables.js';
import type { ValueSource } from '../../../../../pipeline/games/chess/syzygy/subtable.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../../../support/long.js';
import { buildFathom } from './fathom.js';
import {
  expectedOf,
  type Files,
  filesFrom,
  filesOf,
  positionsOf,
  type SolvedEnding,
  solveEnding,
} from './making.js';
import { syzygyProber } from './syzygy-prober.js';

/** Whether files are made as they were made wrongly: of a board and its image, one has its value written. */
const made = vi.hoisted(() => ({ wrongly: false }));

vi.mock('../../../../../pipeline/games/chess/syzygy/indices.js', async (original) => {
  const real = await original<typeof import('../../../../../pipeline/games/chess/syzygy/indices.js')>();
  return {
    ...real,
    setIndex: (...asked: Parameters<typeof real.setIndex>) => {
      const sizes = real.setIndex(...asked);
      const [kernels] = asked;
      const image = bytesAt(kernels, kernels.wasm.MIRROR.value, 64);
      if (made.wrongly) image.set(image.map((_, square) => square));
      return sizes;
    },
  };
});

const folder = mkdtempSync(join(tmpdir(), 'mergemate-mirrors-'));
const fathom = buildFathom();

function imageOf({ squares, side, passant }: ChessBoard): ChessBoard {
  const turned = squares.map((_, square) => squares[square ^ 7]);
  return passant === undefined ? { squares: turned, side } : { squares: turned, side, passant: passant ^ 7 };
}

function isMirrored({ squares }: ChessBoard): boolean {
  const pawns = [...squares.keys()].filter((square) => Math.abs(squares[square]) === 6);
  return pawns.some((square) => pawns.includes(square ^ 7));
}

async function storeOf(files: Files) {
  const store = memoryStore();
  for (const [name, bytes] of files) await store.putIfAbsent(name, bytes);
  return store;
}

/** Values made up, but those of mirror images are equal: of boards of K and pawns v K whose two pawns mirror each other. */
function madeUp(pawns: number): ValueSource {
  return {
    async place(side, into) {
      for (let king = 0; king < 64; king++) {
        for (let other = 0; other < 64; other++) {
          for (let pawn = 8; pawn < 56; pawn++) {
            const squares = [king, other, pawn, pawn ^ 7].slice(0, 2 + pawns);
            const isBoard = new Set(squares).size === squares.length && (king & 7) < 4 && (pawn & 7) < 4;
            if (isBoard)
              into.board(
                Uint8Array.from(squares),
                [0, 4, -7][squares.reduce((a, b) => a + (b >> 3), side) % 3],
              );
          }
        }
      }
    },
  };
}

async function agree(files: Files): Promise<boolean> {
  const kernels = newKernels(1 << 22, newScratch(memoryStore(), 'scratch'));
  const tables = openSyzygyTables(await storeOf(files), 1 << 20);
  return mirrorsAgree(tables, materialOf('PP', ''), kernels, async () => {});
}

async function making(wrongly: boolean, make: () => Promise<Files>): Promise<Files> {
  made.wrongly = wrongly;
  try {
    return await make();
  } finally {
    made.wrongly = false;
  }
}

describe('wrong files', () => {
  const filesWith = async () => {
    const files: Files = new Map();
    for (const pawns of [1, 2]) {
      const material = materialOf('P'.repeat(pawns), '');
      for (const [name, bytes] of await filesFrom(material, madeUp(pawns), 'exact')) files.set(name, bytes);
    }
    return files;
  };

  it.skipIf(!LONG)(`are found by mirror images with another value${ifShort}`, async () => {
    expect(await agree(await making(false, filesWith))).toBe(true);
    expect(await agree(await making(true, filesWith))).toBe(false);
  });
});

describe.skipIf(!LONGEST)(`two leading pawns${ifNotLongest}`, () => {
  let solved: SolvedEnding;
  let files: Files;
  let positions: { fen: string; code: number }[];

  const withImages = (some: typeof positions) => [
    ...some,
    ...some.map(({ fen, code }) => ({ fen: formatFen(imageOf(parseFen(fen))), code })),
  ];

  function wrongByFathom(some: typeof positions) {
    const found = fathom!.probe(
      folder,
      some.map(({ fen }) => fen),
    );
    return some.filter(({ code }, i) => {
      const { outcome, plies } = expectedOf(code);
      return found[i].outcome !== outcome || (found[i].plies !== plies && code !== -1);
    });
  }

  beforeAll(async () => {
    solved = await solveEnding('KPPK');
    files = await filesOf(solved, 'exact');
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    positions = withImages(await positionsOf(solved, 'KPPK', 1));
  }, 2_400_000);
  afterAll(() => {
    fathom?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have the right values in our reader and in that of the tests, images too', {
    timeout: 1_800_000,
  }, async () => {
    const prober = syzygyProber((name) => files.get(name) ?? null);
    const tables = openSyzygyTables(await storeOf(files), 1 << 20);
    let asked = 0;
    // Every position with pawns that mirror each other, and some others.
    for (const [i, { fen, code }] of positions.entries()) {
      const board = parseFen(fen);
      if (!isMirrored(board) && i % 101 !== 0) continue;
      const { outcome, plies } = expectedOf(code);
      expect(await tables.plies(board), fen).toEqual({
        outcome,
        plies: code === -1 ? 0 : plies,
        precise: true,
      });
      if (asked++ % 10 === 0) expect(prober.wdl(board) + 2, fen).toBe(outcome);
    }
    expect(asked).toBeGreaterThan(200_000);
  });

  it.skipIf(fathom === null)(
    'have the right values in Fathom, in all positions and images',
    { timeout: 900_000 },
    () => {
      expect(positions.length).toBeGreaterThan(5_000_000);
      expect(wrongByFathom(positions).slice(0, 5)).toEqual([]);
    },
  );

  it('reveal wrong files', { timeout: 900_000 }, async () => {
    expect(await agree(files)).toBe(true);
    const old = await making(true, () => filesOf(solved, 'exact', { alone: true }));
    expect(await agree(new Map([...files, ...old]))).toBe(false);
  });
});

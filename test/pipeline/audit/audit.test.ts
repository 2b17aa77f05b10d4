/**
 * The audit of Syzygy's files: right ones pass, and a value that is wrong is found.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { Auditor } from '../../../pipeline/audit/audit.js';
import type { Address } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { parseFen } from '../../../pipeline/games/chess/fen.js';
import { type ChessBoard, legalMoves, play } from '../../../pipeline/games/chess/rules.js';
import { materialNamed } from '../../../pipeline/games/chess/syzygy/material.js';
import { openSyzygyTables } from '../../../pipeline/games/chess/syzygy/read/tables.js';
import { LONG, sweep } from '../../support/long.js';
import { imagesOf } from '../games/chess/syzygy/images.js';
import {
  type Change,
  type Files,
  filesOf,
  pawnFiles,
  type SolvedEnding,
  solveEnding,
} from '../games/chess/syzygy/making.js';

const MEMORY = 1 << 24;

async function audit(files: Files, ending: string, memory = MEMORY) {
  const store = memoryStore();
  for (const [name, bytes] of files) await store.putIfAbsent(name, bytes);
  const tables = openSyzygyTables(store, 1 << 20);
  const scratch = newScratch(memoryStore(), 'scratch');
  const auditor = new Auditor({ tables, memory, scratch, pause: async () => {} });
  return auditor.audit(materialNamed(ending)!);
}

let solved: SolvedEnding;
let files: Files;
beforeAll(async () => {
  solved = await solveEnding('KPK');
  files = await pawnFiles('exact');
});

describe('the audit', () => {
  it.each(['exact', 'halved'] as const)('passes right files, plies %s', async (plies) => {
    const right = await pawnFiles(plies);
    const pawns = LONG || plies === 'exact' ? ['KPvK'] : [];
    for (const ending of [...pawns, ...sweep(['KQvK'], ['KRvK', 'KBvK'])]) {
      for (const { name, positions, wrong } of await audit(right, ending)) {
        expect(wrong, name).toBe(null);
        expect(positions, name).toBeGreaterThan(10_000);
      }
    }
  });

  /** The files of an ending with the codes of some boards, up to symmetry, changed. */
  async function changed(
    ending: string,
    fens: readonly string[],
    to: (code: number) => number,
  ): Promise<Files> {
    let met = 0;
    const textOf = ({ slice, side, part, key }: Address) => `${slice} ${side} ${part} ${key}`;
    const wanted = new Set(fens.map((fen) => textOf(chess.locate(parseFen(fen)))));
    const change: Change = (place, code) => {
      if (!wanted.has(textOf(place))) return code;
      met++;
      return to(code);
    };
    const name = ending.replace('v', '');
    const wrong = await filesOf({ ...solved, name }, 'exact', { change, alone: true });
    expect(met).toBeGreaterThan(0);
    return new Map([...files, ...wrong]);
  }

  const wrongs = [
    {
      what: 'a win that is told a draw',
      fens: ['8/8/8/3k4/8/8/1R6/K7 w - - 0 1'],
      to: () => 0,
      file: 'KRvK.rtbw',
    },
    {
      what: 'a stalemate that is told a loss',
      fens: ['8/8/8/8/8/2K5/1R6/k7 b - - 0 1'],
      to: () => -5,
      file: 'KRvK.rtbw',
    },
    {
      // The file holds nothing for one of the sides to move.
      what: 'other plies',
      fens: ['8/8/8/3k4/8/8/1R6/K7 b - - 0 1', '8/8/8/3k4/8/8/1R6/K7 w - - 0 1'],
      to: (code: number) => code + 4 * Math.sign(code),
      file: 'KRvK.rtbz',
    },
  ];

  it.each(LONG ? wrongs : wrongs.slice(0, 2))('finds $what', async ({ fens, to, file }) => {
    const found = await audit(await changed('KRvK', fens, to), 'KRvK');
    const wrong = found.find((one) => one.wrong !== null);
    expect(wrong?.name).toBe(file);
    // The first that is wrong is the position or one whose value follows from it.
    const named = parseFen(wrong!.wrong!.fen);
    const next = (board: ChessBoard) => legalMoves(board).map((move) => play(board, move));
    const near = [named, ...next(named), ...next(named).flatMap(next)];
    const isNear = near.some((board) => imagesOf(board).some((image) => fens.includes(image)));
    expect(isNear, wrong!.wrong!.fen).toBe(true);
    expect(wrong!.wrong!.says).not.toBe(wrong!.wrong!.derived);
  });

  it('accepts a cursed win one quiet move before a win, and decides by plies', async () => {
    const beyond = (code: number) => (code > 20 ? code + 100 : code < -21 ? code - 100 : code);
    const cursed = await filesOf({ ...solved, name: 'KRK' }, 'exact', {
      change: (_, code) => beyond(code),
      alone: true,
    });
    const [outcomes, plies] = await audit(new Map([...files, ...cursed]), 'KRvK');
    expect(outcomes.wrong).toBe(null);
    expect(plies.wrong?.says).toMatch(/^(cursed win|blessed loss) in 12\d$/);
  });

  it('finds a cursed win where a zeroing move wins', async () => {
    const fen = '8/4P3/8/8/8/2k5/8/6K1 w - - 0 1';
    const { slice, side, part, key } = chess.locate(parseFen(fen));
    const isMeant = (place: Address) =>
      place.key === key && place.part === part && place.side === side && place.slice === slice;
    const wrong = await filesOf(solved, 'exact', {
      change: (place, code) => (isMeant(place) ? 101 : code),
      alone: true,
    });
    const [outcomes] = await audit(new Map([...files, ...wrong]), 'KPvK');
    expect(outcomes.wrong).toMatchObject({ says: 'cursed win', derived: 'win' });
  });

  it('names a missing file', async () => {
    const without = new Map(files);
    without.delete('KQvK.rtbw');
    await expect(audit(without, 'KPvK')).rejects.toThrow('KQvK.rtbw is missing');
  });
});

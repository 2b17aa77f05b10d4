/**
 * Here belong tests of Syzygy's files: written, read, audited.
 *
 * The audit of Syzygy's files: right ones pass, and a value that is wrong is found.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { formatFen, parseFen } from '../../pipeline/games/chess/fen.js';
import { type ChessBoard, legalMoves, play } from '../../pipeline/games/chess/rules.js';
import { auditEnding } from '../../pipeline/games/chess/syzygy/audit/audit.js';
import { newOutcomesSource } from '../../pipeline/games/chess/syzygy/audit/outcomes.js';
import { newPosition, OFF_BOARD } from '../../pipeline/games/chess/syzygy/audit/position.js';
import { materialNamed } from '../../pipeline/games/chess/syzygy/material.js';
import { boardOf } from '../../pipeline/games/chess/syzygy/read/mirrors.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { LONG, sweep } from '../support/long.js';
import { type Change, type Files, filesOf, type Solved, solveEnding } from './making.js';

const MEMORY = 1 << 24;

async function audit(files: Files, ending: string, memory = MEMORY) {
  const store = memoryStore();
  for (const [name, bytes] of files) await store.putIfAbsent(name, bytes);
  const tables = openSyzygyTables(store, 1 << 20);
  const pause = async () => {};
  const source = newOutcomesSource(tables, memory, pause);
  return auditEnding({ tables, source, material: materialNamed(ending)!, pause });
}

let solved: Solved;
let files: Files;
beforeAll(async () => {
  solved = await solveEnding('KPK');
  files = await filesOf(solved, 'exact');
});

describe('the moves of an audit', () => {
  const rules = (board: ChessBoard) =>
    legalMoves(board).map((move) => {
      const { squares, side } = play(board, move);
      return formatFen({ squares, side });
    });

  it.each(['KQvKR', 'KRPvKNP', 'KPPvKPP', 'KBNvKBN'])('of %s are those of the rules', (name) => {
    const material = materialNamed(name)!;
    const position = newPosition(material);
    let legal = 0;
    let seed = 1;
    const next = (limit: number) => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % limit;
    };
    for (let i = 0; i < (LONG ? 3000 : 1500); i++) {
      const squares = Uint8Array.from(material.men, (code) => (code % 8 === 1 ? 8 + next(48) : next(64)));
      if (new Set(squares).size < squares.length) continue;
      position.place(squares);
      for (const side of [0, 1] as const) {
        if (!position.isLegal(side)) continue;
        legal++;
        const board = boardOf(material, squares, side);
        const found: string[] = [];
        const count = position.moves(side, false, (man, _captured, promotion) => {
          const men = material.men.map((code, i) =>
            i === man && promotion > 0 ? (code & 8) + promotion : code,
          );
          const there = [...position.squares.keys()].filter((i) => position.squares[i] !== OFF_BOARD);
          const after = { ...material, men: there.map((i) => men[i]!) };
          const at = Uint8Array.from(there, (i) => position.squares[i]!);
          found.push(formatFen(boardOf(after, at, side === 0 ? 1 : 0)));
        });
        expect(count).toBe(found.length);
        expect(found.sort(), formatFen(board)).toEqual(rules(board).sort());
        expect([...position.squares]).toEqual([...squares]);
      }
    }
    expect(legal).toBeGreaterThan(500);
  });
});

describe('the audit', () => {
  it.each(['exact', 'halved'] as const)('passes files that are right, plies %s', async (plies) => {
    const right = await filesOf(solved, plies);
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
    const change: Change = (place, code) => {
      if (fens.every((fen) => !imagesOf(chess.board(place)).includes(fen))) return code;
      met++;
      return to(code);
    };
    const name = ending.replace('v', '');
    const wrong = await filesOf({ ...solved, name }, 'exact', { change, alone: true });
    expect(met).toBeGreaterThan(0);
    return new Map([...files, ...wrong]);
  }

  /** All boards that are the same up to the symmetries of the board without pawns. */
  function imagesOf({ squares, side }: ChessBoard): string[] {
    return [0, 1, 2, 3, 4, 5, 6, 7].map((symmetry) => {
      const turned = new Int8Array(64);
      for (let square = 0; square < 64; square++) {
        const [file, rank] = [(square & 7) ^ (symmetry & 1 ? 7 : 0), (square >> 3) ^ (symmetry & 2 ? 7 : 0)];
        turned[symmetry & 4 ? file * 8 + rank : rank * 8 + file] = squares[square]!;
      }
      return formatFen({ squares: turned, side });
    });
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
      // Of one of the sides to move the file holds nothing.
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

  it('says what is missing, and what memory it needs', async () => {
    const without = new Map(files);
    without.delete('KQvK.rtbw');
    await expect(audit(without, 'KPvK')).rejects.toThrow('KQvK.rtbw is missing');
    await expect(audit(files, 'KPvK', 100_000)).rejects.toThrow(
      /needs \d+ bytes of memory, --memory allows 100000/,
    );
  });
});

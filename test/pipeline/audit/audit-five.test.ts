/** The audit finds single cells of the files of five men that were changed. MERGEMATE_TEST_SYZYGY names their folder. */
import { expect, it } from 'vitest';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { Auditor } from '../../../pipeline/audit/audit.js';
import { parseFen } from '../../../pipeline/games/chess/fen.js';
import { type ChessBoard, legalMoves, play } from '../../../pipeline/games/chess/rules.js';
import type { Arrangement } from '../../../pipeline/games/chess/syzygy/arrangement.js';
import type { FileKind } from '../../../pipeline/games/chess/syzygy/format.js';
import { BoardIndices } from '../../../pipeline/games/chess/syzygy/indices.js';
import { materialNamed } from '../../../pipeline/games/chess/syzygy/material.js';
import { openSyzygyTables, type SyzygyTables } from '../../../pipeline/games/chess/syzygy/read/tables.js';
import { ifNotLongest, LONGEST } from '../../support/long.js';
import { imagesOf } from '../games/chess/syzygy/images.js';

const folder = process.env.MERGEMATE_TEST_SYZYGY ?? '';
const MEMORY = 1 << 26;
const material = materialNamed('KBBvKN')!;

function indexOf(arrangement: Arrangement, squares: Uint8Array): number {
  const indices = new BoardIndices();
  const index = indices.add(material, arrangement);
  indices.squares.set(squares);
  return indices.locate(index);
}

/** The files with the cell of a position, by the squares of White's king, Black's king, the bishops and the knight, changed. */
function changed(
  kind: FileKind,
  side: 0 | 1 | null,
  squares: Uint8Array,
  to: (value: number) => number,
): SyzygyTables {
  const tables = openSyzygyTables(localStore(folder, { durable: false }), 1 << 24);
  return {
    ...tables,
    async file(of, which) {
      const file = await tables.file(of, which);
      if (file === null || of.name !== material.name || which !== kind) return file;
      return {
        ...file,
        eachStretch: (subtable, show) =>
          file.eachStretch(subtable, (values, from) => {
            const at = indexOf(subtable.arrangement, squares) - from;
            if (subtable.side === (side ?? subtable.side) && at >= 0 && at < values.length)
              values[at] = to(values[at]);
            return show(values, from);
          }),
      };
    },
  };
}

async function audit(tables: SyzygyTables) {
  const scratch = newScratch(memoryStore(), 'scratch');
  return new Auditor({ tables, memory: MEMORY, scratch, pause: async () => {} }).audit(material);
}

const squareOf = (name: string) => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
const placed = (text: string) => Uint8Array.from(text.split(' '), squareOf);
/** Nothing can be captured. */
const QUIET = { board: '7n/8/3k4/8/8/8/8/KBB5', squares: placed('a1 d6 b1 c1 h8') };
/** Black captures a bishop and draws: the file may hold anything up to a draw. */
const CAPTURE = { board: '8/8/3k4/8/8/2n5/8/KBB5', squares: placed('a1 d6 b1 c1 c3') };

const flips = [
  {
    what: 'an outcome, White to move',
    kind: 'wdl',
    ...QUIET,
    side: 0,
    to: (value: number) => (value + 2) % 5,
  },
  {
    what: 'an outcome, Black to move',
    kind: 'wdl',
    ...QUIET,
    side: 1,
    to: (value: number) => (value + 2) % 5,
  },
  { what: 'an outcome beyond the best capture', kind: 'wdl', ...CAPTURE, side: 1, to: () => 4 },
  { what: 'plies', kind: 'dtz', ...QUIET, side: null, to: (value: number) => value + 1 },
] as const;

const isSkipped = !LONGEST || folder === '';

it.skipIf(isSkipped).each(flips)(`finds $what${ifNotLongest}`, { timeout: 3_600_000 }, async (flip) => {
  const audited = await audit(changed(flip.kind, flip.side, flip.squares, flip.to));
  const { name, wrong } = audited.at(-1)!;
  expect(name).toBe(flip.kind === 'wdl' ? 'KBBvKN.rtbw' : 'KBBvKN.rtbz');
  // The first that is wrong is the position or one before it; of plies, which files have of one side to move, one two plies before.
  const named = parseFen(wrong!.fen);
  const next = (board: ChessBoard) => legalMoves(board).map((move) => play(board, move));
  const near = [named, ...next(named), ...next(named).flatMap(next)];
  expect(near.flatMap((board) => imagesOf(board)).map((fen) => fen.split(' ')[0])).toContain(flip.board);
});

it.skipIf(isSkipped)(
  `passes any outcome below the best capture${ifNotLongest}`,
  { timeout: 3_600_000 },
  async () => {
    const audited = await audit(changed('wdl', 1, CAPTURE.squares, () => 0));
    expect(audited.map(({ wrong }) => wrong)).toEqual([null, null]);
  },
);

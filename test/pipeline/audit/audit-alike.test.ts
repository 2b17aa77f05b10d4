/** The audit where like men are one digit of a placement: a wrong value of three knights is found. Ten minutes on a machine that has other work. */
import { expect, it } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { Auditor } from '../../../pipeline/audit/audit.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { parseFen } from '../../../pipeline/games/chess/fen.js';
import { legalMoves, play } from '../../../pipeline/games/chess/rules.js';
import { materialNamed } from '../../../pipeline/games/chess/syzygy/material.js';
import { openSyzygyTables } from '../../../pipeline/games/chess/syzygy/read/tables.js';
import { ifNotLongest, LONGEST } from '../../support/long.js';
import { imagesOf } from '../games/chess/syzygy/images.js';
import { type Files, filesOf, solveEnding } from '../games/chess/syzygy/making.js';

const MEMORY = 1 << 25;

async function audit(files: Files) {
  const store = memoryStore();
  for (const [name, bytes] of files) await store.putIfAbsent(name, bytes);
  const scratch = newScratch(memoryStore(), 'scratch');
  const options = {
    tables: openSyzygyTables(store, 1 << 20),
    memory: MEMORY,
    scratch,
    pause: async () => {},
  };
  return new Auditor(options).audit(materialNamed('KNNNvK')!);
}

it.skipIf(!LONGEST)(
  `the audit passes right files with three like knights, and finds a wrong value${ifNotLongest}`,
  { timeout: 3_600_000 },
  async () => {
    const solved = await solveEnding('KNNNK');
    const right = await filesOf(solved, 'halved', { memory: MEMORY });
    for (const { name, positions, wrong } of await audit(right)) {
      expect(wrong, name).toBe(null);
      expect(positions, name).toBeGreaterThan(10_000_000);
    }

    const fen = '8/8/8/4k3/8/1N1N4/3N4/K7 b - - 0 1';
    const { slice, side, part, key } = chess.locate(parseFen(fen));
    let met = 0;
    const wrong = await filesOf(solved, 'halved', {
      alone: true,
      memory: MEMORY,
      change(place, code) {
        if (place.key !== key || place.part !== part || place.side !== side || place.slice !== slice)
          return code;
        expect(code).toBeLessThan(0);
        met++;
        return 0;
      },
    });
    // Tables are scanned more than once.
    expect(met).toBeGreaterThan(0);
    const [outcomes] = await audit(new Map([...right, ...wrong]));
    expect(outcomes).toMatchObject({ name: 'KNNNvK.rtbw', wrong: { fen: expect.any(String) } });
    // The first that is wrong is the position or one before it.
    const named = parseFen(outcomes.wrong!.fen);
    const near = [named, ...legalMoves(named).map((move) => play(named, move))];
    expect(near.flatMap((board) => imagesOf(board))).toContain(fen);
  },
);

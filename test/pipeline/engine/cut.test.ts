/** Cutting of slices for ranks. */
import { expect, test } from 'vitest';
import { cutSlices, labelBytesOf } from '../../../pipeline/engine/crew/cut.js';
import { planeBytes } from '../../../pipeline/engine/memory/label-planes.js';
import { rowsOf } from '../../../pipeline/engine/memory/rows.js';
import type { Game } from '../../../pipeline/game/game.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { withoutUnmoves } from '../../support/forward-only.js';
import { solveByRanks } from '../../support/ranks.js';
import { MiB } from '../../support/solving.js';

test('slices without unmoves are cut like others, and ranks solve them alike', async () => {
  const options = { memory: MiB, partitions: 4, wholeBelow: 0 };
  const partitions = (game: Game) => cutSlices(game, ['4100'], options).map((cut) => cut.partitions);
  const game = withoutUnmoves(checkers as Game);
  expect(Math.max(...partitions(game))).toBeGreaterThan(1);
  expect(partitions(game)).toEqual(partitions(checkers as Game));
  const digests = async (of: Game, ranks: number) => {
    const { summaries } = await solveByRanks(of, ['3100'], { ranks });
    return summaries.map(({ slice, table }) => [slice, table.digests]);
  };
  expect(await digests(game, 3)).toEqual(await digests(checkers as Game, 1));
});

test.each(['KQKR', 'KRPKR.4', 'KBNKN', 'KBBK', 'KPK.2'])(
  '%s: bytes of labels are those of all planes',
  (ending) => {
    const slice = chess.slice(ending);
    const { countPlanes } = rowsOf(slice, 'count');
    let bytes = 0;
    for (let part = 0; part < slice.parts; part++)
      for (const side of [0, 1] as const)
        for (const plane of ['counts', 'unwon'] as const)
          bytes += planeBytes(plane, slice.partSize(part), side, countPlanes);
    expect(labelBytesOf(slice)).toBe(bytes);
  },
);

test('labels by rows take less than labels by keys, and a slice without unmoves has none by rows', () => {
  const slice = chess.slice('KQKR');
  const { unmoves, ...forward } = slice;
  expect(labelBytesOf(slice)).toBeLessThan(labelBytesOf(forward));
  expect(labelBytesOf(forward)).toBe((9 / 4) * slice.size);
});

/**
 * Files that are in the place of those of a set: whatever they say of themselves, they are refused in a line, or kept.
 */
import { describe, expect, test } from 'vitest';
import { arrow, footerValue } from '../../../jobs/export/arrow.js';
import { metadataValue, parquet } from '../../../jobs/export/parquet.js';
import { writeSet } from '../../../jobs/export/set.js';
import { UserError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { solveGame } from '../../support/solving.js';

const game = checkers as Game;
const { store } = await solveGame(game, ['1100']);

describe.each([arrow, parquet])('$suffix', (format) => {
  const options = {
    game,
    metric: 'dtw' as const,
    store,
    endings: [game.ending('1100')],
    format,
    columns: ['mover', 'plies'] as const,
    out: 'SET',
    force: false,
    memory: 2 ** 24,
    progress: () => {},
    breathe: async () => {},
  };

  test('a file whose metadata are of another program is not taken for one of ours', async () => {
    const folder = memoryStore();
    const [file] = await writeSet(options, folder);
    expect((await writeSet(options, folder))[0].kept).toBe(true);
    const bytes = Buffer.from((await readAll(folder, file.name))!);
    const about = bytes.lastIndexOf('{"game":"checkers"');
    bytes.write('not JSON', about);
    await folder.delete(file.name);
    await folder.putIfAbsent(file.name, bytes);
    const refused = await writeSet(options, folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as Error).message).toMatch(/is there and was not written by this command/);
  });
});

test('lengths in a footer that lead past its end are a RangeError', () => {
  const most = [0xff, 0xff, 0xff, 0xff, 0x07];
  // A list of 2^31 - 1 texts, structs or lists, in Thrift's compact protocol.
  for (const type of [0x01, 0x08, 0x09, 0x0c])
    expect(() => metadataValue(new Uint8Array([0x29, 0xf0 | type, ...most, 0, 0, 0]), 'a')).toThrow(
      RangeError,
    );
  const vector = new Uint8Array(64).fill(0xff);
  vector.set([4, 0, 0, 0]);
  expect(() => footerValue(vector, 'a')).toThrow(RangeError);
});

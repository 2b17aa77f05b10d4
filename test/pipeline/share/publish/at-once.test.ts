/**
 * The same publication made twice at once: one that dies does no harm to the one that is finished.
 */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../../operators/storage/store.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { publish } from '../../../../pipeline/share/publish/publish.js';
import { openPublication } from '../../../../pipeline/tables/published/publication.js';
import { Death, mortal } from '../../../support/mortal.js';
import { publishWhole } from '../../../support/publishing.js';
import { solveGame } from '../../../support/solving.js';

const game = chess as Game;
const { store } = await solveGame(game, ['KNK']);
const made = { game, slices: ['KNK'], metric: 'dtm', store, codec: 'huffman' } as const;

async function bytesOf(to: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await to.list(''))
    found[name] = Buffer.from((await readAll(to, name))!).toString('base64');
  return found;
}

/** The store as it was before the publication was finished: who looks then begins one. */
const before = (to: Store): Store => ({
  ...to,
  size: async (name) => (name.includes('catalogue') ? null : to.size(name)),
});

test.each([true, false])(
  'a second process that dies (before: %s) at any operation leaves all that the first has published',
  async (isBefore) => {
    const wanted = memoryStore();
    await publishWhole({ ...made, to: wanted });
    const published = await bytesOf(wanted);
    let died = true;
    for (let last = 1; died; last++) {
      const to = memoryStore();
      await publishWhole({ ...made, to });
      const second = mortal(before(to), last, isBefore).store;
      died = await publish({ ...made, to: second, progress: () => {} }).then(
        () => false,
        (error) => {
          if (!(error instanceof Death)) throw error;
          return true;
        },
      );
      const { 'chess/catalogue-draft.json': _, ...left } = await bytesOf(to);
      expect([last, left]).toEqual([last, published]);
    }
  },
);

test('a refused codebook fails only the request that needed it', async () => {
  const to = memoryStore();
  await publishWhole({ ...made, to });
  await to.delete('chess/codebook-3.bin');
  const slow: Store = {
    ...to,
    async size(name) {
      if (name.endsWith('.wdl')) await new Promise((resolve) => setTimeout(resolve, 20));
      return to.size(name);
    },
  };
  const unheard: unknown[] = [];
  const listen = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', listen);
  try {
    const publication = await openPublication(slow, game);
    await expect(publication.file('KNK', 0)).rejects.toThrow(/codebook-3\.bin: no such codebook/);
    await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    process.off('unhandledRejection', listen);
  }
  expect(unheard).toEqual([]);
});

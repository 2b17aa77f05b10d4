/** Slices are solved from published files of what they convert to: the tables are the same as without. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import { solve } from '../../../../pipeline/engine/crew/solve.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { TableManifest } from '../../../../pipeline/game/manifest.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { planBeyond, unpack } from '../../../../pipeline/share/publish/unpack.js';
import { publishedName } from '../../../../pipeline/tables/published/catalogue.js';
import { openPublication } from '../../../../pipeline/tables/published/publication.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { publishWhole } from '../../../support/publishing.js';
import { MiB, solveGame } from '../../../support/solving.js';

async function published(game: Game, slices: readonly string[], oneSide: boolean): Promise<Store> {
  const { store } = await solveGame(game, slices);
  const to = memoryStore();
  await publishWhole({ game, slices, metric: game.metrics[0], store, to, codec: 'rows', oneSide });
  return to;
}

async function unpackFor(game: Game, slices: readonly string[], from: Store, store: Store) {
  const publication = await openPublication(from, game);
  const planned = planBeyond(game, slices, publication);
  await unpack(
    {
      game,
      publication,
      store,
      memory: MiB,
      batchRows: 4096,
      attempt: '-test',
      progress: () => {},
    },
    planned.published,
  );
  return planned;
}

/** All of a table but the work and the names of its runs. */
async function facts(store: Store, game: Game, slice: string) {
  const { manifest } = await needTable(store, game, 'wdl', slice);
  const { values: _, rounds: __, requests: ___, counters: ____, ...same } = TableManifest.parse(manifest);
  return same;
}

const kings = checkers.endingsUpTo(2).flatMap(({ slices }) => slices);

describe.each<[string, Game, readonly string[], readonly string[], boolean]>([
  ['checkers', checkers as Game, kings, ['2100', '1011.66', '1110.60'], false],
  ['checkers, one side', checkers as Game, kings, ['2100', '1011.66', '1110.60'], true],
  ['chess', chess as Game, ['KQK', 'KRK', 'KBK', 'KNK'], chess.ending('KPK').slices, false],
])('%s', (_, game, behind, wanted, oneSide) => {
  test('is solved from published files as from solved tables', async () => {
    const from = await published(game, behind, oneSide);
    const store = memoryStore();
    const { plan, standing, published: needed } = await unpackFor(game, wanted, from, store);
    expect(needed.length).toBeGreaterThan(1);
    expect(plan.map(({ slice }) => slice).filter((slice) => needed.includes(slice))).toEqual([]);
    await solve({ game, store, slices: wanted, metric: 'wdl', standing });
    const { store: reference } = await solveGame(game, wanted, { metric: 'wdl' });
    for (const slice of [...needed, ...wanted]) {
      expect(await facts(store, game, slice)).toEqual(await facts(reference, game, slice));
    }
  });
});

test('a file that is not there is named, and no table is made', async () => {
  const from = await published(checkers as Game, kings, false);
  await from.delete(publishedName(checkers, 'wdl', { slice: '1100', side: 0 }));
  const store = memoryStore();
  await expect(unpackFor(checkers as Game, ['2100'], from, store)).rejects.toThrow(/1100.*no such file/);
  expect(await store.list('')).toEqual([]);
});

/** Publications: lookups give the solved values, and nothing that is damaged, missing or foreign is believed. */
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../../operators/storage/store.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { brokenIn, type ValueColumn } from '../../../../pipeline/game/value.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { publish } from '../../../../pipeline/share/publish/publish.js';
import { verifyByTable } from '../../../../pipeline/share/publish/verify-by-table.js';
import { verifyPublished } from '../../../../pipeline/share/publish/verify-published.js';
import type { CodecName } from '../../../../pipeline/tables/codec/codec.js';
import {
  newPublishedProber,
  type PublishedProber,
} from '../../../../pipeline/tables/probe/published-prober.js';
import {
  deleteDraft,
  finishPublication,
  publishedName,
  writeDraft,
} from '../../../../pipeline/tables/published/catalogue.js';
import { codecsFor } from '../../../../pipeline/tables/published/columns.js';
import { openPublication } from '../../../../pipeline/tables/published/publication.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { ifShort, LONG, LONGEST } from '../../../support/long.js';
import { publishWhole } from '../../../support/publishing.js';
import { solveGame } from '../../../support/solving.js';

const SLICES = [...checkers.endingsUpTo(2), checkers.ending('2100'), checkers.ending('1110')].flatMap(
  ({ slices }) => slices,
);
const all = codecsFor('dtw');
const codecs = LONG ? all : all.slice(0, 1);
let solved: Store;
const published: Partial<Record<CodecName, Store>> = {};

function publishTo(to: Store, codec: CodecName, slices: readonly string[] = SLICES) {
  const game = checkers as Game;
  return publish({ game, slices, metric: 'dtw', store: solved, to, codec, progress: () => {} });
}

beforeAll(async () => {
  ({ store: solved } = await solveGame(checkers, SLICES));
  for (const codec of codecs) {
    const to = memoryStore();
    const { catalogue } = await publishTo(to, codec);
    await finishPublication(to, catalogue);
    published[codec] = to;
  }
}, 60_000);

async function proberOf<Board>(
  store: Store,
  game: Game<Board>,
  cacheBytes = 1 << 20,
): Promise<PublishedProber<Board>> {
  const publication = await openPublication(store, game as Game);
  return newPublishedProber({ game, publication, cacheBytes, positionBytes: 0 });
}

/** Positions whose published value is not the sign of the solved one, out of all of a slice. */
async function differences<Board>(
  game: Game<Board>,
  store: Store,
  tables: Store,
  slice: string,
  cacheBytes?: number,
): Promise<{ positions: number; wrong: string[] }> {
  const prober = await proberOf(store, game, cacheBytes);
  const table = await needTable(tables, game as Game, game.metrics[0], slice);
  const wrong: string[] = [];
  let positions = 0;
  for (const side of [0, 1] as const) {
    for await (const { major, first, length, columns } of table.values(side, 0, table.slice.parts)) {
      const codes = columns[0] as ValueColumn;
      for (let i = 0; i < length; i++) {
        if (codes[i] === brokenIn(codes)) continue;
        const board = game.board({ slice, side, part: major, key: first + i });
        positions++;
        if ((await prober.value(board)) !== Math.sign(codes[i])) wrong.push(game.format(board));
      }
    }
  }
  return { positions, wrong };
}

describe.each(codecs)('checkers published with codec %s', (codec) => {
  test.each(['1100', '0011.66', '2100', '1110.30'])('has the values of %s', async (slice) => {
    const { size } = checkers.slice(slice);
    const found = await differences(checkers, published[codec]!, solved, slice);
    expect(found).toEqual({ positions: 2 * size, wrong: [] });
  });

  test('is verified by its moves', async () => {
    const store = published[codec]!;
    const publication = await openPublication(store, checkers as Game);
    const prober = await proberOf(store, checkers);
    const { files } = publication.catalogue;
    let positions = 0;
    for (const { slice, side } of files) {
      const file = await verifyPublished(checkers, publication, prober, slice, side, () => {});
      expect(file).toMatchObject({ wrong: 0, mismatches: [] });
      positions += file.positions;
    }
    const stored = files.reduce((sum, file) => sum + file.positions - file.dontCares, 0);
    expect(positions).toBe(stored);
  });
});

describe('one side of each slice', () => {
  const to = memoryStore();
  const options = {
    game: checkers as Game,
    slices: SLICES,
    metric: 'dtw',
    codec: 'rows',
    oneSide: true,
  } as const;
  const publishOne = () => publish({ ...options, store: solved, to, progress: () => {} });
  beforeAll(async () => {
    await finishPublication(to, (await publishOne()).catalogue);
  });

  test.each(['1100', '0011.66', '2100', '1110.30'])(
    'the other side of %s is found by a search',
    async (slice) => {
      const found = await differences(checkers, to, solved, slice);
      expect(found).toEqual({ positions: 2 * checkers.slice(slice).size, wrong: [] });
    },
  );

  test.skipIf(!LONG)(`is verified by its moves, and by the tables${ifShort}`, async () => {
    const publication = await openPublication(to, checkers as Game);
    const prober = await proberOf(to, checkers);
    for (const { slice, side } of publication.catalogue.files) {
      const byMoves = await verifyPublished(checkers, publication, prober, slice, side, () => {});
      const table = await needTable(solved, checkers as Game, 'dtw', slice);
      const game = checkers as Game;
      const byTable = { game, store: solved, progress: () => {} };
      expect(await verifyByTable(publication, table, side, byTable)).toEqual(byMoves);
      expect(byMoves.wrong).toBe(0);
    }
  });

  test('has the smaller files, replaces none, and is found again', async () => {
    const whole = await openPublication(published.rows!, checkers as Game);
    const { files } = (await openPublication(to, checkers as Game)).catalogue;
    const sizes = new Map(whole.catalogue.files.map(({ slice, side, bytes }) => [`${slice}/${side}`, bytes]));
    for (const { slice, side, bytes, alone } of files) {
      const other = sizes.get(`${slice}/${1 - side}`);
      expect(alone).toBe(other === undefined ? undefined : true);
      expect(bytes).toBeLessThanOrEqual(other ?? bytes);
      expect(await to.size(publishedName(checkers, 'dtw', { slice, side: (1 - side) as 0 | 1 }))).toBeNull();
    }
    expect((await publishOne()).found).toBe(true);
    await expect(publishTo(to, 'rows')).rejects.toThrow(/another publication/);
  });

  test('a file with a wrong value is found by the tables', async () => {
    const game = checkers as Game;
    const publication = await openPublication(to, game);
    const [{ slice, side }] = publication.catalogue.files.filter((file) => file.slice === '2100');
    const file = await publication.file(slice, side);
    const changed = {
      ...file,
      async *values() {
        for await (const batch of file.values())
          yield { ...batch, symbols: batch.symbols.map((symbol) => 2 - symbol) };
      },
    };
    const table = await needTable(solved, game, 'dtw', slice);
    const found = await verifyByTable({ ...publication, file: async () => changed }, table, side, {
      game,
      store: solved,
      progress: () => {},
    });
    expect(found.wrong).toBeGreaterThan(0);
    expect(found.mismatches[0]).toMatchObject({ slice, side });
  });

  test('chess is refused, which has no search', async () => {
    const asked = { ...options, game: chess as Game, slices: ['KQK'], metric: 'dtm' } as const;
    await expect(publish({ ...asked, store: solved, to: memoryStore(), progress: () => {} })).rejects.toThrow(
      /chess has no search/,
    );
  });
});

test('a cache without room for two blocks gives the same values', async () => {
  const found = await differences(checkers, published.rows!, solved, '2100', 0);
  expect(found.wrong).toEqual([]);
});

test('a lookup that finds no block reads one', async () => {
  const prober = await proberOf(published.rows!, checkers, 0);
  const boards = ['B:WK1:BK32', 'B:WK31:BK1,K7'].map(checkers.parse);
  for (const board of boards) {
    expect(checkers.search!.dontCare(board)).toBe(false);
    await prober.value(board);
  }
  const before = { ...prober.counters.blocks };
  await prober.value(boards[0]);
  expect(prober.counters.blocks.misses).toBe(before.misses + 1);
  expect(prober.counters.blocks.bytesRead - before.bytesRead).toBeLessThanOrEqual(1024);
});

test('a probe lists the moves with their values, best first', async () => {
  const prober = await proberOf(published.rows!, checkers);
  const board = checkers.parse('W:WK6:BK14,K25');
  const { wdl, moves } = await prober.probe(board);
  expect(wdl).toBe('loss');
  expect(moves.map((move) => move.uci)).toEqual(
    ['6-1', '6-10', '6-2', '6-9'].filter((name) => checkers.moves(board).some((move) => move.uci === name)),
  );
});

test('existing files are kept, and other content is refused', async () => {
  const to = published.rows!;
  const names = await to.list('');
  expect((await publishTo(to, 'rows')).found).toBe(true);
  expect(await to.list('')).toEqual(names);
  await expect(publishTo(to, 'huffman')).rejects.toThrow(/another publication/);
  await expect(publishTo(to, 'rows', ['1100'])).rejects.toThrow(/another publication/);
});

test.skipIf(!LONG)(
  `a publication cannot be opened before it is finished, and continues when it was interrupted${ifShort}`,
  async () => {
    const to = memoryStore();
    const contents = async () => Promise.all((await to.list('')).map((name) => readAll(to, name)));
    const opened = () => openPublication(to, checkers as Game);
    const { catalogue } = await publishTo(to, 'rows');
    await expect(opened()).rejects.toThrow(/are not verified/);
    // Interrupted in verification: the files are kept.
    const written = await contents();
    expect(await publishTo(to, 'rows')).toMatchObject({ found: true, finished: false });
    expect(await contents()).toEqual(written);
    // Made from other tables, or interrupted before: made again.
    expect(await publishTo(to, 'rows', ['1100'])).toMatchObject({ found: false, finished: false });
    await expect(opened()).rejects.toThrow(/are not verified/);
    await deleteDraft(to, 'checkers', 'dtw');
    await expect(opened()).rejects.toThrow(/no checkers tables are published/);
    expect(await publishTo(to, 'rows')).toMatchObject({ found: false, finished: false, catalogue });
    await finishPublication(to, catalogue);
    expect((await opened()).catalogue).toEqual(catalogue);
    expect(await publishTo(to, 'rows')).toMatchObject({ found: true, finished: true });
    expect(await to.list('')).toEqual(await published.rows!.list(''));
    // Interrupted when the catalogue was there, and its draft still was.
    await writeDraft(to, catalogue);
    expect(await publishTo(to, 'rows')).toMatchObject({ found: true, finished: true });
    expect(await to.list('')).toEqual(await published.rows!.list(''));
  },
);

describe('damage', () => {
  /** The publication with one object changed. */
  async function changed(name: string, change: (bytes: Uint8Array) => Uint8Array | null): Promise<Store> {
    const from = published.rows!;
    const to = memoryStore();
    for (const each of await from.list('')) {
      const bytes = (await readAll(from, each))!;
      const written = each === name ? change(bytes) : bytes;
      if (written !== null) await to.putIfAbsent(each, written);
    }
    return to;
  }
  const flip = (at: number, bit: number) => (bytes: Uint8Array) => {
    const flipped = bytes.slice();
    flipped[at] ^= 1 << bit;
    return flipped;
  };
  const file = publishedName(checkers, 'dtw', { slice: '2100', side: 0 });
  const probe = async (store: Store) =>
    (await proberOf(store, checkers)).value(checkers.parse('B:WK31:BK1,K7'));

  test('a flipped bit in any byte is reported, with the file', async () => {
    const bytes = (await readAll(published.rows!, file))!;
    expect(await probe(published.rows!)).toBe(1);
    // Every third or seventh byte, and so all of the bits.
    for (let at = 0; at < bytes.length; at += LONGEST ? 1 : LONG ? 3 : 7) {
      await expect(probe(await changed(file, flip(at, at % 8)))).rejects.toThrow('2100.black.wdl');
    }
  });

  test('a flipped bit in a block is reported with the number of the block', async () => {
    await expect(probe(await changed(file, flip(3, 1)))).rejects.toThrow(
      /2100\.black\.wdl: block 0 of \d+ is damaged/,
    );
  });

  test.each([
    [
      'a file that is cut short',
      file,
      (bytes: Uint8Array) => bytes.subarray(0, -20),
      /2100\.black\.wdl: .*the catalogue states/,
    ],
    ['a file that is gone', file, () => null, /2100\.black\.wdl: no such file/],
    ['a codebook that is gone', 'checkers/codebook-3.bin', () => null, /codebook-3\.bin: no such codebook/],
    ['a codebook with a flipped bit', 'checkers/codebook-3.bin', flip(20, 3), /codebook-3\.bin: codebook/],
    [
      'a catalogue that is no JSON',
      'checkers/catalogue.json',
      () => new TextEncoder().encode('{'),
      /damaged catalogue/,
    ],
    [
      'a catalogue of another version',
      'checkers/catalogue.json',
      () => new TextEncoder().encode('{"version":9}'),
      /catalogue\.json: written in format 9, this program reads format 2/,
    ],
    ['no catalogue', 'checkers/catalogue.json', () => null, /no checkers tables are published /],
  ] as const)('%s', async (_what, name, change, message) => {
    await expect(probe(await changed(name, change))).rejects.toThrow(message);
  });

  test('a slice that is not published is named', async () => {
    const prober = await proberOf(published.rows!, checkers);
    await expect(prober.value(checkers.parse('B:WK31,K30:BK1,K7'))).rejects.toThrow(/2200 is not published/);
  });

  test('a value that contradicts its moves is found by verification', async () => {
    // The files of two slices of one size exchanged: sound in themselves, and wrong.
    const [one, other] = ['1100', '0011.66'].map((slice) =>
      publishedName(checkers, 'dtw', { slice, side: 0 }),
    );
    const wrong = await changed(one, (bytes) => bytes);
    await wrong.delete(one);
    await wrong.putIfAbsent(one, (await readAll(wrong, other))!);
    await expect((await proberOf(wrong, checkers)).value(checkers.parse('B:WK1:BK32'))).rejects.toThrow(
      /1100\.black\.wdl/,
    );
  });
});

test.skipIf(!LONG)(`chess is published, too${ifShort}`, { timeout: 60_000 }, async () => {
  const slices = LONG ? ['KQK', 'KRK'] : ['KRK'];
  const { store } = await solveGame(chess, slices);
  const to = memoryStore();
  const catalogue = await publishWhole({
    game: chess as Game,
    slices,
    metric: 'dtm',
    store,
    to,
    codec: 'rows',
  });
  expect(catalogue.files.map(({ slice, side }) => `${slice} ${side}`)).toContain(`${slices[0]} 1`);
  expect(await differences(chess, to, store, 'KRK')).toMatchObject({ wrong: [] });
  const publication = await openPublication(to, chess as Game);
  const prober = await proberOf(to, chess);
  const verified = await verifyPublished(chess, publication, prober, slices[0], 1, () => {});
  expect(verified).toMatchObject({ wrong: 0 });
  expect(verified.positions).toBeGreaterThan(20_000);
});

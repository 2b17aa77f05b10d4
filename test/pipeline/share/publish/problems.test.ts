/** Published tables of problems: plies and numbers are those of the solved tables, and nothing that is damaged or wrong is believed. */
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../../operators/storage/store.js';
import type { Game, Side } from '../../../../pipeline/game/game.js';
import type { Metric } from '../../../../pipeline/game/stipulation.js';
import { brokenIn, type ValueColumn } from '../../../../pipeline/game/value.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { publish } from '../../../../pipeline/share/publish/publish.js';
import { verifyByTable } from '../../../../pipeline/share/publish/verify-by-table.js';
import { verifyPublished } from '../../../../pipeline/share/publish/verify-published.js';
import { openNumbers, valuesWithNumbers } from '../../../../pipeline/tables/numbers.js';
import { newProber } from '../../../../pipeline/tables/probe/prober.js';
import { newPublishedProblems } from '../../../../pipeline/tables/probe/published-problems.js';
import { publishedObject } from '../../../../pipeline/tables/published/catalogue.js';
import {
  codeOfPlies,
  MOST_PUBLISHED_PLIES,
  pliesSymbol,
} from '../../../../pipeline/tables/published/columns.js';
import { openPublication, type Publication } from '../../../../pipeline/tables/published/publication.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { ifShort, LONG, LONGEST, sweep } from '../../../support/long.js';
import { publishWhole } from '../../../support/publishing.js';
import { putSolved } from '../../../support/solving.js';
import { numbers } from '../../tables/samples.js';

const game = chess.sided!;
const asGame = game as Game;

/** What is solved and published in one store each. */
const solved = memoryStore();
const to = memoryStore();
const CASES = sweep<readonly [Metric, string]>(
  [['help', LONG ? 'KPvK' : 'KQvK']],
  [['help-stalemate', 'KBvK']],
);
const slicesOf = (ending: string) => game.ending(ending).slices;

async function publishTo(metric: Metric, ending: string, into: Store) {
  await putSolved(solved, game, slicesOf(ending), { metric });
  return publishWhole({
    game: chess as Game,
    slices: slicesOf(ending),
    metric,
    store: solved,
    to: into,
    codec: 'bytes',
  });
}

async function proberOf(publication: Publication, cacheBytes = 1 << 20) {
  return newPublishedProblems({ game, publication, cacheBytes });
}

/** Of so many positions one is looked up by its board; `verifyByTable` compares the others, too. */
const EACH = LONGEST ? 1 : 4;

/** Calls `each` with the code and the number of every position of a table. */
async function eachPosition(
  metric: Metric,
  slice: string,
  each: (board: ReturnType<typeof game.parse>, code: number, number: number) => Promise<void>,
): Promise<void> {
  const table = await needTable(solved, asGame, metric, slice);
  const beside = openNumbers(solved, table);
  for (const side of [0, 1] as const)
    for await (const { major, first, length, columns } of valuesWithNumbers(
      table,
      beside,
      side,
      0,
      table.slice.parts,
    )) {
      const codes = columns[0] as ValueColumn;
      for (let i = 0; i < length; i++)
        if (codes[i] !== brokenIn(codes))
          await each(game.board({ slice, side, part: major, key: first + i }), codes[i], columns[1][i]);
    }
}

/** A rotated or mirrored version of a position; with pawns only the sides may be exchanged. @param chosen which one, any number. */
function imageOf(fen: string, chosen: number): string {
  const [men, side, castling, enPassant, ...clocks] = fen.split(' ');
  let rows = men.split('/').map((row) => [...row.replace(/\d/g, (n) => ' '.repeat(Number(n)))]);
  const mirrored = chosen % 2 === 1;
  if (mirrored) rows = rows.map((row) => row.reverse());
  if (!/p/i.test(men)) {
    if (chosen & 2) rows.reverse();
    if (chosen & 4) rows = rows.map((_, i) => rows.map((row) => row[i]));
  }
  const turned = rows.map((row) => row.join('').replace(/ +/g, (gap) => String(gap.length))).join('/');
  const passed =
    mirrored && enPassant !== '-'
      ? String.fromCharCode(201 - enPassant.charCodeAt(0)) + enPassant[1]
      : enPassant;
  return [turned, side, castling, passed, ...clocks].join(' ');
}

describe.each(CASES)('%s of %s', (metric, ending) => {
  beforeAll(async () => {
    const into = metric === CASES[0][0] && ending === CASES[0][1] ? to : memoryStore();
    published = into;
    await publishTo(metric, ending, into);
  }, 120_000);
  let published: Store;

  test(`one in ${EACH} positions has the plies and the number of the table, and so have its images`, async () => {
    const publication = await openPublication(published, asGame, metric);
    const prober = await proberOf(publication);
    const next = numbers(7);
    const names = [...new Set(publication.catalogue.files.map(({ slice }) => slice))];
    expect(names.length).toBeGreaterThan(0);
    let positions = 0;
    const wrong: string[] = [];
    for (const slice of names)
      await eachPosition(metric, slice, async (board, code, number) => {
        const chosen = next();
        if ((chosen >>> 8) % EACH > 0) return;
        const image = chosen % 16 === 0 ? game.parse(imageOf(game.format(board), chosen >>> 4)) : board;
        const found = await prober.value(image);
        positions++;
        if (found.code !== code || found.number !== number) wrong.push(game.format(image));
      });
    expect(wrong).toEqual([]);
    expect(positions).toBeGreaterThan(40_000 / EACH);
  }, 300_000);

  test('a probe gives what one of solved tables does', async () => {
    const publication = await openPublication(published, asGame, metric);
    const prober = await proberOf(publication, 0);
    const of = newProber({ game, metric, store: solved });
    const next = numbers(11);
    let compared = 0;
    await eachPosition(metric, slicesOf(ending)[0], async (board) => {
      if (next() % 997 !== 0) return;
      compared++;
      expect(await prober.probe(board)).toEqual(await of.probe(board));
    });
    expect(compared).toBeGreaterThan(20);
  }, 60_000);

  test.skipIf(!LONG)(
    `is verified by its moves, and by the tables${ifShort}`,
    async () => {
      const publication = await openPublication(published, asGame, metric);
      const prober = await proberOf(publication);
      const { files } = publication.catalogue;
      const some = files.filter(({ slice }) => slice === slicesOf(ending)[0]);
      for (const { slice, side, column, positions, dontCares } of some) {
        const table = await needTable(solved, asGame, metric, slice);
        const options = { game: asGame, store: solved, column, progress: () => {} };
        const byTable = await verifyByTable(publication, table, side, options);
        expect(byTable).toEqual({ positions: positions - dontCares, wrong: 0, mismatches: [] });
        // By moves it takes a hundred times as long.
        if (column === 'numbers' || side === 1) continue;
        const byMoves = await verifyPublished(game, publication, prober, slice, side, () => {});
        expect(byMoves).toEqual(byTable);
      }
    },
    300_000,
  );
});

describe('what is wrong', () => {
  const [slice] = slicesOf(CASES[0][1]);
  /** The publication with other values of a column of a slice. */
  async function changed(
    of: string,
    column: 'plies' | 'numbers',
    change: (value: number) => number,
  ): Promise<Publication> {
    const publication = await openPublication(to, asGame, 'help');
    return {
      ...publication,
      async file(name, side, which) {
        const file = await publication.file(name, side, which);
        if (name !== of || which !== column) return file;
        return {
          ...file,
          async readBlock(block) {
            const runs = await file.readBlock(block);
            return { ...runs, values: runs.values.map(change) };
          },
          async *values() {
            for await (const batch of file.values()) yield { ...batch, symbols: batch.symbols.map(change) };
          },
        };
      },
    };
  }

  test.each([
    ['numbers', (value: number) => (value === 3 ? 4 : value)],
    ['plies', (value: number) => (value === 3 ? 4 : value)],
  ] as const)('%s are found by moves and by tables', async (column, change) => {
    const publication = await changed(slice, column, change);
    if (column === 'numbers') {
      const prober = await proberOf(publication);
      const byMoves = await verifyPublished(game, publication, prober, slice, 1, () => {});
      expect(byMoves.wrong).toBeGreaterThan(0);
      const [mismatch] = byMoves.mismatches;
      expect(mismatch).toMatchObject({ slice, side: 1 });
      const { stored, derived, numbers } = mismatch;
      expect([stored, numbers?.stored]).not.toEqual([derived, numbers?.derived]);
    }
    const table = await needTable(solved, asGame, 'help', slice);
    const options = { game: asGame, store: solved, column, progress: () => {} };
    const byTable = await verifyByTable(publication, table, 1, options);
    expect(byTable.wrong).toBeGreaterThan(0);
    expect(byTable.mismatches[0]).toMatchObject(
      column === 'numbers' ? { numbers: { stored: 5, derived: 4 } } : { stored: -7, derived: -5 },
    );
  });

  test('a flipped bit in any file is reported, with the file', async () => {
    const side = 0;
    const names = await to.list('');
    for (const name of names.filter((each) => each.startsWith(`chess/${slice}.`))) {
      if (!name.includes('.white.')) continue;
      const bytes = (await readAll(to, name))!;
      const copy = memoryStore();
      for (const each of names)
        await copy.putIfAbsent(each, each === name ? bytes : (await readAll(to, each))!);
      const reads = async () => {
        const file = await (await openPublication(copy, asGame, 'help')).file(
          slice,
          side,
          name.endsWith('plies') ? 'plies' : 'numbers',
        );
        for await (const _ of file.values());
      };
      await reads();
      for (let at = 0; at < bytes.length; at += 997) {
        bytes[at] ^= 1 << (at % 8);
        await copy.delete(name);
        await copy.putIfAbsent(name, bytes);
        await expect(reads()).rejects.toThrow(name);
        bytes[at] ^= 1 << (at % 8);
      }
    }
  }, 60_000);

  test('another file in the place of one is refused', async () => {
    const other = memoryStore();
    const name = 'chess/KQvK.black.help.numbers';
    for (const each of await to.list(''))
      await other.putIfAbsent(
        each,
        (await readAll(to, each === name ? name.replace('numbers', 'plies') : each))!,
      );
    const file = (await openPublication(other, asGame, 'help')).file('KQvK', 1, 'numbers');
    await expect(file).rejects.toThrow(`${name}: has `);
  });
});

test.skipIf(!LONG)(
  `a place has a publication of outcomes and one of each stipulation, and is found again${ifShort}`,
  async () => {
    const place = memoryStore();
    await publishTo('help', 'KQvK', place);
    await publishTo('self', 'KQvK', place);
    await putSolved(solved, chess, ['KQK'], { metric: 'dtm' });
    const direct = { game: chess as Game, slices: ['KQK'], metric: 'dtm', store: solved, to: place } as const;
    await publishWhole({ ...direct, codec: 'rows' });
    const names = await place.list('');
    expect(names).toEqual(
      expect.arrayContaining([
        'chess/catalogue.help.json',
        'chess/catalogue.json',
        'chess/catalogue.self.json',
        'chess/codebook-3.bin',
        'chess/codebook-3.help.numbers.bin',
        'chess/codebook-3.help.plies.bin',
        'chess/KQK.white.wdl',
        'chess/KQvK.black.help.numbers',
        'chess/KQvK.black.help.plies',
      ]),
    );
    const kinds = names.map((name) => publishedObject(name));
    expect(kinds).not.toContain(null);
    expect(kinds.filter((each) => each?.kind === 'catalogue').map((each) => each!.metric)).toEqual(
      expect.arrayContaining(['help', 'self', 'wdl']),
    );
    const again = {
      game: chess as Game,
      slices: slicesOf('KQvK'),
      metric: 'help',
      store: solved,
      to: place,
    } as const;
    expect(await publish({ ...again, codec: 'bytes', progress: () => {} })).toMatchObject({ found: true });
    expect(await place.list('')).toEqual(names);
    await expect(openPublication(place, asGame, 'help-stalemate')).rejects.toThrow(
      /^no chess tables of help-stalemate are published in /,
    );
  },
);

test('a codec that cannot hold the values is refused', async () => {
  const options = { game: chess as Game, store: solved, to: memoryStore(), progress: () => {} };
  await expect(publish({ ...options, slices: ['KQvK'], metric: 'help', codec: 'rows' })).rejects.toThrow(
    'codec rows cannot hold tables of help: choose bytes',
  );
  await expect(publish({ ...options, slices: ['KQK'], metric: 'dtm', codec: 'bytes' })).rejects.toThrow(
    'codec bytes cannot hold tables of dtm: choose rows, huffman, packed',
  );
});

test('plies have a symbol up to a limit, by the side that is to be mated', () => {
  for (const goalOf of [0, 1] as const)
    for (const side of [0, 1] as Side[])
      for (let plies = side === goalOf ? 0 : 1; plies <= MOST_PUBLISHED_PLIES; plies += 2) {
        const code = side === goalOf ? -plies - 1 : plies;
        expect(codeOfPlies(pliesSymbol(code), side, goalOf)).toBe(code);
        expect(pliesSymbol(code)).toBeLessThan(255);
      }
  expect(pliesSymbol(MOST_PUBLISHED_PLIES + 1)).toBe(255);
  expect(codeOfPlies(0, 0, 1)).toBe(0);
});

/**
 * The same position by the command line, over HTTP, in exports of every format, on a static site and on the page: the same names and values, for
 * games of every kind.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyedRules } from 'mergemate';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PositionAnswer } from '../../jobs/positions/shapes.js';
import { httpSource } from '../../jobs/web/http-source.js';
import { shownPosition } from '../../jobs/web/shown-position.js';
import type { StaticSource } from '../../jobs/web/static/static-source.js';
import { localStore } from '../../operators/storage/local.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import boxes from '../../samples/dots-and-boxes/game.js';
import ticTacToe from '../../samples/tic-tac-toe/game.js';
import { type App, query } from '../support/asking.js';
import { program } from '../support/command.js';
import { linesOf, type Row, rowsIn } from '../support/exported-rows.js';
import { servedSite } from '../support/exported-site.js';
import type { FileServer } from '../support/file-server.js';
import { newFolder } from '../support/folders.js';
import { LONG, LONGEST } from '../support/long.js';
import { games, served } from '../support/serving.js';
import { putEndings } from '../support/solving.js';
import { valueUnder } from '../support/value-under.js';

type Json = Record<string, unknown>;

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
let app: App;
let files: FileServer;
let site: StaticSource;
afterAll(async () => {
  await files?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => void vi.unstubAllGlobals());

const BOXES = 'samples/dots-and-boxes/game.ts';
const TIC_TAC_TOE = 'samples/tic-tac-toe/game.ts';
const TOWN = 'samples/town.jsonl';

interface Kind {
  readonly kind: string;
  /** What commands call the game, the ending in it, and what the server calls the game. */
  readonly asked: string;
  readonly ending?: string;
  readonly game: string;
  readonly metric: Metric;
}

const FIRST = 'an ending under dtm';
const FIRST_ROWS = 3000;

const KINDS: readonly Kind[] = [
  { kind: FIRST, asked: 'chess', ending: 'KQK', game: 'chess', metric: 'dtm' },
  {
    kind: 'an ending with its colours exchanged',
    asked: 'chess',
    ending: 'KKQ',
    game: 'chess',
    metric: 'dtm',
  },
  { kind: 'an ending with pawns', asked: 'chess', ending: 'KPK.7', game: 'chess', metric: 'dtm' },
  { kind: 'an ending under dtz', asked: 'chess', ending: 'KQK', game: 'chess', metric: 'dtz' },
  { kind: 'helpmates', asked: 'chess', ending: 'KQvK', game: 'chess', metric: 'help' },
  {
    kind: 'a numbered game',
    asked: TIC_TAC_TOE,
    ending: ticTacToe.name,
    game: ticTacToe.name,
    metric: 'dtw',
  },
  { kind: 'a keyed game', asked: BOXES, game: boxes.name, metric: 'score' },
  { kind: 'a graph', asked: TOWN, game: 'town', metric: 'dtw' },
];

beforeAll(async () => {
  await putEndings(store, chess, ['KPK.7'], ['dtm']);
  await putEndings(store, chess, ['KQK'], ['dtz']);
  await mergemate.succeed(['solve', 'chess', 'KQvK', '--metric', 'help', '--no-verify']);
  for (const game of [TIC_TAC_TOE, BOXES, TOWN]) await mergemate.succeed(['solve', game, '--no-verify']);
  const published = ['--no-verify', '--to', join(folder, 'published')];
  for (const game of [BOXES, TOWN]) await mergemate.succeed(['publish', game, ...published]);
  await mergemate.succeed(['publish', 'chess', 'KPK.7', ...published]);
  await mergemate.succeed(['publish', 'chess', 'KQvK', '--metric', 'help', ...published]);
  const keyed = [boxes] as unknown as KeyedRules[];
  const tables = localStore(store, { durable: false });
  ({ app } = served(tables, { keyed, games: [...games, ticTacToe as unknown as Game] }));
  ({ server: files, site } = await servedSite(tables, folder));
}, 300_000);

async function get<T = Json>(path: string): Promise<T> {
  const response = await app.request(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

const asTexts = (row: Row) => Object.values(row).map((cell) => String(cell ?? ''));

const outcomeOf = ({ position, mover, outcome }: Json) => ({ position, mover, outcome });

/** The page asks this server. */
function withPage(): void {
  vi.stubGlobal('fetch', (address: URL | string, request?: RequestInit) => {
    const { pathname, search } = new URL(String(address), 'http://server/game/name/');
    return app.request(`${pathname}${search}`, request);
  });
}

describe.each(KINDS)('$kind', ({ kind, asked, ending, game, metric }) => {
  const words = ending === undefined || asked === TIC_TAC_TOE ? [asked] : [asked, ending];
  const isChess = game === 'chess';
  let rows: Row[];
  /** Positions from the beginning, the middle and the end of the export. */
  let some: Row[];

  beforeAll(async () => {
    rows = linesOf(await mergemate.succeed(['export', ...words, '--metric', metric]));
    some = [rows[0], rows[rows.length >> 1], rows.at(-1)!];
  });

  test('rows are the same in every format, and whatever chooses them', async () => {
    // Readers of the formats take long: of endings of chess the first rows are read, and one whole in the long tests.
    const isWhole = LONGEST || ending === undefined || asked === TIC_TAC_TOE || (LONG && kind === FIRST);
    const limit = isWhole ? [] : ['--limit', String(FIRST_ROWS)];
    const written = isWhole ? rows : rows.slice(0, FIRST_ROWS);
    const text = JSON.stringify(written);
    for (const format of ['arrow', 'parquet', 'csv']) {
      const out = join(folder, `${game}-${metric}-${ending}.${format}`);
      await mergemate.succeed(['export', ...words, '--metric', metric, ...limit, '--out', out]);
      // As texts: to compare so many objects takes long.
      const read = await rowsIn(out);
      // CSV does not tell the number 0 from its digit.
      const expected = format === 'csv' ? JSON.stringify(written.map(asTexts)) : text;
      expect(JSON.stringify(format === 'csv' ? read.map(asTexts) : read) === expected, format).toBe(true);
    }
    const { outcome, mover } = some[1];
    const result = outcome === 'no solution' || outcome === 'solved' ? '' : `result=${outcome}`;
    const where = `${result} side=${mover}`;
    const chosen = linesOf(
      await mergemate.succeed(['export', ...words, '--metric', metric, '--where', where, '--limit', '5']),
    );
    const expected = rows.filter((row) => (result === '' || row.outcome === outcome) && row.mover === mover);
    expect(chosen).toEqual(expected.slice(0, 5));
  });

  test('probe --json prints the values of the row', async () => {
    for (const { weight: _, layer: __, ...row } of some)
      expect(
        await mergemate.succeedJson<Json>(['probe', asked, String(row.position), '--metric', metric]),
      ).toMatchObject(row);
  });

  test('/probe answers what probe --json prints, but for the name of the game and the diagram', async () => {
    for (const { position } of some.map((row) => ({ position: String(row.position) }))) {
      const printed = await mergemate.succeedJson<Json>(['probe', asked, position, '--metric', metric]);
      const { game: name, diagram, ...answered } = await get(query('/probe', { game, metric, position }));
      expect(answered).toEqual(printed);
      expect([name, typeof diagram]).toEqual([game, 'string']);
    }
  });

  test('the page and a static site show what /probe answers', async () => {
    withPage();
    for (const position of some.map((row) => String(row.position))) {
      const answered = await get<PositionAnswer>(query('/probe', { game, metric, position }));
      const shown = shownPosition(answered);
      const [first] = await httpSource('http://server/').probe(game, [metric], position);
      expect(first).toEqual(shown);
      if (!isChess) continue;
      vi.unstubAllGlobals();
      expect(await valueUnder(site, game, metric, position)).toEqual(shown);
      withPage();
    }
  });

  test.skipIf(asked === TIC_TAC_TOE)('published files answer what tables answer', async () => {
    // Published tables of play hold outcomes alone.
    const hasAll = !isChess || metric === 'help';
    const flags = ['--published', join(folder, 'published'), '--metric', hasAll ? metric : 'wdl'];
    for (const { position } of some) {
      const probe = ['probe', asked, String(position)];
      const printed = await mergemate.succeedJson<{ moves: Json[] }>([...probe, '--metric', metric]);
      const published = await mergemate.succeedJson<{ moves: Json[] }>([...probe, ...flags]);
      const compared = ({ moves, ...value }: { moves: Json[] }) => ({
        value: hasAll ? value : outcomeOf(value),
        // Equally good moves come in another order.
        moves: new Map(moves.map((move) => [move.move, hasAll ? move : outcomeOf(move)])),
      });
      expect(compared(published)).toEqual(compared(printed));
    }
  });

  test.skipIf(metric === 'help')(
    'probe --line --json prints what /api/mainline answers, but for the name of the game',
    async () => {
      const position = String(some[1].position);
      const printed = await mergemate.succeedJson<Json>([
        ...['probe', asked, position, '--metric', metric, '--line'],
      ]);
      const { game: name, ...answered } = await get(query('/api/mainline', { game, metric, position }));
      expect(answered).toEqual(printed);
      expect(name).toBe(game);
      const {
        moves: __,
        leftOut,
        ...value
      } = await mergemate.succeedJson<Json>([...['probe', asked, position, '--metric', metric]]);
      expect(printed).toMatchObject(value);
    },
  );

  test.skipIf(ending === undefined)('rows of /api/positions and of a site are those of export', async () => {
    const [, { plies, mover, outcome }] = some;
    const wanted: Record<string, string> = {
      ...(plies !== null && { plies: String(plies) }),
      ...(plies === null && outcome === 'draw' && { result: 'draw' }),
    };
    const expected = rows.filter((row) => plies === null || row.plies === plies);
    const where = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
    const path = query('/api/positions', { game, metric, ending: ending!, limit: '20', ...wanted });
    const { positions } = await get<{ positions: Row[] }>(path);
    const same = plies === null ? rows.filter((row) => row.outcome === outcome) : expected;
    expect(positions).toEqual(same.slice(0, 20));
    expect(positions.length).toBeGreaterThan(0);
    const lines = await app.request(`${path}&format=jsonl`);
    expect(linesOf(await lines.text())).toEqual(positions);
    expect(
      linesOf(
        await mergemate.succeed([
          ...['export', ...words, '--metric', metric, '--where', where.join(' '), '--limit', '20'],
        ]),
      ),
    ).toEqual(positions);
    expect(mover).toBeTypeOf('string');
    if (!isChess) return;
    const found = await site.positions({
      game,
      metric,
      ending: ending!,
      query:
        plies === null ? { result: 'draw' } : { plies: { least: plies as number, most: plies as number } },
      skip: 0,
      limit: 20,
    });
    expect(found.positions).toEqual(positions);
  });
});

test('zugzwangs have the same columns as JSON, as JSON Lines and, where they are named, in exports', async () => {
  const asked = { game: 'chess', metric: 'dtm', ending: 'KQK', zugzwang: 'true' };
  const { positions } = await get<{ positions: Row[] }>(query('/api/positions', asked));
  const lines = await app.request(query('/api/positions', { ...asked, format: 'jsonl' }));
  expect(linesOf(await lines.text())).toEqual(positions);
  const columns = 'slice,position,mover,outcome,plies,zugzwang,passed,passed_plies,weight';
  const exported = await mergemate.succeed([
    ...['export', 'chess', 'KQK', '--metric', 'dtm', '--where', 'zugzwang', '--columns', columns],
  ]);
  expect(linesOf(exported)).toEqual(positions);
});

/** The same position by the command line, over HTTP and in exports: the same names and values, for an ending, a keyed game and a graph. */
import { rmSync } from 'node:fs';
import type { KeyedRules } from 'mergemate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import boxes from '../../samples/dots-and-boxes/game.js';
import { type App, query } from '../support/asking.js';
import { program } from '../support/command.js';
import { newFolder } from '../support/folders.js';
import { served } from '../support/serving.js';
import { putEndings } from '../support/solving.js';

type Json = Record<string, unknown>;

const folder = newFolder();
const mergemate = program(folder);
let app: App;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BOXES = 'samples/dots-and-boxes/game.ts';
const TOWN = 'samples/town.jsonl';

/** What commands call the game and the server calls it, and a position that somebody wins. */
const KINDS = [
  { kind: 'an ending', asked: 'chess', game: 'chess', position: '8/8/8/8/3k4/8/8/K6Q w - - 0 1' },
  { kind: 'a keyed game', asked: BOXES, game: boxes.name, position: '0' },
  { kind: 'a graph', asked: TOWN, game: 'town', position: 'a' },
];

beforeAll(async () => {
  await putEndings(folder, chess, ['KQK'], ['dtm', 'wdl']);
  await mergemate.succeed(['solve', BOXES]);
  await mergemate.succeed(['solve', TOWN]);
  const keyed = [boxes] as unknown as KeyedRules[];
  ({ app } = served(localStore(folder, { durable: false }), { keyed }));
});

async function get(path: string): Promise<Json> {
  const response = await app.request(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as Json;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

describe.each(KINDS)('$kind', ({ asked, game, position }) => {
  test('probe --json prints what /probe answers, but for the name of the game and the diagram', async () => {
    const printed = await mergemate.succeedJson<Json>(['probe', asked, position]);
    const { game: name, diagram, ...answered } = await get(query('/probe', { game, position }));
    expect(answered).toEqual(printed);
    expect([name, typeof diagram]).toEqual([game, 'string']);
    expect(printed).toMatchObject({ over: false, moves: expect.any(Array) });
    const [{ ...move }] = printed.moves as Json[];
    expect(Object.keys(move)).toEqual(expect.arrayContaining(['move', 'position', 'outcome', 'plies']));
  });

  test('probe --line --json prints what /api/mainline answers, but for the name of the game', async () => {
    const { metrics: _, ...printed } = await mergemate.succeedJson<Json>([
      ...['probe', asked, position, '--line'],
    ]);
    const { game: name, ...answered } = await get(query('/api/mainline', { game, position }));
    expect(answered).toEqual(printed);
    expect(name).toBe(game);
    const {
      moves: __,
      metrics,
      leftOut,
      ...value
    } = await mergemate.succeedJson<Json>([...['probe', asked, position]]);
    expect(printed).toMatchObject(value);
  });

  test('a row of export has the names and values of probe', async () => {
    const of = game === 'chess' ? ['KQK', '--metric', 'dtm'] : [];
    const rows = linesOf(
      await mergemate.succeed(['export', asked, ...of, '--format', 'jsonl', '--out', '-']),
    );
    const metric = game === 'chess' ? ['--metric', 'dtm'] : [];
    for (const row of [rows[0], rows[rows.length >> 1], rows.at(-1)!]) {
      const { outcome, plies, mover } = await mergemate.succeedJson<Json>([
        ...['probe', asked, String(row.position), ...metric],
      ]);
      expect(row).toMatchObject({ outcome, plies, mover });
    }
  });
});

test('rows of /api/positions are those of JSON Lines, over HTTP and of export, and the values of /probe', async () => {
  const asked = { game: 'chess', metric: 'dtm', ending: 'KQK', plies: '19' };
  const { positions } = (await get(query('/api/positions', asked))) as { positions: Json[] };
  const lines = await app.request(query('/api/positions', { ...asked, format: 'jsonl' }));
  expect(linesOf(await lines.text())).toEqual(positions);
  const exported = await mergemate.succeed([
    ...['export', 'chess', 'KQK', '--metric', 'dtm', '--where', 'plies=19', '--format', 'jsonl'],
  ]);
  expect(linesOf(exported)).toEqual(positions);
  expect(positions.length).toBeGreaterThan(0);
  const [{ weight, ...row }] = positions;
  expect(weight).toBe(8);
  const position = String(row.position);
  expect(await get(query('/probe', { game: 'chess', metric: 'dtm', position }))).toMatchObject(row);
});

test('zugzwangs have the same columns as JSON and as JSON Lines', async () => {
  const asked = { game: 'chess', metric: 'dtm', ending: 'KQK', zugzwang: 'true' };
  const { positions } = (await get(query('/api/positions', asked))) as { positions: Json[] };
  const lines = await app.request(query('/api/positions', { ...asked, format: 'jsonl' }));
  expect(linesOf(await lines.text())).toEqual(positions);
});

/** The examples of docs/graphs.md mean the same, and the schema describes them. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { jsonGraph } from '../../../jobs/graph/json-graph.js';
import { solvedLines } from '../../samples/solved-graph.js';
import { readAll } from './json-forms.js';

const page = readFileSync('docs/graphs.md', 'utf8');
const example = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)![1];
const document = example('json');
const lines = example('jsonl');
const schema = JSON.parse(readFileSync('docs/graph.schema.json', 'utf8'));

const ajv = new Ajv({ strict: true, strictRequired: false });
ajv.addSchema(schema, 'graph');
const isDocument = ajv.getSchema('graph')!;
const isLine = ajv.compile({ $ref: 'graph#/definitions/line' });

async function* bytes(text: string) {
  yield Buffer.from(text);
}
const read = async (name: string, text: string) =>
  readAll(await jsonGraph({ name, bytes: () => bytes(text) }));

test('both examples are the same graph', async () => {
  const graph = await read('g.json', document);
  expect(graph).toEqual(await read('g.jsonl', lines));
  expect(graph).toEqual({
    players: ['robber', 'cop'],
    stuck: 'lost',
    nodes: [
      { id: 'a', owner: 1, winner: null, edges: ['b', 7] },
      { id: 'b', owner: 0, winner: 1, edges: [] },
      { id: 7, owner: 0, winner: null, edges: ['a'] },
      { id: 'haven', owner: 0, winner: 'nobody', edges: [] },
    ],
    edges: [{ from: 7, to: 'haven' }],
  });
});

test('the schema accepts both examples', () => {
  expect(isDocument(JSON.parse(document)), JSON.stringify(isDocument.errors)).toBe(true);
  for (const line of lines.trimEnd().split('\n'))
    expect(isLine(JSON.parse(line)), JSON.stringify(isLine.errors)).toBe(true);
});

test.each([
  ['{"nodes":[]}'],
  ['{"nodes":[{"id":1.5,"owner":0}]}'],
  ['{"nodes":[{"id":1}]}'],
  ['{"nodes":[{"id":1,"owner":2}]}'],
  ['{"nodes":[{"id":1,"owner":null}]}'],
  ['{"nodes":[{"id":1,"owner":0,"moves":[]}]}'],
  ['{"nodes":[{"id":1,"owner":0}],"edges":[[1]]}'],
  ['{"nodes":[{"id":1,"owner":0}],"edges":[{"from":1}]}'],
  ['{"players":["a","a"],"nodes":[{"id":1,"owner":0}]}'],
  ['{"stuck":"won","nodes":[{"id":1,"owner":0}]}'],
  ['{"nodes":[{"id":1,"owner":0,"edges":[[1,2]]}]}'],
  ['{"nodes":[{"id":1,"owner":0,"edges":[["a",2,3]]}]}'],
  ['{"roots":[1.5],"nodes":[{"id":1,"owner":0}]}'],
  ['{"nodes":[{"id":1,"winner":0,"score":126}]}'],
])('both the schema and the reader refuse %s', async (text) => {
  expect(isDocument(JSON.parse(text))).toBe(false);
  await expect(read('g.json', text)).rejects.toThrow('graph g.json: line 1, byte');
});

test('the mistake that the page shows gives the message that it prints', async () => {
  const wrong = document.replace('"winner": "cop"', '"winner": "kop"');
  const shown = /^graph town\.json: .*$/m.exec(page)![0];
  await expect(read('town.json', wrong)).rejects.toThrow(shown);
});

test('the example is solved with the values that the page prints', async () => {
  const { summary, rows, probed } = await solvedLines('town', lines.split('\n'));
  expect(page).toContain(summary);
  expect(page).toContain(await probed(7));
  const players = ['robber', 'cop'];
  for (const { id, owner, winner, plies, move } of rows.values()) {
    // Where the play is over, the page names the loser as the one to move, and of draws the first player.
    const mover = owner ?? (winner === null ? 0 : 1 - winner);
    const row = {
      position: String(JSON.parse(id)),
      mover: players[mover],
      outcome: winner === null ? 'draw' : winner === mover ? 'win' : 'loss',
      plies,
      move: move === null ? null : String(JSON.parse(move)),
    };
    expect(page).toContain(`\n${JSON.stringify(row)}\n`);
  }
});

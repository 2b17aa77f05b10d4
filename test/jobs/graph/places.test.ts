/** Reading of lines continues at each place that it has given, as if it had not been interrupted. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openJsonGraph } from '../../../jobs/graph/json-graph.js';
import type { ListedGraph, Place } from '../../../pipeline/graph/source.js';
import { LONG, sweep } from '../../support/long.js';
import { newRandom, type PlainGraph, written } from './json-forms.js';

const folder = mkdtempSync(join(tmpdir(), 'mergemate-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface ReadAll {
  /** Nodes and edges, each as JSON. */
  readonly items: string[];
  /** With the number of items before them. */
  readonly places: { readonly place: Place; readonly before: number }[];
}

async function readAll(source: ListedGraph, from: Place | null = null): Promise<ReadAll> {
  const all: ReadAll = { items: [], places: [] };
  for await (const { nodes, edges, place } of source.read({ from })) {
    // Nodes come before edges, as batches are cut differently.
    for (const each of [...nodes, ...edges]) all.items.push(JSON.stringify(each));
    if (place !== undefined) all.places.push({ place: await place(), before: all.items.length });
  }
  return all;
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Names are in several scripts, some long, and there are a few nodes with many edges. */
function graphOf(count: number): PlainGraph {
  const random = newRandom(7);
  const name = (i: number) => (i % 3 === 0 ? i : `${'ñ漢🂡'.slice(0, 1 + (i % 2))}${'x'.repeat(i % 50)}${i}`);
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: name(i),
    owner: (i % 2) as 0 | 1,
    winner: null,
    edges: Array.from({ length: i % 500 === 9 ? 3000 : random(5) }, () => name(random(count))),
  }));
  return { players: ['über', 'unter'], stuck: 'drawn', nodes, edges: [] };
}

describe('lines', () => {
  const text = written(graphOf(4000), true, newRandom(3));
  const path = file('lines.jsonl', text);

  test('are read on from every place', async () => {
    const whole = await readAll(await openJsonGraph(path));
    expect(whole.items.length).toBe(4000);
    // Nearly every piece ends with a line that is not longer.
    expect(whole.places.length).toBeGreaterThan(text.length / 4096 / 3);
    for (const { place, before } of whole.places.filter((_, i) => i % (LONG ? 7 : 84) === 0)) {
      const source = await openJsonGraph(path);
      expect(source.head.players).toEqual(['über', 'unter']);
      const { items, places } = await readAll(source, place);
      expect(items).toEqual(whole.items.slice(before));
      const later = whole.places.at(-1)!.place;
      if (before < 3900) expect(places.at(-1)!.place).toEqual(later);
    }
  });

  test.each(
    sweep(
      [['{"id":"wrong"}', 'it has neither an owner nor a winner']],
      [
        ['{"id":"wrong",}', ''],
        ['{"players":["a","b"]}', '"players"'],
        ['{"id":"open","owner":0', ''],
      ],
    ),
  )('that are wrong are reported with the same line as if read at once: %s', async (line, what) => {
    const wrong = file('wrong.jsonl', `${text}\n${line}\n`);
    const { place } = (await readAll(await openJsonGraph(path))).places[5];
    const messages: string[] = [];
    for (const from of [null, place])
      await readAll(await openJsonGraph(wrong), from).catch((error: Error) => messages.push(error.message));
    expect(messages[0]).toContain(what);
    expect(messages).toEqual([messages[0], messages[0]]);
  });

  test('that are compressed have no places', async () => {
    const { items, places } = await readAll(await openJsonGraph(file('lines.jsonl.gz', gzipSync(text))));
    expect([items.length, places.length]).toEqual([4000, 0]);
  });
});

test('documents have no places', async () => {
  const path = file('document.json', written(graphOf(500), false, newRandom(3)));
  const { items, places } = await readAll(await openJsonGraph(path));
  expect([items.length, places.length]).toEqual([500, 0]);
});

/** Scrubbing finds whatever is changed, moved or missing. */
import { beforeAll, expect, test } from 'vitest';
import { storedGames } from '../../../../jobs/registry.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../../operators/storage/store.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { filedEndings } from '../../../../pipeline/games/chess/syzygy/endings.js';
import { tableSource } from '../../../../pipeline/share/publish/syzygy-source.js';
import { consequencesOf } from '../../../../pipeline/share/scrub/consequences.js';
import { scrub } from '../../../../pipeline/share/scrub/scrub.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { random } from '../../../operators/run-samples.js';
import { LONG, LONGEST } from '../../../support/long.js';
import { publishWhole } from '../../../support/publishing.js';
import { recorderOf } from '../../../support/recording.js';
import { solveChess } from '../../../support/solving.js';
import { filesFrom } from '../../games/chess/syzygy/making.js';

const games = await storedGames();
const scrubbed = (store: Store) => scrub({ store, games, report: async () => {} });

async function put(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  await store.delete(name);
  await store.putIfAbsent(name, bytes);
}

/** Tables, records, a publication and Syzygy's files in one store. */
let store: Store;
let names: string[];
beforeAll(async () => {
  const metric = 'dtz';
  ({ store } = await solveChess(['KNK', 'KBK'], { metric, verify: true }));
  const recorder = recorderOf(store, ['KNK'], { metric });
  await solveChess(['KRK'], { metric, verify: true, store, progress: recorder.listen });
  await recorder.close('stopped');
  const slices = ['KRK', 'KNK'];
  await publishWhole({ game: chess, slices, metric, store, to: store, codec: 'huffman' });
  for (const one of filedEndings(chess, [chess.ending('KRK')])) {
    const { ending, material } = one;
    const open = (slice: string) => needTable(store, chess, metric, slice);
    const source = tableSource({ game: chess, ending, open, memory: 1 << 20, pause: async () => {} });
    for (const [name, bytes] of await filesFrom(material, source, 'exact')) await put(store, name, bytes);
  }
  names = await store.list('');
});

test('in a sound store every object is sound', async () => {
  const found = await scrubbed(store);
  expect(found).toMatchObject({ damaged: [], unnamed: 0, foreign: 0, objects: names.length });
  const sizes = await Promise.all(names.map((name) => store.size(name)));
  expect(found.bytes).toBe(sizes.reduce<number>((sum, size) => sum + size!, 0));
  for (const kind of ['/runs/', 'record-1.json', 'codebook-3.bin', '.wdl', '.rtbw', '.rtbz', 'verified.json'])
    expect(names.some((name) => name.includes(kind))).toBe(true);
});

test.each([LONGEST ? 1000 : LONG ? 100 : 8])(
  'each of %d random flips of a bit is found, by name',
  async (flips) => {
    const next = random(18);
    const missed: string[] = [];
    for (let i = 0; i < flips; i++) {
      // Every other flip in a small object: there would be few of them by chance.
      const small = names.filter((name) => !name.endsWith('.arrow'));
      const among = i % 2 === 0 ? names : small;
      const name = among[next() % among.length];
      const whole = (await readAll(store, name))!;
      const changed = whole.slice();
      const at = next() % changed.length;
      changed[at] ^= 1 << (next() % 8);
      await put(store, name, changed);
      const { damaged } = await scrubbed(store);
      if (!damaged.some((damage) => damage.name === name)) missed.push(`${name}, byte ${at}`);
      await put(store, name, whole);
    }
    expect(missed).toEqual([]);
  },
  900_000,
);

test('every needed object that is gone is found, and every one that is cut short', async () => {
  const believed: string[] = [];
  // The short tests take every fourth object.
  for (const name of names.filter((_, i) => LONG || i % 4 === 0)) {
    const whole = (await readAll(store, name))!;
    await store.delete(name);
    // Without its manifest nothing lists the objects; records and Syzygy's files are each for itself.
    const isNamed = name.endsWith('.arrow') || name.endsWith('.wdl') || name.endsWith('.bin');
    const { damaged } = await scrubbed(store);
    if (isNamed && !damaged.some((damage) => damage.name === name)) believed.push(`${name} gone`);
    await put(store, name, whole.subarray(0, whole.length - 1));
    const cut = await scrubbed(store);
    // A record without its last line break is the record.
    if (!name.endsWith('.json') && !cut.damaged.some((damage) => damage.name === name))
      believed.push(`${name} cut`);
    await put(store, name, whole);
  }
  expect(believed).toEqual([]);
});

test('any two exchanged objects of a kind are found', async () => {
  const ofKind = (kind: RegExp) => names.filter((name) => kind.test(name));
  const believed: string[] = [];
  let pairs = 0;
  for (const kind of [/\.arrow$/, /\.json$/, /\.wdl$/, /\.rtbw$/, /\.rtbz$/]) {
    for (const one of ofKind(kind)) {
      for (const other of ofKind(kind)) {
        // The short tests take every sixteenth pair.
        if (one >= other || (!LONG && pairs++ % 16 !== 0)) continue;
        const [first, second] = [(await readAll(store, one))!, (await readAll(store, other))!];
        await put(store, one, second);
        await put(store, other, first);
        const { damaged } = await scrubbed(store);
        for (const name of [one, other])
          if (!damaged.some((damage) => damage.name === name)) believed.push(`${name} (${one}, ${other})`);
        await put(store, one, first);
        await put(store, other, second);
      }
    }
  }
  expect(believed).toEqual([]);
});

test('the objects made from a damaged table are named, with the commands that make them again', async () => {
  const { store: pawns } = await solveChess(['KPK.6'], { metric: 'dtm' });
  const listing = await pawns.list('');
  const damaged = ['chess/dtm/KRK/table.json', 'chess/runs/a/run.json', 'KRvK.rtbw', 'chess/catalogue.json'];
  const found = consequencesOf(
    damaged.map((name) => ({ name, problem: 'damaged' })),
    listing,
    games,
  );
  expect(found.map(({ dependents }) => dependents)).toEqual([['dtm/KPK.6', 'dtm/KPK.7'], [], [], []]);
  expect(found.map(({ remake }) => remake)).toEqual([
    { task: 'repair' },
    null,
    { task: 'write Syzygy file', ending: 'KRK' },
    { task: 'publish', game: 'chess', metric: 'wdl' },
  ]);
});

test('a store that cannot be read is an error, not damage', async () => {
  const away: Store = { ...memoryStore(), list: async () => Promise.reject(new Error('away')) };
  await expect(scrubbed(away)).rejects.toThrow('away');
});

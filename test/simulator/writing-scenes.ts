/** Scenes that write from finished tables: publications, Syzygy's files, exports. The tables are solved once, without faults. */
import { runPublication } from '../../jobs/engines/publication.js';
import { arrow } from '../../jobs/export/arrow.js';
import { columnsOf } from '../../jobs/export/columns.js';
import { parquet } from '../../jobs/export/parquet.js';
import { type RowFormat, writeRows } from '../../jobs/export/rows.js';
import { writeSet } from '../../jobs/export/set.js';
import { newEndingWriter, rightFiles, writeFiles } from '../../jobs/export/syzygy-files.js';
import { tableRows } from '../../jobs/export/table-rows.js';
import { jsonLines } from '../../jobs/export/text-rows.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import { inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { solve } from '../../pipeline/engine/crew/solve.js';
import type { Game } from '../../pipeline/game/game.js';
import { digestOf } from '../../pipeline/game/record.js';
import type { Metric } from '../../pipeline/game/value.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { newWriter, newWritingMemory } from '../../pipeline/games/chess/syzygy/writer.js';
import type { CodecName } from '../../pipeline/tables/codec/codec.js';
import { needTable } from '../../pipeline/tables/table.js';
import { budgetOf, MiB } from '../support/solving.js';
import { crewOf } from '../support/writing-crew.js';
import { DAMAGING, SURVIVED } from './faults.js';
import type { Scene } from './scene.js';

/** Solved tables of an ending and of all that it converts to. */
interface Tables {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: string;
  readonly objects: ReadonlyMap<string, Uint8Array>;
}

/** Files that a process makes from tables. */
interface Writing {
  readonly name: string;
  /** Reads the tables of the store, and writes into it. @returns a text that must be the same in every run. */
  write(tables: Tables, store: Store): Promise<string>;
  /** The files carry no checksums of mergemate's, so bits that rot in them are no business of the simulator's. */
  readonly isBare?: boolean;
  /** Files that were damaged are in the way of new ones: a person removes all of them, as the messages say. */
  readonly isInTheWay?: boolean;
}

const nothing = (): void => {};
const breathe = async (): Promise<void> => {};

async function solveInto(store: Store, { game, metric }: Pick<Tables, 'game' | 'metric'>, slices: string[]) {
  return solve({
    game,
    store,
    slices,
    metric,
    strategy: 'count',
    verify: true,
    budget: budgetOf(64 * MiB),
    engine: inlineEngine(game, store, newScratch(memoryStore(), 'scratch'), { attempt: '-tables' }),
    progress: nothing,
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
}

async function solveTables(game: Game, ending: string, metric: Metric): Promise<Tables> {
  const store = memoryStore();
  await solveInto(store, { game, metric }, [...game.ending(ending).slices]);
  return { game, metric, ending, objects: await objectsOf(store) };
}

async function objectsOf(store: Store): Promise<Map<string, Uint8Array>> {
  const objects = new Map<string, Uint8Array>();
  for (const name of await store.list('')) objects.set(name, (await readAll(store, name))!);
  return objects;
}

/** Files that `write` makes in memory, where nothing goes wrong. */
async function filesOf(tables: Tables, { write }: Writing): Promise<Map<string, Uint8Array>> {
  const store = memoryStore();
  for (const [name, bytes] of tables.objects) await store.putIfAbsent(name, bytes);
  await write(tables, store);
  const made = await objectsOf(store);
  for (const name of tables.objects.keys()) made.delete(name);
  return made;
}

async function writingScene(tables: Tables, writing: Writing, copies: number): Promise<Scene> {
  const { game, metric } = tables;
  const files = await filesOf(tables, writing);
  return {
    name: `${game.name} ${tables.ending}: ${writing.name}${copies === 1 ? '' : `, ${copies} at once`}`,
    survives: SURVIVED,
    damages: DAMAGING,
    often: 5,
    games: new Map([[game.name, game]]),
    objects: tables.objects,
    files,
    isBare: (name) => writing.isBare === true && !tables.objects.has(name),
    tasks: () =>
      Array.from({ length: copies }, (_, i) => ({
        name: `writer ${i}`,
        run: ({ store }) => writing.write(tables, store),
      })),
    check: breathe,
    async solveAgain({ store }, slice) {
      const summaries = await solveInto(store, { game, metric }, [slice]);
      return summaries.find((summary) => summary.slice === slice)!.table.digests as [string, string];
    },
    async clearAway(store, damaged) {
      const isHit = writing.isBare || damaged.some((name) => !name.startsWith(`${game.name}/${metric}/`));
      if (!writing.isInTheWay || !isHit) return;
      for (const name of await store.list(''))
        if (!name.startsWith(`${game.name}/${metric}/`)) await store.delete(name);
    },
  };
}

const publishing = (codec: CodecName, verify: boolean): Writing => ({
  name: `publish, ${codec}${verify ? '' : ', unverified'}`,
  isInTheWay: true,
  async write({ game, metric, ending }, store) {
    const work = {
      slices: game.ending(ending).slices,
      metric,
      codec,
      oneSide: false,
      verify: verify ? ('moves' as const) : null,
    };
    const { catalogue, verified } = await runPublication(work, game, { store, to: store }, nothing);
    return `${digestOf(catalogue)} ${verified?.wrong ?? 'unverified'}`;
  },
});

/** Files that are damaged are seen to be, and made again. */
const syzygy: Writing = {
  name: 'syzygy',
  async write({ game, ending }, store) {
    const made: string[] = [];
    for (const one of filedEndings(game, [game.ending(ending)])) {
      const scratch = newScratch(memoryStore(), 'syzygy');
      const place = {
        game,
        store,
        out: store,
        plies: 'exact',
        writer: newWriter(newWritingMemory(MiB, 1), scratch),
        warn: nothing,
        breathe,
      } as const;
      const crew = crewOf(newEndingWriter(place, one, scratch.store));
      const files = (await rightFiles(place, one)) ?? (await writeFiles(one, crew, scratch, nothing));
      for (const { name, bytes } of files) made.push(`${name} ${bytes}`);
    }
    return made.join();
  },
};

const exportingSet = (format: RowFormat): Writing => ({
  name: `export, a set of ${format.suffix}`,
  isBare: true,
  isInTheWay: true,
  async write({ game, metric, ending }, store) {
    const options = {
      game,
      metric,
      store,
      endings: [game.ending(ending)],
      format,
      columns: columnsOf(metric).filter((name) => name !== 'best'),
    };
    const files = await writeSet(
      { ...options, out: 'SET', force: false, memory: 2 ** 24, progress: nothing, breathe },
      store,
    );
    return files.map(({ name, rows, bytes }) => `${name} ${rows} ${bytes}`).join();
  },
});

const exportingFile = (format: RowFormat): Writing => ({
  name: `export, a file of ${format.suffix}`,
  isBare: true,
  async write({ game, metric, ending }, store) {
    const table = await needTable(store, game, metric, ending);
    const rows = tableRows({
      game,
      metric,
      tables: [{ ending, shown: ending, table, flipped: false }],
      columns: columnsOf(metric).filter((name) => name !== 'best'),
      memory: 2 ** 24,
      progress: nothing,
      breathe,
    });
    const written = await writeRows(rows, format, await store.create(`exported.${format.suffix}`));
    return String(written);
  },
});

export async function writingScenes(): Promise<Scene[]> {
  const draughts = await solveTables(checkers as Game, '1100', 'dtw');
  const rook = await solveTables(chess as Game, 'KRK', 'dtz');
  return Promise.all([
    writingScene(draughts, publishing('rows', true), 1),
    writingScene(rook, syzygy, 1),
    writingScene(rook, publishing('huffman', false), 1),
    writingScene(rook, exportingSet(arrow), 1),
    writingScene(draughts, publishing('huffman', true), 2),
    writingScene(rook, exportingFile(parquet), 1),
    writingScene(rook, syzygy, 2),
    writingScene(draughts, exportingFile(jsonLines), 1),
    writingScene(rook, publishing('packed', false), 2),
    writingScene(draughts, exportingSet(parquet), 2),
  ]);
}

/** Files of Syzygy's format made for tests from tables solved in memory, and the values that programs should find in them. */
import { memoryStore } from '../../../../../operators/storage/memory.js';
import { newScratch } from '../../../../../operators/storage/scratch.js';
import { readAll } from '../../../../../operators/storage/store.js';
import type { Address, Game } from '../../../../../pipeline/game/game.js';
import { brokenIn, type ValueColumn } from '../../../../../pipeline/game/value.js';
import { chess } from '../../../../../pipeline/games/chess/chess.js';
import type { Plies } from '../../../../../pipeline/games/chess/syzygy/cells.js';
import { filedEndings } from '../../../../../pipeline/games/chess/syzygy/endings.js';
import { type WritingCrew, writeSyzygyFiles } from '../../../../../pipeline/games/chess/syzygy/files.js';
import type { FileKind } from '../../../../../pipeline/games/chess/syzygy/format.js';
import type { Material } from '../../../../../pipeline/games/chess/syzygy/material.js';
import type { ValueSource } from '../../../../../pipeline/games/chess/syzygy/subtable.js';
import { EndingWriter } from '../../../../../pipeline/games/chess/syzygy/tasks.js';
import { newWriter, newWritingMemory } from '../../../../../pipeline/games/chess/syzygy/writer.js';
import { type SliceValues, tableSource } from '../../../../../pipeline/share/publish/syzygy-source.js';
import { needTable } from '../../../../../pipeline/tables/table.js';
import { putSolved } from '../../../../support/solving.js';
import { crewOf } from '../../../../support/writing-crew.js';

const game = chess as Game;

export type Files = Map<string, Uint8Array>;
export type SolvedEnding = Awaited<ReturnType<typeof solveEnding>>;

/** Solves an ending with all that it converts to under dtz, once for all test files of a process. */
export async function solveEnding(name: string) {
  const store = memoryStore();
  const { slices } = game.ending(name);
  await putSolved(store, chess, slices, { metric: 'dtz' });
  return { store, open: (slice: string) => needTable(store, game, 'dtz', slice), name };
}

/** Another code for a position. */
export type Change = (place: Address, code: number) => number;

function changed({ slice, values }: SliceValues, change: Change): SliceValues {
  return {
    slice,
    async *values(side, from, to) {
      for await (const batch of values(side, from, to)) {
        const codes = batch.columns[0] as ValueColumn;
        const broken = brokenIn(codes);
        const place = (i: number) => ({ slice: slice.name, side, part: batch.major, key: batch.first + i });
        const others = Int16Array.from(codes.subarray(0, batch.length), (code, i) =>
          code === broken ? -32768 : change(place(i), code),
        );
        yield { ...batch, columns: [others] };
      }
    },
  };
}

/** Few, so that all that is done in parts is. */
const MEMORY = 2 << 20;

/** Both files of an ending, by name, made of these values by writers that take tasks in turn, with the memory of so many threads. */
export async function filesFrom(
  material: Material,
  source: ValueSource,
  plies: Plies,
  memory = MEMORY,
  threads = 1,
): Promise<Files> {
  const store = memoryStore();
  const names = { wdl: `${material.name}.rtbw`, dtz: `${material.name}.rtbz` };
  const scratch = newScratch(memoryStore(), 'scratch');
  const writing = newWritingMemory(memory, threads);
  const crews = Array.from({ length: threads }, (_, thread) => {
    const writer = newWriter(writing, newScratch(scratch.store, `thread-${thread}`));
    const sink = (kind: FileKind) => store.create(names[kind]);
    return crewOf(new EndingWriter({ writer, tapes: scratch.store, material, source, plies, sink }));
  });
  let tasks = 0;
  const crew: WritingCrew = { do: (task) => crews[tasks++ % threads].do(task) };
  await writeSyzygyFiles({ material, scratch, crew });
  const all = Object.values(names).map(async (name) => [name, (await readAll(store, name))!] as const);
  return new Map(await Promise.all(all));
}

/** Files of a solved ending and, unless `alone`, of all its dependencies. `change` may replace values. */
export async function filesOf(
  { open, name }: SolvedEnding,
  plies: Plies,
  {
    change,
    alone = false,
    memory = MEMORY,
    threads = 1,
  }: { change?: Change; alone?: boolean; memory?: number; threads?: number } = {},
): Promise<Files> {
  const files: Files = new Map();
  const read = async (slice: string) => {
    const table = await open(slice);
    return change === undefined ? table : changed(table, change);
  };
  for (const { ending, material } of filedEndings(game, [game.ending(name)])) {
    if (alone && ending.name !== name) continue;
    const source = tableSource({ game, ending, open: read, memory: Math.floor(memory / 4) });
    const made = await filesFrom(material, source, plies, memory, threads);
    for (const [file, bytes] of made) files.set(file, bytes);
  }
  return files;
}

const madeBefore = new Map<Plies, Promise<Files>>();

/** The files of KPK and of all its dependencies, made once for all test files of a process. */
export async function pawnFiles(plies: Plies): Promise<Files> {
  if (!madeBefore.has(plies)) madeBefore.set(plies, filesOf(await solveEnding('KPK'), plies));
  return new Map(await madeBefore.get(plies)!);
}

/** Every `step`-th position of an ending, with the code of the table. */
export async function positionsOf({ open }: SolvedEnding, name: string, step: number) {
  const positions: { fen: string; code: number }[] = [];
  let number = 0;
  for (const slice of game.ending(name).slices) {
    const table = await open(slice);
    for (const side of [0, 1] as const) {
      for await (const batch of table.values(side, 0, table.slice.parts)) {
        const codes = batch.columns[0] as ValueColumn;
        const broken = brokenIn(codes);
        for (let i = 0; i < batch.length; i++) {
          if (codes[i] === broken || number++ % step !== 0) continue;
          const board = game.board({ slice, side, part: batch.major, key: batch.first + i });
          positions.push({ fen: game.format(board), code: codes[i] });
        }
      }
    }
  }
  return positions;
}

/** Value of a position as other programs have it: outcome (0 lost ... 4 won), plies to a zeroing move; mate is one ply. */
export function expectedOf(code: number): { outcome: number; plies: number } {
  if (code === 0) return { outcome: 2, plies: 0 };
  const plies = code > 0 ? code : Math.max(1, -code - 1);
  const cursed = plies > 100;
  return { outcome: code > 0 ? (cursed ? 3 : 4) : cursed ? 1 : 0, plies };
}

/** The files of an ending in Syzygy's format: whether they are there, and making them. */
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Sink, Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { writeSyzygyFiles } from '../../pipeline/games/chess/syzygy/files.js';
import { type FileKind, fileName } from '../../pipeline/games/chess/syzygy/format.js';
import { newKernels } from '../../pipeline/games/chess/syzygy/kernels.js';
import { mirrorsAgree } from '../../pipeline/games/chess/syzygy/read/mirrors.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/sound.js';
import { tableSource } from '../../pipeline/tables/publish/syzygy-source.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';

/** A file, and whether it was made now or was there. */
export interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly written: boolean;
}

/** The metric of the tables that files are made from. */
export const METRIC = 'dtz';
/** Bytes that are kept of files that are read. */
const CACHE = 16 << 20;

interface SyzygyWork {
  readonly game: Game;
  /** Store of the tables. */
  readonly store: Store;
  /** Folder of the files. */
  readonly out: Store;
  readonly plies: Plies;
  /** Bytes of buffers. */
  readonly memory: number;
  readonly scratch: Scratch;
  /** Takes each step. */
  readonly note: (text: string) => void;
  /** Called when files that are there are made again. */
  readonly warn: (text: string) => void;
  /** Called now and then, to let others have their turn. */
  readonly breathe: () => Promise<void>;
}

/** Makes both files of an ending, unless they are there and right. */
export async function makeFiles(work: SyzygyWork, one: FiledEnding, force: boolean): Promise<Written[]> {
  return (force ? null : await rightFiles(work, one)) ?? (await writeFiles(work, one));
}

/** Both files of an ending if they are there, whole, and say the same of boards and their mirror images. */
async function rightFiles(
  { out, memory, scratch, warn, breathe }: SyzygyWork,
  { material }: FiledEnding,
): Promise<Written[] | null> {
  const found: Written[] = [];
  for (const kind of ['wdl', 'dtz'] as const) {
    const checked = await checkFile(out, kind, material);
    if (checked === null || !checked.isSound) return null;
    found.push({ name: fileName(material, kind), bytes: checked.bytes, written: false });
  }
  const kernels = newKernels(memory, scratch);
  if (await mirrorsAgree(openSyzygyTables(out, CACHE), material, kernels, breathe)) return found;
  warn(`${material.name}: the files that are there give mirror images different values, and are made again`);
  return null;
}

/** The share of the memory that outcomes of dependencies have; kernels have five eighths. */
const OUTCOMES = 1 / 4;

async function writeFiles(
  { game, store, out, plies, memory, scratch, note, breathe }: SyzygyWork,
  { ending, material }: FiledEnding,
): Promise<Written[]> {
  const tables = new Map<string, Promise<Table>>();
  const open = (slice: string): Promise<Table> => {
    let table = tables.get(slice);
    if (!table) tables.set(slice, (table = needTable(store, game, METRIC, slice)));
    return table;
  };
  const source = tableSource({ game, ending, open, memory: Math.floor(memory * OUTCOMES), pause: breathe });
  const sinks = new Map<FileKind, Sink>();
  try {
    const bytes = await writeSyzygyFiles({
      material,
      source,
      plies,
      memory,
      scratch,
      async sink(kind) {
        const sink = await out.create(fileName(material, kind));
        sinks.set(kind, sink);
        return sink;
      },
      async report(what, done, of) {
        note(`${what} (${done} of ${of})`);
        await breathe();
      },
    });
    const written: Written[] = [];
    for (const [kind, sink] of sinks) {
      await sink.close();
      sinks.delete(kind);
      written.push({ name: fileName(material, kind), bytes: bytes[kind], written: true });
    }
    return written;
  } catch (error) {
    for (const sink of sinks.values()) await sink.abort();
    throw error;
  }
}

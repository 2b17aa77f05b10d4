/** The files of an ending in Syzygy's format: whether they are there, and making them. */

import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { type WritingCrew, writeSyzygyFiles } from '../../pipeline/games/chess/syzygy/files.js';
import { type FileKind, fileName } from '../../pipeline/games/chess/syzygy/format.js';
import { mirrorsAgree } from '../../pipeline/games/chess/syzygy/read/mirrors.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/read/sound.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { EndingWriter } from '../../pipeline/games/chess/syzygy/tasks.js';
import type { Writer } from '../../pipeline/games/chess/syzygy/writer.js';
import { tableSource } from '../../pipeline/share/publish/syzygy-source.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';

/** A file, and whether it was made now or was there. */
export interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly written: boolean;
}

/** Bytes that are kept of files that are read. */
const CACHE = 16 << 20;

/** Where files are made from, and where they go. */
export interface SyzygyPlace {
  readonly game: Game;
  /** Store of the tables. */
  readonly store: Store;
  /** Folder of the files. */
  readonly out: Store;
  readonly plies: Plies;
  /** The memory and the scratch of this thread. */
  readonly writer: Writer;
  /** Called when files that are there are made again. */
  readonly warn: (text: string) => void;
  /** Called now and then, to let others have their turn. */
  readonly breathe: () => Promise<void>;
}

/** Makes both files of an ending by the tasks of a crew. @param note takes each step. */
export async function writeFiles(
  { material }: FiledEnding,
  crew: WritingCrew,
  scratch: Scratch,
  note: (text: string) => void,
): Promise<Written[]> {
  const report = (what: string, done: number, of: number) => note(`${what} (${done} of ${of})`);
  const bytes = await writeSyzygyFiles({ material, crew, scratch, report });
  return (['wdl', 'dtz'] as const).map((kind) => ({
    name: fileName(material, kind),
    bytes: bytes[kind],
    written: true,
  }));
}

/** Both files of an ending if they are there, whole, and say the same of boards and their mirror images. */
export async function rightFiles(
  { out, writer, warn, breathe }: SyzygyPlace,
  { material }: FiledEnding,
): Promise<Written[] | null> {
  const found: Written[] = [];
  for (const kind of ['wdl', 'dtz'] as const) {
    const checked = await checkFile(out, kind, material);
    if (checked === null || !checked.isSound) return null;
    found.push({ name: fileName(material, kind), bytes: checked.bytes, written: false });
  }
  if (await mirrorsAgree(openSyzygyTables(out, CACHE), material, writer, breathe)) return found;
  warn(`${material.name}: the files that are there give mirror images different values, and are made again`);
  return null;
}

/** Does tasks of an ending on this thread. @param tapes where the saved tapes of all its threads are. */
export function newEndingWriter(
  { game, store, out, plies, writer, breathe }: SyzygyPlace,
  { ending, material }: FiledEnding,
  tapes: Store,
): EndingWriter {
  const tables = new Map<string, Promise<Table>>();
  const open = (slice: string): Promise<Table> => {
    let table = tables.get(slice);
    if (!table) tables.set(slice, (table = needTable(store, game, SYZYGY_METRIC, slice)));
    return table;
  };
  const source = tableSource({ game, ending, open, memory: writer.outcomes, pause: breathe });
  const sink = (kind: FileKind) => out.create(fileName(material, kind));
  return new EndingWriter({ writer, tapes, material, source, plies, sink });
}

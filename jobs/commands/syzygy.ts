/** `mergemate syzygy`: the files that chess programs probe. */
import { UserError } from '../../operators/core/errors.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import type { Ending, Game } from '../../pipeline/game.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { type FiledEnding, filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { syzygyFiles } from '../../pipeline/games/chess/syzygy/files.js';
import { fileName } from '../../pipeline/games/chess/syzygy/layout.js';
import { mirrorsAgree } from '../../pipeline/games/chess/syzygy/read/mirrors.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { isSound } from '../../pipeline/games/chess/syzygy/sound.js';
import { tableSource } from '../../pipeline/games/chess/syzygy/table-source.js';
import { needTable, type Table } from '../../pipeline/table/table.js';
import { sayWhenInterrupted } from '../exit.js';
import { askEndings, type CommonOptions } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { openStore, storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { bytes } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';

interface SyzygyFlags extends CommonOptions {
  readonly pieces?: number;
  readonly out?: string;
  readonly plies: Plies;
  readonly force?: boolean;
}

/** A file, and whether it was made now or was there. */
interface Written {
  readonly name: string;
  readonly bytes: number;
  readonly written: boolean;
}

const METRIC = 'dtz';
const LINE_MS = 5000;
/** Bytes that are kept of files that are read. */
const CACHE = 16 << 20;

export async function runSyzygy(names: string[], flags: SyzygyFlags): Promise<void> {
  if (flags.out === undefined)
    throw new UserError('--out: say where the files go, a folder or s3://bucket/prefix');
  const game = await findGame('chess');
  const filed = filedEndings(game, askedFor(game, names, flags.pieces));
  const store = storeToRead(flags.store);
  const out = openStore(flags.out);
  sayWhenInterrupted('files that were finished are there, and the same command makes the others');
  const slices = [...new Set(filed.flatMap((one) => one.slices))];
  await needTables(store, game, METRIC, slices, askedWords(names, flags.pieces));
  const files: Written[] = [];
  for (const [i, one] of filed.entries()) {
    const found = flags.force ? null : await rightFiles(out, one);
    if (found !== null) files.push(...found);
    else {
      const note = newNote(`${one.material.name} [${i + 1}/${filed.length}]`, flags.json === true);
      files.push(...(await writeFiles(game, store, out, one, flags.plies, note)));
    }
  }
  if (flags.json)
    await printJson({ game: game.name, metric: METRIC, out: flags.out, plies: flags.plies, files });
  else await print(summary(flags.out, files));
}

/** Endings with a right to capture en passant are no files of their own. */
function askedFor(game: Game, names: readonly string[], men: number | undefined): Ending[] {
  const named = new Set(names.map((name) => game.ending(name).name));
  return askEndings(game, names, men).filter(
    ({ name, class: whole }) => named.has(name) || !whole.endsWith('ep'),
  );
}

/** Both files of an ending if they are there, whole, and say the same of boards and their mirror images. */
async function rightFiles(out: Store, { material }: FiledEnding): Promise<Written[] | null> {
  const found: Written[] = [];
  for (const kind of ['wdl', 'dtz'] as const) {
    const name = fileName(material, kind);
    const all = await readAll(out, name);
    if (all === null || !isSound(all, kind, material)) return null;
    found.push({ name, bytes: all.length, written: false });
  }
  if (await mirrorsAgree(openSyzygyTables(out, CACHE), material, breathe)) return found;
  process.stderr.write(
    `${material.name}: the files that are there give mirror images different values, and are made again\n`,
  );
  return null;
}

async function writeFiles(
  game: Game,
  store: Store,
  out: Store,
  one: FiledEnding,
  plies: Plies,
  note: (text: string) => void,
): Promise<Written[]> {
  const { ending, material } = one;
  const tables = new Map<string, Promise<Table>>();
  const open = (slice: string): Promise<Table> => {
    let table = tables.get(slice);
    if (!table) tables.set(slice, (table = needTable(store, game, METRIC, slice)));
    return table;
  };
  const source = tableSource({ game, ending, material, open, pause: breathe });
  const made = await syzygyFiles({
    material,
    source,
    plies,
    report: async (done, of) => {
      note(`subtable ${done} of ${of}`);
      await breathe();
    },
  });
  const written: Written[] = [];
  for (const kind of ['wdl', 'dtz'] as const) {
    const name = fileName(material, kind);
    const sink = await out.create(name);
    try {
      await sink.write([made[kind]]);
      await sink.close();
    } catch (error) {
      await sink.abort();
      throw error;
    }
    written.push({ name, bytes: made[kind].length, written: true });
  }
  return written;
}

let lastNote = Number.NEGATIVE_INFINITY;

/** Says on stderr now and then what is being made. */
function newNote(what: string, quiet: boolean): (text: string) => void {
  return (text) => {
    const now = performance.now();
    if (quiet || now - lastNote < LINE_MS) return;
    lastNote = now;
    process.stderr.write(`${what} ${text}\n`);
  };
}

function summary(out: string, files: readonly Written[]): string {
  const rows = files.map((file) => [file.name, String(file.bytes), file.written ? 'written' : 'was there']);
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${out}\n\n${textTable(['file', 'bytes', ''], rows)}\n${files.length} files, ${bytes(total)}\n`;
}

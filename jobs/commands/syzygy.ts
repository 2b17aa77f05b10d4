/** `mergemate syzygy`: the files that chess programs probe. */
import { type Command, Option } from 'commander';
import { readAll, type Store } from '../../operators/storage/store.js';
import type { Ending, Game } from '../../pipeline/game.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { type FiledEnding, filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import { syzygyFiles } from '../../pipeline/games/chess/syzygy/files.js';
import { EXTENSION, type FileKind } from '../../pipeline/games/chess/syzygy/layout.js';
import { isSound } from '../../pipeline/games/chess/syzygy/sound.js';
import { tableSource } from '../../pipeline/games/chess/syzygy/table-source.js';
import { needTable, type Table } from '../../pipeline/table/table.js';
import { sayWhenInterrupted } from '../exit.js';
import { askEndings, withPieces } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { type CommonOptions, withStore } from '../store-option.js';
import { openStore, storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { bytes } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';

interface SyzygyFlags extends CommonOptions {
  readonly pieces?: number;
  readonly out: string;
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

export function addSyzygy(program: Command): void {
  withPieces(withStore(program.command('syzygy [endings...]')))
    .summary("write Syzygy's files, which chess programs probe")
    .description(
      'Writes the files KQvKR.rtbw (wins, draws, losses under the 50-move rule) and KQvKR.rtbz (plies to a zeroing move) of\n' +
        'endings of chess that are solved under the metric dtz, and of all that they convert to: programs that probe one\n' +
        'ending need the files of its captures and promotions. Files that are there and whole are left alone.',
    )
    .requiredOption('--out <uri>', 'where the files go: a folder or s3://bucket/prefix')
    .addOption(
      new Option(
        '--plies <how>',
        'exact: every ply to the 100 of the rule; halved: as in the published files, where an odd number of plies may stand for the even one above it',
      )
        .choices(['exact', 'halved'] satisfies Plies[])
        .default('exact'),
    )
    .option('--force', 'write files anew that are there')
    .action(runSyzygy);
}

async function runSyzygy(names: string[], flags: SyzygyFlags): Promise<void> {
  const game = await findGame('chess');
  const filed = filedEndings(game, askedFor(game, names, flags.pieces));
  const store = storeToRead(flags.store);
  const out = openStore(flags.out);
  sayWhenInterrupted('files that were finished are there, and the same command makes the others');
  const slices = [...new Set(filed.flatMap((one) => one.slices))];
  await needTables(store, game, METRIC, slices, askedWords(names, flags.pieces));
  const files: Written[] = [];
  for (const [i, one] of filed.entries()) {
    const found = flags.force ? null : await wholeFiles(out, one);
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

function nameOf({ material }: FiledEnding, kind: FileKind): string {
  return `${material.name}.${EXTENSION[kind]}`;
}

/** Both files of an ending if they are there and whole. */
async function wholeFiles(out: Store, one: FiledEnding): Promise<Written[] | null> {
  const found: Written[] = [];
  for (const kind of ['wdl', 'dtz'] as const) {
    const name = nameOf(one, kind);
    const all = await readAll(out, name);
    if (all === null || !isSound(all, kind, one.material)) return null;
    found.push({ name, bytes: all.length, written: false });
  }
  return found;
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
    const name = nameOf(one, kind);
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

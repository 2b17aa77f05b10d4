/** The ledger of a set of endings as text, and as a page: Markdown, HTML, or JSON. */
import { basename, dirname, extname } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import { putOver } from '../../operators/storage/store.js';
import { requirePlaceOfFile } from '../cli/what-is.js';
import type { FileSet } from '../progress/model.js';
import { doneLedgers } from '../progress/set.js';
import { type Ledger, sumOf } from '../progress/set-records.js';
import {
  type Block,
  type Cell,
  type Column,
  documentHtml,
  documentMarkdown,
  heading,
  paragraph,
} from '../ui/document.js';
import { bytes, count, duration, whole } from '../ui/numbers.js';
import { STYLE } from '../ui/page-style.js';

/** A column that is shown beside those of the ledger. */
interface ExtraColumn {
  readonly title: string;
  cell(ledger: Ledger): Cell;
}

export function setBlocks(set: FileSet, extra: readonly ExtraColumn[] = []): Block[] {
  const ledgers = doneLedgers(set);
  const columns: Column[] = [
    { title: 'ending', sort: 'text' },
    ...['solved, CPU s', 'written, CPU s', 'verified, CPU s', 'wall s', '.rtbw', '.rtbz', 'longest win'].map(
      (title): Column => ({ title, sort: 'number' }),
    ),
    ...extra.map(({ title }): Column => ({ title, sort: 'number' })),
    ...['positions derived again, tables', 'files', 'disk at most'].map(
      (title): Column => ({ title, sort: 'number' }),
    ),
  ];
  const rows = ledgers.map((ledger): Cell[] => {
    const { ending, steps, wallMs, longestWin, tablePositions, filePositions, diskBytes } = ledger;
    const size = (suffix: string) => number(ledger.bytes[`${ending}.${suffix}`] ?? 0);
    return [
      ending,
      ...[steps.solve, steps.write, steps.verify].map(({ cpuMs }) => seconds(cpuMs)),
      seconds(wallMs),
      size('rtbw'),
      size('rtbz'),
      longestWin === null ? { value: null, text: '-' } : number(longestWin),
      ...extra.map(({ cell }) => cell(ledger)),
      tablePositions === null ? { value: null, text: '-' } : number(tablePositions),
      number(sumOf(filePositions)),
      diskBytes === null ? { value: null, text: '-' } : { value: diskBytes, text: bytes(diskBytes) },
    ];
  });
  return [
    paragraph(summaryOf(set)),
    paragraph(sittingsText(set)),
    { kind: 'table', table: { columns, rows } },
  ];
}

const number = (value: number): Cell => ({ value, text: whole(value) });
const seconds = (ms: number): Cell => ({ value: ms / 1000, text: (ms / 1000).toFixed(1) });

function summaryOf(set: FileSet): string {
  const ledgers = doneLedgers(set);
  const total = (of: (ledger: Ledger) => number) => ledgers.reduce((sum, ledger) => sum + of(ledger), 0);
  const longest = Math.max(0, ...ledgers.map(({ longestWin }) => longestWin ?? 0));
  const steps = (['solve', 'write', 'verify'] as const).map((step) =>
    duration(total((ledger) => ledger.steps[step].cpuMs)),
  );
  return (
    `${whole(ledgers.length)} of ${set.endings.length} endings are done: ${bytes(total((ledger) => sumOf(ledger.bytes)))} of files, longest win ` +
    `${longest} plies to a zeroing move. Solving took ${steps[0]} of CPU, writing ${steps[1]}, verifying ${steps[2]}. ` +
    `${whole(total(({ tablePositions }) => tablePositions ?? 0))} positions of tables and ` +
    `${whole(total(({ filePositions }) => sumOf(filePositions)))} of files were derived again by forward moves, none wrong.`
  );
}

function sittingsText({ sittings, endings, leftMs }: FileSet): string {
  const wall = sittings.reduce((sum, { startedAt, heardAt }) => sum + heardAt - startedAt, 0);
  const cpu = sittings.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const killed = sittings.slice(0, -1).filter(({ ended }) => ended === null).length;
  const { startedAt, ended } = sittings.at(-1)!;
  const at = endings.flatMap(({ ending, step }) => (step === null ? [] : `${ending} (${step})`)).join(', ');
  const last = ended ?? (at === '' ? 'begun' : `at ${at}`);
  const left = ended === 'done' || leftMs === null ? '' : `, about ${duration(leftMs)} left`;
  return (
    `${count(sittings.length, 'sitting')}, ${duration(wall)} of wall time and ${duration(cpu)} of CPU in all, threads of the runtime and ` +
    `interrupted steps included${killed === 0 ? '' : `; ${killed} killed`}. The last began ${new Date(startedAt).toISOString()}: ${last}${left}.`
  );
}

const FORMS: Readonly<Record<string, (set: FileSet) => string>> = {
  '.md': (set) => documentMarkdown([heading(1, TITLE), ...setBlocks(set)]),
  '.html': (set) => documentHtml(TITLE, [heading(1, TITLE), ...setBlocks(set)], { style: STYLE }),
  '.json': (set) => `${JSON.stringify(set)}\n`,
};
const TITLE = "A set of Syzygy's files";

/** Throws UserError if no page can be written to this path. */
export function requireLedgerPage(path: string): void {
  const forms = Object.keys(FORMS);
  if (!forms.includes(extname(path)))
    throw new UserError(`--ledger ${path}: the name must end with ${forms.join(' or ')}`);
  requirePlaceOfFile('--ledger', path);
}

/** Writes the page, in the place of one that is there. */
export async function writeLedgerPage(path: string, set: FileSet): Promise<void> {
  const text = FORMS[extname(path)](set);
  await putOver(localStore(dirname(path), { durable: true }), basename(path), new TextEncoder().encode(text));
}

/**
 * The ledger of a set of Syzygy files beside the published statistics, and random positions of its finished endings: as our reader, Fathom
 * and Stockfish read them. The files were made by `solve --to`, which may still be at work.
 */
import { writeFileSync } from 'node:fs';
import type { FileSet } from '../../jobs/progress/model.js';
import { doneLedgers, newSetLookout } from '../../jobs/progress/set.js';
import type { Ledger } from '../../jobs/progress/set-records.js';
import { setBlocks } from '../../jobs/sets/ledger-page.js';
import { type Block, documentMarkdown, documentText, heading, paragraph } from '../../jobs/ui/document.js';
import { bytes, count, whole } from '../../jobs/ui/numbers.js';
import { localStore } from '../../operators/storage/local.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { formatFen } from '../../pipeline/games/chess/fen.js';
import { openSyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import { differenceOf, publishedLongestWin, publishedSizes } from '../golden/syzygy-statistics.js';
import { buildFathom, type Fathom } from '../pipeline/games/chess/syzygy/fathom.js';
import { openEngine, STOCKFISH, saidBy } from '../pipeline/games/chess/syzygy/stockfish.js';
import { randomPositions } from '../support/random-positions.js';

export interface SetBench {
  /** The folder of the files. */
  readonly syzygy: string;
  /** The page that is written; null: none. */
  readonly into: string | null;
  /** Random positions of each ending. */
  readonly positions: number;
  readonly seed: number;
  readonly machine: string;
}

/** Stockfish takes a hundred times as long for a position as Fathom. */
const SHOWN = 1 / 100;
const CACHE = 64 << 20;

interface Sampled {
  readonly fathom: number;
  readonly stockfish: number;
  /** The first position for which two readers return different values, and these values. */
  readonly difference: string | null;
}

export interface SetFigures {
  readonly endings: number;
  readonly fathom: number;
  readonly stockfish: number;
  readonly differences: readonly string[];
}

export async function benchSet(bench: SetBench): Promise<SetFigures> {
  const set = await newSetLookout(localStore(bench.syzygy, { durable: false }))(Date.now());
  if (set === null) throw new Error(`no set is made in ${bench.syzygy}`);
  const fathom = buildFathom();
  const engine = STOCKFISH === undefined ? null : openEngine(bench.syzygy);
  await engine?.ready();
  const sampled = new Map<Ledger, Sampled>();
  try {
    for (const ledger of doneLedgers(set))
      sampled.set(ledger, await sample(ledger.ending, bench, fathom, engine));
  } finally {
    fathom?.remove();
    engine?.close();
  }
  const differences = [
    ...doneLedgers(set).flatMap((ledger) => differenceOf(ledger) ?? []),
    ...[...sampled.values()].flatMap(({ difference }) => difference ?? []),
  ];
  const total = (of: (one: Sampled) => number) =>
    [...sampled.values()].reduce((sum, one) => sum + of(one), 0);
  const figures = {
    endings: doneLedgers(set).length,
    fathom: total((one) => one.fathom),
    stockfish: total((one) => one.stockfish),
    differences,
  };
  const blocks = blocksOf(set, figures, sampled);
  process.stdout.write(`\n${documentText(blocks)}`);
  if (bench.into !== null)
    writeFileSync(
      bench.into,
      documentMarkdown([
        ...introduction(bench, set),
        ...blocks,
        heading(2, 'Machine'),
        paragraph(bench.machine),
      ]),
    );
  if (differences.length > 0) process.exitCode = 1;
  return figures;
}

async function sample(
  ending: string,
  { syzygy, positions, seed }: SetBench,
  fathom: Fathom | null,
  engine: ReturnType<typeof openEngine> | null,
): Promise<Sampled> {
  const boards = randomPositions(ending.replace('v', ''), positions, { seed, close: 0.2 }).filter(
    (board) => chess.terminal(board) === 'open',
  );
  const fens = boards.map((board) => formatFen(board));
  const files = openSyzygyTables(localStore(syzygy, { durable: false }), CACHE);
  const shown = Math.ceil(fens.length * SHOWN);
  const theirs = fathom?.probe(syzygy, fens) ?? null;
  for (const [i, board] of boards.entries()) {
    const { outcome, plies } = await files.plies(board);
    const ours = `${OUTCOMES[outcome]} in ${plies}`;
    const differs = (whose: string, what: string) => ({
      fathom: i,
      stockfish: Math.min(i, shown),
      difference: `${ending}: ${fens[i]}: ${ours}, ${whose}: ${what}`,
    });
    const other = theirs?.[i];
    // Files may give plies in pairs, of which readers take either.
    if (other !== undefined && (other.outcome !== outcome || Math.abs(other.plies - plies) > 1))
      return differs('Fathom', `${OUTCOMES[other.outcome] ?? 'no file'} in ${other.plies}`);
    if (engine === null || i >= shown) continue;
    const said = await engine.ask(fens[i]);
    const result = outcome === 4 ? 'win' : outcome === 0 ? 'loss' : 'draw';
    if (said.hits === 0 || saidBy(said) !== result)
      return differs('Stockfish', `${said.hits === 0 ? 'no file' : saidBy(said)}`);
  }
  return { fathom: theirs?.length ?? 0, stockfish: engine === null ? 0 : shown, difference: null };
}

const OUTCOMES = ['lost', 'lost but for the rule', 'drawn', 'won but for the rule', 'won'];

function introduction({ syzygy, positions }: SetBench, { endings }: FileSet): Block[] {
  const men = Math.max(0, ...endings.map(({ ending }) => ending.length - 1));
  return [
    heading(1, `All Syzygy files of up to ${men === 5 ? 'five' : men} men`),
    paragraph(
      'The files are made by one command, in one sitting or several. Plies are in pairs, as in the published files. Each ending is ' +
        'solved and its tables verified by forward moves; its files are written, read back, and every value is derived again from the ' +
        'files alone. The command goes on where it was interrupted:',
    ),
    {
      kind: 'command',
      text:
        'mergemate solve chess --men 5 --metric dtz --plies halved --memory 1GiB --workers 2 --to syzygy --free-tables \\\n' +
        '  --disk 60GB --ledger ledger.md',
    },
    paragraph('This page is brought up to date by'),
    {
      kind: 'command',
      text: `MERGEMATE_TEST_FATHOM=fathom npm run bench -- --only set --syzygy ${syzygy.includes('/') ? 'syzygy' : syzygy} --inputs ${positions} --into FILE`,
    },
  ];
}

function blocksOf(set: FileSet, figures: SetFigures, sampled: ReadonlyMap<Ledger, Sampled>): Block[] {
  const { endings, fathom, stockfish, differences } = figures;
  const none = differences.length === 0;
  return [
    paragraph(
      `Beside the published statistics (syzygy-tables.info): ${count(endings, 'ending')}, the longest win of each side to move of all, and ` +
        'the numbers of positions, wins and losses of those with pawns or without like men. Fathom read ' +
        `${whole(fathom)} random positions and Stockfish ${whole(stockfish)}. ${none ? 'Nothing differs.' : 'These differ:'}`,
    ),
    ...(none ? [] : [{ kind: 'list', items: differences } as const]),
    paragraph(sizesText(set)),
    ...setBlocks(set, [
      { title: 'published', cell: ({ ending }) => publishedLongestWin(ending) ?? '-' },
      ...SUFFIXES.map((suffix) => ({
        title: `.${suffix} / published`,
        cell: (ledger: Ledger) => ratioOf(sizesOf([ledger], suffix)),
      })),
      { title: 'Fathom', cell: (ledger) => cellOf(sampled.get(ledger)!.fathom) },
      { title: 'Stockfish', cell: (ledger) => cellOf(sampled.get(ledger)!.stockfish) },
    ]),
  ];
}

const SUFFIXES = ['rtbw', 'rtbz'] as const;

/** The bytes of a file of each of some endings, and of the published ones. */
function sizesOf(
  ledgers: readonly Ledger[],
  suffix: (typeof SUFFIXES)[number],
): { readonly ours: number; readonly theirs: number } {
  const sum = (of: (ledger: Ledger) => number) => ledgers.reduce((total, ledger) => total + of(ledger), 0);
  return {
    ours: sum((ledger) => ledger.bytes[`${ledger.ending}.${suffix}`] ?? 0),
    theirs: sum(({ ending }) => publishedSizes[ending]?.[SUFFIXES.indexOf(suffix)] ?? Number.NaN),
  };
}

function sizesText(set: FileSet): string {
  const ledgers = doneLedgers(set);
  const [wdl, dtz] = SUFFIXES.map((suffix) => {
    const { ours, theirs } = sizesOf(ledgers, suffix);
    return `${bytes(ours)} of .${suffix}, ${(ours / theirs).toFixed(3)} of the published ${bytes(theirs)}`;
  });
  return `The files take ${wdl}, and ${dtz}.`;
}

const ratioOf = ({ ours, theirs }: ReturnType<typeof sizesOf>) => ({
  value: ours / theirs,
  text: Number.isNaN(theirs) ? '-' : (ours / theirs).toFixed(3),
});
const cellOf = (value: number) => ({ value, text: whole(value) });

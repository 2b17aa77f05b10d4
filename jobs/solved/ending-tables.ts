/** The tables of endings of a game, as {@link SolvedTables}. */

import { basename, resolve } from 'node:path';
import type { Store } from '../../operators/storage/store.js';
import { WDL_WORDS } from '../../pipeline/analysis/columns.js';
import type { SelectOptions } from '../../pipeline/analysis/selection.js';
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { viewsOf } from '../../pipeline/game/views.js';
import { type OpenNumbers, openNumbers } from '../../pipeline/tables/numbers.js';
import { newProber, type Prober } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';
import type { ValueTable } from '../../pipeline/tables/value-table.js';
import { askedWords, needTables } from '../asked/tables.js';
import { askEndings, metricOf, slicesOf } from '../cli/options.js';
import { breathe } from '../cli/output.js';
import { coordinate } from '../engines/coordinator.js';
import { crewTask } from '../engines/tasks.js';
import { ASKED_FOR, type Column, columnsOf, readColumns } from '../export/columns.js';
import type { RowsToWrite } from '../export/rows.js';
import { type ListedPosition, recordOf, ZUGZWANG_COLUMNS } from '../positions/lines.js';
import { meetsOf, playerNamed, selectionOf } from '../positions/query.js';
import type { RecordColumn } from '../positions/records.js';
import { newScanLines } from '../progress/display.js';
import { type ReportFiles, reportFiles } from '../report/folder.js';
import type { EndingReport } from '../report/gather.js';
import type { ProblemReport } from '../report/problems.js';
import { storeToRead } from '../stores.js';
import { hasMates } from '../ui/verdict.js';
import { PROBE_CACHE } from './open-prober.js';
import {
  type ExportedRows,
  type FoundPosition,
  type FoundPositions,
  type Query,
  refuseChessFormat,
  type SolvedTables,
  type Statistics,
  type TableFlags,
  type Verification,
} from './tables.js';

/** Zugzwangs of each kind that a report shows of an ending. */
const EXAMPLES = 3;

export class EndingTables implements SolvedTables {
  readonly name: string;
  readonly metric: Metric;
  readonly asked: readonly Ending[];
  readonly store: Store;
  readonly slices: readonly string[];

  /** By whose names the tables go. */
  readonly game: Game;

  /** @param reference of the game on the command line, and `names` of its endings. */
  constructor(
    game: Game,
    private readonly reference: string,
    private readonly names: readonly string[],
    readonly flags: TableFlags,
  ) {
    this.name = game.name;
    if (!hasMates(game)) refuseChessFormat(game.name, flags.chessFormat);
    this.metric = metricOf(game, flags.metric);
    this.game = namedFor(game, this.metric);
    // Positions with two values are not added up: an ending that has such is two.
    this.asked = askEndings(this.game, names, flags.pieces).flatMap((ending) =>
      (ending.bounds ?? [ending.name]).map((name) => this.game.ending(name)),
    );
    this.slices = slicesOf(this.asked);
    this.store = storeToRead(flags.store);
  }

  get endings(): readonly string[] {
    return this.asked.map(({ name }) => name);
  }

  /** Throws UserError, with the command that solves them, if some endings are not solved. */
  need(): Promise<void> {
    return needTables(this.store, this.game, this.metric, this.slices, this.words);
  }

  /** Opens the numbers beside the values of a table. */
  private readonly numbers = (table: ValueTable): OpenNumbers => openNumbers(this.store, table as Table);

  /** Undefined under metrics without numbers. */
  private get beside() {
    return stipulations[this.metric].numbers ? this.numbers : undefined;
  }

  open = (slice: string): Promise<Table> => needTable(this.store, this.game, this.metric, slice);

  async rows(asked: string | undefined): Promise<ExportedRows> {
    const { game, metric } = this;
    const memory = this.flags.memory!;
    const columns = readColumns(asked, columnsOf(metric));
    await this.need();
    const [{ planSet }, { tableRows }] = await Promise.all([
      import('../export/set.js'),
      import('../export/table-rows.js'),
    ]);
    const views = planSet(game, this.asked, '');
    const rows = async (progress: ProgressListener): Promise<RowsToWrite> => {
      const tables = await Promise.all(
        views.map(async ({ slice, shown, flipped }) => ({ shown, flipped, table: await this.open(slice) })),
      );
      const { numbers } = this;
      return tableRows({ game, metric, tables, columns, numbers, memory, progress, breathe });
    };
    return { columns, slices: views.map(({ shown }) => shown), rows };
  }

  async find(query: Query): Promise<FoundPositions> {
    const { game, metric } = this;
    const { side: player, limit, moves, columns: asked, ...wanted } = query;
    const side =
      player === undefined ? undefined : game.colours[playerNamed(game.name, game.colours, player)];
    const selection = selectionOf(game, metric, { ...wanted, side });
    const offered = [
      'ending',
      ...columnsOf(metric),
      ...(selection.zugzwang ? ZUGZWANG_COLUMNS : []),
      ...(moves ? (['best'] as const) : []),
    ] as const;
    const names = readColumns(asked, offered, [...ASKED_FOR, 'slice']);
    await this.need();
    const meets = meetsOf(wanted, () => new Solutions(game, this.prober()));
    const columns = await this.recordColumns(names);
    return { columns, batches: this.found({ selection, limit, withMoves: moves, meets }, names) };
  }

  private async recordColumns(names: readonly FoundColumn[]): Promise<RecordColumn[]> {
    const { game, metric, asked } = this;
    const [{ planSet }, { columnOf }] = await Promise.all([
      import('../export/set.js'),
      import('../export/table-rows.js'),
    ]);
    const slices = planSet(game, asked, '').map(({ shown }) => shown);
    return names.map((name): RecordColumn => {
      const isOptional = false;
      switch (name) {
        case 'ending':
          return { type: 'word', name, words: this.endings, isOptional };
        case 'zugzwang':
          return { type: 'word', name, words: zugzwangKinds, isOptional };
        case 'passed':
          return { type: 'word', name, words: WDL_WORDS, isOptional };
        case 'passed_plies':
          return { type: 'int16', name, isOptional: true };
        case 'best':
          return { type: 'texts', name };
        default:
          return columnOf(name, { game, metric, slices });
      }
    });
  }

  private async *found(
    { selection, limit, withMoves, meets }: Wanted,
    names: readonly FoundColumn[],
  ): AsyncGenerator<FoundPosition[]> {
    const { game, metric, open, beside: numbers } = this;
    const withWeight = names.includes('weight');
    const withPlace = names.includes('slice') || names.includes('index');
    const { selectPositions } = await import('../../pipeline/analysis/selection.js');
    const prober = withMoves ? this.prober() : null;
    const progress = newScanLines();
    let count = 0;
    for (const [i, ending] of this.asked.entries()) {
      progress.begin(ending.name, i + 1, this.asked.length);
      let place = 0;
      const options = { game, metric, ending, selection, open, numbers, meets, report: progress.report };
      for await (const batch of selectPositions(options)) {
        const found: FoundPosition[] = [];
        for (const { board, side: mover, ...rest } of batch.slice(0, limit - count)) {
          const moves = prober === null ? null : (await prober.probe(board)).moves;
          const position = game.format(board);
          const listed: ListedPosition = {
            ...rest,
            ending: ending.name,
            place: ++place,
            position,
            mover,
            metric,
            moves,
          };
          const record = {
            ...recordOf(listed),
            ...(withWeight && { weight: weightOf(game, board) }),
            ...(withPlace && placeOf(game, ending, board)),
          };
          found.push({ listed, record });
        }
        count += found.length;
        yield found;
        if (count === limit) return;
      }
    }
  }

  private prober(): Prober<unknown> {
    const { game, metric, store } = this;
    return newProber({ game, metric, store, cacheBytes: PROBE_CACHE });
  }

  async statistics(): Promise<Statistics> {
    const { game, metric, open, asked } = this;
    await this.need();
    const { beside } = this;
    const [{ classTallies, endingStats }, { problemStats }, documents] = await Promise.all([
      import('../../pipeline/analysis/stats.js'),
      import('../../pipeline/analysis/problem-stats.js'),
      import('../ui/stats-document.js'),
    ]);
    const common = { game, metric, open, report: breathe };
    const ofOne = async (ending: Ending) => {
      const { name } = ending;
      if (beside !== undefined) {
        const problems = await problemStats({ ...common, ending, numbers: beside });
        return {
          json: { ending: name, metric, problems },
          document: documents.problemStats(name, metric, problems, game),
        };
      }
      const { classes, ...stats } = await endingStats({ ...common, ending });
      return {
        json: { ending: name, metric, classes, ...stats },
        document: documents.endingStats(name, metric, stats, game),
      };
    };
    if (this.flags.pieces === undefined && asked.length === 1) {
      const { json, document } = await ofOne(asked[0]);
      return { json: { game: game.name, ...json }, document };
    }
    if (this.flags.pieces === undefined && this.names.length === 1) {
      const bounds = [];
      for (const ending of asked) bounds.push(await ofOne(ending));
      const name = game.ending(this.names[0]).name;
      return {
        json: { game: game.name, ending: name, metric, bounds: bounds.map(({ json }) => json) },
        document: bounds.flatMap(({ document }) => [...document]),
      };
    }
    if (beside !== undefined) {
      const endings = [];
      for (const ending of asked) {
        const problems = await problemStats({ ...common, ending, numbers: beside });
        endings.push({ ending: ending.name, pieces: ending.pieces, problems });
      }
      return {
        json: {
          game: game.name,
          metric,
          endings: endings.map(({ ending, problems }) => ({ ending, problems })),
        },
        document: documents.problemClassStats(game, metric, endings),
      };
    }
    const classes = [];
    for (const ending of withoutExchanged(asked))
      classes.push(...(await classTallies({ ...common, ending })));
    const pieces = new Map(
      asked.flatMap(({ name, exchanged, pieces }) => [
        [name, pieces],
        [exchanged, pieces],
      ]),
    );
    return {
      json: { game: game.name, metric, classes },
      document: documents.classStats(game, metric, classes, pieces),
    };
  }

  async verification(scratchFolder: string): Promise<Verification> {
    const { game, metric, slices, flags } = this;
    const { describeMismatch } = await import('../../pipeline/engine/verify-slice.js');
    // Asked here already, so that nothing is begun or shown for tables that are not there.
    await this.need();
    const one = slices.length === 1;
    return {
      verify: (progress) =>
        coordinate(
          { ...crewTask('verify', { ...flags, memory: flags.memory!, game, slices, metric }), scratchFolder },
          progress,
        ),
      slices,
      what: `${one ? slices[0] : `${slices.length} slices`}, ${metric}`,
      units: ['positions', 'requests'],
      json: ({ positions, requests }) => ({
        game: game.name,
        ...(one ? { ending: slices[0] } : { endings: this.endings, slices: slices.length }),
        metric,
        positions,
        requests,
      }),
      mismatches: async ({ mismatches }) =>
        mismatches.slice(0, 10).map((mismatch) => {
          const { side, part, key, stored, derived, slice } = mismatch;
          const index = part * game.slice(slice).width + key;
          return {
            json: { slice, side: game.colours[side], index, stored, derived },
            text: describeMismatch(game, metric, mismatch),
          };
        }),
    };
  }

  async report(folder: string): Promise<ReportFiles> {
    const { game, metric, open } = this;
    await this.need();
    // Readers of the page have no use for folders of this machine.
    const command = `mergemate stats ${basename(this.reference)} ${this.words} --metric ${metric} --html ${basename(resolve(folder))}`;
    const { pieces } = this.flags;
    const all = pieces === undefined ? [] : [`all endings up to ${pieces} pieces`];
    const title = [...this.names.map((name) => game.ending(name).name), ...all].join(', ');
    if (this.beside !== undefined) {
      const { gatherProblems, problemEndingsCsv, problemNumbersCsv, problemPliesCsv, problemsPage } =
        await import('../report/problems.js');
      const options = { game, metric, prober: this.prober(), open, numbers: this.beside };
      return reportFiles(
        {
          'index.html': (endings: ProblemReport[]) => problemsPage({ game, metric, title, command, endings }),
          'endings.csv': (endings: ProblemReport[]) => problemEndingsCsv(metric, endings),
          'plies.csv': (endings: ProblemReport[]) => problemPliesCsv(metric, endings),
          'solutions.csv': problemNumbersCsv,
        },
        () => this.gather((report, ending) => gatherProblems({ ...options, report }, ending)),
      );
    }
    const [{ endingsCsv, pliesCsv, zugzwangsCsv }, { gatherEnding }, { reportPage }, { resultsOf }] =
      await Promise.all([
        import('../report/csv-files.js'),
        import('../report/gather.js'),
        import('../report/page.js'),
        import('../../pipeline/analysis/codes.js'),
      ]);
    const texts: Record<string, (endings: EndingReport[]) => string> = {
      'index.html': (endings) => reportPage({ game, metric, title, command, endings }),
      'endings.csv': (endings) => endingsCsv(resultsOf(metric), endings),
      ...(stipulations[metric].plies && { 'plies.csv': pliesCsv }),
      ...(game.sidesShareIndex && { 'zugzwangs.csv': zugzwangsCsv }),
    };
    const options = { game, metric, prober: this.prober(), open, examples: EXAMPLES };
    return reportFiles(texts, () =>
      this.gather((report, ending) => gatherEnding({ ...options, report }, ending)),
    );
  }

  /** What a report says of each ending, with progress. */
  private async gather<Report>(
    gatherOne: (report: (done: number) => Promise<void>, ending: Ending) => Promise<Report>,
  ): Promise<Report[]> {
    const { asked } = this;
    const progress = newScanLines();
    const reports: Report[] = [];
    for (const [i, ending] of asked.entries()) {
      progress.begin(ending.name, i + 1, asked.length);
      reports.push(await gatherOne(progress.report, ending));
    }
    return reports;
  }

  /** The endings as words of a command line. */
  private get words(): string {
    return askedWords(this.names, this.flags.pieces);
  }
}

/** The endings without those whose boards others are with the colours exchanged: tallies by class are of both. */
function withoutExchanged(endings: readonly Ending[]): Ending[] {
  const exchanged = new Set<string>();
  const classes = new Set(endings.filter((each) => each.name === each.class).map((each) => each.exchanged));
  return endings.filter((each) => {
    if (exchanged.has(each.name) || (each.name !== each.class && classes.has(each.class))) return false;
    exchanged.add(each.exchanged);
    return true;
  });
}

interface Wanted {
  readonly selection: SelectOptions['selection'];
  readonly limit: number;
  readonly withMoves: boolean;
  readonly meets: SelectOptions['meets'];
}

/** Columns of positions that are asked for, besides those of all rows. */
type FoundColumn = Column | 'ending' | (typeof ZUGZWANG_COLUMNS)[number] | 'best';

/** The slice of a position, in the colours of its ending, and its number there. */
function placeOf(game: Game, ending: Ending, board: unknown): { slice: string; index: number } {
  const { slice, part, key } = game.locate(board);
  const own = game.ending(slice);
  const view = viewsOf(game, ending).find((each) => each.slice === slice);
  return {
    slice: view?.flipped === true ? own.exchanged : own.name,
    index: part * game.slice(slice).width + key,
  };
}

/** The number of boards that are the same as this position up to symmetry. */
function weightOf(game: Game, board: unknown): number {
  const { slice, part, key } = game.locate(board);
  game.slice(slice).orbitSizes(part, Uint32Array.of(key), 1, weight);
  return weight[0];
}

const weight = new Uint8Array(1);

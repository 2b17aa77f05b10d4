/** The tables of endings of a game, as {@link SolvedTables}. */

import { basename, resolve } from 'node:path';
import type { Store } from '../../operators/storage/store.js';
import type { Selection } from '../../pipeline/analysis/selection.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { viewOfEnding } from '../../pipeline/games/chess/root-game.js';
import { openNumbers } from '../../pipeline/tables/numbers.js';
import { newProber, type Prober } from '../../pipeline/tables/probe/prober.js';
import { Solutions } from '../../pipeline/tables/probe/solutions.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';
import type { TableColumn, ValueTable } from '../../pipeline/tables/value-table.js';
import { askedWords, needTables } from '../asked/tables.js';
import { askEndings, metricOf, slicesOf } from '../cli/options.js';
import { breathe } from '../cli/output.js';
import { coordinate } from '../engines/coordinator.js';
import { crewTask } from '../engines/tasks.js';
import { columnsOf, readColumns } from '../export/columns.js';
import type { RowsToWrite } from '../export/rows.js';
import type { BestOf } from '../export/table-rows.js';
import { meetsOf, playerNamed, selectionOf } from '../positions/query.js';
import type { Conditions } from '../positions/where.js';
import { newScanLines } from '../progress/display.js';
import { type ReportFiles, reportFiles } from '../report/folder.js';
import type { EndingReport } from '../report/gather.js';
import type { ProblemReport } from '../report/problems.js';
import { storeToRead } from '../stores.js';
import { hasMates } from '../ui/verdict.js';
import { PROBE_CACHE } from './open-prober.js';
import { pausing } from './pausing.js';
import {
  askedRows,
  bestOf,
  type ExportedRows,
  type RowQuery,
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
  private readonly numbers = (table: ValueTable): TableColumn => openNumbers(this.store, table as Table);

  /** Undefined under metrics without numbers. */
  private get beside() {
    return stipulations[this.metric].numbers ? this.numbers : undefined;
  }

  /**
   * The game as it locates and parses the positions of an ending: those of a root (pipeline/games/chess/root.ts) have slices of their own, and may have more
   * men than any ending.
   */
  private readonly viewOf = (ending: string): Game => {
    let view = this.views.get(ending);
    if (view === undefined) {
      view = (viewOfEnding(ending) as Game | null) ?? this.game;
      this.views.set(ending, view);
    }
    return view;
  };

  private readonly views = new Map<string, Game>();

  open = (slice: string): Promise<Table> => needTable(this.store, this.game, this.metric, slice);

  async rows(query: RowQuery): Promise<ExportedRows> {
    const { game, metric, numbers } = this;
    const { where, limit, moves } = query;
    const selection = where === undefined ? null : this.selectionOf(where);
    const columns = readColumns(query.columns, columnsOf(metric, selection?.zugzwang), moves);
    await this.need();
    const [{ planSet }, { columnOf, tableRows }] = await Promise.all([
      import('../export/set.js'),
      import('../export/table-rows.js'),
    ]);
    const views = planSet(game, this.asked, '');
    const { best, memory } = this.withBest(columns.includes('best'));
    const all = async (progress: ProgressListener): Promise<RowsToWrite> => {
      const tables = await Promise.all(
        views.map(async ({ asked, slice, shown, flipped }) => ({
          ending: asked,
          shown,
          flipped,
          table: await this.open(slice),
        })),
      );
      return tableRows({ game, metric, tables, columns, numbers, best, memory, limit, progress, breathe });
    };
    const found = async (selection: Selection): Promise<RowsToWrite> => {
      const [{ foundRows }, { groupRowsIn }] = await Promise.all([
        import('../export/found-rows.js'),
        import('../export/rows.js'),
      ]);
      const { open, beside, asked: endings } = this;
      const slices = views.map(({ shown }) => shown);
      const words = { game, metric, endings: this.endings, slices };
      const progress = newScanLines();
      const prober = this.newProbers();
      const rowColumns = columns.map((name) => columnOf(name, words));
      const about = { game: game.name, metric, slice: slices.join(' '), columns };
      return {
        columns: rowColumns,
        about: JSON.stringify(about),
        batches: foundRows({
          viewOf: this.viewOf,
          metric,
          endings,
          selection,
          open,
          numbers: beside,
          progress,
          // A problem may have thousands of positions behind it.
          meetsOf: (ending) =>
            meetsOf(
              where!,
              () =>
                new Solutions(
                  this.viewOf(ending),
                  pausing(prober(ending), () => progress.report(0)),
                ),
            ),
          columns: rowColumns,
          best,
          groupRows: groupRowsIn(memory, limit),
        }),
      };
    };
    return {
      columns,
      slices: selection === null ? views.map(({ shown }) => shown) : [],
      rows: async (progress) =>
        askedRows(await (selection === null ? all(progress) : found(selection)), query),
    };
  }

  private selectionOf({ side: player, ...wanted }: Conditions): Selection {
    const { game, metric } = this;
    const side =
      player === undefined ? undefined : game.colours[playerNamed(game.name, game.colours, player)];
    return selectionOf(game, metric, { ...wanted, side });
  }

  /** What looks best moves up, and the memory that is left for rows. @param isAsked whether any are. */
  withBest(isAsked: boolean): { best?: BestOf; memory: number } {
    const memory = this.flags.memory!;
    if (!isAsked) return { memory };
    const prober = this.newProbers(Math.min(PROBE_CACHE, memory / 2));
    const best: BestOf = (ending) => {
      const inEnding = prober(ending);
      return async (board) => bestOf((await inEnding.probe(board)).moves, ({ san }) => san);
    };
    return { best, memory: memory / 2 };
  }

  /** Returns a function that opens the tables of an ending to look positions up. Endings that have the same view share a prober; only the last is kept. */
  private newProbers(cacheBytes = PROBE_CACHE): (ending: string) => Prober<unknown> {
    const { metric, store } = this;
    let last: { readonly game: Game; readonly prober: Prober<unknown> } | undefined;
    return (ending) => {
      const game = this.viewOf(ending);
      if (last?.game !== game) last = { game, prober: newProber({ game, metric, store, cacheBytes }) };
      return last.prober;
    };
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
      const { name, assumes } = ending;
      const assumed = assumes !== undefined && { assumes };
      if (beside !== undefined) {
        const problems = await problemStats({ ...common, ending, numbers: beside });
        return {
          json: { ending: name, ...assumed, metric, problems },
          document: documents.problemStats(ending, metric, problems, game),
        };
      }
      const { classes, ...stats } = await endingStats({ ...common, ending });
      return {
        json: { ending: name, ...assumed, metric, classes, ...stats },
        document: documents.endingStats(ending, metric, stats, game),
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
    const { describeMismatch } = await import('../../pipeline/engine/crew/verify-slice.js');
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
      const options = { metric, open, numbers: this.beside };
      return reportFiles(
        {
          'index.html': (endings: ProblemReport[]) => problemsPage({ game, metric, title, command, endings }),
          'endings.csv': (endings: ProblemReport[]) => problemEndingsCsv(metric, endings),
          'plies.csv': (endings: ProblemReport[]) => problemPliesCsv(metric, endings),
          'solutions.csv': problemNumbersCsv,
        },
        () => this.gather((view, ending) => gatherProblems({ ...options, ...view }, ending)),
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
    const options = { metric, open, examples: EXAMPLES };
    return reportFiles(texts, () =>
      this.gather((view, ending) => gatherEnding({ ...options, ...view }, ending)),
    );
  }

  /** What a report says of each ending, with progress. */
  private async gather<Report>(
    gatherOne: (
      view: {
        readonly game: Game;
        readonly prober: Prober<unknown>;
        readonly report: (done: number) => Promise<void>;
      },
      ending: Ending,
    ) => Promise<Report>,
  ): Promise<Report[]> {
    const { asked } = this;
    const progress = newScanLines();
    const prober = this.newProbers();
    const reports: Report[] = [];
    for (const [i, ending] of asked.entries()) {
      progress.begin(ending.name, i + 1, asked.length);
      const { name } = ending;
      const view = { game: this.viewOf(name), prober: prober(name), report: progress.report };
      reports.push(await gatherOne(view, ending));
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

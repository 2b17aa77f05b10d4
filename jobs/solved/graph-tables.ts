/** The table of a keyed game or of a graph in JSON, as {@link SolvedTables}. */

import { basename, resolve } from 'node:path';
import { newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { isTurnMerged } from '../../pipeline/graph/graph-tallies.js';
import { idOf } from '../../pipeline/graph/ids.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { breathe } from '../cli/output.js';
import { budgetOf } from '../cli/settings.js';
import { coordinate } from '../engines/coordinator.js';
import { graphVerification } from '../engines/tasks.js';
import { COLUMNS_OF, type Column, readColumns } from '../export/columns.js';
import type { NodeConditions, NodeSource } from '../export/graph-rows.js';
import { writeNodeId } from '../graph/node-id.js';
import { playerNamed } from '../positions/query.js';
import type { Conditions } from '../positions/where.js';
import { type ReportFiles, reportFiles } from '../report/folder.js';
import type { KeyedGameReport, ReportSource } from '../report/keyed-gather.js';
import { scratchParent, storeToRead } from '../stores.js';
import { wordsOf } from '../ui/graph-words.js';
import { type AskedGraph, refuse, solvedGraph } from './asked-graph.js';
import {
  askedRows,
  bestOf,
  type ExportedRows,
  type Printed,
  type RowQuery,
  refuseChessFormat,
  type SolvedTables,
  type Statistics,
  type TableFlags,
  type Verification,
} from './tables.js';

/** Throws UserError for endings, for flags that graphs have no use for, and if it is not solved. */
export async function openGraphTables(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, published, zugzwang, on, chessFormat, ...flags }: TableFlags,
): Promise<GraphTables> {
  refuseChessFormat(asked.name, chessFormat);
  refuse(asked, names, { pieces, published, zugzwang, on });
  const { graph, metric } = await solvedGraph(asked, flags);
  return new GraphTables(asked, graph, metric, flags);
}

class GraphTables implements SolvedTables {
  readonly name: string;
  readonly endings = [];
  private readonly store: Store;

  /** @param graph as the store has it, which may have another name than was asked for. */
  constructor(
    private readonly asked: AskedGraph,
    private readonly graph: AskedGraph,
    readonly metric: Metric,
    private readonly flags: TableFlags,
  ) {
    this.name = graph.name;
    this.store = storeToRead(flags.store);
  }

  async rows(query: RowQuery): Promise<ExportedRows> {
    const { name, metric } = this;
    const { where = {}, limit, moves } = query;
    const { result, plies, longest = false } = where;
    const { game } = this.graph;
    if (longest && plies !== undefined) throw new UserError('give either longest or plies');
    if (longest && !stipulations[metric].plies)
      throw new UserError(`metric ${metric} holds no distances: longest needs --metric dtw`);
    const manifest = await this.manifest();
    const isMerged = isTurnMerged(manifest);
    const conditions: NodeConditions = {
      result: result ?? (longest ? 'win' : undefined),
      plies,
      mover: this.moverOf(where, manifest.players, isMerged),
      longest: longest ? (isMerged ? 'together' : 'each') : undefined,
    };
    const columns = readColumns(query.columns, this.columns, moves);
    const { graphRows } = await import('../export/graph-rows.js');
    const rows = async (progress: ProgressListener) => {
      // Best moves of a keyed game are found by probing.
      const prober = columns.includes('best') && game !== null ? await this.prober() : null;
      const best =
        prober === null
          ? undefined
          : async (position: unknown) => bestOf((await prober.probe(position)).moves, ({ name }) => name);
      const asked = { where: conditions, limit, best };
      return askedRows(graphRows(this.source(), columns, manifest, progress, asked), query);
    };
    return { columns, slices: [name], rows };
  }

  private moverOf(
    { side }: Conditions,
    players: readonly [string, string],
    isMerged: boolean,
  ): Side | undefined {
    if (side === undefined) return undefined;
    if (isMerged)
      throw new UserError(
        `${this.name}: its positions stand for either player to move, so there are none by side: leave side out`,
      );
    return playerNamed(this.asked.name, players, side);
  }

  /** All columns of its rows. */
  private get columns(): readonly Column[] {
    const all = COLUMNS_OF[this.graph.game === null ? 'graphs' : 'keyed games'];
    return all.filter((column) => column !== 'score' || stipulations[this.metric].scores);
  }

  async statistics(): Promise<Statistics> {
    const { metric } = this;
    const { game } = this.graph;
    const [{ graphStats }, documents, { openStored, rootValues }] = await Promise.all([
      import('../../pipeline/graph/graph-stats.js'),
      import('../ui/stats-document.js'),
      import('./root-values.js'),
    ]);
    const stats = await graphStats(this.store, this.name, metric, breathe);
    const named = game === null ? undefined : (id: NodeId) => game.format(game.at(BigInt(id)));
    const hasRoots = game !== null || stats.graph.roots !== undefined;
    const roots = hasRoots ? await rootValues(await openStored(game, this.name, this.store, metric)) : null;
    return {
      json: documents.graphStatsJson(stats, metric, named, roots?.json),
      document: documents.graphStats(stats, metric, named, roots?.text),
    };
  }

  async verification(scratchFolder: string): Promise<Verification> {
    const { name, metric, store, flags } = this;
    const [{ openNames }, { outcomesOf }, { needSolvedGraph }, { mismatchJson, mismatchText }] =
      await Promise.all([
        import('../../pipeline/graph/node-names.js'),
        import('../../pipeline/graph/outcomes.js'),
        import('../../pipeline/graph/solved-graph.js'),
        import('../ui/graph-text.js'),
      ]);
    const { graph, game, table } = await needSolvedGraph(store, name, metric);
    const outcomes = outcomesOf(graph, table.manifest);
    const { title, node, edge } = wordsOf(graph);
    return {
      verify: (progress) =>
        coordinate(
          { ...graphVerification({ ...flags, memory: flags.memory!, name, metric }), scratchFolder },
          progress,
        ),
      rules: (progress) => {
        if (this.graph.game === null)
          throw new UserError(
            `--rules is for games of your own: ${name} is a graph, and its edges are those of its file`,
          );
        const { path } = this.asked;
        const budget = budgetOf(flags.memory!);
        return coordinate(
          { kind: 'verify rules', path, name, store: flags.store, scratchFolder, budget },
          progress,
        );
      },
      slices: [name],
      what: `${title}, ${metric}`,
      units: [`${node}s`, `${edge}s`],
      json: ({ positions, requests }) => ({ graph: name, metric, nodes: positions, edges: requests }),
      async mismatches({ mismatches }) {
        const names = await openNames(store, graph.runs.names, newCounters());
        const printed: Printed[] = [];
        for (const mismatch of mismatches) {
          const named = { ...mismatch, id: await names.of(game.board(mismatch)) };
          printed.push({
            json: mismatchJson(named, outcomes, graph.players),
            text: `${name}, ${mismatchText(named, outcomes, graph.players)}`,
          });
        }
        return printed;
      },
    };
  }

  async report(folder: string): Promise<ReportFiles> {
    const { metric, store } = this;
    const [{ gatherKeyed }, page] = await Promise.all([
      import('../report/keyed-gather.js'),
      import('../report/keyed-page.js'),
    ]);
    const source = await this.reportSource();
    // Readers of the page have no use for folders of this machine.
    const command = `mergemate stats ${basename(this.asked.path)} --metric ${metric} --html ${basename(resolve(folder))}`;
    const texts: Record<string, (figures: KeyedGameReport) => string> = {
      'index.html': (figures) => page.keyedPage(figures, command),
      'results.csv': page.keyedResultsCsv,
      ...(stipulations[metric].plies && { 'plies.csv': page.keyedPliesCsv }),
      ...(stipulations[metric].scores && { 'points.csv': page.keyedPointsCsv }),
    };
    return reportFiles(texts, () => gatherKeyed(source, store, breathe));
  }

  private async manifest() {
    const { needSolvedGraph } = await import('../../pipeline/graph/solved-graph.js');
    return (await needSolvedGraph(this.store, this.name, this.metric)).graph;
  }

  private source(): NodeSource {
    const { name, metric, store, flags } = this;
    return {
      store,
      name,
      metric,
      budget: budgetOf(flags.memory!),
      scratchParent: scratchParent(flags.store, flags.scratch),
      game: this.graph.game,
    };
  }

  private async prober(): Promise<KeyedProber<unknown>> {
    const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
    return openKeyedProber(this.graph.game!, this.store, this.metric);
  }

  private async reportSource(): Promise<ReportSource> {
    const { name, store, metric } = this;
    const { game } = this.graph;
    if (game !== null)
      return {
        game,
        prober: await this.prober(),
        starts: game.starts(),
        at: (node) => game.at(BigInt(node)),
      };
    const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
    const { nodeProber } = await import('../../pipeline/graph/node-prober.js');
    const nodes = await openGraphProber(store, name, metric);
    const format = (id: unknown) => writeNodeId(id as NodeId);
    return {
      game: { name, colours: nodes.graph.players, format, diagram: format },
      prober: nodeProber(nodes) as KeyedProber<unknown>,
      starts: (nodes.graph.roots ?? []).map(idOf),
      at: (node) => node,
    };
  }
}

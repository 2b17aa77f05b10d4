/** The table of a keyed game or of a graph in JSON, as {@link SolvedTables}. */

import { basename, resolve } from 'node:path';
import { newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
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
import type { NodeRow, NodeSource } from '../export/graph-rows.js';
import { writeNodeId } from '../graph/node-id.js';
import { playerNamed } from '../positions/query.js';
import type { PositionRecord, RecordCell } from '../positions/records.js';
import { type ReportFiles, reportFiles } from '../report/folder.js';
import type { KeyedGameReport, ReportSource } from '../report/keyed-gather.js';
import { scratchParent, storeToRead } from '../stores.js';
import { wordsOf } from '../ui/graph-words.js';
import { type AskedGraph, refuse, solvedGraph } from './asked-graph.js';
import {
  type ExportedRows,
  type FoundPosition,
  type FoundPositions,
  type Printed,
  type Query,
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

  async rows(asked: string | undefined): Promise<ExportedRows> {
    const { name } = this;
    const columns = readColumns(asked, this.columns);
    const { graphRows } = await import('../export/graph-rows.js');
    const manifest = await this.manifest();
    const rows = async (progress: ProgressListener) => graphRows(this.source(), columns, manifest, progress);
    return { columns, slices: [name], rows };
  }

  /** All columns of its rows. */
  private get columns(): readonly Column[] {
    const all = COLUMNS_OF[this.graph.game === null ? 'graphs' : 'keyed games'];
    return all.filter((column) => column !== 'score' || stipulations[this.metric].scores);
  }

  async find(query: Query): Promise<FoundPositions> {
    const { metric } = this;
    const { game } = this.graph;
    const { result, plies, side: player, longest = false, limit, moves } = query;
    if (longest && plies !== undefined) throw new UserError('give either longest or plies');
    if (longest && !stipulations[metric].plies)
      throw new UserError(`metric ${metric} holds no distances: longest needs --metric dtw`);
    const manifest = await this.manifest();
    const { players } = manifest;
    const isMerged = isTurnMerged(manifest);
    if (player !== undefined && isMerged)
      throw new UserError(
        `${this.name}: its positions stand for either player to move, so there are none by side: leave side out`,
      );
    const side = player === undefined ? null : playerNamed(this.asked.name, players, player);
    const names = readColumns(query.columns, [...this.columns, ...(moves ? (['best'] as const) : [])]);
    /** Which of the longest a position may be one of: those of its mover. */
    const moverOf = (node: NodeRow) => (isMerged ? 0 : node.mover);
    const { nodeColumn, nodeRows } = await import('../export/graph-rows.js');
    const wanted = result ?? (longest ? 'win' : undefined);
    const source = this.source();

    // Best moves of a keyed game are found by probing.
    const withMoves = names.includes('move') || (game === null && names.includes('best'));
    const prober = names.includes('best') && game !== null ? await this.prober() : null;

    /** The positions that have what is asked for, but for the longest. */
    async function* selected(): AsyncGenerator<NodeRow[]> {
      for await (const batch of nodeRows(source, withMoves))
        yield batch.filter(
          (node) =>
            (plies === undefined ||
              (node.plies !== null && node.plies >= plies.least && node.plies <= plies.most)) &&
            (side === null || node.mover === side) &&
            (wanted === undefined || node.value.wdl === wanted),
        );
    }

    async function recordOf(node: NodeRow): Promise<PositionRecord> {
      const record: Record<string, RecordCell> = {};
      for (const name of names)
        record[name] = name === 'best' ? await bestMoves(node, prober) : cellOf(node, name, players);
      return record;
    }

    async function* found(): AsyncGenerator<FoundPosition[]> {
      const most: [number, number] = [-1, -1];
      if (longest)
        for await (const batch of selected())
          for (const node of batch) most[moverOf(node)] = Math.max(most[moverOf(node)], node.plies ?? -1);
      let count = 0;
      for await (const batch of selected()) {
        const positions: FoundPosition[] = [];
        for (const node of batch) {
          if (count === limit) break;
          if (longest && node.plies !== most[moverOf(node)]) continue;
          positions.push({ record: await recordOf(node) });
          count++;
        }
        yield positions;
        if (count === limit) return;
      }
    }

    const columns = names.map((name) =>
      name === 'best' ? ({ type: 'texts', name } as const) : nodeColumn(name, game, players),
    );
    return { columns, batches: found() };
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

function cellOf(node: NodeRow, name: Column, players: readonly [string, string]): RecordCell {
  switch (name) {
    case 'position':
      return node.text;
    case 'mover':
      return players[node.mover];
    case 'outcome':
      return node.value.wdl;
    case 'score':
      return node.value.score;
    case 'id':
    case 'plies':
    case 'move':
    case 'layer':
    case 'weight':
      return node[name];
    default:
      throw new Error(`graphs have no column ${name}`);
  }
}

/** The moves that are as good as the first; of a graph in JSON the one to follow. */
async function bestMoves(node: NodeRow, prober: KeyedProber<unknown> | null): Promise<string[]> {
  if (prober === null) return node.move === null ? [] : [node.move];
  const { moves } = await prober.probe(node.position);
  const [best] = moves;
  return moves
    .filter(({ wdl, plies, score }) => wdl === best.wdl && plies === best.plies && score === best.score)
    .map(({ name }) => name);
}

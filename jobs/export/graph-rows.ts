/** Solved keyed games and graphs as rows: a row for each node, in the order of their source. */
import type { Budget } from '../../operators/core/budget.js';
import type { Store } from '../../operators/storage/store.js';
import { WDL_WORDS } from '../../pipeline/analysis/columns.js';
import { TextColumn } from '../../pipeline/analysis/texts.js';
import type { Side } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Metric } from '../../pipeline/game/value.js';
import { splitKey } from '../../pipeline/games/keyed/key-words.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type GraphRow, openGraphRows } from '../../pipeline/graph/graph-rows.js';
import { idOf } from '../../pipeline/graph/ids.js';
import { type KeyedValue, valueFor } from '../../pipeline/graph/keyed-value.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import { breathe } from '../cli/output.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import { writeNodeId } from '../graph/node-id.js';
import type { Column } from './columns.js';
import {
  type ColumnValues,
  GROUP_ROWS,
  NONE,
  type RowBatch,
  type RowColumn,
  type RowsToWrite,
} from './rows.js';

export interface NodeSource {
  readonly store: Store;
  readonly name: string;
  readonly metric: Metric;
  readonly budget: Budget;
  /** The folder in which the scratch folder is made. */
  readonly scratchParent: string;
  /** The keyed game that the graph is of; null: a graph in JSON. */
  readonly game: KeyedRules | null;
}

/** Rows that are put in order, and that readers get at once. */
const SORTED_ROWS = 2 * GROUP_ROWS;

/**
 * The nodes of a solved graph, as its source has them. Those of a keyed game have the keys of neighbours close together, by which
 * files are half as large: its nodes are in no order within a layer. They stay within their layer, and within some hundred thousand.
 *
 * @param moves whether the best moves are asked for, which have to be sorted to their nodes.
 */
export async function* nodeRows(source: NodeSource, moves: boolean): AsyncGenerator<NodeRow[]> {
  const { game } = source;
  const claimed = claimScratch(source.scratchParent);
  try {
    const { rows } = await openGraphRows({ ...source, scratch: scratchIn(claimed.folder, 'rows'), moves });
    let found: NodeRow[] = [];
    const sorted = () => found.sort((a, b) => a.layer - b.layer || a.key - b.key);
    for await (const batch of rows) {
      const nodes = batch.map((row) => new NodeRow(row, game));
      if (game === null) {
        yield nodes;
        continue;
      }
      for (const node of nodes) found.push(node);
      if (found.length < SORTED_ROWS) continue;
      yield sorted();
      found = [];
    }
    if (found.length > 0) yield sorted();
  } finally {
    claimed.release();
  }
}

export function graphRows(
  source: NodeSource,
  columns: readonly Column[],
  { players, nodes }: Pick<GraphManifest, 'players' | 'nodes'>,
  progress: ProgressListener,
): RowsToWrite {
  const { name, metric, game } = source;
  const builders = columns.map((column) => builderOf(column, game, players));
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  progress({ type: 'phase', slice: name, phase: 'export', total: nodes });
  return {
    columns: builders.map(({ column }) => column),
    about: JSON.stringify({ game: name, metric, columns, rows: nodes }),
    total: nodes,
    batches: batchesOf(source, columns, builders, (done) => progress({ type: 'work', slice: name, done })),
  };
}

async function* batchesOf(
  source: NodeSource,
  columns: readonly Column[],
  builders: readonly ColumnBuilder[],
  report: (done: number) => void,
): AsyncGenerator<RowBatch> {
  let length = 0;
  const take = (): RowBatch => {
    const batch = { rows: length, values: builders.map((builder) => builder.take()) };
    length = 0;
    return batch;
  };
  for await (const found of nodeRows(source, columns.includes('move'))) {
    for (const node of found) {
      for (const builder of builders) builder.add(node);
      if (++length === SORTED_ROWS) yield take();
    }
    report(found.length);
    await breathe();
  }
  if (length > 0) yield take();
}

/** A node with what the rules of its game say of it, which is found when it is needed. */
export class NodeRow {
  /** The key as a number: large keys that are next to each other may have the same. */
  readonly key: number;
  private found: unknown;

  constructor(
    readonly row: GraphRow,
    readonly game: KeyedRules | null,
  ) {
    this.key = game === null ? 0 : Number(row.id);
  }

  get layer(): number {
    return this.row.layer ?? 0;
  }

  /** Of keyed games alone. */
  get position(): unknown {
    this.found ??= this.game!.at(BigInt(this.row.id));
    return this.found;
  }

  /** As `probe` reads it. */
  get text(): string {
    return this.game === null ? writeNodeId(idOf(this.row.id)) : this.game.format(this.position);
  }

  /** The player to move, also where the play is over: by the file of a graph, or by the rules of a keyed game. */
  get mover(): Side {
    const { owner, isOver } = this.row;
    return isOver && this.game !== null ? this.game.mover(this.position) : owner;
  }

  /** For the mover. */
  get value(): KeyedValue {
    return valueFor(this.mover, this.row);
  }

  /** The move to follow, as `probe` calls it; null where the play is over. @throws UserError if the rules have changed. */
  get move(): string | null {
    const { game } = this;
    const { move } = this.row;
    if (move === null) return null;
    if (game === null) return writeNodeId(idOf(move));
    splitKey(BigInt(move), wanted);
    for (const [name, after] of game.moves(this.position)) {
      game.keyInto(after, reached);
      if (reached.high === wanted.high && reached.low === wanted.low) return name;
    }
    throw game.wrong(
      this.position,
      `it had a move to position(${move}n) when it was solved, and has none by these rules`,
    );
  }

  /** How many positions were solved as this one. */
  get weight(): number {
    if (this.game === null || this.game.symmetries === null) return 1;
    splitKey(BigInt(this.row.id), wanted);
    return this.game.orbit(this.position, wanted);
  }
}

const wanted = { high: 0, low: 0 };
const reached = { high: 0, low: 0 };

/** Collects a column of a batch. */
interface ColumnBuilder {
  readonly column: RowColumn;
  add(node: NodeRow): void;
  /** The values that were added since the last call, in memory that the next ones overwrite. */
  take(): ColumnValues;
}

function builderOf(name: Column, game: KeyedRules | null, players: readonly [string, string]): ColumnBuilder {
  const order = game === null ? 'none' : 'ordered';
  switch (name) {
    case 'id':
      return new Texts({ name, order, isOptional: false }, ({ row }) => row.id);
    case 'position':
      return new Texts({ name, order, isOptional: false }, ({ text }) => text);
    case 'move':
      return new Texts(
        { name, order: game === null ? 'none' : 'repeats', isOptional: true },
        ({ move }) => move,
      );
    case 'mover':
      return new Numbers(wordColumn(name, players), Int8Array, ({ mover }) => mover);
    case 'outcome':
      return new Numbers(wordColumn(name, WDL_WORDS), Int8Array, ({ value }) => WDL_WORDS.indexOf(value.wdl));
    case 'plies':
      return new Numbers(integerColumn(name, true), Int32Array, ({ row }) => row.plies);
    case 'score':
      return new Numbers(integerColumn(name, false), Int32Array, ({ value }) => value.score);
    case 'layer':
      return new Numbers(integerColumn(name, true), Int32Array, ({ row }) => row.layer);
    case 'weight':
      return new Numbers(integerColumn(name, false), Int32Array, ({ weight }) => weight);
    default:
      throw new Error(`graphs have no column ${name}`);
  }
}

function wordColumn(name: string, words: readonly string[]): RowColumn {
  return { type: 'word', name, words, isOptional: false };
}

function integerColumn(name: string, isOptional: boolean): RowColumn {
  return { type: 'int32', name, isOptional };
}

class Texts implements ColumnBuilder {
  readonly column: RowColumn;
  private readonly texts = new TextColumn(SORTED_ROWS);

  constructor(
    column: Omit<Extract<RowColumn, { type: 'text' }>, 'type'>,
    private readonly of: (node: NodeRow) => string | null,
  ) {
    this.column = { type: 'text', ...column };
  }

  add(node: NodeRow): void {
    const text = this.of(node);
    if (text === null) this.texts.addNone();
    else this.texts.add(text);
  }

  take(): ColumnValues {
    return this.texts.take();
  }
}

class Numbers implements ColumnBuilder {
  private readonly values: Int8Array | Int32Array;
  private length = 0;

  constructor(
    readonly column: RowColumn,
    array: typeof Int8Array | typeof Int32Array,
    private readonly of: (node: NodeRow) => number | null,
  ) {
    this.values = new array(SORTED_ROWS);
  }

  add(node: NodeRow): void {
    this.values[this.length++] = this.of(node) ?? NONE;
  }

  take(): ColumnValues {
    const { length } = this;
    this.length = 0;
    return this.values.subarray(0, length);
  }
}

/** Solved keyed games and graphs as rows of a file: a row for each node, in the order of their source. */
import type { Budget } from '../../operators/core/budget.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Sink, Store } from '../../operators/storage/store.js';
import { WDL_WORDS } from '../../pipeline/analysis/columns.js';
import { TextColumn } from '../../pipeline/analysis/texts.js';
import type { Side } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { splitKey } from '../../pipeline/games/keyed/key-words.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type GraphRow, openGraphRows } from '../../pipeline/graph/graph-rows.js';
import { type KeyedValue, valueFor } from '../../pipeline/graph/keyed-value.js';
import { scratchIn } from '../engines/scratch-store.js';
import { breathe } from '../output.js';
import type { NodeColumn } from './columns.js';
import { GROUP_ROWS, type RowFormat } from './row-file.js';
import { type ColumnValues, NONE, type RowBatch, type RowColumn } from './rows.js';

export interface GraphExport {
  readonly store: Store;
  readonly name: string;
  readonly metric: Metric;
  readonly columns: readonly NodeColumn[];
  readonly format: RowFormat;
  readonly sink: Sink;
  readonly budget: Budget;
  readonly scratchFolder: string;
  /** The keyed game that the graph is of; null: a graph in JSON. */
  readonly game: KeyedRules | null;
}

/** Rows that are put in order, and that readers get at once. */
const SORTED_ROWS = 2 * GROUP_ROWS;

/**
 * Rows of a keyed game with the keys of neighbours close together, by which files are half as large: its nodes are in no order
 * within a layer. Rows stay within their layer, and within some hundred thousand rows. Those of a graph stay as they are.
 */
export async function* inKeyOrder(
  rows: AsyncIterable<readonly GraphRow[]>,
  game: KeyedRules | null,
): AsyncGenerator<readonly GraphRow[]> {
  if (game === null) return yield* rows;
  let found: SortableRow[] = [];
  const sorted = () => found.sort((a, b) => a.layer - b.layer || a.key - b.key).map(({ row }) => row);
  for await (const batch of rows) {
    for (const row of batch) found.push({ row, layer: row.layer ?? 0, key: Number(row.id) });
    if (found.length < SORTED_ROWS) continue;
    yield sorted();
    found = [];
  }
  yield sorted();
}

interface SortableRow {
  readonly row: GraphRow;
  readonly layer: number;
  /** The key as a number: large keys that are next to each other may have the same. */
  readonly key: number;
}

/** Returns the number of rows. @throws UserError if there is no such graph, or it is not solved for the metric. */
export async function writeGraph(options: GraphExport): Promise<number> {
  const { format, sink, scratchFolder, game, columns, name, metric } = options;
  const scratch = scratchIn(scratchFolder, 'export');
  return orAbort(sink, async () => {
    const { graph, rows } = await openGraphRows({ ...options, scratch });
    const builders = columns.map((column) => builderOf(column, game, graph.players));
    const about = { game: name, metric, columns, rows: graph.nodes };
    await format.write(
      {
        columns: builders.map(({ column }) => column),
        about: JSON.stringify(about),
        batches: batchesOf(inKeyOrder(rows, game), game, builders),
      },
      sink,
    );
    await sink.close();
    return graph.nodes;
  });
}

async function* batchesOf(
  rows: AsyncIterable<readonly GraphRow[]>,
  game: KeyedRules | null,
  builders: readonly ColumnBuilder[],
): AsyncGenerator<RowBatch> {
  let length = 0;
  const take = (): RowBatch => {
    const batch = { rows: length, values: builders.map((builder) => builder.take()) };
    length = 0;
    return batch;
  };
  for await (const found of rows) {
    for (const row of found) {
      const node = new NodeRow(row, game);
      for (const builder of builders) builder.add(node);
      if (++length === SORTED_ROWS) yield take();
    }
    await breathe();
  }
  if (length > 0) yield take();
}

/** A node with what the rules of its game say of it, which is found when it is needed. */
export class NodeRow {
  private found: unknown;

  constructor(
    readonly row: GraphRow,
    readonly game: KeyedRules | null,
  ) {}

  /** Of keyed games alone. */
  get position(): unknown {
    this.found ??= this.game!.at(BigInt(this.row.id));
    return this.found;
  }

  /** Who is to move: where the play of a keyed game is over, by its rules; null where that of a graph is over. */
  get side(): Side | null {
    const { owner } = this.row;
    return owner !== null || this.game === null ? owner : this.game.mover(this.position);
  }

  /** The value for the side to move; null if there is none. */
  get value(): KeyedValue | null {
    const { side } = this;
    return side === null ? null : valueFor(side, this.row);
  }

  /** How the game calls the move to follow; null where the play is over. @throws UserError if the rules have changed. */
  get moveName(): string | null {
    const { position, game } = this;
    const { move } = this.row;
    if (move === null) return null;
    splitKey(BigInt(move), wanted);
    for (const [name, after] of game!.moves(position)) {
      game!.keyInto(after, reached);
      if (reached.high === wanted.high && reached.low === wanted.low) return name;
    }
    throw game!.wrong(
      position,
      `it had a move to position(${move}n) when it was solved, and has none by these rules`,
    );
  }

  /** How many positions were solved as this one. */
  get weight(): number {
    if (this.game === null || this.game.symmetries === null) return 1;
    const { position } = this;
    splitKey(BigInt(this.row.id), wanted);
    return this.game.orbit(position, wanted);
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

function builderOf(
  name: NodeColumn,
  game: KeyedRules | null,
  players: readonly [string, string],
): ColumnBuilder {
  switch (name) {
    case 'id':
      return new Texts(
        { name, order: game === null ? 'none' : 'ordered', isOptional: false },
        ({ row }, texts) => addId(texts, row.id),
      );
    case 'move':
      return new Texts({ name, order: 'none', isOptional: true }, ({ row }, texts) => addId(texts, row.move));
    case 'position':
      return new Texts({ name, order: 'ordered', isOptional: false }, (node, texts) =>
        texts.add(game!.format(node.position)),
      );
    case 'moveName':
      return new Texts({ name, order: 'repeats', isOptional: true }, ({ moveName }, texts) => {
        if (moveName === null) texts.addNone();
        else texts.add(moveName);
      });
    case 'owner':
      return new Numbers(wordColumn(name, players, true), Int8Array, ({ row }) => row.owner);
    case 'mover':
      return new Numbers(wordColumn(name, players, false), Int8Array, ({ side }) => side);
    case 'winner':
      return new Numbers(wordColumn(name, players, true), Int8Array, ({ row }) => row.winner);
    case 'wdl':
      return new Numbers(wordColumn(name, WDL_WORDS, game === null), Int8Array, ({ value }) =>
        value === null ? null : WDL_WORDS.indexOf(value.wdl),
      );
    case 'plies':
      return new Numbers(integerColumn(name, true), Int32Array, ({ row }) => row.plies);
    case 'score':
      return new Numbers(integerColumn(name, false), Int32Array, ({ value }) => value!.score);
    case 'layer':
      return new Numbers(integerColumn(name, true), Int32Array, ({ row }) => row.layer);
    case 'weight':
      return new Numbers(integerColumn(name, false), Int32Array, ({ weight }) => weight);
  }
}

function wordColumn(name: string, words: readonly string[], isOptional: boolean): RowColumn {
  return { type: 'word', name, words, isOptional };
}

function integerColumn(name: string, isOptional: boolean): RowColumn {
  return { type: 'int32', name, isOptional };
}

/** A name as the source has it: text without the quotes of JSON, or the digits of an integer. */
function addId(texts: TextColumn, id: string | null): void {
  if (id === null) texts.addNone();
  else if (id.startsWith('"')) texts.add(JSON.parse(id) as string);
  else texts.addInteger(id);
}

class Texts implements ColumnBuilder {
  readonly column: RowColumn;
  private readonly texts = new TextColumn(SORTED_ROWS);

  constructor(
    column: Omit<Extract<RowColumn, { type: 'text' }>, 'type'>,
    private readonly put: (node: NodeRow, texts: TextColumn) => void,
  ) {
    this.column = { type: 'text', ...column };
  }

  add(node: NodeRow): void {
    this.put(node, this.texts);
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

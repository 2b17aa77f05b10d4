/** Solved keyed games and graphs as rows: a row for each node, in the order of their source. */
import { type Budget, share } from '../../operators/core/budget.js';
import { newColumns } from '../../operators/core/columns.js';
import { radixSort } from '../../operators/sort/radix.js';
import type { Store } from '../../operators/storage/store.js';
import { WDL_WORDS } from '../../pipeline/analysis/columns.js';
import { TextColumn } from '../../pipeline/analysis/texts.js';
import type { Side } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Metric, Wdl } from '../../pipeline/game/value.js';
import {
  isSameKey,
  KEY_BITS,
  type KeyWords,
  newKey,
  splitKey,
  upperWords,
} from '../../pipeline/games/yours/keyed/key-words.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { type NodeColumns, openGraphColumns } from '../../pipeline/graph/graph-rows.js';
import { idOf } from '../../pipeline/graph/ids.js';
import { type KeyedValue, valueFor } from '../../pipeline/graph/keyed-value.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import { type KeyColumns, keyAt, nameAt, readKey } from '../../pipeline/graph/node-names.js';
import type { Winning } from '../../pipeline/graph/outcomes.js';
import { breathe } from '../cli/output.js';
import { claimScratch } from '../engines/scratch-folder.js';
import { scratchIn } from '../engines/scratch-store.js';
import { writeNodeId } from '../graph/node-id.js';
import type { PlyRange } from '../positions/ply-range.js';
import { type Collector, collectorOf } from './collect.js';
import type { Column } from './columns.js';
import {
  type ColumnValues,
  groupRowsIn,
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

/** Nodes that are made rows of at once. */
const ROWS_AT_ONCE = 1 << 9;

/** The share of the memory that brings best moves to their nodes, if they are asked for. */
const MOVES_SHARE = 1 / 2;

/** How the memory of an export is divided: for sorting best moves, and for rows that are held until they are written. */
function dividedMemory({ budget }: NodeSource, moves: boolean): { moves: Budget; groupRows: number } {
  const rest = moves ? (1 - MOVES_SHARE) * budget.memory : budget.memory;
  return { moves: share(budget, MOVES_SHARE), groupRows: groupRowsIn(rest) };
}

/** Nodes that are held, in their order: they are made rows of. Valid until the next are asked for. */
interface HeldRows {
  readonly nodes: HeldNodes;
  /** Where each is among the nodes. */
  readonly places: Uint32Array;
}

/**
 * The nodes of a solved graph, as its source has them. Those of a keyed game have the keys of neighbours close together, by which
 * files are half as large: its nodes are in no order within a layer. They stay within their layer, and within some hundred thousand.
 *
 * @param moves whether the best moves are asked for, which have to be sorted to their nodes.
 */
async function* heldRows(source: NodeSource, moves: boolean): AsyncGenerator<HeldRows> {
  const { game } = source;
  const divided = dividedMemory(source, moves);
  const claimed = claimScratch(source.scratchParent);
  try {
    const scratch = scratchIn(claimed.folder, 'rows');
    const { graph, batches } = await openGraphColumns({ ...source, budget: divided.moves, scratch, moves });
    const held = new HeldNodes(game === null ? ROWS_AT_ONCE : 2 * divided.groupRows, game, graph);
    for await (const batch of batches) {
      const { length } = batch.nodes;
      if (held.room < length) yield* held.take();
      // A batch of a graph may have more nodes than are held at once.
      for (let from = 0; from < length; ) {
        if (held.room === 0) yield* held.take();
        from += held.add(batch, from);
      }
    }
    yield* held.take();
  } finally {
    claimed.release();
  }
}

/** Conditions on nodes. What is left out is any. */
export interface NodeConditions {
  readonly result?: Wdl | undefined;
  readonly plies?: PlyRange | undefined;
  readonly mover?: Side | undefined;
  /** Only those of the most plies, for each mover; `together`: of all. */
  readonly longest?: 'each' | 'together' | undefined;
}

/** The rows that meet the conditions; to find the longest takes a pass more. */
async function* chosenRows(
  source: NodeSource,
  moves: boolean,
  wanted: NodeConditions,
): AsyncGenerator<HeldRows> {
  const { longest } = wanted;
  /** The most plies by mover, once they are known. */
  const most: [number, number] = [NONE, NONE];
  const of = (mover: number) => (longest === 'together' ? 0 : mover) as Side;
  if (longest !== undefined)
    for await (const { nodes, places } of heldRows(source, false))
      for (const place of places)
        if (nodes.meets(place, wanted))
          most[of(nodes.movers[place])] = Math.max(
            most[of(nodes.movers[place])],
            nodes.winnings[place].plies ?? NONE,
          );
  for await (const { nodes, places } of heldRows(source, moves))
    yield {
      nodes,
      places: places.filter(
        (place) =>
          nodes.meets(place, wanted) &&
          (longest === undefined || nodes.winnings[place].plies === most[of(nodes.movers[place])]),
      ),
    };
}

/** The rows as objects, for those who look at each. */
export async function* nodeRows(source: NodeSource, moves: boolean): AsyncGenerator<NodeRow[]> {
  for await (const rows of heldRows(source, moves)) yield rowsOf(rows);
}

function rowsOf({ nodes, places }: HeldRows): NodeRow[] {
  return Array.from(places, (place) => new NodeRow(nodes, place));
}

/**
 * Nodes that wait to be put in order, as columns: an object for each of some hundred thousand would take ten times the memory, and
 * the time to collect them.
 */
class HeldNodes {
  readonly layers: Int32Array;
  /** Of keyed games; rows of a graph in JSON have texts instead. */
  readonly keys: KeyColumns;
  readonly texts: string[] = [];
  /** Who is to move, or would be if the play were not over. */
  readonly movers: Uint8Array;
  readonly weights: Int32Array;
  readonly winnings: Winning[] = [];
  readonly moves: (string | null)[] = [];
  /** Whether the move leads to its node with the colours exchanged. */
  readonly exchanged: boolean[] = [];
  private length = 0;
  /** Places from 0 on, of which nodes in the order of their source have the first. */
  private readonly inOrder: Uint32Array;
  /** Of a keyed game whose graph lacks the movers of positions where the play is over. */
  private readonly asked: KeyedRules | null;
  readonly asksWeights: boolean;
  /** Keys that rows look for and compare, used again. */
  readonly wanted: KeyWords;
  readonly reached: KeyWords;

  constructor(
    private readonly capacity: number,
    readonly game: KeyedRules | null,
    graph: Pick<GraphManifest, 'movers' | 'weights'>,
  ) {
    this.layers = new Int32Array(capacity);
    const column = () => new Uint32Array(capacity);
    const upper = Array.from({ length: upperWords(this.keyBits) }, column);
    this.keys = { high: column(), low: column(), upper };
    [this.wanted, this.reached] = [newKey(this.keyBits), newKey(this.keyBits)];
    this.movers = new Uint8Array(capacity);
    this.weights = new Int32Array(capacity);
    this.inOrder = Uint32Array.from({ length: game === null ? capacity : 0 }, (_, i) => i);
    this.asked = graph.movers === true ? null : game;
    this.asksWeights = lacksWeights(game, graph);
  }

  private get keyBits(): number {
    return this.game?.keyBits ?? KEY_BITS;
  }

  get room(): number {
    return this.capacity - this.length;
  }

  /** Adds the nodes of a batch from `from` on, as far as there is room. Returns how many. */
  add(batch: NodeColumns, from: number): number {
    const { asked } = this;
    const { nodes } = batch;
    const count = Math.min(this.room, nodes.length - from);
    const end = from + count;
    if (batch.keys !== null) {
      const { high, low, upper } = this.keys;
      high.set(batch.keys.high.subarray(from, end), this.length);
      low.set(batch.keys.low.subarray(from, end), this.length);
      for (const [c, column] of batch.keys.upper.entries())
        upper[c]?.set(column.subarray(from, end), this.length);
    }
    for (let i = from, at = this.length; i < end; i++, at++) {
      if (this.game === null) this.texts[at] = nameAt(batch, i);
      this.layers[at] = batch.layerOf(i) ?? NONE;
      this.movers[at] = asked !== null && nodes.isOver(i) ? this.askedMover(asked, at) : nodes.ownerOf(i);
      this.weights[at] = nodes.weightOf(i);
      this.winnings[at] = nodes.winningOf(i);
      if (batch.moves === null) continue;
      this.moves[at] = this.writtenMove(batch, i);
      this.exchanged[at] = batch.exchanged[i];
    }
    this.length += count;
    return count;
  }

  private askedMover(game: KeyedRules, at: number): Side {
    return game.mover(game.atWords(this.keyOf(at)));
  }

  /** The key at a place, for a moment. */
  keyOf(place: number): KeyWords {
    readKey(this.keys, place, this.wanted);
    return this.wanted;
  }

  /** Of a graph in JSON as `probe` calls it, of a keyed game the key that it leads to. */
  private writtenMove(batch: NodeColumns, i: number): string | null {
    const move = batch.moves![i];
    if (move === null || this.game !== null) return move;
    return batch.moveNames?.[i] ?? writeNodeId(idOf(move));
  }

  /** Whether the node at a place is as asked for, but for the longest. */
  meets(place: number, { result, plies, mover }: NodeConditions): boolean {
    const [winning, own] = [this.winnings[place], this.movers[place] as Side];
    return (
      (plies === undefined ||
        (winning.plies !== null && winning.plies >= plies.least && winning.plies <= plies.most)) &&
      (mover === undefined || own === mover) &&
      (result === undefined || valueFor(own, winning).wdl === result)
    );
  }

  /** Hands out all rows, a few at a time, and is empty then. */
  *take(): Generator<HeldRows> {
    const { length } = this;
    const order = this.game === null ? this.inOrder : this.order();
    for (let from = 0; from < length; from += ROWS_AT_ONCE)
      yield { nodes: this, places: order.subarray(from, Math.min(length, from + ROWS_AT_ONCE)) };
    this.length = 0;
  }

  /** The places of the nodes by layer, and by key within each: layers ascend already. */
  private order(): Uint32Array {
    const { length, layers } = this;
    const order = new Uint32Array(length);
    for (let i = 0; i < length; i++) order[i] = i;
    for (let from = 0; from < length; ) {
      let to = from + 1;
      while (to < length && layers[to] === layers[from]) to++;
      // The sort is stable: by the lowest words first.
      const { high, low, upper } = this.keys;
      for (const words of [low, high, ...upper]) sortBy(words, order.subarray(from, to));
      from = to;
    }
    return order;
  }
}

/** Whether a game has symmetries but its graph was found by an earlier version, which did not store how many positions a node stands for. */
function lacksWeights(game: KeyedRules | null, { weights }: Pick<GraphManifest, 'weights'>): boolean {
  return game !== null && game.symmetries !== null && weights !== true;
}

/** Puts places in the order of their words. */
function sortBy(words: Uint32Array, places: Uint32Array): void {
  const { length } = places;
  const minor = new Uint32Array(length);
  for (let i = 0; i < length; i++) minor[i] = words[places[i]];
  const rows = { minor, payload: [places] };
  const sorted = radixSort(rows, newColumns(length, 1), 0, length);
  if (sorted !== rows) places.set(sorted.payload[0]);
}

/** What is asked for of the rows, if not all; and how. */
interface AskedRows {
  readonly where?: NodeConditions;
  /** More rows are not asked for. */
  readonly limit?: number | undefined;
  /** The best moves of a position of a keyed game; of a graph in JSON it is the one to follow. */
  readonly best?: ((position: unknown) => Promise<readonly string[]>) | undefined;
}

export function graphRows(
  source: NodeSource,
  columns: readonly Column[],
  graph: Pick<GraphManifest, 'players' | 'nodes' | 'weights'>,
  progress: ProgressListener,
  { where = {}, limit, best }: AskedRows = {},
): RowsToWrite {
  const { name, metric, game } = source;
  const { nodes } = graph;
  const moves = columns.includes('move') || (best === undefined && columns.includes('best'));
  const divided = dividedMemory(source, moves);
  const groupRows = Math.min(divided.groupRows, limit ?? divided.groupRows);
  const builders = columns.map((column) => builderOf(column, game, graph, groupRows, best));
  progress({ type: 'slice', slice: name, number: 1, of: 1 });
  progress({ type: 'phase', slice: name, phase: 'export', total: nodes });
  return {
    columns: builders.map(({ column }) => column),
    about: JSON.stringify({ game: name, metric, columns, rows: nodes }),
    batches: batchesOf({ source, moves, where, builders, groupRows }, (done) =>
      progress({ type: 'work', slice: name, done }),
    ),
  };
}

interface Collected {
  readonly source: NodeSource;
  readonly moves: boolean;
  readonly where: NodeConditions;
  readonly builders: readonly ColumnBuilder[];
  readonly groupRows: number;
}

async function* batchesOf(
  { source, moves, where, builders, groupRows }: Collected,
  report: (done: number) => void,
): AsyncGenerator<RowBatch> {
  let length = 0;
  const take = (): RowBatch => {
    const batch = { rows: length, values: builders.map((builder) => builder.take()) };
    length = 0;
    return batch;
  };
  const isAsked = builders.some(({ isAsked }) => isAsked);
  for await (const { nodes, places } of chosenRows(source, moves, where)) {
    for (let from = 0; from < places.length; ) {
      const held = { nodes, places: places.subarray(from, from + groupRows - length) };
      // One object for all columns that the rules are asked for: a position is made of its key once.
      const rows = isAsked ? rowsOf(held) : [];
      for (const builder of builders) await builder.add(held, rows);
      length += held.places.length;
      from += held.places.length;
      if (length === groupRows) yield take();
    }
    report(places.length);
    await breathe();
  }
  if (length > 0) yield take();
}

/** A node with what the rules of its game say of it, which is found when it is needed. */
export class NodeRow {
  private found: unknown;

  constructor(
    private readonly nodes: HeldNodes,
    private readonly at: number,
  ) {}

  get game(): KeyedRules | null {
    return this.nodes.game;
  }

  /** By which exports call it: a key in digits, or the name of a graph's node as JSON text. */
  get id(): string {
    const { nodes, at } = this;
    return nodes.game === null ? nodes.texts[at] : String(keyAt(nodes.keys, at));
  }

  /** Null if the graph has no layers. */
  get layer(): number | null {
    const layer = this.nodes.layers[this.at];
    return layer === NONE ? null : layer;
  }

  /** As {@link Winning.plies}. */
  get plies(): number | null {
    return this.winning.plies;
  }

  private get winning(): Winning {
    return this.nodes.winnings[this.at];
  }

  /** Of keyed games alone. */
  get position(): unknown {
    const { nodes, at } = this;
    this.found ??= nodes.game!.atWords(nodes.keyOf(at));
    return this.found;
  }

  /** As `probe` reads it. */
  get text(): string {
    const { game } = this;
    return game === null ? writeNodeId(idOf(this.id)) : game.format(this.position);
  }

  /** The player to move, also where the play is over: by the file of a graph, or by the rules of a keyed game. */
  get mover(): Side {
    return this.nodes.movers[this.at] as Side;
  }

  /** For the mover. */
  get value(): KeyedValue {
    return valueFor(this.mover, this.winning);
  }

  /** The move to follow, as `probe` calls it; null where the play is over. @throws UserError if the rules have changed. */
  get move(): string | null {
    const { game } = this;
    const move = this.nodes.moves[this.at];
    const isExchanged = this.nodes.exchanged[this.at];
    if (move === null || game === null) return move;
    const { wanted, reached } = this.nodes;
    const { position } = this;
    splitKey(BigInt(move), wanted);
    for (const [name, after] of game.moves(position)) {
      const exchanged = game.keyInto(after, reached);
      if (exchanged === isExchanged && isSameKey(reached, wanted)) return name;
    }
    throw game.wrong(
      this.position,
      `it had a move to position(${move}n) when it was solved, and has none by these rules`,
    );
  }

  /** How many positions were solved as this one: it and its symmetries, each once, whether games reach them or not. */
  get weight(): number {
    const { game, weights, asksWeights } = this.nodes;
    if (!asksWeights) return weights[this.at];
    const { position } = this;
    return game!.orbit(position, this.nodes.keyOf(this.at)).size;
  }
}

/** Collects a column of a batch. */
interface ColumnBuilder {
  readonly column: RowColumn;
  /** Whether it looks at rows as objects, which may ask the rules of the game; else it copies what is held. */
  readonly isAsked: boolean;
  /** @param rows the same rows as objects, if any builder of the batch needs them. */
  add(held: HeldRows, rows: readonly NodeRow[]): void | Promise<void>;
  /** The values that were added since the last call, in memory that the next ones overwrite. */
  take(): ColumnValues;
}

/** A column of nodes. @param players of the graph. */
export function nodeColumn(
  name: Column,
  game: KeyedRules | null,
  players: readonly [string, string],
): RowColumn {
  const isOptional = false;
  switch (name) {
    case 'id':
    case 'position':
      return { type: 'text', name, order: game === null ? 'none' : 'ordered', isOptional };
    case 'move':
      return { type: 'text', name, order: game === null ? 'none' : 'repeats', isOptional: true };
    case 'best':
      return { type: 'texts', name, isOptional };
    case 'mover':
      return { type: 'word', name, words: players, isOptional };
    case 'outcome':
      return { type: 'word', name, words: WDL_WORDS, isOptional };
    case 'plies':
    case 'layer':
      return { type: 'int32', name, isOptional: true };
    case 'score':
    case 'weight':
      return { type: 'int32', name, isOptional };
    default:
      throw noColumn(name);
  }
}

function noColumn(name: Column): Error {
  return new Error(`graphs have no column ${name}`);
}

/** @param rows of a batch. */
function builderOf(
  name: Column,
  game: KeyedRules | null,
  graph: Pick<GraphManifest, 'players' | 'weights'>,
  rows: number,
  best: AskedRows['best'],
): ColumnBuilder {
  const column = nodeColumn(name, game, graph.players);
  const words = () => new Int8Array(rows);
  const integers = () => new Int32Array(rows);
  switch (name) {
    case 'id':
      return new AskedTexts(column, rows, ({ id }) => id);
    case 'position':
      return new AskedTexts(column, rows, ({ text }) => text);
    case 'move':
      return new AskedTexts(column, rows, ({ move }) => move);
    case 'best':
      return new BestMoves(column, collectorOf(column, rows), best);
    case 'mover':
      return new Numbers(column, false, words(), copyMovers);
    case 'outcome':
      return new Numbers(column, false, words(), copyOutcomes);
    case 'plies':
      return new Numbers(column, false, integers(), copyPlies);
    case 'score':
      return new Numbers(column, false, integers(), copyScores);
    case 'layer':
      return new Numbers(column, false, integers(), copyLayers);
    case 'weight': {
      const isAsked = lacksWeights(game, graph);
      return new Numbers(column, isAsked, integers(), isAsked ? askWeights : copyWeights);
    }
    default:
      throw noColumn(name);
  }
}

class AskedTexts implements ColumnBuilder {
  readonly isAsked = true;
  private readonly texts: TextColumn;

  constructor(
    readonly column: RowColumn,
    rows: number,
    private readonly of: (node: NodeRow) => string | null,
  ) {
    this.texts = new TextColumn(rows);
  }

  add(_: HeldRows, rows: readonly NodeRow[]): void {
    for (const row of rows) {
      const text = this.of(row);
      if (text === null) this.texts.addNone();
      else this.texts.add(text);
    }
  }

  take(): ColumnValues {
    return this.texts.take();
  }
}

class BestMoves implements ColumnBuilder {
  readonly isAsked = true;

  constructor(
    readonly column: RowColumn,
    private readonly lists: Collector,
    private readonly best: AskedRows['best'],
  ) {}

  async add(_: HeldRows, rows: readonly NodeRow[]): Promise<void> {
    for (const row of rows)
      this.lists.add(
        this.best !== undefined ? await this.best(row.position) : row.move === null ? [] : [row.move],
      );
  }

  take(): ColumnValues {
    return this.lists.take();
  }
}

type NumberValues = Int8Array | Int32Array;

/** Has the values of rows in `into`, which is as long as there are places. */
type Copy = (held: HeldRows, into: NumberValues, rows: readonly NodeRow[]) => void;

class Numbers implements ColumnBuilder {
  private length = 0;

  constructor(
    readonly column: RowColumn,
    readonly isAsked: boolean,
    private readonly values: NumberValues,
    private readonly copy: Copy,
  ) {}

  add(held: HeldRows, rows: readonly NodeRow[]): void {
    const end = this.length + held.places.length;
    this.copy(held, this.values.subarray(this.length, end), rows);
    this.length = end;
  }

  take(): ColumnValues {
    const { length } = this;
    this.length = 0;
    return this.values.subarray(0, length);
  }
}

function copyMovers({ nodes: { movers }, places }: HeldRows, into: NumberValues): void {
  for (let i = 0; i < places.length; i++) into[i] = movers[places[i]];
}

const [WIN, DRAW, LOSS] = (['win', 'draw', 'loss'] as const).map((wdl) => WDL_WORDS.indexOf(wdl));

function copyOutcomes({ nodes: { movers, winnings }, places }: HeldRows, into: NumberValues): void {
  for (let i = 0; i < places.length; i++) {
    const { winner } = winnings[places[i]];
    into[i] = winner === null ? DRAW : winner === movers[places[i]] ? WIN : LOSS;
  }
}

function copyPlies({ nodes: { winnings }, places }: HeldRows, into: NumberValues): void {
  for (let i = 0; i < places.length; i++) into[i] = winnings[places[i]].plies ?? NONE;
}

function copyScores({ nodes: { movers, winnings }, places }: HeldRows, into: NumberValues): void {
  for (let i = 0; i < places.length; i++)
    into[i] = valueFor(movers[places[i]] as Side, winnings[places[i]]).score ?? NONE;
}

function copyLayers({ nodes: { layers }, places }: HeldRows, into: NumberValues): void {
  for (let i = 0; i < places.length; i++) into[i] = layers[places[i]];
}

function copyWeights({ nodes: { weights }, places }: HeldRows, into: NumberValues): void {
  for (let i = 0; i < places.length; i++) into[i] = weights[places[i]];
}

function askWeights(_: HeldRows, into: NumberValues, rows: readonly NodeRow[]): void {
  for (let i = 0; i < rows.length; i++) into[i] = rows[i].weight;
}

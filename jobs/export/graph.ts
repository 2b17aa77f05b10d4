/** Solved graphs as files: a row for each node, in the order of their source. */

import {
  type Data,
  Dictionary,
  Field,
  Int8,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import parquet from 'parquetjs-lite';
import type { Budget } from '../../operators/core/budget.js';
import type { Sink, Store } from '../../operators/storage/store.js';
import type { Side } from '../../pipeline/contract/game.js';
import type { Metric } from '../../pipeline/formats/value.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type GraphRow, openGraphRows } from '../../pipeline/graph/graph-rows.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import { scratchIn } from '../engines/scratch-store.js';
import { breathe, print } from '../output.js';
import { ArrowFileWriter } from './arrow-file.js';
import { Emitted } from './emitted.js';
import type { GraphFormat } from './graph-formats.js';

export interface GraphExport {
  readonly store: Store;
  readonly name: string;
  readonly metric: Metric;
  readonly format: GraphFormat;
  /** Null: standard output. */
  readonly sink: Sink | null;
  readonly budget: Budget;
  readonly scratchFolder: string;
  /** The keyed game that the graph is of: rows have positions and moves as the game writes them, too. */
  readonly game: KeyedRules | null;
}

/** Returns the number of rows. @throws UserError if there is no such graph, or it is not solved for the metric. */
export async function writeGraph(asked: GraphExport): Promise<number> {
  const { format, sink, scratchFolder, game } = asked;
  const scratch = scratchIn(scratchFolder, 'export');
  const { graph, rows: plain } = await openGraphRows({ ...asked, scratch });
  const rows = game === null ? plain : namedRows(game, plain);
  const write = { jsonl: writeLines, arrow: writeArrow, parquet: writeParquet }[format];
  try {
    const output: Output = {
      write: async (pieces) => {
        if (sink !== null) return sink.write(pieces);
        for (const piece of pieces) await print(new TextDecoder().decode(piece));
        await breathe();
      },
    };
    await write(rows, graph, output, { isNamed: game !== null, isScored: asked.metric === 'score' });
    await sink?.close();
  } catch (error) {
    await sink?.abort();
    throw error;
  }
  return graph.nodes;
}

/** A row of a keyed game. */
interface NamedRow extends GraphRow {
  /** As the game writes it, and the name of the move to follow. */
  readonly position?: string;
  readonly moveName?: string | null;
}

type Rows = AsyncIterable<readonly NamedRow[]>;

/** @throws UserError if the rules have changed since the game was solved. */
async function* namedRows(game: KeyedRules, rows: AsyncIterable<readonly GraphRow[]>): Rows {
  for await (const batch of rows)
    yield batch.map((row) => {
      const position = game.at(BigInt(row.id));
      const moveName = row.move === null ? null : moveTo(game, position, BigInt(row.move));
      return { ...row, position: game.format(position), moveName };
    });
}

function moveTo(game: KeyedRules, position: unknown, key: bigint): string {
  const found = game.moves(position).find(([, after]) => game.keyOf(after) === key);
  if (found !== undefined) return found[0];
  throw game.wrong(
    position,
    `it had a move to position(${key}n) when it was solved, and has none by these rules`,
  );
}
type Output = Pick<Sink, 'write'>;

/** Columns that not all graphs have: positions and names of moves, points. */
interface Extra {
  readonly isNamed: boolean;
  readonly isScored: boolean;
}

async function writeLines(rows: Rows, { players }: GraphManifest, output: Output): Promise<void> {
  const names = players.map((player) => JSON.stringify(player));
  for await (const batch of rows) {
    let text = '';
    for (const { id, owner, winner, plies, score, move, position, moveName, layer } of batch) {
      const chooses = owner === null ? 'null' : names[owner];
      const wins = winner === null ? 'null' : names[winner];
      const named =
        position === undefined
          ? ''
          : `,"position":${JSON.stringify(position)},"moveName":${JSON.stringify(moveName)},"layer":${layer}`;
      text += `{"id":${id},"owner":${chooses},"winner":${wins},"plies":${plies}${score === null ? '' : `,"score":${score}`},"move":${move}${named}}\n`;
    }
    await output.write([Buffer.from(text)]);
  }
}

/** A column of a file: of a name or text, of a player, by number, or of an integer. */
interface Column {
  readonly name: string;
  readonly type: 'text' | 'player' | 'integer';
  readonly isOptional: boolean;
  of(row: NamedRow): string | number | null;
}

/** Names are as they are if all are text or all integers, else as JSON. */
function columnsOf({ idKind }: GraphManifest, { isNamed, isScored }: Extra): Column[] {
  const named = idKind === 'text' ? (text: string) => JSON.parse(text) as string : (text: string) => text;
  const column = (name: string, type: Column['type'], isOptional: boolean, of: Column['of']): Column => ({
    ...{ name, type, isOptional, of },
  });
  return [
    column('id', 'text', false, ({ id }) => named(id)),
    column('owner', 'player', true, ({ owner }) => owner),
    column('winner', 'player', true, ({ winner }) => winner),
    column('plies', 'integer', true, ({ plies }) => plies),
    ...(isScored ? [column('score', 'integer', false, ({ score }) => score)] : []),
    column('move', 'text', true, ({ move }) => (move === null ? null : named(move))),
    ...(isNamed
      ? [
          column('position', 'text', false, ({ position }) => position ?? null),
          column('moveName', 'text', true, ({ moveName }) => moveName ?? null),
          column('layer', 'integer', true, ({ layer }) => layer),
        ]
      : []),
  ];
}

async function writeArrow(rows: Rows, graph: GraphManifest, output: Output, extra: Extra): Promise<void> {
  const columns = columnsOf(graph, extra);
  const player = new Dictionary(new Utf8(), new Int8(), 0);
  const players = vectorFromArray([...graph.players], new Utf8());
  const types = { text: new Utf8(), player, integer: new Int32() };
  const schema = new Schema(
    columns.map(({ name, type, isOptional }) => new Field(name, types[type], isOptional)),
  );
  const dataOf = ({ type, of }: Column, batch: readonly NamedRow[]): Data => {
    const all = batch.map(of);
    if (type !== 'player') return vectorFromArray(all, types[type]).data[0];
    const { length, nullCount, nullBitmap, values } = vectorFromArray(all, new Int8()).data[0];
    return makeData({ type: player, length, nullCount, nullBitmap, data: values, dictionary: players });
  };
  const emitted = new Emitted();
  const writer = new ArrowFileWriter();
  writer.reset(emitted, schema);
  for await (const batch of rows) {
    const children = columns.map((column) => dataOf(column, batch));
    const { length } = batch;
    writer.write(
      new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children })),
    );
    await output.write(emitted.take());
  }
  writer.close();
  await output.write(emitted.take());
}

/** Rows that are held in memory, and that readers get at once. */
const GROUP_ROWS = 1 << 15;

async function writeParquet(rows: Rows, graph: GraphManifest, output: Output, extra: Extra): Promise<void> {
  const columns = columnsOf(graph, extra);
  const fields = columns.map(({ name, type, isOptional }) => {
    const field: parquet.ParquetField = { type: type === 'integer' ? 'INT32' : 'UTF8' };
    return [name, isOptional ? { ...field, optional: true } : field] as const;
  });
  const target: parquet.ParquetTarget = {
    write: (bytes, done) => void output.write([bytes]).then(() => done(), done),
    end: (done) => done(),
  };
  const schema = new parquet.ParquetSchema(Object.fromEntries(fields));
  const writer = await parquet.ParquetWriter.openStream(schema, target, { rowGroupSize: GROUP_ROWS });
  for await (const batch of rows) {
    for (const row of batch) {
      const record: Record<string, string | number> = {};
      for (const { name, type, of } of columns) {
        const value = of(row);
        if (value !== null) record[name] = type === 'player' ? graph.players[value as Side] : value;
      }
      await writer.appendRow(record);
    }
  }
  await writer.close();
}

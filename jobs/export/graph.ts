/** Solved graphs as files: a row for each node, in the order of their source. */
import {
  type Data,
  Dictionary,
  Field,
  Int8,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import parquet from 'parquetjs-lite';
import type { Budget } from '../../operators/core/budget.js';
import { Emitted } from '../../operators/runs/writer.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Sink, Store } from '../../operators/storage/store.js';
import { type GraphRow, openGraphRows } from '../../pipeline/graph/graph-rows.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import type { Metric } from '../../pipeline/value.js';
import { breathe, print } from '../output.js';
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
}

/** Returns the number of rows. @throws UserError if there is no such graph, or it is not solved for the metric. */
export async function writeGraph(asked: GraphExport): Promise<number> {
  const { format, sink, scratchFolder } = asked;
  const scratch = newScratch(localStore(scratchFolder, { durable: false }), 'export');
  const { graph, rows } = await openGraphRows({ ...asked, scratch });
  const write = { jsonl: writeLines, arrow: writeArrow, parquet: writeParquet }[format];
  try {
    await write(rows, graph, {
      write: async (pieces) => {
        if (sink !== null) return sink.write(pieces);
        for (const piece of pieces) await print(new TextDecoder().decode(piece));
        await breathe();
      },
    });
    await sink?.close();
  } catch (error) {
    await sink?.abort();
    throw error;
  }
  return graph.nodes;
}

type Rows = AsyncIterable<readonly GraphRow[]>;
type Output = Pick<Sink, 'write'>;

async function writeLines(rows: Rows, { players }: GraphManifest, output: Output): Promise<void> {
  const names = players.map((player) => JSON.stringify(player));
  for await (const batch of rows) {
    let text = '';
    for (const { id, owner, winner, plies, move } of batch) {
      const chooses = owner === null ? 'null' : names[owner];
      const wins = winner === null ? 'null' : names[winner];
      text += `{"id":${id},"owner":${chooses},"winner":${wins},"plies":${plies},"move":${move}}\n`;
    }
    await output.write([Buffer.from(text)]);
  }
}

/** Names as columns hold them: as they are if all are text or all integers, else as JSON. */
function nameReader({ idKind }: GraphManifest): (text: string) => string {
  return idKind === 'text' ? (text) => JSON.parse(text) as string : (text) => text;
}

async function writeArrow(rows: Rows, graph: GraphManifest, output: Output): Promise<void> {
  const named = nameReader(graph);
  const player = new Dictionary(new Utf8(), new Int8(), 0);
  const players = vectorFromArray([...graph.players], new Utf8());
  const schema = new Schema([
    new Field('id', new Utf8(), false),
    new Field('owner', player, true),
    new Field('winner', player, true),
    new Field('plies', new Int32(), true),
    new Field('move', new Utf8(), true),
  ]);
  const emitted = new Emitted();
  const writer = new RecordBatchFileWriter();
  writer.reset(emitted, schema);
  const who = (sides: readonly (number | null)[]): Data => {
    const { data } = vectorFromArray(sides, new Int8());
    const { length, nullCount, nullBitmap, values } = data[0]!;
    return makeData({ type: player, length, nullCount, nullBitmap, data: values, dictionary: players });
  };
  for await (const batch of rows) {
    const children: Data[] = [
      vectorFromArray(
        batch.map(({ id }) => named(id)),
        new Utf8(),
      ).data[0]!,
      who(batch.map(({ owner }) => owner)),
      who(batch.map(({ winner }) => winner)),
      vectorFromArray(
        batch.map(({ plies }) => plies),
        new Int32(),
      ).data[0]!,
      vectorFromArray(
        batch.map(({ move }) => (move === null ? null : named(move))),
        new Utf8(),
      ).data[0]!,
    ];
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

async function writeParquet(rows: Rows, graph: GraphManifest, output: Output): Promise<void> {
  const named = nameReader(graph);
  const { players } = graph;
  const schema = new parquet.ParquetSchema({
    id: { type: 'UTF8' },
    owner: { type: 'UTF8', optional: true },
    winner: { type: 'UTF8', optional: true },
    plies: { type: 'INT32', optional: true },
    move: { type: 'UTF8', optional: true },
  });
  const target: parquet.ParquetTarget = {
    write: (bytes, done) => void output.write([bytes]).then(() => done(), done),
    end: (done) => done(),
  };
  const writer = await parquet.ParquetWriter.openStream(schema, target, { rowGroupSize: GROUP_ROWS });
  for await (const batch of rows) {
    for (const { id, owner, winner, plies, move } of batch) {
      await writer.appendRow({
        id: named(id),
        ...(owner === null ? {} : { owner: players[owner] }),
        ...(winner === null ? {} : { winner: players[winner] }),
        ...(plies === null ? {} : { plies }),
        ...(move === null ? {} : { move: named(move) }),
      });
    }
  }
  await writer.close();
}

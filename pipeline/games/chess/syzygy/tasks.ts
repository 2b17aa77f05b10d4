/**
 * The parts of the work of writing an ending's files, each done by one thread: reading the values of a side, choosing the order of a
 * subtable, compressing it, writing the files. Tasks and results are plain data that go from thread to thread; values and compressed
 * subtables stay in scratch, on saved tapes.
 */
import type { Sink, Store } from '../../../../operators/storage/store.js';
import type { Side } from '../../../game/game.js';
import { dropArena } from '../wasm-instance.js';
import type { Arrangement } from './arrangement.js';
import { dtzCoding, type Plies, wdlCoding } from './cells.js';
import { arrangementsOf, chooseArrangement, orderByRows } from './choose-arrangement.js';
import { compressSubtable, type Plan } from './compress.js';
import { type Section, writeFile } from './file-layout.js';
import type { FileKind } from './format.js';
import { setIndex } from './indices.js';
import type { Material } from './material.js';
import { fillSubtables, type Subtable, type ValueSource } from './subtable.js';
import type { Writer } from './writer.js';

/** Reads the values of a side, of each subtable to a tape with one of these names. */
interface ValuesTask {
  readonly do: 'values';
  readonly side: Side;
  readonly tapes: readonly string[];
}

/** Chooses the content of a subtable in a file. */
interface PlanTask extends Omit<Plan, 'coding' | 'arrangement' | 'bitsPerCell'> {
  readonly do: 'plan';
}

/** Compresses a subtable, to tapes with these names. */
interface CompressTask {
  readonly do: 'compress';
  readonly plan: Plan;
  readonly tapes: readonly [lengths: string, data: string];
}

/** By file of the leading pawn (one without pawns). */
export type Sections = Readonly<Record<FileKind, readonly (readonly Section[])[]>>;

/** Writes both files. */
interface FinishTask {
  readonly do: 'finish';
  readonly sections: Sections;
}

export type WritingTask = ValuesTask | PlanTask | CompressTask | FinishTask;

interface Results {
  values: readonly Subtable[];
  plan: Plan;
  compress: Section;
  /** Bytes of each file. */
  finish: Readonly<Record<FileKind, number>>;
}
export type ResultOf<Task extends WritingTask> = Results[Task['do']];

interface WritingOptions {
  readonly writer: Writer;
  /** Where the saved tapes of all threads are. */
  readonly tapes: Store;
  readonly material: Material;
  readonly source: ValueSource;
  readonly plies: Plies;
  /** Makes what a file is written to. */
  readonly sink: (kind: FileKind) => Promise<Sink>;
}

/** Does tasks of an ending on one thread. */
export class EndingWriter {
  readonly #options: WritingOptions;
  readonly #arrangements: readonly Arrangement[];
  readonly #rawOrder: Arrangement;

  constructor(options: WritingOptions) {
    this.#options = options;
    this.#arrangements = arrangementsOf(options.material);
    this.#rawOrder = orderByRows(this.#arrangements);
  }

  async do<Task extends WritingTask>(task: Task): Promise<ResultOf<Task>> {
    return (await this.#do(task)) as ResultOf<Task>;
  }

  #do(task: WritingTask): Promise<Results[keyof Results]> | Results[keyof Results] {
    switch (task.do) {
      case 'values':
        return this.#values(task);
      case 'plan':
        return this.#plan(task);
      case 'compress':
        return this.#compress(task);
      case 'finish':
        return this.#finish(task);
    }
  }

  async #values({ side, tapes }: ValuesTask): Promise<Subtable[]> {
    const { writer, source, material } = this.#options;
    const names = { store: this.#options.tapes, names: tapes };
    try {
      return await fillSubtables(writer, source, material, this.#rawOrder, side, names);
    } finally {
      // The lists of pairs come next, and take most of the memory.
      dropArena();
    }
  }

  #plan({ do: _, ...making }: PlanTask): Plan {
    const { writer, tapes, material, plies } = this.#options;
    const { kind, file, subtable } = making;
    const coding = kind === 'wdl' ? wdlCoding(subtable.histogram) : dtzCoding(subtable.histogram, plies);
    setIndex(writer, 0, material, this.#rawOrder);
    const choice = chooseArrangement({ writer, tapes, material, file, subtable, coding }, this.#arrangements);
    return { ...making, ...choice, coding };
  }

  #compress({ plan, tapes: [lengths, data] }: CompressTask): Section {
    const { writer, tapes, material } = this.#options;
    setIndex(writer, 0, material, this.#rawOrder);
    const compressed = compressSubtable(writer, { store: tapes, lengths, data }, material, plan);
    return { side: plan.side, arrangement: plan.arrangement, compressed };
  }

  async #finish({ sections }: FinishTask): Promise<Results['finish']> {
    const { writer, tapes, material, sink } = this.#options;
    const open: Sink[] = [];
    const write = async (kind: FileKind) => {
      const into = await sink(kind);
      open.push(into);
      return writeFile({ kernels: writer, tapes, kind, material, sections: sections[kind], sink: into });
    };
    try {
      const bytes = { wdl: await write('wdl'), dtz: await write('dtz') };
      while (open.length > 0) {
        await open[0].close();
        open.shift();
      }
      return bytes;
    } catch (error) {
      for (const into of open) await into.abort();
      throw error;
    }
  }
}

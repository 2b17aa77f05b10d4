/** The two files of an ending: outcomes for both sides to move (.rtbw), plies to a zeroing move (.rtbz) for one of them. */
import type { Scratch } from '../../../../operators/storage/scratch.js';
import type { Side } from '../../../game/game.js';
import { bytesOf, type Plan } from './compress.js';
import type { Section } from './file-layout.js';
import type { FileKind } from './format.js';
import type { Material } from './material.js';
import type { ResultOf, Sections, WritingTask } from './tasks.js';

/** Does tasks of an ending: several at a time if it has several threads. Rejects with the error of the task. */
export interface WritingCrew {
  do<Task extends WritingTask>(task: Task): Promise<ResultOf<Task>>;
}

export interface FilesOptions {
  readonly material: Material;
  readonly crew: WritingCrew;
  /** For what tasks leave to later ones. Threads of the crew open it by its names. */
  readonly scratch: Scratch;
  /** Takes what was done, and how many of how many steps are. */
  readonly report?: (what: string, done: number, of: number) => void;
}

/**
 * Makes both files by the tasks of a crew. Subtables are in scratch: up to some ten bytes an index of a side, and what they become
 * compressed. Returns the bytes of each file.
 */
export async function writeSyzygyFiles(options: FilesOptions): Promise<Readonly<Record<FileKind, number>>> {
  const { crew, scratch } = options;
  const tapes = new TapeNames(scratch);
  try {
    const sections = await makeSections(options, tapes);
    return await crew.do({ do: 'finish', sections });
  } finally {
    await tapes.delete();
  }
}

/** The names of the saved tapes of an ending. */
class TapeNames {
  readonly #names: string[] = [];

  constructor(private readonly scratch: Scratch) {}

  new(): string {
    this.#names.push(this.scratch.name());
    return this.#names.at(-1)!;
  }

  /** Deletes the tapes with these names, or all. */
  async delete(names: readonly string[] = this.#names): Promise<void> {
    for (const name of names) await this.scratch.store.delete(name);
  }
}

/** All tasks whose predecessors are done are the crew's at once. Those that others wait for come first. */
async function makeSections({ material, crew, report }: FilesOptions, tapes: TapeNames): Promise<Sections> {
  const files = material.leadingPawns.length > 0 ? [0, 1, 2, 3] : [0];
  const sides: Side[] = material.symmetric ? [0] : [0, 1];
  const steps = sides.length * (1 + 3 * files.length) + files.length;
  let done = 0;
  const reported = <T>(what: string, of: Promise<T>): Promise<T> =>
    of.then((result) => {
      report?.(what, ++done, steps);
      return result;
    });
  const moves = (side: Side) => `${side === 0 ? 'White' : 'Black'} to move`;
  const values = sides.map((side) =>
    reported(
      `values read, ${moves(side)}`,
      crew.do({ do: 'values', side, tapes: files.map(() => tapes.new()) }),
    ),
  );
  const plan = async (kind: FileKind, side: Side, file: number): Promise<Plan> => {
    const subtable = (await values[side])[file];
    return reported(`order chosen, ${moves(side)}`, crew.do({ do: 'plan', kind, side, file, subtable }));
  };
  const compress = (plan: Plan): Promise<Section> =>
    crew.do({ do: 'compress', plan, tapes: [tapes.new(), tapes.new()] });

  const makeFile = async (file: number): Promise<Record<FileKind, readonly Section[]>> => {
    const [outcomes, plies] = (['wdl', 'dtz'] as const).map((kind) =>
      sides.map((side) => plan(kind, side, file)),
    );
    const wdl = outcomes.map(async (planned, side) =>
      reported(`outcomes compressed, ${moves(side as Side)}`, compress(await planned)),
    );
    const dtz = Promise.all(plies).then((plans) =>
      reported('plies compressed', Promise.all(mayBeSmallest(plans).map(compress))),
    );
    const [sections, candidates] = await Promise.all([Promise.all(wdl), dtz]);
    await tapes.delete((await Promise.all(values)).map((subtables) => subtables[file].raw.name));
    return { wdl: sections, dtz: [smallest(candidates)] };
  };
  const made = await Promise.all(files.map(makeFile));
  return { wdl: made.map(({ wdl }) => wdl), dtz: made.map(({ dtz }) => dtz) };
}

/** A side whose samples take more than this many times the bits of the other side's is not compressed. */
const CLEARLY_LARGER = 1.25;

/**
 * The sides whose plies may take the fewest bytes. Samples tell where that is clear: compressing both sides of KBBvKN to keep one
 * took a sixth of the time of writing it.
 */
function mayBeSmallest(plans: readonly Plan[]): readonly Plan[] {
  const bits = plans.map(({ bitsPerCell, subtable }) => (bitsPerCell ?? Number.NaN) * subtable.size);
  const least = Math.min(...bits);
  // Without samples of both sides nothing is clear: a comparison with NaN is false.
  return plans.filter((_, i) => !(bits[i] > CLEARLY_LARGER * least));
}

/** Programs that probe find the plies of the other side by a search of one ply, so that files hold one. Of equal ones it is White's. */
function smallest(sections: readonly Section[]): Section {
  return sections.reduce((best, one) => (bytesOf(one.compressed) < bytesOf(best.compressed) ? one : best));
}

/** The two files of an ending: outcomes for both sides to move (.rtbw), plies to a zeroing move (.rtbz) for one of them. */
import type { Scratch } from '../../../../operators/storage/scratch.js';
import type { Sink } from '../../../../operators/storage/store.js';
import type { Side } from '../../../game/game.js';
import type { Arrangement } from './arrangement.js';
import { arrangementsOf, chooseArrangement, orderByRows } from './arrangements.js';
import { type Coding, dtzCoding, type Plies, wdlCoding } from './cells.js';
import { bytesOf, compressSubtable, dispose } from './compress.js';
import { type Section, writeFile } from './file-layout.js';
import type { FileKind } from './format.js';
import { type Kernels, newKernels } from './kernels.js';
import type { Material } from './material.js';
import { fillSubtables, type Subtable, type ValueSource } from './subtable.js';

export interface FilesOptions {
  readonly material: Material;
  readonly source: ValueSource;
  readonly plies: Plies;
  /** Bytes of buffers. */
  readonly memory: number;
  readonly scratch: Scratch;
  /** Makes what a file is written to; `writeSyzygyFiles` does not end it. */
  readonly sink: (kind: FileKind) => Promise<Pick<Sink, 'write'>>;
  /** Called between long computations: what was done, and how many of how many steps are. */
  readonly report?: (what: string, done: number, of: number) => Promise<void>;
}

/**
 * Makes both files. Kernels have five eighths of the memory. Subtables are in scratch: up to some ten bytes an index
 * of a side, and what they become compressed. Returns the bytes of each file.
 */
export async function writeSyzygyFiles(options: FilesOptions): Promise<Record<FileKind, number>> {
  const { material, memory, scratch, sink } = options;
  const kernels = newKernels(memory, scratch);
  const sections: Sections = { wdl: [], dtz: [] };
  try {
    await makeSections(kernels, options, sections);
    const dtz = sections.dtz.map(([only]) => [only]);
    return {
      wdl: await writeFile(kernels, 'wdl', material, sections.wdl, await sink('wdl')),
      dtz: await writeFile(kernels, 'dtz', material, dtz, await sink('dtz')),
    };
  } finally {
    for (const section of [...sections.wdl, ...sections.dtz].flat()) dispose(section.compressed);
  }
}

/** By file of the leading pawn (one without pawns). */
type Sections = Record<FileKind, Section[][]>;

async function makeSections(
  kernels: Kernels,
  { material, source, plies, report }: FilesOptions,
  sections: Sections,
): Promise<void> {
  const arrangements = arrangementsOf(material);
  const rawOrder = orderByRows(arrangements);
  const files = material.leadingPawns.length > 0 ? 4 : 1;
  const sides: Side[] = material.symmetric ? [0] : [0, 1];
  const steps = sides.length * (1 + files) + files;
  let done = 0;
  const reportStep = (what: string) => report?.(what, ++done, steps);
  const moves = (side: Side) => `${side === 0 ? 'White' : 'Black'} to move`;
  /** By file of the leading pawn, the plies of each side. */
  const plans: Plan[][] = Array.from({ length: files }, () => []);
  for (const side of sides) {
    const subtables = await fillSubtables(kernels, source, material, rawOrder, side);
    await reportStep(`values read, ${moves(side)}`);
    for (const [file, subtable] of subtables.entries()) {
      const plan = (kind: FileKind) =>
        planSection(kernels, { kind, material, arrangements, side, file, subtable, plies });
      (sections.wdl[file] ??= []).push(compress(kernels, plan('wdl')));
      plans[file].push(plan('dtz'));
      await reportStep(`outcomes compressed, ${moves(side)}`);
    }
  }
  for (const [file, ofFile] of plans.entries()) {
    const kept: Section[] = (sections.dtz[file] = []);
    for (const plan of mayBeSmallest(ofFile)) keepSmaller(kept, compress(kernels, plan));
    for (const { subtable } of ofFile) subtable.raw.dispose();
    await reportStep('plies compressed');
  }
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

/** Programs that probe find the plies of the other side by a search of one ply, so that files hold one. */
function keepSmaller(kept: Section[], section: Section): void {
  const [before] = kept;
  const isSmaller = before === undefined || bytesOf(section.compressed) < bytesOf(before.compressed);
  const loser = isSmaller ? before : section;
  if (isSmaller) kept[0] = section;
  if (loser !== undefined) dispose(loser.compressed);
}

interface Making {
  readonly kind: FileKind;
  readonly material: Material;
  readonly arrangements: readonly Arrangement[];
  readonly side: Side;
  readonly file: number;
  readonly subtable: Subtable;
  readonly plies: Plies;
}

/** The content of a subtable in a file: its cells, and their order. */
interface Plan extends Making {
  readonly coding: Coding;
  readonly arrangement: Arrangement;
  /** Bits of a cell in a sample of the subtable; null if none was compressed. */
  readonly bitsPerCell: number | null;
}

function planSection(kernels: Kernels, making: Making): Plan {
  const { kind, material, arrangements, file, subtable, plies } = making;
  const coding = kind === 'wdl' ? wdlCoding(subtable.histogram) : dtzCoding(subtable.histogram, plies);
  const choice = chooseArrangement(kernels, material, file, subtable, coding, arrangements);
  return { ...making, ...choice, coding };
}

function compress(kernels: Kernels, plan: Plan): Section {
  const { kind, material, arrangement, side, file, subtable, coding } = plan;
  const order = { material, arrangement, file };
  return { side, arrangement, compressed: compressSubtable(kernels, kind, subtable, coding, order) };
}

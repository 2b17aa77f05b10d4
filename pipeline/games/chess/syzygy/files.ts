/** The two files of an ending: outcomes for both sides to move (.rtbw), plies to a zeroing move (.rtbz) for one of them. */
import type { Scratch } from '../../../../operators/storage/scratch.js';
import type { Sink } from '../../../../operators/storage/store.js';
import type { Side } from '../../../game/game.js';
import type { Arrangement } from './arrangement.js';
import { arrangementsOf, chooseArrangement, orderByRows } from './arrangements.js';
import { dtzCoding, type Plies, wdlCoding } from './cells.js';
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
  const steps = sides.length * (1 + 2 * files);
  let done = 0;
  const reportStep = (what: string, side: Side) =>
    report?.(`${what}, ${side === 0 ? 'White' : 'Black'} to move`, ++done, steps);
  for (let file = 0; file < files; file++) {
    sections.wdl.push([]);
    sections.dtz.push([]);
  }
  for (const side of sides) {
    const subtables = await fillSubtables(kernels, source, material, rawOrder, side);
    await reportStep('values read', side);
    for (const [file, subtable] of subtables.entries()) {
      const make = (kind: FileKind) =>
        makeSection(kernels, { kind, material, arrangements, side, file, subtable, plies });
      sections.wdl[file].push(make('wdl'));
      await reportStep('outcomes compressed', side);
      keepSmaller(sections.dtz[file], make('dtz'));
      await reportStep('plies compressed', side);
      subtable.raw.dispose();
    }
  }
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

function makeSection(kernels: Kernels, making: Making): Section {
  const { kind, material, arrangements, side, file, subtable, plies } = making;
  const coding = kind === 'wdl' ? wdlCoding(subtable.histogram) : dtzCoding(subtable.histogram, plies);
  const arrangement = chooseArrangement(kernels, material, file, subtable, coding, arrangements);
  const order = { material, arrangement, file };
  return { side, arrangement, compressed: compressSubtable(kernels, kind, subtable, coding, order) };
}

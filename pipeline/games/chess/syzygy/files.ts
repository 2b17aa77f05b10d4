/** The two files of an ending: outcomes for both sides to move (.rtbw), plies to a zeroing move for one of them (.rtbz). */
import type { Side } from '../../../game.js';
import { type Arrangement, subtableIndex } from './arrangement.js';
import { arrangementsOf, chooseArrangement } from './arrangements.js';
import { type Coding, dtzCoding, type Plies, wdlCoding } from './cells.js';
import { bytesOf, compressSubtable } from './compress.js';
import { type FileKind, fileBytes, type Section } from './layout.js';
import type { Material } from './material.js';
import { fillSubtable, type Subtable, type ValueSource } from './subtable.js';

export interface SyzygyFiles {
  readonly wdl: Uint8Array;
  readonly dtz: Uint8Array;
}

export interface FilesOptions {
  readonly material: Material;
  readonly source: ValueSource;
  readonly plies: Plies;
  /** Called between long computations: how many subtables are done, of how many. */
  readonly report?: (done: number, of: number) => Promise<void>;
}

/** Makes both files. Holds one subtable at a time, and the compressed ones. */
export async function syzygyFiles({
  material,
  source,
  plies: counted,
  report,
}: FilesOptions): Promise<SyzygyFiles> {
  const arrangements = arrangementsOf(material);
  const files = material.leadPawns.length > 0 ? [0, 1, 2, 3] : [0];
  const sides: Side[] = material.symmetric ? [0] : [0, 1];
  const total = files.length * sides.length;
  const wdl: Section[][] = [];
  const dtz: Section[][] = [];
  let done = 0;
  for (const file of files) {
    const outcomes: Section[] = [];
    const plies: Section[] = [];
    for (const side of sides) {
      const subtable = await fillSubtable(source, material, arrangements[0], side, file);
      const section = (kind: FileKind, coding: Coding) =>
        makeSection(kind, material, arrangements, side, file, subtable, coding);
      outcomes.push(section('wdl', wdlCoding(subtable)));
      plies.push(section('dtz', dtzCoding(subtable, counted)));
      await report?.(++done, total);
    }
    wdl.push(outcomes);
    // Programs that probe find the values of the other side by a search of one ply.
    dtz.push([
      plies.reduce((best, other) => (bytesOf(other.compressed) < bytesOf(best.compressed) ? other : best)),
    ]);
  }
  return { wdl: fileBytes('wdl', material, wdl), dtz: fileBytes('dtz', material, dtz) };
}

function makeSection(
  kind: FileKind,
  material: Material,
  arrangements: readonly Arrangement[],
  side: Side,
  file: number,
  subtable: Subtable,
  coding: Coding,
): Section {
  const arrangement = chooseArrangement(material, file, subtable, coding, arrangements);
  const index = subtableIndex(material, arrangement, file);
  const squares = new Uint8Array(material.men.length);
  const compressed = compressSubtable(kind, subtable, coding, index.size, (at) => {
    index.decode(at, squares);
    return subtable.index.encode(squares);
  });
  return { side, arrangement, compressed };
}

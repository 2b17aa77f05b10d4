/** Where the kernels in TypeScript (plain-kernels.ts) write the positions that they find. One is made for a slice. */
import type { Emission } from '../../../../../pipeline/game/game.js';
import type { Frame } from '../../../../../pipeline/games/checkers/halves.js';

export interface PlainRows {
  /** The name of the slice, and the positions of its parts. */
  readonly name: string;
  readonly width: number;
  /** Written to in the call of a kernel. */
  out: Emission | undefined;
  /** The major of part 0 of the positions that are written. */
  bias: number;
  /** The number of the key whose rows are written. */
  source: number;
}

export function newRows({ name, width }: Frame): PlainRows {
  return { name, width, out: undefined, bias: 0, source: 0 };
}

/** Writes a position of a slice whose parts have `partWidth` positions. */
export function writeRow({ out, bias, source }: PlainRows, index: number, partWidth: number): void {
  const { major, minor, source: sources } = out!;
  const part = Math.floor(index / partWidth);
  const at = out!.length++;
  major[at] = bias + part;
  minor[at] = index - part * partWidth;
  sources[at] = source;
}

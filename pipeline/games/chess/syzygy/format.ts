/** Names, magic numbers and flags of files, and outcomes under the 50-move rule as the format numbers them. */
import { UserError } from '../../../../operators/core/errors.js';
import type { Material } from './material.js';

export const MAGIC = { wdl: 0x5d23e871, dtz: 0xa50c66d7 } as const;
export type FileKind = keyof typeof MAGIC;
export const EXTENSION = { wdl: 'rtbw', dtz: 'rtbz' } as const;

export function fileName({ name }: Material, kind: FileKind): string {
  return `${name}.${EXTENSION[kind]}`;
}

/** Bytes of the checksum at the end of a file. */
export const CHECKSUM_BYTES = 16;
/** Values that a block can have: 16 bits are for their number, less one. */
export const MOST_BLOCK_VALUES = 65536;

/** Files of a site that are larger have a CRC-32 for each page of so many bytes beside them (page-sums.ts). */
export const SUMMED_ABOVE = 1 << 15;
export const SUMMED_BYTES = 1 << 10;

/** Files that a question needs are not there. */
export class MissingFileError extends UserError {
  /** @param names of the files, as far as they are known; of endings that lack both files, without an extension. */
  constructor(
    message: string,
    readonly names: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Missing files that a message names; it counts the others. */
const MOST_NAMED = 24;

/** @param places where they were looked for. @param names as of {@link MissingFileError}. */
export function missingFiles(places: readonly string[], names: readonly string[]): MissingFileError {
  const listed = (some: readonly string[]) =>
    some.length <= MOST_NAMED
      ? some.join(', ')
      : `${some.slice(0, MOST_NAMED).join(', ')} and ${some.length - MOST_NAMED} more`;
  const endings = names.filter((name) => !name.includes('.'));
  const files = names.filter((name) => name.includes('.'));
  const parts = [
    ...(endings.length > 0 ? [`no files of ${listed(endings)} (.rtbw and .rtbz)`] : []),
    ...(files.length > 0 ? [`no ${listed(files)}`] : []),
  ];
  const has = places.length === 1 ? 'has' : 'have';
  return new MissingFileError(`${places.join(' and ')} ${has} ${parts.join(', and ')}`, names);
}

export const FileFlag = { split: 1, pawns: 2 } as const;
/** Flags of a subtable. DTZ: the side to move; values go through a map; plies are not halved; maps are of 16 bits. */
export const Flag = { black: 1, mapped: 2, winPlies: 4, lossPlies: 8, wide: 16, constant: 128 } as const;

/** Whether what values of DTZ stand for, or how many there are of a class, takes more than a byte. */
export function areWide(maps: readonly (readonly number[])[]): boolean {
  return maps.some((map) => Math.max(map.length, ...map) > 0xff);
}

/** By outcome: the class in the order of a file's maps. */
export const CLASS_OF = [1, 3, -1, 2, 0];

/** Outcomes under the 50-move rule, from the mover's side. */
export const SyzygyOutcome = { loss: 0, blessedLoss: 1, draw: 2, cursedWin: 3, win: 4 } as const;
export type SyzygyOutcome = (typeof SyzygyOutcome)[keyof typeof SyzygyOutcome];

/** Plies that the 50-move rule allows. */
export const RULE = 100;

/** The outcome of a code of pipeline/game/value.ts under `dtz`. */
export function outcomeOf(code: number): SyzygyOutcome {
  if (code > 0) return code > RULE ? SyzygyOutcome.cursedWin : SyzygyOutcome.win;
  if (code === 0) return SyzygyOutcome.draw;
  return -code - 1 > RULE ? SyzygyOutcome.blessedLoss : SyzygyOutcome.loss;
}

/** For the mover, what a move is worth to a position of this code. */
export function outcomeBefore(code: number): SyzygyOutcome {
  return (SyzygyOutcome.win - outcomeOf(code)) as SyzygyOutcome;
}

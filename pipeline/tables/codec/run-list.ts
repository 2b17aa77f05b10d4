/** The runs of a decoded block. */

/** No block has more runs, so that a decoded block takes 80 KB at most. */
export const RUNS = 1 << 14;

/** Neighbouring runs have different values. */
export interface RunList {
  count: number;
  /** Where each run ends, relative to the first position of the block. */
  readonly ends: Uint32Array;
  readonly values: Uint8Array;
}

export function newRunList(): RunList {
  return { count: 0, ends: new Uint32Array(RUNS), values: new Uint8Array(RUNS) };
}

/** `length` more positions of `value`. There must be room. */
export function appendRun(list: RunList, value: number, length: number): void {
  const { count, ends, values } = list;
  if (count === 0) {
    ends[0] = length;
    values[0] = value;
    list.count = 1;
  } else if (values[count - 1] === value) {
    ends[count - 1] += length;
  } else {
    ends[count] = ends[count - 1] + length;
    values[count] = value;
    list.count = count + 1;
  }
}

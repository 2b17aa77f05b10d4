/** Checks that kernels write no more rows than there is room for, and lose none when they are asked to go on. */
import type { Address, Emission } from '../game/game.js';
import { newEmission } from '../game/run-kernel.js';
import { conversionsFrom, kernelsOf, type NamedKernel, unconversionsOf } from './kernels.js';
import type { PositionCheck } from './position-checks.js';
import { rowsOf, type Subject } from './subject.js';
import type { Fault } from './violation.js';

/** Positions of a batch. */
const BATCH = 8;
/** Rows that are in the emission already, and must stay. */
const BEFORE = 2;
const MARK = 0xfee1dead;

/** The legal positions of the part from the one asked about on, a few. */
function batchFrom({ slice, isLegal }: Subject, { side, part, key }: Address): Uint32Array {
  const keys: number[] = [];
  const end = Math.min(slice.partSize(part), key + 8 * BATCH);
  for (let next = key; next < end && keys.length < BATCH; next++) {
    if (isLegal(side, part, next)) keys.push(next);
  }
  return Uint32Array.from(keys);
}

function capacity(subject: Subject, at: Address): Fault | null {
  const keys = batchFrom(subject, at);
  for (const kernel of kernelsOf(subject, at.side, at.part)) {
    const fault = needCapacity(subject, kernel, keys);
    if (fault !== null) return fault;
  }
  if (subject.slice.unconversions === undefined) return null;
  const [to] = conversionsFrom(subject, at);
  if (to === undefined) return null;
  const { side, part, key } = to.address;
  return needCapacity(
    subject,
    unconversionsOf(subject, at.side, to.dependency, side, part),
    Uint32Array.of(key, key),
  );
}

function needCapacity(subject: Subject, named: NamedKernel, keys: Uint32Array): Fault | null {
  const { name, kernel } = named;
  const { maxMoves } = subject.slice;
  const each = Array.from(keys, (key) => rowsOf(subject, named.rule, kernel, key).length);
  const total = each.reduce((sum, rows) => sum + rows, 0);

  const roomy = newEmission(total + maxMoves);
  const all = kernel(keys, 0, keys.length, roomy);
  if (all !== keys.length || roomy.length !== total)
    return {
      kernel: `${name} of ${keys.length} positions returns ${all} and emits ${roomy.length} rows`,
      rules: `with room for ${maxMoves} more it does all, ${total} rows`,
    };
  // Room for exactly the positions before one, and a row less than this one has.
  for (let stop = 0, before = 0; stop < keys.length; before += each[stop++]) {
    if (each[stop] === 0) continue;
    const room = before + each[stop] - 1;
    // Other rows take what is left of an emission in which a position always had room.
    const tight = newEmission(room + maxMoves);
    tight.length = maxMoves;
    const next = kernel(keys, 0, keys.length, tight);
    const done = each.slice(0, next).reduce((sum, rows) => sum + rows, 0);
    if (next > stop || tight.length !== maxMoves + done)
      return {
        kernel: `${name} with room for ${room} rows returns ${next} with ${tight.length - maxMoves} rows`,
        rules: `position ${stop} has ${each[stop]} rows after ${before}, which do not fit`,
      };
  }
  return resumes(named, keys, roomy, maxMoves);
}

/** Asked again and again with little room, the kernel emits the same rows after those that are there. */
function resumes(
  { name, kernel, sources, majors }: NamedKernel,
  keys: Uint32Array,
  roomy: Emission,
  maxMoves: number,
): Fault | null {
  const tight = newEmission(BEFORE + maxMoves);
  const columns = [
    'minor' as const,
    ...(majors ? ['major' as const] : []),
    ...(sources ? ['source' as const] : []),
  ];
  let row = 0;
  for (let from = 0; from < keys.length; ) {
    tight.length = BEFORE;
    for (const column of columns) tight[column].fill(MARK, 0, BEFORE);
    const next = kernel(keys, from, keys.length, tight);
    if (next <= from || next > keys.length)
      return {
        kernel: `${name} asked from position ${from} on returns ${next}`,
        rules: `there is room for ${maxMoves} rows, maxMoves, so for this position`,
      };
    if (tight.length > tight.minor.length)
      return {
        kernel: `${name} emits ${tight.length - BEFORE} rows`,
        rules: `there is room for ${maxMoves} rows`,
      };
    for (const column of columns) {
      if (tight[column].subarray(0, BEFORE).some((value) => value !== MARK))
        return { kernel: `${name} overwrites rows that were there`, rules: 'it writes behind them' };
      const wrong = tight[column]
        .subarray(BEFORE, tight.length)
        .findIndex((value, i) => value !== roomy[column][row + i]);
      if (wrong >= 0)
        return {
          kernel: `${name} asked from position ${from} on emits another ${column}, ${tight[column][BEFORE + wrong]}`,
          rules: `than asked for all at once, ${roomy[column][row + wrong]}`,
        };
    }
    row += tight.length - BEFORE;
    from = next;
  }
  return row === roomy.length
    ? null
    : {
        kernel: `${name} asked piece by piece emits ${row} rows`,
        rules: `asked for all at once ${roomy.length}`,
      };
}

export const capacityCheck: PositionCheck = { rule: 'capacity', every: 16, check: capacity };

/** The order in which the paged solver goes over pages. */
import { expect, test } from 'vitest';
import type { Side } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { layOut } from '../../../../pipeline/rivals/paged/address-space.js';
import { pagePlace, type SampledWork, scanOrder } from '../../../../pipeline/rivals/paged/scan-order.js';
import { newBatches } from '../../../../pipeline/rivals/paged/work.js';

const BUFFERS = 58;

function workOf(name: string): SampledWork {
  const slice = chess.slice(name);
  return { slice, space: layOut(slice, [], 8), batches: newBatches() };
}

/** The pages, of those of the other side, that the moves from some positions of a page lead to. */
function pagesBehind(work: SampledWork, side: Side, page: number): Set<number> {
  const { slice, space, batches } = work;
  const { part, first } = pagePlace(work, side, page);
  const keys = Uint32Array.from({ length: 64 }, (_, i) => first + 64 * i + ((i * 29) & 63));
  const found = new Set<number>();
  for (let from = 0; from < keys.length; ) {
    batches.rows.length = 0;
    from = slice.moves(side, part, keys, from, keys.length, 0, batches.rows);
    const { major, minor, length } = batches.rows;
    for (let i = 0; i < length; i++) found.add(space.firstPage[major[i]] + (minor[i] >>> space.pageShift));
  }
  return found;
}

/** Pages read if the least recently used makes room. */
function reads(order: Iterable<number>, behind: readonly Set<number>[]): number {
  const held = new Set<number>();
  let count = 0;
  for (const page of order) {
    for (const each of behind[page]) {
      if (!held.delete(each)) count++;
      held.add(each);
      if (held.size > BUFFERS) for (const oldest of held) if (held.delete(oldest)) break;
    }
  }
  return count;
}

test.each([0, 1] as const)('side %i of KQKR visits every page once, neighbours close together', (side) => {
  const work = workOf('KQKR');
  const order = scanOrder(work, side);
  const inFile = Int32Array.from({ length: order.length }, (_, page) => page);
  expect(order.slice().sort()).toEqual(inFile);
  expect(scanOrder(work, side)).toEqual(order);
  const behind = [...inFile].map((page) => pagesBehind(work, side, page));
  expect(reads(order, behind)).toBeLessThan(0.85 * reads(inFile, behind));
});

import { describe, expect, it } from 'vitest';
import { interleave, visitInterleaved } from '../../operators/interleave.js';
import type { Batch, Grouped } from '../../operators/runs/types.js';

async function* input(majors: number[], name: number, ended: number[]): Grouped {
  try {
    for (const major of majors) yield { major, length: 1, minor: Uint32Array.of(name), payload: [] };
  } finally {
    ended.push(name);
  }
}

const seen = async (batches: AsyncIterable<Batch>) => {
  const all: number[][] = [];
  for await (const { major, minor } of batches) all.push([major, minor[0]]);
  return all;
};

describe('interleave', () => {
  it('orders by major, and batches of one major by input', async () => {
    const ended: number[] = [];
    const inputs = [[3, 3, 7], [], [1, 3, 9], [3]].map((majors, name) => input(majors, name, ended));
    expect(await seen(interleave(inputs))).toEqual([
      [1, 2],
      [3, 0],
      [3, 0],
      [3, 2],
      [3, 3],
      [7, 0],
      [9, 2],
    ]);
    expect(ended.sort()).toEqual([0, 1, 2, 3]);
  });

  it('closes its inputs when it is stopped early', async () => {
    const ended: number[] = [];
    for await (const _ of interleave([input([1, 2], 0, ended), input([1, 2], 1, ended)])) break;
    expect(ended.sort()).toEqual([0, 1]);
  });

  it('without inputs there are no batches', async () => {
    expect(await seen(interleave([]))).toEqual([]);
  });
});

describe('visitInterleaved', () => {
  it('visits in the order of shifted majors, and awaits each visit', async () => {
    const ended: number[] = [];
    const visited: number[][] = [];
    let under = 0;
    const inputs = [[13, 17], [0, 3, 9], []].map((majors, name) => ({
      batches: input(majors, name, ended),
      shift: name === 0 ? -10 : 0,
      visit: ({ minor }: Batch, major: number) => {
        expect(under).toBe(0);
        visited.push([major, minor[0]]);
        if (major !== 3) return;
        under++;
        return Promise.resolve().then(() => void under--);
      },
    }));
    await visitInterleaved(inputs);
    expect(visited).toEqual([
      [0, 1],
      [3, 0],
      [3, 1],
      [7, 0],
      [9, 1],
    ]);
    expect(ended.sort()).toEqual([0, 1, 2]);
  });

  it('closes its inputs when a visit fails', async () => {
    const ended: number[] = [];
    const visit = () => Promise.reject(new Error('no'));
    const inputs = [0, 1].map((name) => ({ batches: input([1, 2], name, ended), shift: 0, visit }));
    await expect(visitInterleaved(inputs)).rejects.toThrow('no');
    expect(ended.sort()).toEqual([0, 1]);
  });
});

import { describe, expect, it } from 'vitest';
import type { LineMove } from '../../../jobs/positions/shapes.js';
import { queryOf, textsOf } from '../../../jobs/web/browse/query-texts.js';
import { branchesOf } from '../../../jobs/web/solution-tree.js';

const line = (text: string) => text.split(' ').map((san) => ({ move: san, san, uci: san }) as LineMove);

describe('solutions as a tree', () => {
  it('has one branch for lines that begin alike', () => {
    const [first, second, ...others] = branchesOf(['a b c', 'a b d', 'e f g'].map(line));
    expect(others).toEqual([]);
    expect(first.move.san).toBe('a');
    expect(first.next.map(({ move }) => move.san)).toEqual(['b']);
    expect(first.next[0].next.map(({ move }) => move.san)).toEqual(['c', 'd']);
    expect(second.next[0].next[0]).toEqual({ move: line('g')[0], next: [] });
  });

  it('of nothing is empty', () => {
    expect(branchesOf([])).toEqual([]);
  });
});

describe('queries by number of solutions', () => {
  it('are read from the texts of addresses, and written as such', () => {
    const texts = { plies: '12', solutions: '1', starts: '1..2', ends: '3' };
    const query = queryOf(texts);
    expect(query).toMatchObject({
      solutions: { least: 1, most: 1 },
      starts: { least: 1, most: 2 },
      ends: { least: 3, most: 3 },
    });
    expect(textsOf(query)).toEqual(texts);
  });

  it('refuse what is no number', () => {
    expect(() => queryOf({ solutions: 'one' })).toThrow('solutions: "one" is neither a number nor a range');
  });
});

/**
 * Plies to conversion in slices of checkers, against a solver that knows only the rules and the oracle's wins and losses.
 */

import { beforeAll, expect, test } from 'vitest';
import type { Game, Side } from '../../pipeline/game/game.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { type CheckersOracle, solveUpTo } from '../oracle/checkers/oracle.js';
import { BLACK_MAN, moves, type Position, WHITE_MAN } from '../oracle/checkers/rules.js';
import { toPosition } from '../pipeline/games/checkers/boards.js';
import { sweep } from '../support/long.js';
import { valuesOf } from '../support/paged.js';
import { budgetOf, MiB, solveGame } from '../support/solving.js';

/** The pieces, and the ranks of the leading men: the same until a conversion. */
function slicing({ squares }: Position): string {
  const counts = [2, -2, 1, -1].map((piece) => squares.reduce((n, each) => n + (each === piece ? 1 : 0), 0));
  const black = squares.lastIndexOf(BLACK_MAN);
  const white = squares.indexOf(WHITE_MAN);
  return [...counts, black < 0 ? '-' : (black - 1) >> 2, white < 0 ? '-' : (white - 1) >> 2].join();
}

const keyOf = ({ side, squares }: Position) => `${side} ${squares.join('')}`;

interface Node {
  /** For the side to move, by the oracle. */
  readonly wdl: number;
  /** Successors in the slice; `null` for one outside of it. */
  readonly after: { readonly wdl: number; readonly node: Node | null }[];
  plies: number | null;
}

/** All positions of a slice with their moves, by side and index. */
function nodesOf(slice: string, oracle: CheckersOracle): Node[][] {
  const { size } = checkers.slice(slice);
  const positions = ([0, 1] as Side[]).map((side) =>
    Array.from({ length: size }, (_, key) => toPosition(checkers.board({ slice, side, part: 0, key }))),
  );
  const nodes = positions.map((list) =>
    list.map((position): Node => ({ wdl: oracle.value(position).wdl, after: [], plies: null })),
  );
  const known = new Map<string, Node>();
  positions.forEach((list, side) => {
    list.forEach((position, key) => {
      known.set(keyOf(position), nodes[side][key]);
    });
  });
  positions.forEach((list, side) => {
    list.forEach((position, key) => {
      for (const { after } of moves(position)) {
        const stays = slicing(after) === slicing(position);
        const node = stays ? known.get(keyOf(after))! : null;
        nodes[side][key].after.push({ wdl: oracle.value(after).wdl, node });
      }
    });
  });
  return nodes;
}

/**
 * Finds the plies of all wins and losses, the shorter first. A conversion has depth 0 behind it; the winner takes the
 * shortest win, the loser the longest loss (Wendroff et al. 1993, section 2).
 */
function decide(nodes: readonly Node[]): void {
  for (let ply = 0, decided = 1; decided > 0 || ply < 2; ply++) {
    const found: Node[] = [];
    for (const node of nodes) {
      if (node.plies !== null || node.wdl === 0) continue;
      const depths = node.after
        .filter(({ wdl }) => wdl === -node.wdl)
        .map((next) => (next.node === null ? 0 : next.node.plies));
      const holds =
        node.wdl > 0
          ? depths.includes(ply - 1)
          : depths.every((depth) => depth !== null) && Math.max(-1, ...(depths as number[])) === ply - 1;
      if (holds) found.push(node);
    }
    for (const node of found) node.plies = ply;
    decided = found.length;
  }
}

let oracle: CheckersOracle;
beforeAll(() => {
  oracle = solveUpTo(3);
});

test.each(
  sweep(['1100', '1001.03', '0021.43'], ['1110.40', '1011.60', '2100', '0120.20'], ['2001.02', '1011.33']),
)('%s', async (slice) => {
  const { store } = await solveGame(checkers, [slice], { metric: 'dtc', budget: budgetOf(4 * MiB) });
  const values = await valuesOf(checkers as Game, slice, 'dtc', store);
  const nodes = nodesOf(slice, oracle);
  decide(nodes.flat());
  const wanted = nodes.map((side) =>
    side.map(({ wdl, plies }) => (wdl === 0 ? 0 : plies === null ? null : wdl > 0 ? plies : -plies - 1)),
  );
  expect(wanted.flat()).not.toContain(null);
  for (const side of [0, 1]) {
    const at = values[side].findIndex((value, i) => value !== wanted[side][i]);
    expect([side, at, values[side][at]]).toEqual([side, -1, undefined]);
  }
  expect(values.map((side) => side.length)).toEqual(wanted.map((side) => side.length));
});

/** Solved classes of checkers hold as many wins, losses and draws as the oracle found. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Store } from '../../operators/storage/store.js';
import type { ClassTally } from '../../pipeline/analysis/stats.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { decodeValue, type ValueColumn } from '../../pipeline/game/value.js';
import { halfOf } from '../../pipeline/game/views.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { needTable } from '../../pipeline/tables/table.js';
import { classesOf, hasBothSides } from '../oracle/checkers/classes.js';
import { ifShort, LONG } from '../support/long.js';
import { budgetOf, MiB, solveGame } from '../support/solving.js';
import { CHECKERS_CLASSES } from './checkers-classes.js';

/** Counts in the form of a row of {@link CHECKERS_CLASSES}. */
interface Counts {
  win: number;
  loss: number;
  draw: number;
  longestWin: number;
  longestLoss: number;
}

/** Adds up the halves of slices by the class that their positions are of, with Black to move. */
async function countClasses(slices: readonly string[], store: Store): Promise<Map<string, Counts>> {
  const classes = new Map<string, Counts>();
  for (const slice of slices) {
    const table = await needTable(store, checkers as Game, 'dtw', slice);
    for (const side of [0, 1] as Side[]) {
      const half = halfOf(checkers as Game, slice, side);
      if (half.repeats) continue;
      const none = { win: 0, loss: 0, draw: 0, longestWin: -1, longestLoss: -1 };
      const counts = classes.get(half.class) ?? none;
      classes.set(half.class, counts);
      for await (const { columns, length } of table.values(side, 0, table.slice.parts)) {
        const codes = columns[0] as ValueColumn;
        for (let i = 0; i < length; i++) {
          const { wdl, plies } = decodeValue(codes[i], 'dtw');
          if (wdl === 'win') {
            counts.win++;
            counts.longestWin = Math.max(counts.longestWin, plies!);
          } else if (wdl === 'loss') {
            counts.loss++;
            counts.longestLoss = Math.max(counts.longestLoss, plies!);
          } else counts.draw++;
        }
      }
    }
  }
  return classes;
}

/** Solves endings, which are of these classes, and compares. */
async function expectCounts(endings: readonly string[], classes: readonly string[]): Promise<void> {
  const wanted = endings.flatMap((name) => checkers.ending(name).slices);
  const { store } = await solveGame(checkers, wanted, { metric: 'dtw', budget: budgetOf(16 * MiB) });
  const found = await countClasses(wanted, store);
  expect([...found.keys()].sort()).toEqual([...classes].sort());
  for (const [name, win, loss, draw, longestWin, longestLoss] of CHECKERS_CLASSES) {
    const counts = found.get(name);
    if (counts !== undefined)
      expect([name, counts]).toEqual([name, { win, loss, draw, longestWin, longestLoss }]);
  }
}

const upTo = (pieces: number) => {
  const all = Array.from({ length: pieces - 1 }, (_, i) => classesOf(i + 2)).flat();
  return all.filter(hasBothSides);
};

test('the file has counts of all classes up to four pieces', () => {
  expect(CHECKERS_CLASSES.map(([name]) => name).sort()).toEqual(upTo(4).sort());
});

test('the published table of classes up to six pieces agrees with them', () => {
  const { classes } = JSON.parse(readFileSync('docs/checkers-classes.json', 'utf8')) as {
    classes: ClassTally[];
  };
  const found = new Map(classes.map((tally) => [tally.class, tally]));
  expect([...found.keys()].sort()).toEqual(upTo(6).sort());
  for (const [name, win, loss, draw, longestWin, longestLoss] of CHECKERS_CLASSES) {
    expect(found.get(name)).toEqual({
      class: name,
      total: win + loss + draw,
      wins: win,
      losses: loss,
      draws: draw,
      maxWinPlies: longestWin < 0 ? null : longestWin,
      maxLossPlies: longestLoss < 0 ? null : longestLoss,
    });
  }
  // 1994, Table 1, and 2003, Table 4: all positions of so many pieces, less those in which a side has none.
  const positions = { 5: 148_688_232 - 9_237_424, 6: 2_503_611_964 - 77_526_288 };
  for (const [pieces, wanted] of Object.entries(positions)) {
    const names = classesOf(Number(pieces));
    const all = classes.filter(({ class: name }) => names.includes(name));
    expect(all.reduce((sum, { total }) => sum + total, 0)).toBe(wanted);
    for (const { total, wins, losses, draws } of all) expect(wins + losses + draws).toBe(total);
  }
});

test.skipIf(!LONG)(
  `counts of classes of up to three pieces, and of some of four, are those of the file${ifShort}`,
  async () => {
    const three = checkers.endingsUpTo(3).map(({ name }) => name);
    await expectCounts([...three, '2200', '1111'], [...upTo(3), '2200', '1111']);
  },
);

test.skipIf(!LONG)(
  `counts of all classes of up to four pieces are those of the file${ifShort}`,
  { timeout: 600_000 },
  async () => {
    await expectCounts(
      checkers.endingsUpTo(4).map(({ name }) => name),
      upTo(4),
    );
  },
);

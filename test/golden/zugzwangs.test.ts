import { expect, test } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import { countZugzwangs, type ZugzwangKind } from '../../pipeline/analysis/zugzwang.js';
import type { Game } from '../../pipeline/game/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needTable } from '../../pipeline/tables/table.js';
import { LONGEST } from '../support/long.js';
import { solveChess } from '../support/solving.js';

/**
 * Published figures: mutual zugzwangs in which White (the first group of the name), Black, or whoever does not move gains
 * by not having the move. Statistics of Nalimov's tables as Scid has them (github.com/benini/scid, tcl/tb.tcl); the
 * endings of 3 and 4 men that are not here have none. KPKP is counted in both colours here.
 */
const PUBLISHED: Record<string, { white: number; black: number; full: number }> = {
  KPK: { white: 80, black: 0, full: 0 },
  KRKB: { white: 5, black: 0, full: 0 },
  KRKN: { white: 18, black: 0, full: 0 },
  KRKP: { white: 12, black: 0, full: 0 },
  KBKP: { white: 0, black: 1, full: 0 },
  KNKP: { white: 22, black: 7, full: 0 },
  KPKP: { white: 106, black: 106, full: 2 * 15 },
  KBPK: { white: 6, black: 0, full: 0 },
  KNPK: { white: 75, black: 0, full: 0 },
  KPPK: { white: 43, black: 0, full: 0 },
};

const game = chess as Game;
const store = memoryStore();
const endings = game
  .endingsUpTo(4)
  .filter(({ name }) => !name.endsWith('ep') && (LONGEST || ['KPK', 'KRKB', 'KQK'].includes(name)));

test.each(endings)(
  '$name has as many mutual zugzwangs as published',
  { timeout: 900_000 },
  async (ending) => {
    await solveChess(ending.slices, { store });
    const { tallies } = await countZugzwangs({
      game,
      metric: 'dtm',
      ending,
      open: (slice) => needTable(store, game, 'dtm', slice),
      report: async () => {},
      examples: 0,
    });
    const of = (kind: ZugzwangKind) => tallies[kind].orbits;
    const found = { white: of('white gains'), black: of('black gains'), full: of('full point') };
    expect(found).toEqual(PUBLISHED[ending.name] ?? { white: 0, black: 0, full: 0 });
  },
);

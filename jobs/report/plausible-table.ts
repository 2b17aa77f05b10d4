/** A table by numbers of pieces: what becomes of all positions, and of those that a proof of the game's value is thought to need. */
import { signOf } from '../../pipeline/analysis/codes.js';
import type { Game } from '../../pipeline/game/game.js';
import { type Block, heading, paragraph } from '../ui/document.js';
import { percent, whole } from '../ui/numbers.js';
import type { EndingReport, SideReport } from './gather.js';

/** Positions up to the exchange of colours, and how many the side to move wins, draws and loses. */
interface PlausibleRow {
  readonly pieces: number;
  readonly all: Sums;
  readonly plausible: Sums;
}

interface Sums {
  positions: number;
  wins: number;
  draws: number;
  losses: number;
}

/** None of a game that does not name plausible endings. */
function plausibleRows(game: Game, endings: readonly EndingReport[]): PlausibleRow[] {
  if (game.plausible === undefined) return [];
  const rows = new Map<number, PlausibleRow>();
  for (const { name, pieces, sides } of endings) {
    const row = rows.get(pieces) ?? { pieces, all: newSums(), plausible: newSums() };
    rows.set(pieces, row);
    const isPlausible = game.plausible(name);
    // Sides of such an ending have the same positions with the colours exchanged.
    const own = game.ending(name).exchanged === name ? sides.slice(0, 1) : sides;
    for (const side of own) {
      add(row.all, side);
      if (isPlausible) add(row.plausible, side);
    }
  }
  return [...rows.values()].sort((a, b) => a.pieces - b.pieces);
}

const newSums = (): Sums => ({ positions: 0, wins: 0, draws: 0, losses: 0 });

function add(sums: Sums, { legal, results }: Pick<SideReport, 'legal' | 'results'>): void {
  sums.positions += legal.placements;
  for (const [result, { placements }] of results) {
    const sign = signOf(result);
    sums[sign > 0 ? 'wins' : sign < 0 ? 'losses' : 'draws'] += placements;
  }
}

export function plausibleTable(game: Game, endings: readonly EndingReport[]): Block[] {
  const rows = plausibleRows(game, endings);
  if (rows.length === 0) return [];
  const cells = ({ positions, wins, draws, losses }: Sums) => [
    whole(positions),
    ...(positions === 0 ? ['–', '–', '–'] : [wins, draws, losses].map((count) => percent(count, positions))),
  ];
  const kinds = ['positions', 'win', 'draw', 'loss'];
  return [
    heading(2, 'By pieces'),
    {
      kind: 'table',
      table: {
        columns: ['pieces', ...kinds, ...kinds.map((kind) => `plausible: ${kind}`)],
        rows: rows.map(({ pieces, all, plausible }) => [whole(pieces), ...cells(all), ...cells(plausible)]),
      },
    },
    paragraph(
      "Of the endings above, up to the exchange of colours. Plausible are those that a proof of the game's value is thought to need: neither side has two pieces or three kings more than the other, and of nine pieces or more no more than six are kings (Schaeffer et al. 2003, table 5).",
      'soft',
    ),
  ];
}

/** The board of checkers: PDN's FEN, and moves by all squares that they touch ("9x18x25"). Kings are capital letters. */
import { type BoardKind, type Cell, cellsByName, type Man, moved, otherColour, type Setup } from './kind.js';

/** Squares 1 to 4 are the dark ones of the top row, Black's. */
function cellName(cell: Cell): string | null {
  const [row, column] = [cell >> 3, cell & 7];
  return (row + column) % 2 === 0 ? null : String(4 * row + (column >> 1) + 1);
}

const cells = cellsByName(cellName);
const OTHER: Readonly<Record<Man, Man>> = { w: 'b', b: 'w', W: 'B', B: 'W' };

function read(position: string): Setup | null {
  const [mover, ...groups] = position.trim().replace(/\.$/, '').split(':');
  if ((mover !== 'W' && mover !== 'B') || groups.length === 0) return null;
  const men = new Map<Cell, Man>();
  for (const group of groups) {
    const man = group[0]?.toLowerCase();
    if (man !== 'w' && man !== 'b') return null;
    for (const piece of group.slice(1).split(',').filter(Boolean)) {
      const king = piece[0] === 'K';
      const cell = cells.get(king ? piece.slice(1) : piece);
      if (cell === undefined) return null;
      men.set(cell, king ? man.toUpperCase() : man);
    }
  }
  return { men, mover: mover === 'W' ? 'white' : 'black' };
}

function write({ men, mover }: Setup): string {
  const group = (colour: string): string => {
    const pieces = [...men]
      .filter(([, man]) => man.toLowerCase() === colour)
      .sort(([a], [b]) => a - b)
      .map(([cell, man]) => (man === colour ? '' : 'K') + cellName(cell));
    return colour.toUpperCase() + pieces.join(',');
  };
  return `${mover[0].toUpperCase()}:${group('w')}:${group('b')}`;
}

export const checkersKind: BoardKind = {
  game: 'checkers',
  palette: [...'WwBb'],
  manName: (man) =>
    `${man.toLowerCase() === 'w' ? 'white' : 'black'} ${man === man.toUpperCase() ? 'king' : 'man'}`,
  cellName,
  read,
  write,
  // In a mirror the dark squares would be light ones.
  mirrored: null,
  exchanged: (setup) => ({
    ...moved(
      setup,
      (cell) => 63 - cell,
      (man) => OTHER[man],
    ),
    mover: otherColour(setup.mover),
  }),
  path: (uci) => uci.split(/[-x]/).map((name) => cells.get(name)!),
  promotion: () => null,
};
